import { expect, test } from "bun:test";
import fc from "fast-check";
import { bagOf } from "../../../src/index/question/bag.ts";
import { segmentsOf } from "../../../src/index/question/chinese.ts";
import { readQuestion } from "../../../src/index/question/question.ts";
import { hashOf, partsOf, stem, termsOf, tokensIn } from "../../../src/index/question/words.ts";
import { growsEvenly } from "../../support/cpu.ts";

const parts: readonly (readonly [string, string])[] = [
  ["parseHTTPReply2", "parse http reply 2"],
  ["HTTPServer", "http server"],
  ["foo_bar__baz", "foo bar baz"],
  ["__init__", "init"],
  ["MAX_SIZE", "max size"],
  ["x1y2", "x 1 y 2"],
  ["$el", "el"],
  ["_", ""],
];

for (const [token, expected] of parts) {
  test(`[CX-4] ${token} has the parts "${expected}"`, () => {
    expect(partsOf(token).join(" ")).toBe(expected);
  });
}

test("[CX-4] forms of one word have one stem, and short or foreign ones are left alone", () => {
  const same = [
    "decide decides decided deciding",
    "policy policies",
    "verify verified verification",
    "validate validation",
  ];
  for (const words of [...same, "cancel cancelled cancellation", "retry retries", "document documentation"]) {
    expect(new Set(words.split(" ").map(stem)).size).toBe(1);
  }
  expect(["run", "ts", "größe", "预算", "e2e"].map(stem)).toEqual(["run", "ts", "größe", "预算", "e2e"]);
});

test("[CX-4] Chinese is found by every two neighbours", () => {
  expect(termsOf("会话快照")).toEqual(["会话", "话快", "快照"]);
  expect(termsOf("锁")).toEqual(["锁"]);
});

/** What a bag is, said slowly. */
function plainBag(text: string): Record<string, number> {
  const counts = new Map<string, number>();
  for (const token of tokensIn(text)) counts.set(token, Math.min(3, (counts.get(token) ?? 0) + 1));
  const bag: Record<string, number> = {};
  for (const [token, count] of counts) for (const term of termsOf(token)) bag[term] = (bag[term] ?? 0) + count;
  return bag;
}

const wordy = fc.array(
  fc.oneof(
    fc.constantFrom(
      "fooBar",
      "foo",
      "the",
      "HTTPServer",
      "x",
      "a1",
      "配置",
      "配置文件",
      "größe",
      "\ud800",
      "\u0000",
      "🙂",
      "constructor",
    ),
    fc.string({ maxLength: 8, unit: "binary" }),
    fc.constantFrom("_".repeat(70), "k".repeat(64), "k".repeat(65)),
  ),
  { maxLength: 60 },
);

test("[CX-4] a bag holds the terms of all words, each word at most three times, and its names once", () => {
  fc.assert(
    fc.property(wordy, fc.constantFrom(" ", ".", "\n", ""), (words, between) => {
      const text = words.join(between);
      const bag = bagOf(text);
      const counts: Record<string, number> = {};
      for (const term of bag.text.split(" ")) if (term !== "") counts[term] = (counts[term] ?? 0) + 1;
      expect(counts).toEqual(plainBag(text));
      const names = new Set(
        tokensIn(text)
          .map(hashOf)
          .filter((hash) => hash !== 0),
      );
      expect([...bag.uses].sort()).toEqual([...names].sort());
    }),
  );
});

test("[CX-4] a file of nothing but different words is cut, not refused", () => {
  const text = Array.from({ length: 100_000 }, (_, at) => `word${at}`).join(" ");
  expect(bagOf(text).uses.length).toBe(5000);
  expect(bagOf("one two").uses.length).toBe(2);
});

test("[CX-4] a question keeps what it is about and drops that it asks", () => {
  const { terms, exact, paths } = readQuestion(
    "Where is the `exit code` of runShell decided, see src/engine/loop.ts or E_IO?",
  );
  expect([...terms.keys()]).toEqual([
    "exit",
    "run",
    "shel",
    "runshell",
    "decid",
    "src",
    "engin",
    "loop",
    "ts",
    "io",
    "eio",
  ]);
  expect(terms.get("decid")).toBeLessThan(terms.get("exit")!);
  expect(exact).toEqual(["exit code", "runShell", "E_IO", "loop.ts"]);
  expect(paths).toEqual(["src/engine/loop.ts"]);
});

test("[CX-4] a Chinese question is also asked in the English of the trade", () => {
  expect(segmentsOf("会话的快照")).toEqual([
    { text: "会话", meanings: ["session"] },
    { text: "的", meanings: [] },
    { text: "快照", meanings: ["snapshot"] },
  ]);
  expect([...readQuestion("会话快照写到哪里？").terms.keys()]).toEqual([
    "session",
    "会话",
    "snapshot",
    "快照",
    "writ",
    "写",
  ]);
});

test("[CX-4] what reading a question costs grows with its length, whatever it holds", async () => {
  for (const part of ["Aa", "a.", "`", "a/", "a", "在"]) {
    const read = (scale: number) => readQuestion(`A${part.repeat(1_100 * scale)}`);
    expect(read(8).terms.size).toBeLessThanOrEqual(24);
    expect([part, await growsEvenly(read)]).toEqual([part, true]);
  }
});
