import { expect, test } from "bun:test";
import { phrase } from "../../src/contract/text/catalogue.ts";
import { type CallFacts, decideCall } from "../../src/policy/call-verdict.ts";
import type { PolicyQuestion } from "../../src/policy/decide.ts";

const why = phrase("policy.why.exec", { source: phrase("words.by.mode", { name: "default" }) });
type Ends = "allow" | "ask" | "deny" | "by rule" | "broken sandbox";
/** A call that policy lets end that way. */
const deed = (ends: Ends, interactive = true) => {
  const forbidden = { decision: "deny", tool: "diagnostics", source: "--deny", by: "person" } as const;
  const allowed = { ...forbidden, decision: "allow", source: "--allow" } as const;
  const question: PolicyQuestion = {
    ...{ tool: "diagnostics", access: "exec", mode: ends === "deny" ? "plan" : "default", preset: null, paths: [] },
    ...{ rules: ends === "by rule" ? [forbidden] : ends === "allow" ? [allowed] : [], workspace: "/w" },
    ...{ ownFolder: "/o", sandbox: ends === "broken sandbox" ? "broken" : "ready", interactive, riskReasons: [] },
  };
  return { question };
};
const plain: CallFacts = {
  ...{ tool: "diagnostics", access: "exec", isOff: false, isReadOnlyRun: false, questions: [], isRollback: false },
  ...{ refused: null, own: null, typed: null, interactive: true, deed: () => deed("ask") },
};
const offer = { why: phrase("check.ask_rollback"), script: "jest" } as never;
const verdict = (facts: Partial<CallFacts>, ends: Ends = "ask") => {
  const { decision, source } = decideCall({ ...plain, deed: () => deed(ends), ...facts }) ?? {};
  return [decision, source];
};

test("[PO-1] what is decided whatever the call would do is decided without judging that, in a fixed order", () => {
  const never = (): never => {
    throw new Error("judged");
  };
  const early: readonly (readonly [Partial<CallFacts>, string, string])[] = [
    [{ isOff: true }, "deny", "agent switch"],
    [{ isReadOnlyRun: true }, "deny", "agent switch"],
    [{ questions: ["Which?"], access: "session" }, "ask", "question"],
    [{ isRollback: true }, "ask", "workflow.on_verify_failure"],
    [{ refused: [why] }, "deny", "verification"],
  ];
  for (const [at, [facts, decision, source]] of early.entries()) {
    const later = Object.assign({}, ...early.slice(at + 1).map(([one]) => one), { access: "exec" });
    expect(decideCall({ ...plain, ...facts, deed: never })).toMatchObject({ decision, source });
    expect(decideCall({ ...plain, ...later, ...facts, deed: never })).toMatchObject({ decision, source });
  }
  expect(decideCall({ ...plain, isRollback: true, interactive: false, deed: never })?.decision).toBe("deny");
});

test("[PO-1] a run that only reads lets reads and our own bookkeeping through", () => {
  const of = (access: CallFacts["access"]) => verdict({ isReadOnlyRun: true, access }, "allow")[0];
  expect([of("read"), of("session"), of("write"), of("exec"), of("network")]).toEqual([
    ...["allow", "allow", "deny", "deny", "deny"],
  ]);
});

test("a deed that cannot be judged yet leaves the call undecided", () => {
  expect(decideCall({ ...plain, deed: () => null })).toBeNull();
  const past = () => ({ paths: [], riskReasons: [], unknownObjects: ["main"] });
  expect(decideCall({ ...plain, deed: () => ({ ...deed("allow"), past }) })).toBeNull();
});

test("[IN-4] what the person types runs unasked where they want it so; what they forbid and a broken sandbox stay", () => {
  const typed = { typed: { isShell: true, isDirect: true } };
  expect([
    verdict(typed)[0],
    verdict(typed, "by rule")[0],
    verdict(typed, "broken sandbox")[0],
    verdict({ typed: { isShell: true, isDirect: false } })[0],
  ]).toEqual(["allow", "deny", "ask", "ask"]);
  const alone = decideCall({ ...plain, deed: () => deed("ask", false) });
  const advised = decideCall({
    ...{ ...plain, typed: { isShell: true, isDirect: false } },
    deed: () => deed("ask", false),
  });
  const advice = alone?.reasons.at(-1) ?? "";
  expect(advised?.reasons).toEqual([why, phrase("policy.advice.typed", { advice })]);
});

test("[VF-2] a check that is offered is asked about as an offer, and never runs where nobody can be asked", () => {
  const own = { command: "npx jest", offer, isListed: false };
  expect(verdict({ own }, "allow")).toEqual(["ask", "verification list"]);
  expect(verdict({ own }, "deny")).toEqual(["deny", "mode plan"]);
  expect(verdict({ own, interactive: false }, "allow")).toEqual(["deny", "verification list"]);
  expect(verdict({ own: { ...own, isListed: true } }, "allow")).toEqual(["allow", "--allow"]);
});

test("[PO-8] hidden files that a check needs are asked about by name, and a rule that shows them answers", () => {
  const own = { command: "npm test", shows: [".env"], isListed: true };
  expect(verdict({ own }, "ask")).toEqual(["ask", "sandbox"]);
  expect(verdict({ own }, "allow")).toEqual(["allow", "--allow"]);
});
