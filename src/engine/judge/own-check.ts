// Checks that coder itself has chosen, in a run without a model. Only of those can one be offered to the person (VF-2).
import type { Call } from "../../contract/message.ts";
import type { Settings } from "../../contract/settings.ts";
import { visible } from "../../contract/show/visible.ts";
import { type Phrase, phrase } from "../../contract/text/catalogue.ts";
import type { Check } from "../../contract/verification.ts";
import type { SessionState } from "../../machine/state.ts";
import { isListed } from "../../verify/detect/whitelist.ts";
import { field } from "../call/result.ts";
import type { Judged } from "./judge.ts";

type Offered = Check & Required<Pick<Check, "offer">>;

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
export function offerOf(call: Call, state: SessionState): Offered | null {
  const check = ownCheck(call, state);
  return check?.offer ? { ...check, offer: check.offer } : null;
}

/** It need not be on the list: it runs after a yes, or never. */
export function isPersonsWord(call: Call, state: SessionState): boolean {
  const check = ownCheck(call, state);
  return check?.offer !== undefined || check?.isAgreed === true;
}

type Decided = Pick<Judged, "decision" | "reasons" | "source">;

/** What would be allowed, or asked about, is asked about as an offer; where nobody can be asked, it is not run. */
export function decideOffer(
  call: Call,
  state: SessionState,
  { workflow }: Settings,
  judged: Judged,
  isInteractive: boolean,
): Decided {
  const hidden = askedToShow(call, state);
  if (hidden.length > 0 && judged.decision === "ask") {
    const files = hidden.map(visible).join(", ");
    const reasons = [phrase("check.ask_show", { files, command: String(field(call.input, "command")) })];
    return { decision: "ask", reasons, source: "sandbox" };
  }
  const offered = hidden.length > 0 ? null : offerOf(call, state);
  if (!offered || judged.decision === "deny" || isListed(offered.command, workflow.verifyAllowed)) return judged;
  const source = "verification list";
  const { command, offer } = offered;
  if (!isInteractive) {
    const advice = phrase("verify.allow", { command: JSON.stringify(command) });
    return { decision: "deny", reasons: [offer.why, advice], source };
  }
  return { decision: "ask", reasons: reasonsOf(offered, judged), source };
}

function reasonsOf({ command, offer: { why, script } }: Offered, { form, reasons }: Judged): readonly Phrase[] {
  return [
    why,
    ...(script === undefined ? [] : [phrase("verify.offer.script", { command, script })]),
    phrase(form?.confined ? "verify.offer.confined" : "verify.offer.free", { command }),
    ...reasons,
    phrase("verify.offer.answers"),
  ];
}
