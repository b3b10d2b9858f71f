import type { Host } from "../../contract/network/network.ts";
import type { PermissionRule } from "../../contract/permission.ts";
import type { PathFact } from "../../contract/tool.ts";
import { baseName } from "../shell/verdict/destructive.ts";
import type { CommandJudgement, SimpleCommand } from "../shell/verdict/judgement.ts";
import { isCommand } from "./command-pattern.ts";
import { isHost } from "./host.ts";
import { isMove, printsFrom, reaches } from "./network.ts";
import { isExactPath, isPath } from "./path.ts";
import type { RuleAnswer, RuleQuestion } from "./rule.ts";

type Allowed = Pick<RuleAnswer, "rules" | "liftsAlways">;
/** One action of a call; the predicate tells which rules allow it. */
type Need = (rule: PermissionRule) => boolean;
type RuleDeed = "read" | "write";

/** The allow rules that together cover every action of the call; `null` if one is missing. */
export function allowedBy(rules: readonly PermissionRule[], question: RuleQuestion): Allowed | null {
  const { judgement } = question;
  if (rules.length === 0 || judgement?.isWhole === false) return null;
  const needs = judgement ? needsOfCommand(question, judgement) : needsOfCall(question);
  const isAway = judgement !== undefined && isElsewhere(judgement, question.workspace);
  const applicable = isAway ? rules.filter(({ source }) => source !== "always") : rules;
  const matches = needs.map((need) => applicable.find(need));
  const found = [...new Set(matches)].filter((rule) => rule !== undefined);
  if (found.length === 0 || matches.includes(undefined)) return null;
  return { rules: found, liftsAlways: judgement ? liftsAlways(applicable, judgement) : false };
}

function needsOfCall(question: RuleQuestion): readonly Need[] {
  const deed = deedOf(question);
  const coversAll: Need = (rule) => isBare(rule) && isFor(rule, question, deed);
  const { paths, hosts = [] } = question;
  if (paths.length === 0 && hosts.length === 0) return [coversAll];
  return [
    ...paths.map((fact) => either(coversAll, (rule) => allowsPath(rule, fact, question, deed))),
    ...hosts.map((host) => either(coversAll, (rule) => allowsHost(rule, host, question, deed))),
  ];
}

function either(one: Need, other: Need): Need {
  return (rule) => one(rule) || other(rule);
}

/** Read-only commands need a rule only where nothing else acts: then all of them must be named. */
function needsOfCommand(question: RuleQuestion, { commands }: CommandJudgement): readonly Need[] {
  const coversAll: Need = (rule) => isBare(rule) && (rule.tool ?? "bash") === "bash";
  const acting = commands.filter(({ isReadOnly }) => !isReadOnly);
  const { writes = [], hosts = [] } = question;
  const needed = acting.length === 0 && writes.length === 0 ? commands : acting;
  return [
    ...needed.flatMap((command): readonly Need[] => {
      const isNamed = either(coversAll, (rule) => allowsCommand(rule, command));
      // Only where the call asks for the network and all hosts that the line dials are known.
      const dialled = hosts.length > 0 ? printsFrom(command) : [];
      return dialled.length === 0 ? [isNamed] : dialled.map((host) => either(isNamed, (rule) => reaches(rule, host)));
    }),
    ...writes.map((fact) => either(coversAll, (rule) => allowsPath(rule, fact, question, "write"))),
  ];
}

function isBare({ command, path, host }: PermissionRule): boolean {
  return command === undefined && path === undefined && host === undefined;
}

function deedOf({ access }: RuleQuestion): RuleDeed {
  return access === "write" ? "write" : "read";
}

/** `read` and `write` stand for every tool of that access, and for the reads and writes of a command. */
function isFor({ tool }: PermissionRule, { tool: called, access, judgement }: RuleQuestion, deed: RuleDeed): boolean {
  return tool === undefined || tool === called || (tool === deed && (judgement !== undefined || access === deed));
}

function allowsCommand({ tool = "bash", command, path }: PermissionRule, simple: SimpleCommand): boolean {
  return tool === "bash" && path === undefined && command !== undefined && isCommand(command, simple);
}

function allowsPath(rule: PermissionRule, fact: PathFact, question: RuleQuestion, deed: RuleDeed): boolean {
  if (rule.command !== undefined || rule.path === undefined || !isFor(rule, question, deed)) return false;
  return isPath(rule.path, fact, question.workspace);
}

function allowsHost(rule: PermissionRule, host: Host, question: RuleQuestion, deed: RuleDeed): boolean {
  return rule.host !== undefined && isFor(rule, question, deed) && isHost(rule.host, host);
}

/**
 * In another directory, or started by a program that adds something of its own, the same words are another command: a rule that names them
 * would apply where nobody was asked.
 */
export function isElsewhere({ commands }: CommandJudgement, workspace: string): boolean {
  const isStay = ({ argv }: SimpleCommand): boolean => argv?.length === 2 && argv[1] === workspace;
  const isChanging = ({ isReadOnly, argv }: SimpleCommand): boolean =>
    !isReadOnly || argv?.includes("-execdir") !== false;
  const isStarted = (one: SimpleCommand): boolean => wrappersOf(one, commands).some(isChanging);
  return commands.some((one) => (isMove(one) && !isStay(one)) || (!one.isReadOnly && isStarted(one)));
}

function liftsAlways(rules: readonly PermissionRule[], { always, commands }: CommandJudgement): boolean {
  if (always.length === 0 || commands.some(isMove)) return false;
  const isNamed = (command: SimpleCommand): boolean => rules.some((rule) => namesExactly(rule, command));
  return always.every(({ command }) => {
    if (command === null || !isNamed(command)) return false;
    const wrappers = wrappersOf(command, commands);
    return wrappers.length >= command.through.length && wrappers.every(isNamed);
  });
}

/** A wrapper may start the command elsewhere (`find -execdir`) or as another user. */
export function wrappersOf({ through }: SimpleCommand, commands: readonly SimpleCommand[]): readonly SimpleCommand[] {
  return commands.filter(({ words: [name] }) => through.includes(name?.kind === "literal" ? baseName(name.value) : ""));
}

function namesExactly(rule: PermissionRule, command: SimpleCommand): boolean {
  return rule.command?.isExact === true && allowsCommand(rule, command);
}

export interface NamedPaths {
  /** As given. Outside the workspace a path to be written is named only by an exact rule (PO-5). */
  readonly named: readonly string[];
  /** Named by a rule without `*` or `?`. */
  readonly exactly: readonly string[];
}

/** The paths that allow rules name, for calls asked about because of a path: outside the workspace, secret, protected. */
export function namedPaths(rules: readonly PermissionRule[], question: RuleQuestion): NamedPaths {
  const allowing = rules.filter(({ decision, path }) => decision === "allow" && path !== undefined);
  if (allowing.length === 0) return { named: [], exactly: [] };
  const deed = deedOf(question);
  const touched: readonly TouchedPath[] = [
    ...question.paths.map((fact) => ({ fact, deed })),
    ...(question.writes ?? []).map((fact) => ({ fact, deed: "write" as const })),
  ];
  const isNamed = ({ fact, deed }: TouchedPath, isExact: boolean): boolean =>
    allowing.some((rule) => (!isExact || isExactPath(rule)) && allowsPath(rule, fact, question, deed));
  // A path that is both read and written must be named for both.
  const given = (fits: (one: TouchedPath) => boolean): readonly string[] => {
    const unnamed = new Set(touched.filter((one) => !fits(one)).map(({ fact }) => fact.given));
    return [...new Set(touched.map(({ fact }) => fact.given))].filter((one) => !unnamed.has(one));
  };
  return {
    named: given((one) => isNamed(one, one.deed === "write" && !one.fact.inside)),
    exactly: given((one) => isNamed(one, true)),
  };
}

interface TouchedPath {
  readonly fact: PathFact;
  readonly deed: RuleDeed;
}
