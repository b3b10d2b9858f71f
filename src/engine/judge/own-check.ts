// Checks that coder itself has chosen, in a run without a model. Only of those can one be offered to the person (VF-2).
import type { Call } from "../../contract/message.ts";
import type { Check } from "../../contract/verification.ts";
import type { SessionState } from "../../machine/state.ts";
import { field } from "../call/result.ts";

type OfferedCheck = Check & Required<Pick<Check, "offer">>;

/** The check that this very call carries out; with other arguments it is another call. */
export function ownCheck({ role, input }: Call, { task }: SessionState): Check | null {
  if (role !== "checks" || task.phase !== "VERIFYING") return null;
  const check = task.todo[task.results.length];
  const isSame = field(input, "command") === check?.command && field(input, "path") === (check?.cwd || ".");
  const isShown = JSON.stringify(field(input, "show")) === JSON.stringify(check?.shows);
  return check && isSame && isShown ? check : null;
}

/** Hidden files of which the person is asked whether the checks need them. */
export function askedToShow(call: Call, state: SessionState): readonly string[] {
  return ownCheck(call, state)?.shows ?? [];
}

/** What the call offers to the person. */
export function offerOf(call: Call, state: SessionState): OfferedCheck | null {
  const check = ownCheck(call, state);
  return check?.offer ? { ...check, offer: check.offer } : null;
}

/** It need not be on the list: it runs after a yes, or never. */
export function needsOwnYes(call: Call, state: SessionState): boolean {
  const check = ownCheck(call, state);
  return check?.offer !== undefined || check?.isAgreed === true;
}
