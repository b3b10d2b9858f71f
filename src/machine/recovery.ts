import type { Rung } from "../contract/task.ts";
import { type Phrase, phrase } from "../contract/text/catalogue.ts";
import type { Round, TaskCore } from "./state.ts";

/** What the person wants done with changes that failed their check for good. */
export type OnFail = "keep" | "ask" | "rollback";

interface NextRung {
  readonly rung: Rung;
  readonly reason: Phrase;
}

/**
 * SM-8 for a check that failed: smallest repair → roll back the last patch, as configured → one partial replan → stop.
 * `spent`: the budget is, so that nothing is left that needs a model.
 */
export function afterFailedCheck(
  { rounds, rungs, limits, checks }: TaskCore,
  onFail: OnFail,
  spent: Phrase | null = null,
): NextRung {
  const max = limits.maxChecks ?? 1;
  const command = checks?.kind === "fail" ? checks.command : "";
  const stuck = spent ?? isStuck(rounds);
  const mayCheck = spent === null && rounds.length < max;
  const isSecondWay = rungs.includes("replan");
  if (mayCheck && stuck === null && !isSecondWay)
    return { rung: "repair", reason: phrase("recovery.repair", { command, n: rounds.length, max: max - 1 }) };
  const why = stuck ?? phrase("recovery.attempts", { command, n: rounds.length });
  if (onFail !== "keep" && !rungs.includes("rollback"))
    return { rung: "rollback", reason: phrase("recovery.rollback", { why }) };
  if (mayCheck && !isSecondWay) return { rung: "replan", reason: phrase("recovery.replan", { why }) };
  return { rung: "stop", reason: why };
}

/** A repair that leaves as many failures as before leads nowhere; code that builds or ends now and fails its tests is further. */
function isStuck(rounds: readonly Round[]): Phrase | null {
  const [before, now] = [rounds.at(-2), rounds.at(-1)];
  if (!before || !now || before.ok) return null;
  const isFurther = !isCounted(before) && isCounted(now);
  if (isFurther || now.failing < before.failing) return null;
  return phrase("recovery.no_shrink", { before: before.failing, after: now.failing });
}

/** Whether its tests ran to their end: only then is it known how many fail. */
function isCounted({ type }: Round): boolean {
  return type === "test_failure" || type === "lint_failure";
}
