import type { Decision } from "../contract/event.ts";
import type { Access, CallRole } from "../contract/message.ts";
import type { Host } from "../contract/network/network.ts";
import type { PermissionRule } from "../contract/permission.ts";
import type { SandboxState } from "../contract/sandbox.ts";
import { visible } from "../contract/show/visible.ts";
import type { Mode, Preset } from "../contract/task.ts";
import { type Phrase, phrase, type TextKey } from "../contract/text/catalogue.ts";
import type { PathFact, Reach } from "../contract/tool.ts";
import { adviceFor } from "./advice.ts";
import { type Finding, findings, isBound, isLetRun } from "./findings.ts";
import { type Deed, isStricter, lookUp, sourcePhrase, type TableAnswer } from "./mode-table.ts";
import { isOwnPath } from "./paths.ts";
import { isElsewhere, type NamedPaths, namedPaths } from "./rule/allow.ts";
import { exactRules } from "./rule/always.ts";
import { namesHost } from "./rule/host.ts";
import { NETWORK } from "./rule/network.ts";
import { answerByRules, type Mention, type RuleAnswer } from "./rule/rule.ts";
import { shownByRules } from "./rule/shown-files.ts";
import type { CommandJudgement } from "./shell/verdict/judgement.ts";

export interface PolicyQuestion {
  /** Rules name it. */
  readonly tool: string;
  readonly role?: CallRole;
  readonly access: Access;
  readonly mode: Mode;
  /** The preset the person chose; `null` = none, the mode alone decides. */
  readonly preset: Preset | null;
  /** What the shell command turned out to be, for `exec`. */
  readonly judgement?: CommandJudgement;
  /** Facts about the paths the call touches; for a command, about those it reads. */
  readonly paths: readonly PathFact[];
  /** Facts about the paths that a command's redirections write. */
  readonly writes?: readonly PathFact[];
  /** Facts about words of a command that may be paths. */
  readonly mentions?: readonly Mention[];
  /** What it deletes and an undo would not bring back. */
  readonly losses?: readonly string[];
  /** Whom the call dials; see `RuleQuestion`. */
  readonly hosts?: readonly Host[];
  readonly rules: readonly PermissionRule[];
  /** Real paths of the workspace, and of our own folder, which no tool may change. */
  readonly workspace: string;
  readonly ownFolder: string;
  /** What the command asks for beyond the ordinary. */
  readonly reach?: Reach;
  /** Facts about hidden files that a command is to see. */
  readonly shows?: readonly PathFact[];
  /** What could confine it; `off` = the person wants none. */
  readonly sandbox: SandboxState["kind"] | "off";
  /** The person wants commands confined in every mode. */
  readonly isAlwaysConfined?: boolean;
  /** The person has allowed it in another way: by a list of commands that verify, or by having typed it (TP-8). */
  readonly authority?: string;
  /** The person has said yes to just this beforehand, as part of a plan (PL-6). */
  readonly isPlanned?: boolean;
  /** It may run what this session has changed: code that nobody has looked at. */
  readonly runsChanges?: boolean;
  /** Someone can be asked. */
  readonly interactive: boolean;
  /** What the tool itself finds risky (its `assess`). */
  readonly riskReasons: readonly Phrase[];
  /** What of the person's words for this task it goes against. */
  readonly against?: readonly Phrase[];
}

export interface PolicyVerdict {
  readonly decision: Decision;
  readonly reasons: readonly Phrase[];
  /** What decided: `mode default`, `preset strict`, a rule's place; `risk` when only the tool's own risk asks. */
  readonly source: string;
  /** A standing answer may be given: nothing but the table asks. */
  readonly mayAlways: boolean;
  /** An explicit rule forbids it. */
  readonly isByRule?: true;
  /** Denied only because nobody can be asked. */
  readonly isUnasked?: true;
}

/** It runs in the sandbox. */
export function isConfined({ access, sandbox, reach }: PolicyQuestion): boolean {
  return access === "exec" && sandbox === "ready" && !reach?.free;
}

interface FoundDeed extends Finding, TableAnswer {
  readonly reason: Phrase;
}

export function decide(question: PolicyQuestion): PolicyVerdict {
  const verdict = heldTo(question);
  if (verdict.decision === "allow") return verdict;
  if (verdict.decision === "ask" && question.interactive) return verdict;
  const advice = adviceFor(question, verdict, heldTo);
  const unasked = verdict.decision === "ask" ? ({ isUnasked: true } as const) : {};
  return { ...verdict, ...unasked, decision: "deny", reasons: [...verdict.reasons, advice] };
}

/** PL-3: what goes against the person's own words for this task is put to them, whatever mode, rules and plans allow. */
function heldTo(question: PolicyQuestion): PolicyVerdict {
  const verdict = planned(question, authorised(question, judge(question)));
  const { against = [] } = question;
  if (against.length === 0 || verdict.decision === "deny") return verdict;
  const reasons = [...against, ...(verdict.decision === "ask" ? verdict.reasons : [])];
  return { decision: "ask", reasons, source: "constraint", mayAlways: false };
}

/** What a plan says of itself when it lists a file or a call. */
const listedDeeds: readonly Deed[] = [
  ...(["write", "exec", "exec_held", "exec_read", "network", "loss", "history", "publish", "machine"] as const),
];

/**
 * A yes to a plan answers what the mode asks about, and what always asks. What the plan did not say is asked about all the same: a rule, a
 * risk, a place of its own, a sandbox that is left or missing, and words that are settled only when the command runs.
 */
function planned(question: PolicyQuestion, verdict: PolicyVerdict): PolicyVerdict {
  if (!question.isPlanned || verdict.decision !== "ask") return verdict;
  const { rules, riskReasons, judgement } = question;
  const ruled = answerByRules(rules, question);
  const isAsked = ruled?.decision === "ask" || riskReasons.length > 0;
  const isOpen = isAsked || unconfined(question).length > 0 || unshown(question).length > 0;
  const isSaid = ({ deed, decision }: FoundDeed): boolean => decision === "allow" || listedDeeds.includes(deed);
  if (isOpen || (judgement && !isLiteral(question, judgement)) || !unlifted(question, ruled).every(isSaid))
    return verdict;
  return { decision: "allow", reasons: [], source: "plan", mayAlways: false };
}

/** Every word of it is known, and what a rule would have to name is all that it runs. */
function isLiteral(question: PolicyQuestion, judgement: CommandJudgement): boolean {
  const { isWhole, always, reads, writes, mentions } = judgement;
  // Programs have wildcards of their own (`find -name '*.o' -delete`).
  const isWild = judgement.commands.some(({ isReadOnly, argv }) => !isReadOnly && /[*?[]/.test(argv?.join(" ") ?? ""));
  const isGlob = isWild || [...reads, ...writes, ...mentions].some((word) => word.isGlob);
  const isNamed = always.every(({ command }) => command !== null) && exactRules(question) !== null;
  return isWhole && !isGlob && isNamed && !isElsewhere(judgement, question.workspace);
}

/**
 * It answers what would be asked, never what is denied; the sandbox that is meant to hold it must be there. A risk is asked about
 * all the same, unless nobody can be asked and the person has said beforehand that everything may be done.
 */
function authorised(question: PolicyQuestion, verdict: PolicyVerdict): PolicyVerdict {
  const { authority, riskReasons, mode, interactive } = question;
  if (authority === undefined || verdict.decision !== "ask") return verdict;
  const isRisky = riskReasons.length > 0 && (mode !== "yolo" || interactive);
  if (unconfined(question).length > 0 || unshown(question).length > 0 || isRisky) return verdict;
  const unheld = unheldChanges(question);
  // "Always" would be a yes to code that is not written yet; a rule of the person's own is another matter.
  if (unheld.length > 0) return { ...verdict, reasons: [...unheld, ...verdict.reasons], mayAlways: false };
  return { decision: "allow", reasons: [], source: authority, mayAlways: false };
}

function judge(question: PolicyQuestion): PolicyVerdict {
  // TP-7 looks at the mode only, and comes before every other rule but the person's own denials.
  if (question.mode === "yolo" && question.role === "runs") return freeShell(question);
  const ruled = answerByRules(question.rules, question);
  if (ruled?.decision === "deny") return byRule(ruled);
  const kept = keptHidden(question);
  if (kept.length > 0) return { decision: "deny", reasons: kept, source: "sandbox", mayAlways: false, isByRule: true };
  const found = unlifted(question, ruled);
  const strictest = strictestOf(found) ?? { decision: "allow" as const, source: sourceOf(ruled) };
  const shows = unshown(question);
  const asks = [...(ruled?.decision === "ask" ? ruled.reasons : []), ...mustAsk(question, ruled), ...shows];
  const wanted = asks.length > 0 ? askedOr(question) : "allow";
  const isByRule = isStricter(wanted, strictest.decision);
  const decision = isByRule ? wanted : strictest.decision;
  const source = isByRule && ruled?.decision === "ask" ? sourceOf(ruled) : strictest.source;
  const { riskReasons } = question;
  if (decision === "allow" && riskReasons.length > 0) {
    return { decision: "ask", reasons: riskReasons, source: "risk", mayAlways: false };
  }
  // A risk is no part of what a standing rule says, nor is the network, but for known hosts; what is shown to commands is.
  const isUnknown = question.reach?.network === true && question.hosts === undefined;
  const isPlain = asks.length === shows.length && riskReasons.length === 0 && !isUnknown;
  const counting = found.filter((one) => decision === "allow" || one.decision !== "allow");
  const reasons = distinct([...counting.map((one) => one.reason), ...asks, ...riskReasons]);
  const said = reasons.length > 0 || ruled === null ? reasons : ruled.reasons;
  return { decision, reasons: said, source, mayAlways: isPlain };
}

/** What stands against a command may also be what is always asked about. */
function distinct(reasons: readonly Phrase[]): readonly Phrase[] {
  if (reasons.length < 2) return reasons;
  return [...new Map(reasons.map((reason) => [JSON.stringify(reason), reason])).values()];
}

function freeShell(question: PolicyQuestion): PolicyVerdict {
  const own = question.rules.filter(({ by, decision }) => by === "person" && decision === "deny");
  const denied = answerByRules(own, question);
  if (denied) return byRule(denied);
  const ours = ownFiles(question);
  if (ours.length > 0) return { decision: "deny", reasons: ours, source: "mode yolo", mayAlways: false };
  // The sandbox that the person asked for is not the model's to leave, and never silently missing (PO-8).
  const asks = question.isAlwaysConfined ? [...unconfined(question), ...unshown(question)] : [];
  const decision = asks.length > 0 ? "ask" : "allow";
  const reasons = asks.length > 0 ? asks : [why("exec", "mode yolo")];
  return { decision, reasons, source: "mode yolo", mayAlways: false };
}

/** Trust, rules and settings are not the model's to write in any mode: a command that names them, and does more than read, is not run. */
function ownFiles({ writes = [], mentions = [], ownFolder }: PolicyQuestion): readonly Phrase[] {
  const facts = [...writes, ...mentions.map(({ fact }) => fact)];
  const named = facts.filter(({ real }) => real !== null && isOwnPath(real, ownFolder)).map(({ given }) => given);
  return [...new Set(named)].map((path) => phrase("policy.path.own", { path: visible(path) }));
}

function byRule(ruled: RuleAnswer): PolicyVerdict {
  return {
    decision: ruled.decision,
    reasons: ruled.reasons,
    source: sourceOf(ruled),
    mayAlways: false,
    isByRule: true,
  };
}

function sourceOf(ruled: RuleAnswer | null): string {
  return ruled?.rules[0]?.source ?? "";
}

/** What the table says of the call, without what an allow rule answers in its place. */
function unlifted(question: PolicyQuestion, ruled: RuleAnswer | null): readonly FoundDeed[] {
  const named = namedPaths(question.rules, question);
  return findings(question)
    .map((finding): FoundDeed => {
      const answer = lookUp(finding.deed, question.mode, question.preset);
      return { ...finding, ...answer, reason: finding.about ?? why(finding.deed, answer.source) };
    })
    .filter((one) => !isLifted(one, ruled, named, question) && !(one.deed === "network" && isNetworkAllowed(question)));
}

/** Who may run a command has not been given the network with it. */
function isNetworkAllowed(question: PolicyQuestion): boolean {
  const isWide = ({ decision, tool, command, path, host }: PermissionRule) =>
    decision === "allow" && tool === NETWORK && command === undefined && path === undefined && host === undefined;
  return question.access === "exec" && (question.rules.some(isWide) || isBound(question));
}

function strictestOf(found: readonly FoundDeed[]): TableAnswer | undefined {
  return found.reduce<FoundDeed | undefined>(
    (one, other) => (one && !isStricter(other.decision, one.decision) ? one : other),
    undefined,
  );
}

/**
 * Plan mode is the promise that nothing happens, which no rule breaks. A foreign path is lifted by a rule that names it, a
 * secret or protected one only where it is named to its last letter, our own files by none; a host that is not everybody's by
 * a rule that names it, in every mode, since nothing happens there.
 */
function isLifted(
  { deed, source, decision, path = "", host }: FoundDeed,
  ruled: RuleAnswer | null,
  named: NamedPaths,
  { access, rules }: PolicyQuestion,
): boolean {
  if (host !== undefined) return namesHost(rules, host);
  if (source === "mode plan" && decision === "deny") return false;
  switch (deed) {
    case "own_write":
    case "private_host":
      return false;
    case "outside_read":
    case "outside_write":
      return named.named.includes(path);
    case "secret":
    case "protected_write":
      return named.exactly.includes(path);
    case "network":
      return access !== "exec" && ruled?.decision === "allow";
    default:
      return ruled?.decision === "allow";
  }
}

/** Where a person would be asked, plan mode says no: it asks about no effects. */
function askedOr({ mode, access, judgement }: PolicyQuestion): Decision {
  const hasEffect = access === "write" || (access === "exec" && !judgement?.isReadOnly);
  return mode === "plan" && hasEffect ? "deny" : "ask";
}

/** PO-5 and PO-8: what is asked about whatever the allow rules say. */
function mustAsk(question: PolicyQuestion, ruled: RuleAnswer | null): readonly Phrase[] {
  const { judgement, writes = [], access } = question;
  if (access !== "exec") return [];
  // The sandbox holds it, and what it does not make good is a finding of its own.
  if (isLetRun(question)) return [];
  const always = ruled?.liftsAlways ? [] : (judgement?.always ?? []).map(({ reason }) => reason);
  const overwriting = (judgement?.writes ?? []).filter(({ overwrites }) => overwrites).map(({ path }) => path);
  const overwritten = writes.filter(
    ({ given, exists }) => exists && !ruled?.liftsAlways && overwriting.includes(given),
  );
  return [
    ...always,
    ...overwritten.map(({ given }) => phrase("policy.command.overwrites", { path: visible(given) })),
    ...unconfined(question),
  ];
}

/** What the person has not said yet about hidden files. Who sees everything has no need to ask. */
function unshown({ shows = [], rules, workspace, sandbox, reach }: PolicyQuestion): readonly Phrase[] {
  if (sandbox !== "ready" || reach?.free) return [];
  const open = shows.filter((fact) => shownByRules(rules, fact, workspace) === null);
  return open.map(({ given }) => phrase("policy.sandbox.show", { path: visible(given) }));
}

function keptHidden({ shows = [], rules, workspace }: PolicyQuestion): readonly Phrase[] {
  const kept = shows.filter((fact) => shownByRules(rules, fact, workspace) === "deny");
  return kept.map(({ given }) => phrase("policy.sandbox.kept", { path: visible(given) }));
}

function unconfined({ reach, sandbox }: PolicyQuestion): readonly Phrase[] {
  return [
    ...(reach?.free ? [phrase(sandbox === "off" ? "policy.sandbox.free_off" : "policy.sandbox.free")] : []),
    ...(sandbox === "broken" ? [phrase("policy.sandbox.broken")] : []),
  ];
}

/** Without a sandbox, what the model has written does not run by itself (PO-8). In yolo mode the person has said that it may. */
function unheldChanges({ sandbox, mode, runsChanges = false }: PolicyQuestion): readonly Phrase[] {
  if (!runsChanges || mode === "yolo" || sandbox === "ready") return [];
  return [phrase(sandbox === "off" ? "policy.sandbox.changes_off" : "policy.sandbox.changes_missing")];
}

const whyText = {
  session: "policy.why.session",
  read: "policy.why.read",
  write: "policy.why.write",
  exec_read: "policy.why.exec_read",
  exec_held: "policy.why.exec",
  exec: "policy.why.exec",
  loss: "policy.why.exec",
  history: "policy.why.exec",
  publish: "policy.why.exec",
  machine: "policy.why.exec",
  network: "policy.why.network",
  private_host: "policy.why.network",
  outside_read: "policy.why.read",
  outside_write: "policy.why.write",
  secret: "policy.why.read",
  protected_write: "policy.why.write",
  own_write: "policy.why.write",
} as const satisfies Record<Deed, TextKey>;

function why(deed: Deed, source: string): Phrase {
  return phrase(whyText[deed], { source: sourcePhrase(source) ?? source });
}
