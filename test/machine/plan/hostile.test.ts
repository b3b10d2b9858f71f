// Text of any kind and size: whatever a model or a person writes, reading it ends, in a time that grows with its length.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { stepProblems } from "../../../src/machine/plan/check.ts";
import { planFromJson } from "../../../src/machine/plan/json.ts";
import { planFromText } from "../../../src/machine/plan/text.ts";
import { assessTask } from "../../../src/words/assess.ts";
import { enumeratedGoals } from "../../../src/words/enumeration.ts";
import { origin } from "./make-plan.ts";

const usual = { chars: 80, separators: 2, words: 14, goals: 2 };
/** No threshold is reached, so that every rule looks at all of the text. */
const never = { chars: 1e9, separators: 1e9, words: 1e9, goals: 1e9 };

const pieces = [
  ...[
    "[PLAN]\n",
    "1. [ ] ",
    "- [ ] ",
    "(tools: read)",
    "（工具：edit）",
    "deps: 1",
    "\n",
    "  ",
    "```\n",
    "```json\n{",
    "}",
    "**",
    "Goal: ",
    "验证：",
  ],
  ...[
    "2. ",
    "1、",
    "（1）",
    "一、",
    "A. ",
    "don't ",
    "delete ",
    "不要删除",
    "fix it",
    "src/a.ts",
    ", ",
    "；",
    "2026-01-01 10:00:00 x\n",
    "    at f (a:1:2)\n",
  ],
  ...[
    "\u202e",
    "\ud83d",
    "\u0000",
    "é",
    "字",
    "x".repeat(50),
    "https://",
    ":",
    "：",
    "[",
    "]",
    "(",
    ")",
    "\r",
    "\t",
    "`",
    "#",
  ],
];
const joined = fc.array(fc.constantFrom(...pieces), { maxLength: 60 }).map((parts) => parts.join(""));
const text = fc.oneof(
  joined,
  fc
    .tuple(fc.constantFrom("[PLAN]\n1. a\n", "[PLAN]\n- [ ] b\n", "1. [ ] c (tools: d)\n"), joined)
    .map((parts) => parts.join("")),
  fc.string({ unit: "binary", maxLength: 200 }),
);

describe("any text", () => {
  test("[PL-3] gives a sound plan, problems or nothing, and never throws", () => {
    let plans = 0;
    fc.assert(
      fc.property(text, (reply) => {
        const found = planFromText(reply, origin);
        if (found === null) return;
        if ("problems" in found) expect(found.problems.length).toBeGreaterThan(0);
        else {
          plans++;
          expect(stepProblems(found.plan.steps)).toEqual([]);
          expect(planFromJson(JSON.stringify(found.plan), origin)).toEqual({ ok: true, value: found.plan });
        }
      }),
      { numRuns: 3000 },
    );
    expect(plans).toBeGreaterThan(50);
  });

  test("[SM-3] is assessed the same way twice, and a list of goals always makes it complex", () => {
    fc.assert(
      fc.property(text, fc.boolean(), (input, isFirst) => {
        const assessed = assessTask(input, usual, isFirst);
        expect(assessTask(input, usual, isFirst)).toEqual(assessed);
        const goals = enumeratedGoals(input);
        expect(goals.length === 1 || goals.some((goal) => goal === "")).toBe(false);
        if (goals.length > 1) expect(assessed.complexity).toBe("complex");
        expect(assessed.missing.length).toBeLessThanOrEqual(3);
      }),
      { numRuns: 2000 },
    );
  });
});

describe("a great deal of text", () => {
  const units = [
    ...pieces,
    "a",
    "a ",
    ".",
    "..a",
    "1",
    "请",
    "and ",
    "1) 2) ",
    "- a\n",
    "x:",
    '{"a":[',
    "_",
    "fix it ",
    "[ ",
    "~~~\n",
    "_ _",
    "1.",
    "(1)(",
  ];
  // A time that grew with the square would take minutes for each of them.
  for (const unit of units) {
    test(`[PL-3] made of ${JSON.stringify(unit.slice(0, 30))} alone is read in a time that grows with its length`, () => {
      const huge = unit.repeat(Math.ceil(100_000 / unit.length));
      assessTask(huge, never, true);
      planFromText(`[PLAN]\n${huge}`, origin);
      planFromText(huge, origin);
      expect(planFromJson(huge, origin).ok).toBe(false);
    });
  }
});
