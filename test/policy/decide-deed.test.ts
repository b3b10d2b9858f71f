// In which order what a call would do is decided: rules, answers, plan, the person's own words.
import { expect, test } from "bun:test";
import type { PermissionRule } from "../../src/contract/permission.ts";
import { phrase } from "../../src/contract/text/catalogue.ts";
import type { PolicyQuestion } from "../../src/policy/decide.ts";
import { type DeedFacts, decideDeed } from "../../src/policy/decide-deed.ts";

const write: PolicyQuestion = {
  ...{ tool: "write", access: "write", mode: "default", preset: null, rules: [], workspace: "/w", ownFolder: "/o" },
  ...{ sandbox: "off", interactive: true, riskReasons: [] },
  paths: [{ given: "a.ts", real: "/w/a.ts", inside: true, exists: true, kind: "file" }],
};
const allowed: PermissionRule = { decision: "allow", tool: "write", source: "always", by: "person" };
const lookAlike = phrase("policy.lookalike", { names: "a" });

/** The verdict, and which of the facts were asked for. */
function decided(facts: Omit<DeedFacts, "question">, question: Partial<PolicyQuestion> = {}) {
  const asked: string[] = [];
  const noted = Object.fromEntries(
    Object.entries(facts).map(([name, value]) => [
      name,
      typeof value !== "function"
        ? value
        : (...args: readonly never[]) => {
            asked.push(name);
            return (value as (...args: readonly never[]) => unknown)(...args);
          },
    ]),
  );
  const { decision, source, reasons } = decideDeed({ ...noted, question: { ...write, ...question } });
  return { decision, source, reasons, asked };
}

const everything = {
  granted: () => [allowed],
  isAgreed: () => true,
  lookAlikes: () => [lookAlike],
} satisfies Partial<DeedFacts>;

test("[PO-6] answers of the person are looked up only for what the rules do not allow", () => {
  expect(decided(everything, { rules: [allowed] })).toMatchObject({ decision: "allow", asked: [] });
  expect(decided(everything)).toMatchObject({ decision: "allow", asked: ["granted"] });
});

test("[PL-6] an agreed plan is asked after the person's answers, and only where those do not allow it", () => {
  const facts = { ...everything, granted: () => [] };
  expect(decided(facts)).toMatchObject({ decision: "allow", source: "plan", asked: ["granted", "isAgreed"] });
  const outside = [{ given: "/x", real: "/x", inside: false, exists: true, kind: "file" }] as const;
  const refused = decided(facts, { paths: outside });
  expect(refused).toMatchObject({ decision: "ask", asked: ["granted", "isAgreed", "lookAlikes"] });
  expect(refused.reasons.at(-1)).toEqual(lookAlike);
});

test("[PL-3] what the person has forbidden is asked about although rules, answers and plans allow it", () => {
  const constraints = ["do not change any files"];
  for (const rules of [[], [allowed]])
    expect(decided({ ...everything, constraints, rewritten: () => [] }, { rules })).toMatchObject({
      ...{ decision: "ask", source: "constraint" },
    });
});

test("git's history is looked at only for what would be allowed, and what it shows can be asked about", () => {
  const secret = { given: ".env", real: "/w/.env", inside: true, exists: true, kind: "file" } as const;
  const past = () => ({ paths: [secret], riskReasons: [] });
  const read = { tool: "read", access: "read" } as const;
  expect(decided({ past }, read)).toMatchObject({ decision: "ask", asked: ["past"] });
  expect(decided({ past }, { ...read, authority: "verification list" })).toMatchObject({
    decision: "allow",
    asked: [],
  });
  expect(decided({ past }, { ...read, mode: "yolo" }).asked).toEqual([]);
  expect(decided({ past }).asked).toEqual([]);
});

test("[VF-1] a command that the person asked for needs no answer", () => {
  expect(decided({ isAskedFor: () => true })).toMatchObject({ decision: "allow", source: "the person's words" });
  expect(decided({ isAskedFor: () => false }).decision).toBe("ask");
});
