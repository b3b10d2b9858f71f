import { describe, expect, test } from "bun:test";
import { dropped } from "../../../src/policy/constraint/public-api.ts";
import { constraintsIn } from "../../../src/policy/constraint/said.ts";

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
  [
    "Constraints:\n- Do not touch the network.\n- keep the public API",
    "Do not touch the network",
    "keep the public API",
  ],
  ["Refactor it without touching the public API", "Refactor it without touching the public API"],
  ["You must not delete any files, please", "You must not delete any files"],
  ["don't commit until I say so", "don't commit until I say so"],
  ["Network access is forbidden", "Network access is forbidden"],
  ["Do not touch anything outside src/", "Do not touch anything outside src/"],
  ["Please leave src/legacy alone", "Please leave src/legacy alone"],
  ["src/legacy must not be changed", "src/legacy must not be changed"],
  ["leave the tests alone", "leave the tests alone"],
  ["do not install anything", "do not install anything"],
  ["全程离线，不要 push", "全程离线", "不要 push"],
  ["在不改变公共接口的前提下重构", "在不改变公共接口的前提下重构"],
  ["src/legacy 不要动，测试不要改，不引入新依赖", "src/legacy 不要动", "测试不要改", "不引入新依赖"],
  ["Fix parse() (do not touch the network).", "do not touch the network"],
  ["rename the helper — keep the public API", "keep the public API"],
  ["Refactor foo while keeping the public API", "keeping the public API"],
  ["Refactor foo, keeping the public API unchanged", "keeping the public API unchanged"],
  ["You must keep the public API backwards-compatible!!", "You must keep the public API backwards-compatible"],
  ["make it faster without changing the public API", "make it faster without changing the public API"],
  ["no breaking changes, and do not change the API", "no breaking changes", "do not change the API"],
  ["Under no circumstances access the network", "Under no circumstances access the network"],
  ["offline only; don't go online", "offline only", "don't go online"],
  ["Do it without internet", "Do it without internet"],
  ["重构 parser，同时保持公共 API 不变", "同时保持公共 API 不变"],
  ["修复 a.ts;不允许访问网络（接口保持不变）", "不允许访问网络", "接口保持不变"],
  ["本任务不可访问网络，不要发起任何网络请求", "本任务不可访问网络", "不要发起任何网络请求"],
];

describe("what the person forbids", () => {
  for (const [text, ...constraints] of taken)
    test(`[PL-3] is taken in their own words from ${JSON.stringify(text)}`, () =>
      expect(constraintsIn(text)).toEqual(constraints));

  for (const text of [
    "Do not touch the network module, it is fine",
    "Add retries without touching the network",
    "Fix the crash without network",
    "Add a flag that works without changing the public API",
    "Write it down (the client should not touch the network until login)",
    "新增离线模式，不允许用户访问网络",
    "不可访问的页面要返回 404",
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
    // What a program does, or must not do.
    "Make the app work offline",
    "Add a --offline option so that users can work offline",
    "The app must not access the network when the cache is warm",
    "When the cache is warm, do not access the network",
    "The tests shouldn't touch the network, mock fetch",
    "Handle the case without internet access",
    "The request fails without network access, show an error",
    "Add --dry-run so that it runs without deleting files",
    "Implement --dry-run: don't delete any files when it is set",
    "Users can't push to the repo",
    "I can't install packages on my machine",
    "There is no network access in the sandbox; skip the test there",
    "avoid deploying twice: add a lock",
    "never release the lock twice",
    "don't push the item twice onto the queue",
    "do not commit the transaction",
    "Keep the public API docs up to date",
    "keep a list of public interfaces in docs/api.md",
    "The watcher should only touch dist/ when sources change",
    "not only change src/a.ts but also src/b.ts",
    "The plugin should not write to dist/out.js",
    "让程序可以离线工作",
    "没有网络的时候不要访问网络，显示提示",
    "不能访问网络时给出提示",
    "用户不能删除文件，修复这个 bug",
    "修复不能提交表单的问题",
    "提示用户不要提交密钥",
    "避免提交两次订单",
    // What is quoted, or to be written somewhere.
    "Show 'No network access' in the status bar",
    '"don\'t commit" should be a checkbox in the form',
    "The docs say: do not touch the network. Translate that.",
    "> do not delete any files\n\nWhat does this mean",
    "Add these lines to CONTRIBUTING.md:\n- Do not push to main\n- Never delete files",
    "界面上显示“不要删除文件”",
    "在 README 里加一句：请勿提交代码",
    // What is in a file, and not the file.
    "don't remove the comments in src/a.ts",
    "不要修改 src/a.ts 中的注释",
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
