// How the programs behind an npm test script treat a trailing `--watch=false`. Observed with the versions named in
// docs/guide/verification.md, run by npm 11, yarn 1 and pnpm 8 to 11, without a terminal.
import type { Runner } from "../../contract/verification.ts";

export const flag = "--watch=false";

/** Why a script cannot verify: it rejects the flag, or it never ends. */
export type ScriptTrouble = "option" | "watch" | null;

interface NpmProgram {
  readonly runner: Runner | "auto";
  readonly takesFlag: boolean;
  /** The same for `-- --watch=false`, which pnpm 10 and newer pass on: most programs take what follows `--` for a file. */
  readonly takesDashed: boolean;
  readonly watches?: (args: readonly string[], env: readonly string[]) => boolean;
}

const endsUnlessTold = (args: readonly string[]) => has(args, "--watch", "-w") && !args.includes(flag);

const others = (
  "jasmine tap borp qunit lab playwright turbo make standard just bats cypress " +
  "python python3 nose2 nosetests tox uv poetry rspec bundle phpunit dotnet mix"
).split(" ");

const programs: Readonly<Record<string, NpmProgram>> = {
  // `--watch --watch=false` does not watch, `--watchAll --watch=false` does.
  jest: {
    runner: "jest",
    takesFlag: true,
    takesDashed: false,
    watches: (args) => has(args, "--watchAll") || endsUnlessTold(args),
  },
  // Does not watch without a terminal. `vitest watch` and `vitest dev` do in any case; `--watch` twice is an error.
  vitest: {
    runner: "vitest",
    takesFlag: true,
    takesDashed: true,
    watches: (args) => ["watch", "dev"].includes(args[0] ?? "") || has(args, "--watch", "-w"),
  },
  mocha: { runner: "mocha", takesFlag: true, takesDashed: false, watches: endsUnlessTold },
  ava: { runner: "auto", takesFlag: true, takesDashed: true, watches: endsUnlessTold },
  // Adds `--watch` or `--watchAll` by itself and ignores `--watch=false`.
  "react-scripts": {
    runner: "jest",
    takesFlag: true,
    takesDashed: false,
    watches: (args, env) => args[0] === "test" && !env.includes("CI") && !args.includes("--watchAll=false"),
  },
  tape: { runner: "auto", takesFlag: true, takesDashed: false },
  uvu: { runner: "auto", takesFlag: true, takesDashed: false },
  wtr: { runner: "auto", takesFlag: true, takesDashed: false },
  // `node --test --watch=false` watches forever; after a file, the flag is taken for a second file, which does not exist.
  "node --test": {
    runner: "node:test",
    takesFlag: false,
    takesDashed: false,
    watches: (args) => has(args, "--watch"),
  },
  // `--watch=false` shows the help and exits 1.
  "bun test": { runner: "bun", takesFlag: false, takesDashed: false, watches: (args) => has(args, "--watch") },
  // `node -e` takes the flag for its own option and exits 9.
  "node -e": { runner: "auto", takesFlag: false, takesDashed: true },
  // Watches unless told not to; `singleRun` in its config file is not read here.
  karma: {
    runner: "auto",
    takesFlag: true,
    takesDashed: false,
    watches: (args) => args[0] === "start" && !has(args, "--single-run", "--singleRun", "--single-run=true"),
  },
  // Takes `--watch=false` for a file to watch.
  deno: { runner: "auto", takesFlag: false, takesDashed: false, watches: (args) => has(args, "--watch") },
  pytest: { runner: "pytest", takesFlag: false, takesDashed: false },
  go: { runner: "go", takesFlag: false, takesDashed: false },
  cargo: { runner: "cargo", takesFlag: false, takesDashed: false },
  tsc: { runner: "tsc", takesFlag: false, takesDashed: false, watches: (args) => has(args, "--watch", "-w") },
  eslint: { runner: "eslint", takesFlag: false, takesDashed: false },
  ...Object.fromEntries(
    others.map((name) => [name, { runner: "auto", takesFlag: false, takesDashed: false } as const]),
  ),
};

export interface Judged {
  readonly program: string;
  readonly trouble: ScriptTrouble;
  readonly runner: Runner | null;
}

export function judgeProgram(words: readonly string[], env: readonly string[]): Judged {
  const { name, args } = named(words);
  const known = Object.hasOwn(programs, name) ? programs[name] : undefined;
  if (known === undefined) return { program: name, trouble: null, runner: null };
  const runner = known.runner === "auto" ? null : known.runner;
  const dashes = args.indexOf("--");
  const isPlain = args.includes(flag) && (dashes === -1 || args.indexOf(flag) < dashes);
  const isDashed = args.includes(flag) && !isPlain;
  const isRefused = (isPlain && !known.takesFlag) || (isDashed && !known.takesDashed);
  if (isRefused) return { program: name, trouble: "option", runner };
  const own = isDashed ? args.slice(0, dashes) : args;
  return { program: name, trouble: known.watches?.(own, env) ? "watch" : null, runner };
}

function has(args: readonly string[], ...names: readonly string[]): boolean {
  return args.some((arg) => names.includes(arg));
}

const nodes = new Set(["node", "tsx", "nodejs"]);

/** By effect: `node node_modules/.bin/jest` is jest, `tsx --test` is node's own runner. */
function named(words: readonly string[]): { name: string; args: readonly string[] } {
  const [path = "", ...args] = words;
  const name = baseName(path);
  if (name === "bun" && args[0] === "test") return { name: "bun test", args: args.slice(1) };
  if (name === "web-test-runner") return { name: "wtr", args };
  if (!nodes.has(name)) return { name, args };
  if (args.includes("--test")) return { name: "node --test", args };
  const script = args.findIndex((arg) => !arg.startsWith("-") && arg.split("/").includes("node_modules"));
  if (script !== -1) return { name: installedName(args[script] ?? ""), args: args.slice(script + 1) };
  if (has(args, "-e", "--eval", "-p", "--print")) return { name: "node -e", args };
  return { name, args };
}

/** `node_modules/.bin/jest`, `./node_modules/jest/bin/jest.js`, `node_modules/mocha/bin/_mocha`. */
function installedName(path: string): string {
  const parts = path.split("/");
  const name = parts[parts.lastIndexOf("node_modules") + 1] ?? "";
  return name === ".bin" ? baseName(path) : name;
}

function baseName(path: string): string {
  return (path.split("/").at(-1) ?? "").replace(/\.(?:[cm]?js|cmd|exe)$/, "");
}
