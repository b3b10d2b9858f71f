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

/**
 * What the answer "always" stores (PO-6); `null` = it is not offered: there is a risk of its own, or a rule could not say
 * what was meant.
 */
export function alwaysRules(question: AlwaysQuestion): readonly PermissionRule[] | null {
  const { judgement, paths, writes = [], shows = [], authority, reach, workspace } = question;
  const shown = shownRules("allow", shows, workspace);
  // The command itself is allowed already: only what it is to see was asked about.
  if (shown.length > 0 && authority !== undefined) return shown;
  if (paths.some(isGrave)) return null;
  if (reach?.network && judgement) return areEverybodys(question) ? forHosts(question, judgement, remembered) : null;
  if (writes.length > 0) return null;
  if (judgement && (judgement.always.length > 0 || isElsewhere(judgement, question.workspace))) return null;
  const rules = judgement ? patternsOf(actingOf(judgement), remembered)?.map(commandRule) : pathRules(question);
  // A rule that would not do what it was made for is not offered.
  return rules && answerByRules(rules, question)?.decision === "allow" ? [...rules, ...shown] : null;
}

type AlwaysQuestion = RuleQuestion & {
  /** See `PolicyQuestion`. */
  readonly shows?: readonly PathFact[];
  readonly authority?: string;
  readonly reach?: Reach;
};

/**
 * Always for these hosts: what only prints needs no more, what changes files also a rule of its own. Whether that is enough,
 * whoever offers it asks.
 */
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

/** Rules that name this call and no other, for advice; whether they let it through is asked by whoever advises. */
export function exactRules(question: AlwaysQuestion): readonly PermissionRule[] | null {
  const { judgement, paths, writes = [], shows = [], reach, workspace } = question;
  const online = reach?.network && judgement ? forHosts(question, judgement, exactly) : null;
  const named = judgement ? patternsOf(withWrappers(judgement), exactly)?.map(commandRule) : pathRules(question);
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

/** What always asks is lifted only together with what it is started by. */
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

/** How it begins, for tools of which that says what they do; for all others, which could run anything, every word. */
function remembered(command: SimpleCommand): CommandPattern | null {
  if (takesOrders(command)) return null;
  const count = beginningOf(command.words);
  if (count === null || !isTailHarmless(command.words) || isHeldBack(command.words)) return exactly(command);
  const argv = command.words.slice(0, count).flatMap((word) => (word.kind === "literal" ? [word.value] : []));
  return { argv, isExact: false, isCautious: true };
}

function exactly(command: SimpleCommand): CommandPattern | null {
  const { argv } = command;
  return argv === null || argv.length === 0 || takesOrders(command) ? null : { argv, isExact: true };
}

function commandRule(command: CommandPattern): PermissionRule {
  return { decision: "allow", tool: "bash", command, source: "always", by: "person" };
}

/** What lies on this machine and in private networks is asked about each time, unless the person writes a rule. */
function areEverybodys({ hosts = [] }: AlwaysQuestion): boolean {
  return hosts.every((host) => hostKind(host) === "public");
}

/** The very files and hosts, for this tool: a whole folder would be more than was asked. */
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

/** Asked about for its own sake, whatever is done with it. */
function isGrave(fact: PathFact): boolean {
  if (fact.real === null || !fact.inside || fact.kind === "other") return true;
  return fact.isObeyed === true || namesOf(fact).some((name) => isSecretPath(name) || isProtectedPath(name));
}
