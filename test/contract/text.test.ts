import { expect, test } from "bun:test";
import { everyText, phrase, say, type TextKey } from "../../src/contract/text/catalogue.ts";

const catalogue = everyText();
const names = (text: string): readonly string[] =>
  [...text.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? "").sort();

test("[SU-4] every text exists in both languages, and both name the same things", () => {
  const wrong = Object.entries(catalogue).filter(
    ([, line]) =>
      line.en.trim() === "" ||
      line.zh.trim() === "" ||
      JSON.stringify([...new Set(names(line.en))]) !== JSON.stringify([...new Set(names(line.zh))]),
  );
  expect(wrong.map(([key]) => key)).toEqual([]);
});

test("[SU-4] a text that is not one of the fixed lines differs between the languages", () => {
  const fixed: readonly string[] = ["cancel.line1", "cancel.line2"];
  const same = Object.entries(catalogue).filter(([key, line]) => line.en === line.zh && !fixed.includes(key));
  expect(same.map(([key]) => key)).toEqual([]);
});

test("arguments are filled in, a missing one stays visible, and a key of a newer version is shown as it is", () => {
  expect(say("en", { key: "run.step_limit", args: { n: 7 } })).toBe("step limit reached (7)");
  expect(say("en", { key: "run.step_limit" })).toBe("step limit reached ({n})");
  expect(say("zh", { key: "from.the.future" as TextKey })).toBe("from.the.future");
});

test("[SU-4] a phrase inside another speaks its language, and each of several has its own line", () => {
  const missing = phrase("file.missing", { path: "a" });
  const problem = phrase("plan.problem", { where: "steps", what: missing });
  const whole = phrase("plan.problems", { problems: [problem, problem] });
  const line = { en: `steps: ${say("en", missing)}`, zh: `steps：${say("zh", missing)}` };
  expect(say("en", whole)).toBe(`the plan cannot be carried out:\n${line.en}\n${line.en}`);
  expect(say("zh", whole)).toBe(`该计划无法执行：\n${line.zh}\n${line.zh}`);
  expect(say("en", phrase("file.missing", JSON.parse('{"__proto__": 1}')))).toContain("{path}");
});

test("[CAN-3] the two lines of a cancel are the same in every language", () => {
  for (const lang of ["en", "zh"] as const) {
    expect(say(lang, { key: "cancel.line1" })).toBe("Cancelled by ESC");
    expect(say(lang, { key: "cancel.line2" })).toBe(
      "Stopped model stream and tool execution; todo state remains unchanged unless a tool had already completed.",
    );
  }
});
