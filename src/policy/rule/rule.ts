import type { Decision } from "../../contract/event.ts";
import type { Access } from "../../contract/message.ts";
import { type Host, type HostPattern, hostText } from "../../contract/network/network.ts";
import type { PermissionRule } from "../../contract/permission.ts";
import { type Phrase, phrase, type TextKey } from "../../contract/text/catalogue.ts";
import type { PathFact } from "../../contract/tool.ts";
import type { CommandJudgement } from "../shell/verdict/judgement.ts";
import { withStarted } from "../shell/wrapper/runners.ts";
import { allowedBy } from "./allow.ts";
import { mayBeCommand } from "./command-pattern.ts";
import { mayBeHost } from "./host.ts";
import { mentionOf, NETWORK } from "./network.ts";
import { mayBePath, type RulePath, unknownPath } from "./path.ts";
import { ruleText } from "./text.ts";

export interface RuleQuestion {
  readonly tool: string;
  readonly access: Access;
  /** Facts about the paths the call touches; for a command, about those it reads. */
  readonly paths: readonly PathFact[];
  /** Facts about the paths that a command's redirections write. */
  readonly writes?: readonly PathFact[];
  /** Facts about the words of a command that may be paths; see `CommandJudgement`. */
  readonly mentions?: readonly Mention[];
  /** Hosts that the call dials; for a command that may use the network, only if its words name all of them. */
  readonly hosts?: readonly Host[];
  /** For `bash`. */
  readonly judgement?: CommandJudgement;
  /** Its real path. */
  readonly workspace: string;
}

export interface Mention {
  readonly fact: PathFact;
  readonly isGlob: boolean;
  readonly isDeep: boolean;
  readonly isChanged: boolean;
}

export interface RuleAnswer {
  readonly decision: Decision;
  /** The deciding rules; never empty. */
  readonly rules: readonly PermissionRule[];
  readonly reasons: readonly Phrase[];
  /** PO-5: rules name everything that always asks, word for word. */
  readonly liftsAlways: boolean;
}

/** The answer of the explicit rules, the strictest first (PO-3); `null` = none matches, and the base table applies. */
export function answerByRules(rules: readonly PermissionRule[], question: RuleQuestion): RuleAnswer | null {
  if (rules.length === 0) return null;
  for (const decision of ["deny", "ask"] as const) {
    const hits = rules.filter((rule) => rule.decision === decision).flatMap((rule) => hitOf(rule, question));
    if (hits.length === 0) continue;
    const reasons = hits.map(({ rule, part }) => reasonOf(rule, part));
    return { decision, rules: hits.map(({ rule }) => rule), reasons, liftsAlways: false };
  }
  const allowed = allowedBy(
    rules.filter((rule) => rule.decision === "allow"),
    question,
  );
  if (allowed === null) return null;
  return { decision: "allow", reasons: allowed.rules.map((rule) => reasonOf(rule, null)), ...allowed };
}

interface Hit {
  readonly rule: PermissionRule;
  /** The command, path or host that the rule is about. */
  readonly part: string | null;
}

/** For `deny` and `ask`: one command, path or host that may match is enough. */
function hitOf(rule: PermissionRule, question: RuleQuestion): readonly Hit[] {
  if (!concerns(rule, question)) return [];
  const { command, path, host } = rule;
  const commands = question.judgement?.commands ?? [];
  const found =
    command === undefined
      ? null
      : commands.find((one) => withStarted(one).some((started) => mayBeCommand(command, started)));
  const place =
    path === undefined ? null : pathsOf(question, rule.tool).find((one) => mayBePath(path, one, question.workspace));
  const dialled = host === undefined ? null : dialledIn(rule.tool, host, question);
  if (found === undefined || place === undefined || dialled === undefined) return [];
  return [{ rule, part: found?.text ?? place?.fact.given ?? dialled }];
}

function dialledIn(tool: string | undefined, host: HostPattern, { hosts = [], judgement }: RuleQuestion) {
  if (tool === NETWORK) return (judgement && mentionOf(host, judgement)) ?? undefined;
  const found = hosts.find((one) => mayBeHost(host, one));
  return found && hostText(found);
}

/** Rules for `read` and `write` cover every tool and command that reads or changes files: otherwise another tool would bypass them. */
function concerns({ tool }: PermissionRule, question: RuleQuestion): boolean {
  const { tool: called, access, judgement } = question;
  if (tool === undefined || tool === called) return true;
  // A command counts as `bash`, whichever tool runs it.
  if ((tool === "bash" || tool === NETWORK) && judgement !== undefined) return true;
  const { mentions = [] } = question;
  if (tool === "read") {
    // Both show the model the text that does not match, so they read too.
    const alsoReads = called === "edit" || called === "patch";
    return access === "read" || alsoReads || (judgement?.reads.length ?? 0) > 0 || mentions.length > 0;
  }
  const isChanging = (judgement?.writes.length ?? 0) > 0 || mentions.some(({ isChanged }) => isChanged);
  return tool === "write" && (access === "write" || isChanging);
}

/** All paths of the call that may match; for a command, only those it reads or only those it writes if the rule is about one of the two. */
function pathsOf(question: RuleQuestion, tool?: string): readonly RulePath[] {
  const { tool: called, paths, writes = [], mentions = [], judgement } = question;
  if (!judgement) {
    // `grep` searches every file below a directory.
    const isDeep = (fact: PathFact): boolean => called === "grep" && fact.kind !== "file";
    return paths.map((fact) => ({ fact, isGlob: false, isDeep: isDeep(fact) }));
  }
  const facts = [...(tool === "write" ? [] : paths), ...(tool === "read" ? [] : writes)];
  const words = [...(tool === "write" ? [] : judgement.reads), ...(tool === "read" ? [] : judgement.writes)];
  // A file created meanwhile may match a glob too.
  const open = words.filter(({ isGlob, isDeep }) => isGlob || isDeep);
  return [
    ...facts.map((fact) => ({ fact, isGlob: false, isDeep: false })),
    ...open.map(({ path, isGlob, isDeep = false }) => ({
      fact: facts.find(({ given }) => given === path) ?? unknownPath(path),
      isGlob,
      isDeep,
    })),
    ...mentions
      .filter(({ isChanged }) => isChanged || tool !== "write")
      .map(({ fact, isGlob, isDeep }) => ({ fact, isGlob, isDeep })),
  ];
}

function reasonOf(rule: PermissionRule, part: string | null): Phrase {
  const args = { rule: ruleText(rule), source: rule.source, ...(part === null ? {} : { part }) };
  const said = part === null ? phrase(whyText[rule.decision], args) : phrase(whyPartText[rule.decision], args);
  return rule.reason === undefined ? said : phrase("permission.why.reason", { said, reason: rule.reason });
}

const whyText = {
  allow: "permission.why.allow",
  ask: "permission.why.ask",
  deny: "permission.why.deny",
} as const satisfies Record<Decision, TextKey>;

const whyPartText = {
  allow: "permission.why.allow",
  ask: "permission.why.ask_part",
  deny: "permission.why.deny_part",
} as const satisfies Record<Decision, TextKey>;
