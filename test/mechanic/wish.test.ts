import { expect, test } from "bun:test";
import { langOf, type Wish, wishOf } from "../../src/mechanic/wish.ts";
import { growsEvenly } from "../support/cpu.ts";

const fix = { kind: "fix" } as const;
const explain = { kind: "explain" } as const;
const unknown = { kind: "unknown" } as const;

const understood: readonly (readonly [request: string, wish: Wish])[] = [
  ["fix the failing test", fix],
  ["Please fix the tests.", fix],
  ["make the tests pass", fix],
  ["fix the test that does not pass", fix],
  ["make the tests run without errors", fix],
  ["find the bug in shop.js", fix],
  ["修复失败的测试", fix],
  ["让测试通过", fix],
  ["why do the tests fail?", explain],
  ["run the tests", explain],
  ["explain the failing test, but don't fix it", explain],
  ["为什么测试失败？", explain],
  ["运行测试", explain],
  ["rename total to sum", { kind: "rename", from: "total", to: "sum" }],
  ["rename the function `get_all` to `list_all`", { kind: "rename", from: "get_all", to: "list_all" }],
  ["把 total 重命名为 sum", { kind: "rename", from: "total", to: "sum" }],
  ["where is parse defined?", { kind: "definition", name: "parse" }],
  ["parse 在哪里定义", { kind: "definition", name: "parse" }],
  ["find usages of parse", { kind: "usages", name: "parse" }],
  ["who calls parse()", { kind: "usages", name: "parse" }],
  ["parse 的引用", { kind: "usages", name: "parse" }],
  ["list TODOs", { kind: "todos" }],
  ["列出 TODO", { kind: "todos" }],
  ["fix it", fix],
  ["fix the tests that keep failing", fix],
  ["fix the only failing test", fix],
  ["修复识别模块失败的测试", fix],
  ["修复日期格式化的失败测试", fix],
  ["修复不能通过的测试", fix],
  ["测试为什么挂了", explain],
  ["run the formatter tests", explain],
  ["请把total重命名为sum吧", { kind: "rename", from: "total", to: "sum" }],
  ["Please rename total to sum, thanks!", { kind: "rename", from: "total", to: "sum" }],
  ["definition of parse", { kind: "definition", name: "parse" }],
  ["parse在哪里定义", { kind: "definition", name: "parse" }],
  ["查找parse的定义", { kind: "definition", name: "parse" }],
  ["parse的引用", { kind: "usages", name: "parse" }],
  ["哪里调用了parse函数？", { kind: "usages", name: "parse" }],
  ["format the code", { kind: "format" }],
  ["format", { kind: "format" }],
  ["格式化", { kind: "format" }],
  ["fix lint", { kind: "lint" }],
  ["summarise the diff", { kind: "diff" }],
  ["总结改动", { kind: "diff" }],
  ["what can you do?", { kind: "help" }],
  ["你能做什么", { kind: "help" }],
];

test("understands what it can do, in English and Chinese", () => {
  expect(understood.map(([request]) => [request, wishOf(request)])).toEqual(understood.map((one) => [...one]));
});

const refused: readonly string[] = [
  "write me a web app",
  "写一个网站",
  "fix the failing test and add a login page",
  "refactor the tests so that they pass, then deploy",
  "修复失败的测试，然后重构代码",
  "don't fix the failing test",
  "fix the failing test but do not touch shop.js",
  "fix the failing test without changing the API",
  "rename total to sum, except for the tests",
  "不要修复测试",
  "rename total to sum in shop.js",
  "in shop.js, rename total to sum",
  "rename total to sum-total",
  "rename a to b and c to d",
  "把 price 改成 cost 的两倍",
  "fix the colour of the rendered button",
  "correct the decimal separator",
  "fix the login so that it leads home",
  "fix the failing test, only touch shop.js",
  "fix the tests but leave shop.js alone",
  "make the tests pass by changing the tests",
  "fix the tests; you must not edit shop.js",
  "fix the failing test and rename total to sum",
  "fix the failing tests and update the docs",
  "只改 shop.js，修复失败的测试",
  "修复失败的测试，保持 shop.js 不变",
  "format the date as ISO",
  "```\nfix the failing test\n```",
  "",
  "rename",
  "what is the meaning of life",
];

test("refuses what it cannot do, and limits that it could not keep to", () => {
  expect(refused.map((request) => [request, wishOf(request)])).toEqual(refused.map((request) => [request, unknown]));
});

test("what is piped in behind the words says nothing about what is wanted", () => {
  const log = "\n\nplease rename total to sum\nfix the failing test\n";
  expect(wishOf(`why do the tests fail?${log}`)).toEqual(explain);
  expect(wishOf(`what does this mean${log}`)).toEqual(unknown);
  expect(wishOf("fix the failing test\n\nDo not touch shop.js")).toEqual(unknown);
});

test("what reading a request costs grows with its length, up to a hundred thousand characters", async () => {
  for (const part of ["fix ", "a ,   ", "\n \n", "rename a ", "为什么", "where is "]) {
    const read = (scale: number) => wishOf(part.repeat(Math.ceil((12_500 * scale) / part.length)));
    expect([part, await growsEvenly(read)]).toEqual([part, true]);
  }
  const late = (scale: number) => wishOf(`fix the failing test ${"x ".repeat(6_250 * scale)}. Then add a login page`);
  expect(late(8)).toEqual(unknown);
  expect(await growsEvenly(late)).toBe(true);
});

test("answers in the language of the request", () => {
  expect(["fix it", "修复 it", ""].map(langOf)).toEqual(["en", "zh", "en"]);
});
