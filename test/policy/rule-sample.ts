// Judgements and questions as small as a rule needs them.
import type { CommandPattern, PermissionRule } from "../../src/contract/permission.ts";
import type { PathFact } from "../../src/contract/tool.ts";
import type { RuleQuestion } from "../../src/policy/rule/rule.ts";
import type { CommandJudgement, SimpleCommand, Word } from "../../src/policy/shell/verdict/judgement.ts";

export const workspace = "/ws";

/** `$x`: one unknown word, what stands before the dollar known; `$@`: any number; `*`: a glob; all else itself. */
function word(text: string): Word {
  if (text === "$@") return { kind: "any", text };
  const dollar = text.indexOf("$");
  if (dollar !== -1) return { kind: "one", start: text.slice(0, dollar), text };
  const star = text.indexOf("*");
  if (star !== -1) return { kind: "glob", pattern: text, start: text.slice(0, star), text };
  return { kind: "literal", value: text, text };
}

const readers = new Set(["ls", "cat", "grep", "cd"]);

/** `through`: what it is started by. */
export function simple(text: string, ...through: readonly string[]): SimpleCommand {
  const words = text.split(" ").map(word);
  const values = words.flatMap((one) => (one.kind === "literal" ? [one.value] : []));
  const argv = values.length === words.length ? values : null;
  return { words, argv, text, through, isReadOnly: readers.has(values[0] ?? "") };
}

export function judged(commands: readonly string[], more: Partial<CommandJudgement> = {}): CommandJudgement {
  const found = commands.map((text) => simple(text));
  const isReadOnly = found.every((one) => one.isReadOnly);
  const parts = {
    reasons: [],
    unsettled: [],
    always: [],
    reads: [],
    writes: [],
    mentions: [],
    removes: [],
    isWhole: true,
    usesGit: false,
    namesGitFolder: false,
  };
  return { isReadOnly, commands: found, ...parts, ...more };
}

export function shell(commands: readonly string[], more: Partial<RuleQuestion> = {}): RuleQuestion {
  return { tool: "bash", access: "exec", paths: [], writes: [], judgement: judged(commands), workspace, ...more };
}

export function fact(given: string, more: Partial<PathFact> = {}): PathFact {
  const real = given.startsWith("/") ? given : `${workspace}/${given}`;
  const inside = real === workspace || real.startsWith(`${workspace}/`);
  return { given, real, inside, exists: true, kind: "file", ...more };
}

export function touching(tool: string, access: RuleQuestion["access"], ...paths: readonly PathFact[]): RuleQuestion {
  return { tool, access, paths, workspace };
}

function pattern(text: string): CommandPattern {
  const words = text.split(" ");
  const isExact = words.at(-1) !== "*";
  return { argv: isExact ? words : words.slice(0, -1), isExact };
}

type Named = Partial<Omit<PermissionRule, "command">> & { readonly command?: string };

function rule(decision: PermissionRule["decision"], { command, ...named }: Named): PermissionRule {
  const about = command === undefined ? {} : { tool: "bash", command: pattern(command) };
  return { decision, source: `--${decision}`, by: "person", ...about, ...named };
}

export const allow = (named: Named): PermissionRule => rule("allow", named);
export const ask = (named: Named): PermissionRule => rule("ask", named);
export const deny = (named: Named): PermissionRule => rule("deny", named);
