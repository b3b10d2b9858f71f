// The whole verdict on a call. The engine gathers the facts; what the call would do is judged only where that still matters.
import type { Decision } from "../contract/event.ts";
import type { Access } from "../contract/message.ts";
import { visible } from "../contract/show/visible.ts";
import { type Phrase, phrase } from "../contract/text/catalogue.ts";
import type { Check } from "../contract/verification.ts";
import type { PolicyVerdict } from "./decide.ts";

export interface CallFacts {
  readonly tool: string;
  readonly access: Access;
  /** The person has switched the tool off. */
  readonly isOff: boolean;
  /** Nothing may be changed or run in this task, or by this sub-agent. */
  readonly isReadOnlyRun: boolean;
  /** What it asks the person. */
  readonly questions: readonly (string | Phrase)[];
  /** It takes back a task whose check failed for good, which needs a word of the person's. */
  readonly isRollback: boolean;
  /** Why a check may not run now. */
  readonly refused: readonly Phrase[] | null;
  /** The check of ours that it carries out. */
  readonly own: OwnCheck | null;
  readonly typed: Typed | null;
  readonly interactive: boolean;
}

/** A check that coder itself has chosen. */
interface OwnCheck extends Pick<Check, "command" | "offer" | "shows"> {
  /** The person's list of commands that verify holds it. */
  readonly isListed: boolean;
}

/** By the person. */
interface Typed {
  readonly isShell: boolean;
  /** They are not asked about what they type themselves. */
  readonly isDirect: boolean;
}

export interface CallVerdict {
  readonly decision: Decision;
  readonly reasons: readonly Phrase[];
  readonly source: string;
}

interface JudgedDeed extends PolicyVerdict {
  readonly question: { readonly sandbox: string };
  readonly form: { readonly confined: boolean } | null;
}

/** `null`: the deed cannot be judged yet. */
export function decideCall(facts: CallFacts, judge: () => JudgedDeed | null): CallVerdict | null {
  const early = decideUnseen(facts);
  if (early) return early;
  const deed = judge();
  if (deed === null) return null;
  const { typed } = facts;
  // What they forbid stays forbidden, and the sandbox stays.
  if (typed?.isDirect && !deed.isByRule && deed.question.sandbox !== "broken")
    return { decision: "allow", reasons: [], source: "shell_mode.approval" };
  return (facts.own && decideOwn(facts.own, deed, facts.interactive)) ?? plainly(deed, typed);
}

/** Whatever it would do. */
function decideUnseen(facts: CallFacts): CallVerdict | null {
  const { tool, access, questions, refused } = facts;
  if (facts.isOff) return { decision: "deny", reasons: [phrase("policy.tool_off", { tool })], source: "agent switch" };
  if (facts.isReadOnlyRun && access !== "read" && access !== "session") {
    const reasons = [phrase("review.read_only", { tool }), phrase("review.read_only.advice")];
    return { decision: "deny", reasons, source: "agent switch" };
  }
  if (questions.length > 0) {
    const reasons = questions.map((question) => phrase("run.question", { question }));
    return { decision: "ask", reasons, source: "question" };
  }
  if (facts.isRollback) {
    const decision = facts.interactive ? "ask" : "deny";
    return { decision, reasons: [phrase("check.ask_rollback")], source: "workflow.on_verify_failure" };
  }
  return refused && { decision: "deny", reasons: refused, source: "verification" };
}

/** What would be allowed, or asked about, is asked about as an offer; where nobody can be asked, it is not run (VF-2). */
function decideOwn(own: OwnCheck, deed: JudgedDeed, isInteractive: boolean): CallVerdict | null {
  const { command, offer, shows = [], isListed } = own;
  if (shows.length > 0) {
    if (deed.decision !== "ask") return null;
    const reasons = [phrase("check.ask_show", { files: shows.map(visible).join(", "), command })];
    return { decision: "ask", reasons, source: "sandbox" };
  }
  if (!offer || deed.decision === "deny" || isListed) return null;
  const source = "verification list";
  if (!isInteractive) {
    const advice = phrase("verify.allow", { command: JSON.stringify(command) });
    return { decision: "deny", reasons: [offer.why, advice], source };
  }
  const { why, script } = offer;
  const reasons = [
    why,
    ...(script === undefined ? [] : [phrase("verify.offer.script", { command, script })]),
    phrase(deed.form?.confined ? "verify.offer.confined" : "verify.offer.free", { command }),
    ...deed.reasons,
    phrase("verify.offer.answers"),
  ];
  return { decision: "ask", reasons, source };
}

/** Whoever types a command that nobody can be asked about here learns how not to be asked. */
function plainly({ decision, reasons, source, isUnasked }: JudgedDeed, typed: Typed | null): CallVerdict {
  const advice = reasons.at(-1);
  if (!isUnasked || !typed?.isShell || advice === undefined) return { decision, reasons, source };
  return { decision, reasons: [...reasons.slice(0, -1), phrase("policy.advice.typed", { advice })], source };
}
