import { describe, expect, test } from "bun:test";
import { constraintsIn } from "../../src/policy/constraint.ts";
import { dropped } from "../../src/policy/constraint-api.ts";

const taken: readonly (readonly [text: string, ...constraints: string[]])[] = [
  ["Rename parse; do not touch the network.", "do not touch the network"],
  [
    "Fix a.js, but don't access the internet, and keep the public API.",
    "don't access the internet",
    "keep the public API",
  ],
  ["Without network access, update the parser", "Without network access"],
  ["不得访问网络。修复测试", "不得访问网络"],
  ["修复 a.js，请勿联网，保持公共接口不变", "请勿联网", "保持公共接口不变"],
  ["禁止使用外部网络；别改公开的 API", "禁止使用外部网络", "别改公开的 API"],
  ["Preserve the exported interfaces while you split it", "Preserve the exported interfaces while you split it"],
  ["The public API must stay the same", "The public API must stay the same"],
  ["do it without adding any new dependencies", "do it without adding any new dependencies"],
  ["no new packages", "no new packages"],
  ["不要引入新的依赖", "不要引入新的依赖"],
  ["Never delete any files", "Never delete any files"],
  ["不要删除任何文件", "不要删除任何文件"],
  ["don't commit", "don't commit"],
  ["不要提交", "不要提交"],
  ["do not change the existing tests", "do not change the existing tests"],
  ["不要修改现有测试", "不要修改现有测试"],
  ["Do not modify src/legacy or package.json", "Do not modify src/legacy or package.json"],
  ["不要动 src/legacy/ 目录", "不要动 src/legacy/ 目录"],
  ["Only change src/a.ts", "Only change src/a.ts"],
  ["只修改 src/a.ts", "只修改 src/a.ts"],
  ["do not run any commands", "do not run any commands"],
];

describe("what the person forbids", () => {
  for (const [text, ...constraints] of taken)
    test(`[PL-3] is taken in their own words from ${JSON.stringify(text)}`, () =>
      expect(constraintsIn(text)).toEqual(constraints));

  for (const text of [
    "Do not touch the network module, it is fine",
    "Make the network client faster",
    "Why don't you change src/a.ts?",
    "don't forget to change src/a.ts",
    "Keep going",
    "Document the public API",
    "Delete the files in build/",
    "Add a test for `do nothing`",
    "The tests do not pass",
    "It does not delete files that it should",
    "网络模块有问题，请修复",
    "公共接口的文档写一下",
    "不知道为什么网络不通",
    "Use no more than two packages of screws",
  ])
    test(`[PL-3] nothing is taken from ${JSON.stringify(text)}`, () => expect(constraintsIn(text)).toEqual([]));

  test("[PL-3] a great deal of text is read in a time that grows with its length", () => {
    for (const unit of ["do not ", "不要", "keep the public ", "without any new ", "only change ", ", but ", "a/", "."])
      expect(constraintsIn(unit.repeat(50_000)).length).toBeLessThanOrEqual(12);
  });
});

test("[PL-3] what was public and goes, or takes other parameters, is seen in several languages", () => {
  const rows: readonly (readonly [before: string, after: string, ...names: string[]])[] = [
    ["export function parse(a: string) {", "export function parse(a: string) { // faster"],
    ["export function parse(a: string) {", "export function parse(a: string, b: number) {", "parse"],
    ["export const a = 1;", "const a = 1;", "a"],
    ["exports.add = (a, b) => a - b;", "exports.add = (a, b) => a + b;"],
    ["def parse(text):\n    return 1", "def read(text):\n    return 1", "parse"],
    ["def _parse(text):", "def read(text):"],
    ["func Parse(s string) int {", "func parse(s string) int {", "Parse"],
    ["pub fn parse(s: &str) {", "fn parse(s: &str) {", "parse"],
    ["  public int size() {", "  public int size(int n) {", "size"],
    ["function inner() {", ""],
  ];
  for (const [before, after, ...names] of rows) expect(dropped(before, after)).toEqual(names);
});
