import { type Command, parse, type Statement } from "unbash";
import type { Runner } from "../../contract/verification.ts";
import { flag, judgeProgram, type ScriptTrouble } from "./npm-programs.ts";

export type Scripts = Readonly<Record<string, string>>;

export interface ScriptVerdict {
  readonly trouble: Exclude<ScriptTrouble, null> | "loop" | "shape" | null;
  readonly program: string;
  readonly runner: Runner | "auto";
}

/** How deep scripts may call scripts; nobody writes deeper ones by hand. */
const maxDepth = 5;
/** `run-s a a a` in script `a` grows without end long before it is deep. */
const maxCommands = 100;

const maxScript = 10_000;

/** The test script's behaviour with these extra arguments, as far as its text tells. `members`: scripts of the workspace's packages. */
export function judgeScript(scripts: Scripts, extra: readonly string[], members: readonly Scripts[]): ScriptVerdict {
  const walk: ScriptWalk = { scripts, members, left: maxCommands, runners: new Set(), trouble: null };
  follow(walk, "test", extra, []);
  const around = Object.hasOwn(scripts, "pretest") || Object.hasOwn(scripts, "posttest");
  const [only] = walk.runners;
  const runner = only !== undefined && walk.runners.size === 1 && !around ? only : "auto";
  return { trouble: null, program: "", ...walk.trouble, runner };
}

interface ScriptWalk {
  readonly scripts: Scripts;
  readonly members: readonly Scripts[];
  left: number;
  readonly runners: Set<Runner>;
  trouble: Pick<ScriptVerdict, "trouble" | "program"> | null;
}

function follow(walk: ScriptWalk, name: string, extra: readonly string[], path: readonly string[]): void {
  const script = Object.hasOwn(walk.scripts, name) ? walk.scripts[name] : undefined;
  // The package manager reports a missing script itself.
  if (script === undefined || walk.trouble) return;
  if (path.includes(name) || path.length >= maxDepth) {
    walk.trouble = { trouble: "loop", program: name };
    return;
  }
  const parsed = script.length > maxScript ? null : parse([script, ...extra.map(quoted)].join(" "));
  if (parsed === null || parsed.errors?.length) {
    walk.trouble = { trouble: "shape", program: script };
    return;
  }
  for (const command of simpleCommands(parsed.commands)) {
    walk.left -= 1;
    if (walk.left < 0) walk.trouble ??= { trouble: "loop", program: name };
    if (walk.trouble) return;
    look(walk, command, [...path, name]);
  }
}

function look(walk: ScriptWalk, command: Command, path: readonly string[]): void {
  const words = command.name ? [command.name.value, ...command.args.map((arg) => wordOf(arg))] : [];
  const env = command.prefix.flatMap((one) => (one.type === "Assignment" ? [one.name] : []));
  const own = unwrapped(words, env);
  if (own.words[0] === flag) {
    walk.trouble = { trouble: "shape", program: walk.scripts[path.at(-1) ?? ""] ?? "" };
    return;
  }
  const within = calledInMembers(own.words);
  if (within) {
    for (const scripts of walk.members) followIn(walk, scripts, within);
    return;
  }
  const nested = calledScripts(own.words, walk.scripts);
  if (nested) {
    for (const name of nested.names) follow(walk, name, nested.extra, path);
    return;
  }
  const { program, trouble, runner } = judgeProgram(withoutManager(own.words), own.env);
  if (runner) walk.runners.add(runner);
  if (trouble) walk.trouble = { trouble, program };
}

function followIn(walk: ScriptWalk, scripts: Scripts, { names: [name = ""], extra }: Called): void {
  const inner: ScriptWalk = { ...walk, scripts, members: [] };
  if (walk.trouble === null) follow(inner, name, extra, []);
  walk.left = inner.left;
  walk.trouble = inner.trouble;
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** `yarn jest`, `pnpm run jest`: a program of the project, unless a script has that name. */
function withoutManager(words: readonly string[]): readonly string[] {
  const [manager = "", first = "", second = ""] = words;
  if (!["yarn", "pnpm"].includes(manager) || first === "" || first.startsWith("-")) return words;
  return first === "run" && second !== "" ? words.slice(2) : words.slice(1);
}

function wordOf(arg: Command["args"][number]): string {
  return "value" in arg && typeof arg.value === "string" ? arg.value : arg.text;
}

function simpleCommands(statements: readonly Statement[]): readonly Command[] {
  return statements.flatMap(({ command }) => {
    const nodes = command.type === "AndOr" ? command.commands : [command];
    const flat = nodes.flatMap((node) => (node.type === "Pipeline" ? node.commands : [node]));
    return flat.filter((node) => node.type === "Command");
  });
}

const wrappers = new Set(["cross-env", "cross-env-shell", "npx", "bunx", "c8", "nyc", "env", "dotenv", "env-cmd"]);

function unwrapped(words: readonly string[], env: readonly string[]): { words: string[]; env: string[] } {
  const rest = [...words];
  const names = [...env];
  for (;;) {
    const [first = "", second = ""] = rest;
    const isExec = ["npm", "pnpm", "yarn"].includes(first) && (second === "exec" || second === "dlx");
    if (!isExec && !wrappers.has(first)) return { words: rest, env: names };
    rest.splice(0, isExec ? 2 : 1);
    while (/^(?:-|[A-Za-z_]\w*=)/.test(rest[0] ?? "") && rest[0] !== flag) {
      const name = /^([A-Za-z_]\w*)=/.exec(rest.shift() ?? "")?.[1];
      if (name !== undefined) names.push(name);
    }
  }
}

interface Called {
  readonly names: readonly string[];
  readonly extra: readonly string[];
}

const intoMembers: Readonly<Record<string, RegExp>> = {
  npm: /^(?:--workspaces?|-ws?)(?:=|$)/,
  pnpm: /^(?:-r|--recursive|--filter|-F)(?:=|$)/,
  yarn: /^workspaces?$/,
  bun: /^--filter(?:=|$)/,
  lerna: /^run$/,
};

function calledInMembers([program = "", ...args]: readonly string[]): Called | null {
  const sign = Object.hasOwn(intoMembers, program) ? intoMembers[program] : undefined;
  if (sign === undefined || !args.some((arg) => sign.test(arg))) return null;
  const run = args.findIndex((arg) => arg === "run" || arg === "run-script");
  const at = run === -1 ? args.findIndex((arg) => arg === "test" || arg === "t") : run + 1;
  const name = args[at];
  if (name === undefined) return null;
  const rest = args.slice(at + 1);
  return { names: [name === "t" ? "test" : name], extra: program === "npm" ? throughNpm(rest) : rest };
}

function calledScripts(words: readonly string[], scripts: Scripts): Called | null {
  const [program = "", ...args] = words;
  if (["run-s", "run-p", "npm-run-all", "npm-run-all2"].includes(program)) {
    // Observed: unknown options are accepted and dropped.
    return { names: args.filter((arg) => !arg.startsWith("-")).flatMap((arg) => matching(arg, scripts)), extra: [] };
  }
  if (!["npm", "pnpm", "yarn", "bun"].includes(program)) return null;
  const isRun = args[0] === "run" || args[0] === "run-script";
  const isTest = program !== "bun" && ["test", "t"].includes(args[0] ?? "");
  const name = isRun ? args[1] : isTest ? "test" : args[0];
  const isShort = program === "pnpm" || program === "yarn";
  if (name === undefined || !Object.hasOwn(scripts, name) || !(isRun || isTest || isShort)) return null;
  const rest = args.slice(isRun ? 2 : 1);
  return { names: [name], extra: program === "npm" ? throughNpm(rest) : rest };
}

/** npm keeps options for itself (npm 11 warns, npm 12 fails): only arguments after `--` reach the script. */
function throughNpm(rest: readonly string[]): readonly string[] {
  const dashes = rest.indexOf("--");
  const before = dashes === -1 ? rest : rest.slice(0, dashes);
  return [...before.filter((arg) => !arg.startsWith("-")), ...(dashes === -1 ? [] : rest.slice(dashes + 1))];
}

function matching(pattern: string, scripts: Scripts): readonly string[] {
  if (!pattern.includes("*")) return [pattern];
  const start = pattern.slice(0, pattern.indexOf("*"));
  return Object.keys(scripts).filter((name) => name.startsWith(start));
}
