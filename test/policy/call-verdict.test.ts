import { expect, test } from "bun:test";
import { phrase } from "../../src/contract/text/catalogue.ts";
import { type CallFacts, decideCall } from "../../src/policy/call-verdict.ts";
import type { PolicyVerdict } from "../../src/policy/decide.ts";

const plain: CallFacts = {
  ...{ tool: "diagnostics", access: "exec", isOff: false, isReadOnlyRun: false, questions: [], isRollback: false },
  ...{ refused: null, own: null, typed: null, interactive: true },
};
const why = phrase("policy.tool_off", { tool: "x" });
const deed = (decision: PolicyVerdict["decision"], more: Partial<PolicyVerdict> = {}, sandbox = "ready") => ({
  ...{ decision, reasons: [why], source: "mode default", mayAlways: true, ...more },
  ...{ question: { sandbox }, form: { confined: true } },
});
const offer = { why: phrase("check.ask_rollback"), script: "jest" } as never;
const verdict = (facts: Partial<CallFacts>, judged = deed("ask")) => {
  const { decision, source } = decideCall({ ...plain, ...facts }, () => judged) ?? {};
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
    expect(decideCall({ ...plain, ...facts }, never)).toMatchObject({ decision, source });
    expect(decideCall({ ...plain, ...later, ...facts }, never)).toMatchObject({ decision, source });
  }
  expect(decideCall({ ...plain, isRollback: true, interactive: false }, never)?.decision).toBe("deny");
});

test("[PO-1] a run that only reads lets reads and our own bookkeeping through", () => {
  const of = (access: CallFacts["access"]) => verdict({ isReadOnlyRun: true, access }, deed("allow"))[0];
  expect([of("read"), of("session"), of("write"), of("exec"), of("network")]).toEqual([
    ...["allow", "allow", "deny", "deny", "deny"],
  ]);
});

test("a deed that cannot be judged yet leaves the call undecided", () => {
  expect(decideCall(plain, () => null)).toBeNull();
});

test("[IN-4] what the person types runs unasked where they want it so; what they forbid and a broken sandbox stay", () => {
  const typed = { typed: { isShell: true, isDirect: true } };
  expect([
    verdict(typed)[0],
    verdict(typed, deed("deny", { isByRule: true }))[0],
    verdict(typed, deed("ask", {}, "broken"))[0],
    verdict({ typed: { isShell: true, isDirect: false } })[0],
  ]).toEqual(["allow", "deny", "ask", "ask"]);
  const advised = decideCall({ ...plain, typed: { isShell: true, isDirect: false } }, () =>
    deed("deny", { isUnasked: true }),
  );
  expect(advised?.reasons).toEqual([phrase("policy.advice.typed", { advice: why })]);
});

test("[VF-2] a check that is offered is asked about as an offer, and never runs where nobody can be asked", () => {
  const own = { command: "npx jest", offer, isListed: false };
  expect(verdict({ own }, deed("allow"))).toEqual(["ask", "verification list"]);
  expect(verdict({ own }, deed("deny"))).toEqual(["deny", "mode default"]);
  expect(verdict({ own, interactive: false }, deed("allow"))).toEqual(["deny", "verification list"]);
  expect(verdict({ own: { ...own, isListed: true } }, deed("allow"))).toEqual(["allow", "mode default"]);
});

test("[PO-8] hidden files that a check needs are asked about by name, and a rule that shows them answers", () => {
  const own = { command: "npm test", shows: [".env"], isListed: true };
  expect(verdict({ own }, deed("ask"))).toEqual(["ask", "sandbox"]);
  expect(verdict({ own }, deed("allow"))).toEqual(["allow", "mode default"]);
});
