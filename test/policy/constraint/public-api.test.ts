import { expect, test } from "bun:test";
import { dropped } from "../../../src/policy/constraint/public-api.ts";

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
