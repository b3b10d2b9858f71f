import { hostKind } from "../../contract/network/network.ts";
import { isSecretPath } from "../../contract/path/secret-path.ts";
import type { CommandPattern, PermissionRule } from "../../contract/permission.ts";
import type { PathFact, Reach } from "../../contract/tool.ts";
import { isProtectedPath, namesOf } from "../paths.ts";
import type { CommandJudgement, SimpleCommand } from "../shell/verdict/judgement.ts";
import { isElsewhere, wrappersOf } from "./allow.ts";
import { exactGlob } from "./glob.ts";
import { hostRule } from "./host.ts";
import { takesOrders } from "./input.ts";
import { networkRules, printsFrom } from "./network.ts";
import { within } from "./path.ts";
import { beginningOf, isHeldBack, isTailHarmless } from "./prefix.ts";
import { answerByRules, type RuleQuestion } from "./rule.ts";
import { shownRules } from "./shown-files.ts";

/** The rules that the answer "always" stores (PO-6). `null` = not offered: a separate risk exists, or a rule could not express the call. */
export function alwaysRules(question: AlwaysQuestion): readonly PermissionRule[] | null {
  const { judgement, paths, writes = [], shows = [], authority, reach, workspace } = question;
  const shown = shownRules("allow", shows, workspace);
  // The command itself is already allowed: the question was only about the files it may see.
  if (shown.length > 0 && authority !== undefined) return shown;
  if (paths.some(isGrave)) return null;
  if (reach?.network && judgement)
    return areEverybodys(question) ? forHosts(question, judgement, rememberedPattern) : null;
  if (writes.length > 0) return null;
  if (judgement && (judgement.always.length > 0 || isElsewhere(judgement, question.workspace))) return null;
  const rules = judgement ? patternsOf(actingOf(judgement), rememberedPattern)?.map(commandRule) : pathRules(question);
  // A rule that would not allow the call is not offered.
  return rules && answerByRules(rules, question)?.decision === "allow" ? [...rules, ...shown] : null;
}

type AlwaysQuestion = RuleQuestion & {
  readonly shows?: readonly PathFact[];
  readonly authority?: string;
  readonly reach?: Reach;
};

/** Allows these hosts, and commands that do more than print. The caller checks whether that suffices. */
function forHosts(
  { hosts }: AlwaysQuestion,
  judgement: CommandJudgement,
  patternOf: (command: SimpleCommand) => CommandPattern | null,
): readonly PermissionRule[] | null {
  const dialled = networkRules(hosts);
  const changing = actingOf(judgement).filter((one) => printsFrom(one).length === 0);
  const commands = patternsOf(changing, patternOf)?.map(commandRule);
  return dialled && commands ? [...commands, ...dialled] : null;
}

/** Rules that name exactly this call, for advice. The caller checks whether they let it through. */
export function exactRules(question: AlwaysQuestion): readonly PermissionRule[] | null {
  const { judgement, paths, writes = [], shows = [], reach, workspace } = question;
  const online = reach?.network && judgement ? forHosts(question, judgement, exactPattern) : null;
  const named = judgement ? patternsOf(withWrappers(judgement), exactPattern)?.map(commandRule) : pathRules(question);
  const commands = online ?? named;
  if (!commands) return null;
  const reads = question.access === "write" ? [] : paths.filter(isGrave);
  const pathsOf = (tool: string, facts: readonly PathFact[]) => facts.flatMap((fact) => pathRule(tool, fact, question));
  const shown = shownRules("allow", shows, workspace);
  const rules = [...commands, ...pathsOf("read", reads), ...pathsOf("write", writes), ...shown];
  return rules.length > 0 ? rules : null;
}

function actingOf({ commands }: CommandJudgement): readonly SimpleCommand[] {
  return commands.filter(({ isReadOnly }) => !isReadOnly);
}

/** A command that always asks is allowed only together with the commands that start it. */
function withWrappers(judgement: CommandJudgement): readonly SimpleCommand[] {
  const risky = judgement.always.flatMap(({ command }) => command ?? []);
  const wrappers = risky.flatMap((command) => wrappersOf(command, judgement.commands));
  return judgement.commands.filter((one) => !one.isReadOnly || wrappers.includes(one));
}

function patternsOf(
  commands: readonly SimpleCommand[],
  patternOf: (command: SimpleCommand) => CommandPattern | null,
): readonly CommandPattern[] | null {
  const patterns = commands.map(patternOf);
  if (patterns.includes(null)) return null;
  const distinct = new Map(patterns.map((pattern) => [JSON.stringify(pattern), pattern]));
  return [...distinct.values()].filter((pattern) => pattern !== null);
}

/** By its beginning, for tools whose beginning tells what they do; other commands could run anything and are stored word by word. */
function rememberedPattern(command: SimpleCommand): CommandPattern | null {
  if (takesOrders(command)) return null;
  const count = beginningOf(command.words);
  if (count === null || !isTailHarmless(command.words) || isHeldBack(command.words)) return exactPattern(command);
  const argv = command.words.slice(0, count).flatMap((word) => (word.kind === "literal" ? [word.value] : []));
  return { argv, isExact: false, isCautious: true };
}

function exactPattern(command: SimpleCommand): CommandPattern | null {
  const { argv } = command;
  return argv === null || argv.length === 0 || takesOrders(command) ? null : { argv, isExact: true };
}

function commandRule(command: CommandPattern): PermissionRule {
  return { decision: "allow", tool: "bash", command, source: "always", by: "person" };
}

/** Hosts on this machine and in private networks are asked about each time, unless the user writes a rule. */
function areEverybodys({ hosts = [] }: AlwaysQuestion): boolean {
  return hosts.every((host) => hostKind(host) === "public");
}

/** Exactly these files and hosts, for this tool: a whole directory would exceed the question. */
function pathRules(question: RuleQuestion): readonly PermissionRule[] {
  const { access, tool, hosts = [] } = question;
  if (access === "network") return hosts.map((host) => hostRule(tool, host));
  if (access !== "write") return [];
  return question.paths.flatMap((fact) => pathRule(question.tool, fact, question));
}

function pathRule(tool: string, { real }: PathFact, { workspace }: RuleQuestion): readonly PermissionRule[] {
  if (real === null) return [];
  const path = exactGlob(within(real, workspace) ?? real);
  return [{ decision: "allow", tool, path, source: "always", by: "person" }];
}

/** Paths that are asked about whatever the call does with them. */
function isGrave(fact: PathFact): boolean {
  if (fact.real === null || !fact.inside || fact.kind === "other") return true;
  return fact.isObeyed === true || namesOf(fact).some((name) => isSecretPath(name) || isProtectedPath(name));
}
