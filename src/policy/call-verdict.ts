// The whole verdict on a call. The engine gathers the facts; what the call would do is judged only where that still matters.
import type { Decision } from "../contract/event.ts";
import type { Access } from "../contract/message.ts";
import { visible } from "../contract/show/visible.ts";
import { type Phrase, phrase } from "../contract/text/catalogue.ts";
import type { Check } from "../contract/verification.ts";
import { isConfined } from "./decide.ts";
import { type DeedFacts, type DeedVerdict, decideDeed } from "./decide-deed.ts";

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
  /** What the call would do, gathered when everything above leaves that to decide; `null` = it cannot be gathered yet. */
  readonly deed: () => DeedFacts | null;
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
  /** Absent where the call was decided whatever it would do. */
  readonly deed?: DeedVerdict;
}

/** `null`: more has to be gathered first. */
export function decideCall(facts: CallFacts): CallVerdict | null {
  const early = decideUnseen(facts);
  if (early) return early;
  const gathered = facts.deed();
  if (gathered === null) return null;
  const deed = decideDeed(gathered);
  return deed.unknownObjects ? null : { ...decideSeen(facts, deed), deed };
}

function decideSeen({ typed, own, interactive }: CallFacts, deed: DeedVerdict): CallVerdict {
  // The person's own deny rules and a broken sandbox still hold for what they type.
  if (typed?.isDirect && !deed.isByRule && deed.question.sandbox !== "broken")
    return { decision: "allow", reasons: [], source: "shell_mode.approval" };
  return (own && decideOwn(own, deed, interactive)) ?? plainly(deed, typed);
}

/** Decides without a look at what the call would do. */
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
function decideOwn(own: OwnCheck, deed: DeedVerdict, isInteractive: boolean): CallVerdict | null {
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
    phrase(isConfined(deed.question) ? "verify.offer.confined" : "verify.offer.free", { command }),
    ...deed.reasons,
    phrase("verify.offer.answers"),
  ];
  return { decision: "ask", reasons, source };
}

/** Whoever types a command that nobody can be asked about here learns how not to be asked. */
function plainly({ decision, reasons, source, isUnasked }: DeedVerdict, typed: Typed | null): CallVerdict {
  const advice = reasons.at(-1);
  if (!isUnasked || !typed?.isShell || advice === undefined) return { decision, reasons, source };
  return { decision, reasons: [...reasons.slice(0, -1), phrase("policy.advice.typed", { advice })], source };
}
