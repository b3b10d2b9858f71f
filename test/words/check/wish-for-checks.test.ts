import { expect, test } from "bun:test";
import fc from "fast-check";
import { asksForChecks, wishForChecks } from "../../../src/words/check/wish-for-checks.ts";
import { asks, declines, fence, silent } from "./examples.ts";

test("[VF-1] every wording of the list asks for a check", () => {
  expect(asks.filter((text) => !asksForChecks(text))).toEqual([]);
  expect(asks.length).toBeGreaterThanOrEqual(60);
});

test("[VF-1] talking about tests, writing them, quoting and asking how are no wish for a check", () => {
  expect(silent.filter((text) => wishForChecks(text) !== null).map((text) => [text, wishForChecks(text)])).toEqual([]);
  expect(silent.length).toBeGreaterThanOrEqual(80);
});

test("[VF-1] a negation turns the wish around, and the last word counts", () => {
  expect(
    declines.filter((text) => wishForChecks(text) !== "declined").map((text) => [text, wishForChecks(text)]),
  ).toEqual([]);
});

test("[VF-1] capitals, wide letters and traditional characters ask for the same", () => {
  const wide = (text: string): string =>
    text.replace(/[A-Za-z]/g, (char) => String.fromCharCode(char.charCodeAt(0) + 0xfee0));
  const traditional = (text: string): string =>
    text.replaceAll("测", "測").replaceAll("验", "驗").replaceAll("试", "試");
  const all = [...asks, ...declines, ...silent];
  for (const turn of [wide, traditional, (text: string) => text.toUpperCase()]) {
    expect(all.filter((text) => wishForChecks(turn(text)) !== wishForChecks(text))).toEqual([]);
  }
});

test("[VF-1] every command that runs tests can be asked for by its name alone", () => {
  const commands = [
    ...["npm test", "bun run test", "npx jest", "npx mocha", "pytest", "python3 -m unittest", "go test ./...", "tox"],
    ...["cargo nextest run", "mvn -q verify", "./gradlew test", "make check", "node --test", "jest", "vitest", "mocha"],
    ...["ctest", "rspec", "phpunit"],
  ];
  expect(commands.filter((command) => wishForChecks(`fix it and run ${command}`) !== "asked")).toEqual([]);
  expect(commands.filter((command) => wishForChecks(`别运行 ${command}`) !== "declined")).toEqual([]);
});

test("[VF-1] a text of a megabyte, whatever it holds, is read in one go", () => {
  const hostile = [
    ["run the ", 130_000],
    ["and then ", 110_000],
    ["x,", 500_000],
    ["'", 1_000_000],
    ["`", 1_000_000],
    ["跑 a", 300_000],
    ["make sure all tests ", 50_000],
    [`${"don't and then ".repeat(30)}run the tests,`, 2000],
  ] as const;
  for (const [text, times] of hostile) expect(wishForChecks(text.repeat(times))).toBeNull();
  expect(wishForChecks(`${"log line, with words\n".repeat(40_000)}please run the tests`)).toBe("asked");
});

test("[VF-1] no text makes it throw, and what is quoted or fenced never changes the answer", () => {
  const word = fc.constantFrom(
    ...[
      "run",
      "the tests",
      "don't",
      "and",
      "verify",
      "'",
      '"',
      "`",
      "“",
      "”",
      "\n",
      "> ",
      fence,
      ", ",
      "跑",
      "测试",
      "不要",
      "npm test",
    ],
  );
  const text = fc.array(fc.oneof(word, fc.string()), { maxLength: 30 }).map((parts) => parts.join(" "));
  fc.assert(fc.property(text, (any) => [null, "asked", "declined"].includes(wishForChecks(any))));
  const inside = fc
    .array(fc.constantFrom("run the tests", "don't run tests", "跑一下测试", "verify it"))
    .map((parts) => parts.join("\n"));
  fc.assert(
    fc.property(inside, (hidden) => {
      expect(wishForChecks(`fix it\n${fence}\n${hidden}\n${fence}\nand explain`)).toBeNull();
      expect(wishForChecks(`run the tests\n${fence}\n${hidden}\n${fence}`)).toBe("asked");
      expect(wishForChecks(`rename “${hidden.replaceAll("\n", " ")}” to x`)).toBeNull();
    }),
  );
});
