import type { Decision } from "../contract/event.ts";
import type { Access } from "../contract/message.ts";
import { type Mode, modes, type Preset } from "../contract/task.ts";
import { type Phrase, phrase, type TextKey } from "../contract/text/catalogue.ts";
import type { PathFact } from "../contract/tool.ts";
import { judgeCommand } from "./command.ts";
import { isProtectedPath, isSecretPath, namesOf } from "./paths.ts";
import { type Answer, type Deed, deedText, isStricter, lookUp } from "./table.ts";

export interface PolicyQuestion {
  readonly tool: string;
  readonly access: Access;
  readonly mode: Mode;
  /** The preset the person chose; `null` = none, the mode alone decides. */
  readonly preset: Preset | null;
  /** The shell command, for `exec`. */
  readonly command?: string;
  /** Facts about the paths the call touches; for a command, about `judgeCommand(command).paths`. */
  readonly paths: readonly PathFact[];
  /** Someone can be asked. */
  readonly interactive: boolean;
  /** What the tool itself finds risky (its `assess`). */
  readonly riskReasons: readonly Phrase[];
  /** See `isPathShadowed`. */
  readonly isPathShadowed?: boolean;
}

export interface PolicyVerdict {
  readonly decision: Decision;
  readonly reasons: readonly Phrase[];
  /** The cell that decided: `mode default`, `preset strict`; `risk` when only the tool's own risk asks. */
  readonly source: string;
}

/** One thing that is true of the call: the row of the table that answers it, and how to say it. */
interface Finding {
  readonly deed: Deed;
  readonly about?: Phrase;
}

export function decide(question: PolicyQuestion): PolicyVerdict {
  const verdict = judge(question);
  if (verdict.decision === "allow") return verdict;
  if (verdict.decision === "ask" && question.interactive) return verdict;
  return { ...verdict, decision: "deny", reasons: [...verdict.reasons, adviceFor(question, verdict.decision)] };
}

function judge(question: PolicyQuestion): PolicyVerdict {
  // TP-7 looks at the mode only, and comes before every other rule.
  if (question.mode === "yolo" && question.tool === "bash") {
    return { decision: "allow", reasons: [why("exec", "mode yolo")], source: "mode yolo" };
  }
  const answers = findings(question).map((finding) => {
    const answer = lookUp(finding.deed, question.mode, question.preset);
    return { ...answer, reason: finding.about ?? why(finding.deed, answer.source) };
  });
  const strictest = answers.reduce((one, other) => (isStricter(other.decision, one.decision) ? other : one));
  const { decision, source } = strictest;
  if (decision === "allow" && question.riskReasons.length > 0) {
    return { decision: "ask", reasons: question.riskReasons, source: "risk" };
  }
  const counting = answers.filter((answer) => decision === "allow" || answer.decision !== "allow");
  return { decision, reasons: [...counting.map((answer) => answer.reason), ...question.riskReasons], source };
}

/** Never empty: the first finding is what the call is at all. Explicit rules will answer in its place (PO-3). */
function findings(question: PolicyQuestion): readonly Finding[] {
  switch (question.access) {
    case "session":
      return [{ deed: "session" }];
    case "read":
      return [{ deed: "read" }, ...question.paths.flatMap(readFindings)];
    case "write":
      return [{ deed: "write" }, ...question.paths.flatMap(writeFindings)];
    case "network":
      return [{ deed: "network" }, ...question.paths.flatMap(readFindings)];
    case "exec":
      return execFindings(question);
  }
}

function execFindings(question: PolicyQuestion): readonly Finding[] {
  if (question.command === undefined) return [{ deed: "exec" }];
  const judged = judgeCommand(question.command, { isPathShadowed: question.isPathShadowed ?? false });
  if (!judged.readOnly) return [{ deed: "exec" }, { deed: "exec", about: judged.reason }];
  const paths = judged.paths.map((given) => question.paths.find((fact) => fact.given === given) ?? unknownPath(given));
  return [{ deed: "exec_read" }, ...paths.flatMap(readFindings)];
}

function unknownPath(given: string): PathFact {
  return { given, real: null, inside: false, exists: false, kind: "none" };
}

function readFindings(fact: PathFact): readonly Finding[] {
  return [...outside(fact, "outside_read"), ...secret(fact)];
}

function writeFindings(fact: PathFact): readonly Finding[] {
  const isProtected = namesOf(fact).some(isProtectedPath);
  return [
    ...outside(fact, "outside_write"),
    ...secret(fact),
    ...(isProtected ? [about("protected_write", "policy.path.protected", fact)] : []),
  ];
}

function outside(fact: PathFact, deed: Deed): readonly Finding[] {
  if (fact.real === null) return [about(deed, "policy.path.unresolved", fact)];
  if (!fact.inside) return [about(deed, "policy.path.outside", fact)];
  // Opening a pipe or a device takes what another process was to get.
  return fact.kind === "other" ? [about(deed, "policy.path.special", fact)] : [];
}

function secret(fact: PathFact): readonly Finding[] {
  return namesOf(fact).some(isSecretPath) ? [about("secret", "policy.path.secret", fact)] : [];
}

function about(deed: Deed, key: TextKey, fact: PathFact): Finding {
  const path = fact.real === null || fact.inside ? fact.given : fact.real;
  return { deed, about: phrase(key, { path }) };
}

const whyText = {
  session: "policy.why.session",
  read: "policy.why.read",
  write: "policy.why.write",
  exec_read: "policy.why.exec_read",
  exec: "policy.why.exec",
  network: "policy.why.network",
  outside_read: "policy.why.read",
  outside_write: "policy.why.write",
  secret: "policy.why.read",
  protected_write: "policy.why.write",
} as const satisfies Record<Deed, TextKey>;

function why(deed: Deed, source: string): Phrase {
  return phrase(whyText[deed], { source });
}

/** Names what would let this very call through, found by asking again: it cannot promise what would not work. */
function adviceFor(question: PolicyQuestion, was: Decision): Phrase {
  // No mode makes such a path usable.
  if (question.paths.some((path) => path.real === null || path.kind === "other")) return phrase("policy.advice.path");
  const helps = (mode: Mode, preset: Preset | null): boolean => {
    const decision = judge({ ...question, mode, preset }).decision;
    return decision === "allow" || (question.interactive && decision === "ask");
  };
  const mode = modes.find((other) => helps(other, question.preset));
  if (mode !== undefined) return phrase(was === "ask" ? "policy.advice.approval" : "policy.advice.mode", { mode });
  const free = modes.find((other) => helps(other, null));
  if (free !== undefined) return phrase("policy.advice.preset", { mode: free, preset: question.preset ?? "" });
  return phrase("policy.advice.person");
}

export interface TableRow extends Answer {
  readonly access: Deed;
  readonly what: Phrase;
}

/** What applies now, row by row, for `/permissions`. */
export function effectiveTable(mode: Mode, preset: Preset | null): readonly TableRow[] {
  return (Object.keys(deedText) as Deed[]).map((access) => {
    const isFreeShell = mode === "yolo" && (access === "exec" || access === "exec_read");
    return { access, what: phrase(deedText[access]), ...lookUp(access, mode, isFreeShell ? null : preset) };
  });
}
