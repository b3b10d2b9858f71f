import { fieldsOf, isRecord, parsedJson } from "../../contract/json.ts";
import { spelledOut, visible } from "../../contract/show/visible.ts";
import { type Phrase, phrase } from "../../contract/text/catalogue.ts";
import type { Detected } from "./detect.ts";
import { flag } from "./npm-programs.ts";
import { judgeScript, type Scripts, type ScriptVerdict } from "./npm-script.ts";
import { below, filesBelow, isFile, readProjectFile, textOf } from "./workspace.ts";

export type Manager = "npm" | "pnpm" | "yarn" | "bun";

/** The first match in the nearest folder wins: a project with another lockfile beside npm's does not use npm. */
const lockfiles: readonly (readonly [Manager, readonly string[]])[] = [
  ["pnpm", ["pnpm-lock.yaml", "pnpm-workspace.yaml"]],
  ["yarn", ["yarn.lock", ".yarnrc.yml"]],
  ["bun", ["bun.lock", "bun.lockb"]],
  ["npm", ["package-lock.json", "npm-shrinkwrap.json"]],
];

const listed = {
  npm: `npm test -- ${flag}`,
  pnpm: `pnpm test -- ${flag}`,
  yarn: `yarn test ${flag}`,
};

/** `above`: the folder and its parents. `wanted`: this manager, whatever the project uses. */
export function findNode(root: string, above: readonly string[], wanted?: Manager): Detected | null {
  const [cwd = ""] = above;
  const path = below(cwd, "package.json");
  const read = readProjectFile(root, path);
  if (read.kind === "none") return null;
  if (read.kind === "unusable") return { kind: "none", cwd, why: read.why, isFinal: true };
  const manifest = parsedJson(read.text);
  const broken = phrase("verify.bad_json", { path: visible(path) });
  if (!isRecord(manifest)) return { kind: "none", cwd, why: broken, isFinal: true };
  const scripts = scriptsIn(manifest);
  const used = managerOf(root, above);
  const { manager, major } = wanted === undefined || wanted === used.manager ? used : { manager: wanted, major: null };
  const test = scripts.test ?? "";
  const isAlone = !Object.hasOwn(scripts, "pretest") && !Object.hasOwn(scripts, "posttest");
  if (test.includes("no test specified") || (runsNothing(test) && isAlone)) {
    if (manager === "bun" && hasBunTests(root, cwd)) {
      const command = "bun test";
      return { kind: "offer", cwd, command, runner: "bun", why: phrase("verify.not_listed", { command }) };
    }
    return { kind: "none", cwd, why: phrase("verify.no_test_script", { path: visible(path) }) };
  }
  return judged({ cwd, path: visible(path), scripts, members: membersBelow(root, cwd), manager, major });
}

/** The scripts of all packages below. Whether they belong to the workspace does not change what they may do. */
function membersBelow(root: string, cwd: string): readonly Scripts[] {
  const isRoot = ["pnpm-workspace.yaml", "lerna.json"].some((name) => isFile(root, below(cwd, name)));
  if (!isRoot && !textOf(root, below(cwd, "package.json")).includes('"workspaces"')) return [];
  const folder = cwd === "" ? root : `${root}/${cwd}`;
  const files = [...filesBelow(folder, { maxEntries: 5000, maxDepth: 4, enters: isProjectFolder })];
  const manifests = files.filter((file) => file.endsWith("/package.json") && file !== `${folder}/package.json`);
  return manifests.map((file) => scriptsIn(parsedJson(textOf(root, file.slice(root.length + 1)))));
}

interface NodeProject {
  readonly cwd: string;
  readonly path: string;
  readonly scripts: Scripts;
  readonly members: readonly Scripts[];
  readonly manager: Manager;
  /** Major version of the package manager, if the project declares it. */
  readonly major: number | null;
}

function judged({ cwd, path, scripts, members, manager, major }: NodeProject): Detected {
  const isDashed = manager === "pnpm" && major !== null && major >= 10;
  const verdict = judgeScript(scripts, isDashed ? ["--", flag] : [flag], members);
  const { trouble, program, runner } = verdict;
  // npm runs the scripts of a Bun project too, and its command is on the list.
  if (trouble === null) return { kind: "run", cwd, command: listed[manager === "bun" ? "npm" : manager], runner };
  const isBare = judgeScript(scripts, [], members).trouble === null;
  const why = whyNot(verdict, path, isDashed);
  const script = scriptText(scripts);
  if (isBare) {
    const command = manager === "bun" ? "bun run test" : `${manager} test`;
    return { kind: "offer", cwd, command, runner, why, script };
  }
  const instead = trouble === "loop" ? undefined : endsByItself[program];
  if (instead?.endsWith("npm test")) return { kind: "offer", cwd, command: instead, runner, why, script };
  if (instead !== undefined) return { kind: "offer", cwd, command: instead, runner, why };
  return { kind: "none", cwd, why, advice: phrase("verify.fix_script"), isFinal: true };
}

/** Nobody reads more; the length of the rest is shown. */
const maxShown = 2_000;

function scriptText(scripts: Scripts): string {
  const all = ["pretest", "test", "posttest"].flatMap((name) => (Object.hasOwn(scripts, name) ? [scripts[name]] : []));
  const text = spelledOut(all.join(" && "));
  return text.length > maxShown ? `${text.slice(0, maxShown)} [+ ${text.length - maxShown}]` : text;
}

/** Runs the same tests once where the script would keep watching. */
const endsByItself: Readonly<Record<string, string>> = {
  jest: "npx jest",
  vitest: "npx vitest run",
  mocha: "npx mocha",
  "react-scripts": "CI=true npm test",
  "bun test": "bun test",
  "node --test": "node --test",
  karma: "npx karma start --single-run",
  deno: "deno test",
};

function whyNot({ trouble, program }: ScriptVerdict, path: string, isDashed: boolean): Phrase {
  switch (trouble) {
    case "watch":
      return phrase("verify.watches", { path, program });
    case "loop":
      return phrase("verify.script_loops", { path });
    case "shape":
      return phrase("verify.script_shape", { path, script: visible(program.slice(0, 200)) });
    default:
      return phrase(isDashed ? "verify.flag_refused_pnpm" : "verify.flag_refused", { path, program });
  }
}

/** The `packageManager` field decides, then the nearest lockfile up to the workspace root, then npm. */
function managerOf(root: string, above: readonly string[]): { manager: Manager; major: number | null } {
  for (const folder of above) {
    const field = fieldsOf(parsedJson(textOf(root, below(folder, "package.json")))).packageManager;
    const named = typeof field === "string" ? /^(npm|pnpm|yarn|bun)@(\d+)/.exec(field) : null;
    if (named) return { manager: named[1] as Manager, major: Number(named[2]) };
    const lock = lockfiles.find(([, names]) => names.some((name) => isFile(root, below(folder, name))));
    if (lock) return { manager: lock[0], major: lock[0] === "pnpm" ? installedBy(root, above) : null };
  }
  return { manager: "npm", major: null };
}

function installedBy(root: string, above: readonly string[]): number | null {
  for (const folder of above) {
    const found = /"?packageManager"?: *"?pnpm@(\d+)/.exec(textOf(root, below(folder, "node_modules/.modules.yaml")));
    if (found) return Number(found[1]);
  }
  return null;
}

function hasBunTests(root: string, cwd: string): boolean {
  const folder = cwd === "" ? root : `${root}/${cwd}`;
  const files = filesBelow(folder, { maxEntries: 2000, maxDepth: 5, enters: isProjectFolder });
  return files.some((file) => /[._](?:test|spec)\.[cm]?[jt]sx?$/.test(file));
}

function isProjectFolder(name: string): boolean {
  return name !== "node_modules" && !name.startsWith(".");
}

function scriptsIn(manifest: unknown): Scripts {
  const isText = (entry: [string, unknown]): entry is [string, string] => typeof entry[1] === "string";
  return Object.fromEntries(Object.entries(fieldsOf(fieldsOf(manifest).scripts)).filter(isText));
}

/** Whether a script only prints or exits: its exit code would prove nothing. */
export function runsNothing(script: string): boolean {
  // Quoted text is printed, not run, unless the shell expands it.
  const bare = script.replace(/'[^'\n]*'|"[^"`$\n]*"/g, "''");
  const parts = bare.split(/&&|\|\||[;\n]/).map((part) => part.trim());
  return parts.every((part) => part === "" || (idle.test(part) && !/[`|<>]|\$\(/.test(part)));
}

const idle = /^[@+-]*\s*(?:(?:echo|printf|exit|true|:)(?:\s|$)|#)/;
