// Test commands followed by files, names of tests and the runner's own filter.
import { posix } from "node:path";
import { parse, type Word } from "unbash";
import { visible } from "../../contract/show/visible.ts";
import { type Phrase, phrase } from "../../contract/text/catalogue.ts";
import type { Check, Runner } from "../../contract/verification.ts";
import { runnersOf } from "../detect/runner-of.ts";
import { isListed } from "../detect/whitelist.ts";

interface NarrowForm {
  readonly heads: readonly string[];
  readonly flags: RegExp;
  /** Options with a value, as the next word or after `=`. */
  readonly valued: readonly string[];
  readonly isPlace: (word: string) => boolean;
}

const isInside = (word: string): boolean => !/^[-/~]/.test(word) && !word.split("/").includes("..");

const scripts: Omit<NarrowForm, "heads"> = {
  flags: /^(?:--|--watch=false|--watchAll=false|--run|--ci|--verbose|--runInBand|-i|--bail(?:=\d+)?|--silent)$/,
  valued: ["-t", "--testNamePattern", "-g", "--grep", "-f", "--fgrep", "--match", "--test-name-pattern"],
  isPlace: isInside,
};

const programs: readonly NarrowForm[] = [
  {
    heads: ["pytest", "python -m pytest", "python3 -m pytest", "uv run pytest", "poetry run pytest"],
    flags:
      /^(?:-q+|-v+|-x|-l|-s|-r\w+|--tb=\w+|--lf|--last-failed|--ff|--failed-first|--exitfirst|--maxfail=\d+|--no-header)$/,
    valued: ["-k", "-m", "--deselect"],
    isPlace: isInside,
  },
  {
    heads: ["go test"],
    flags: /^-{1,2}(?:v|short|race|failfast|cover|json|count=\d+|timeout=\w+)$/,
    valued: ["-run", "--run", "-skip", "--skip"],
    isPlace: (word) => /^\.(?:\/|$)/.test(word) && isInside(word),
  },
  {
    heads: ["cargo test"],
    flags:
      /^(?:--|--lib|--bins|--doc|--tests|--all|--workspace|--no-fail-fast|--exact|--nocapture|--ignored|--test-threads=\d+|-q|-v)$/,
    valued: ["-p", "--package", "--test", "--bin", "--skip"],
    isPlace: (word) => /^[\w:]+$/.test(word),
  },
  {
    heads: ["mvn", "./mvnw"],
    flags: /^(?:-q|-o|-am|-B|--batch-mode|--offline)$/,
    valued: ["-Dtest", "-pl", "-Dsurefire.failIfNoSpecifiedTests"],
    isPlace: (word) => word === "test",
  },
  {
    heads: ["gradle", "./gradlew"],
    flags: /^(?:-q|--quiet|--offline|--continue|--info)$/,
    valued: ["--tests"],
    isPlace: (word) => /^(?::[\w:-]+:)?test$/.test(word),
  },
  {
    ...scripts,
    heads: [
      ...["npm test", "npm run test", "pnpm test", "pnpm run test", "yarn test", "yarn run test", "bun run test"],
      ...["npx jest", "npx vitest run", "npx mocha", "bun test", "node --test"],
    ],
  },
];

export interface Narrowed {
  readonly head: string;
  readonly other: string | null;
}

/** `null`: not a known runner, or more than one plain command. */
export function narrowedIn(command: string): Narrowed | null {
  const words = wordsOf(command);
  if (words === null) return null;
  for (const program of programs) {
    const head = program.heads.find((one) => isHead(one.split(" "), words));
    if (head !== undefined) return { head, other: otherIn(program, words.slice(head.split(" ").length)) };
  }
  return null;
}

const runners = /^(?:tape|uvu|ava|jasmine|mocha|jest|vitest|tap|karma|pytest|py\.test|tox|nox|ctest|phpunit|rspec)$/;
const starters = /^(?:npx|bunx|pnpx|python3?|-m|--|node_modules\/\.bin|time|timeout|\d+[smh]?)$/;

export function isTestRun(argv: readonly string[]): boolean {
  const found = narrowedIn(argv.join(" "));
  if (found !== null) return found.other === null;
  const name = argv.find((word) => !starters.test(word)) ?? "";
  return runners.test(name.replace(/^(?:\.\/)?node_modules\/\.bin\//, ""));
}

export function isListedNarrowed(command: string, added: readonly string[]): boolean {
  const found = narrowedIn(command);
  if (found === null || found.other !== null) return false;
  if (/^(?:npm|pnpm|yarn) /.test(found.head) && !command.includes("--watch=false"))
    return added.some((one) => isHead(found.head.split(" "), one.split(" ")));
  return listedHeads.has(found.head) || added.some((one) => isListed(one, added) && one.startsWith(found.head));
}

const listedHeads = new Set([
  ...["pytest", "python -m pytest", "python3 -m pytest", "go test", "cargo test", "mvn", "gradle", "./gradlew"],
  ...["npm test", "pnpm test", "yarn test"],
]);

function isHead(head: readonly string[], words: readonly string[]): boolean {
  return head.every((word, at) => words[at] === word);
}

function otherIn({ flags, valued, isPlace }: NarrowForm, words: readonly string[]): string | null {
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? "";
    if (flags.test(word) || valued.some((one) => word.startsWith(`${one}=`))) continue;
    const value = words[at + 1] ?? "";
    // The runners behind a script disagree on which options take a value, so the word after such an option must not be an option.
    if (valued.includes(word) && !value.startsWith("-")) at += 1;
    else if (!isPlace(word)) return word;
  }
  return null;
}

export interface Wish {
  /** Relative to the workspace. */
  readonly files: readonly string[];
  readonly tests: readonly string[];
  readonly filter: string;
}

type Checked = Pick<Check, "command" | "cwd" | "runner">;
type Words = readonly string[] | Phrase;

/** The check's command for these tests alone, or a phrase that says why there is none. */
export function narrow(check: Checked, wish: Wish): string | Phrase {
  const runner = check.runner === "auto" ? (runnersOf(check.command, "")[0] ?? null) : check.runner;
  const files = wish.files.map((file) => insideOf(check.cwd, file));
  const words =
    runner === null ? onlyFiles(check, { ...wish, files }) : (by[runner] ?? onlyFiles)(check, { ...wish, files });
  if (!isWords(words)) return words;
  const own = wish.filter.startsWith("-") ? [wish.filter] : [];
  const base = runner === "go" && files.length > 0 ? check.command.replace(/ \.\/\.\.\.$/, "") : check.command;
  const needsDashes = /^npm (?:run )?test$/.test(base) && words.length + own.length > 0;
  return [base, ...(needsDashes ? ["--"] : []), ...words.map(quoted), ...own].join(" ");
}

function isWords(value: Words): value is readonly string[] {
  return Array.isArray(value);
}

function insideOf(cwd: string, file: string): string {
  const plain = posix.normalize(file);
  return cwd !== "" && plain.startsWith(`${cwd}/`) ? plain.slice(cwd.length + 1) : plain;
}

type Narrower = (check: Checked, wish: Wish) => Words;

/** A filter expression of the user or the model, not an option. */
const freeFilter = ({ filter }: Wish): readonly string[] => (filter === "" || filter.startsWith("-") ? [] : [filter]);

/** `option pattern`, one pattern for all names. */
function byPattern(option: string): Narrower {
  return (_check, wish) => {
    const names = [...wish.tests.map(escaped), ...freeFilter(wish)];
    return [...wish.files, ...(names.length > 0 ? [option, names.join("|")] : [])];
  };
}

const by: Partial<Record<Runner, Narrower>> = {
  pytest: (_check, wish) => {
    const ids = wish.tests.filter((one) => one.includes("::"));
    const names = wish.tests.filter((one) => !one.includes("::")).map((one) => one.replace(/\[.*$/, ""));
    const named = names.length > 0 ? [names.join(" or ")] : [];
    const all = [...named, ...freeFilter(wish)];
    const expression = all.length > 1 ? all.map((one) => `(${one})`).join(" and ") : (all[0] ?? "");
    return [...wish.files, ...ids, ...(expression === "" ? [] : ["-k", expression])];
  },
  go: (_check, wish) => {
    const folders = [...new Set(wish.files.map((file) => (file.endsWith(".go") ? posix.dirname(file) : file)))];
    const tops = [...new Set(wish.tests.map((one) => one.split("/")[0] ?? ""))];
    const named = tops.length > 0 ? [`^(${tops.map(escaped).join("|")})$`] : [];
    const [pattern] = [...named, ...freeFilter(wish)];
    const places = folders.map((folder) => (folder === "." ? "." : `./${folder.replace(/^\.\//, "")}`));
    return [...places, ...(pattern === undefined ? [] : ["-run", pattern])];
  },
  cargo: (_check, wish) => {
    const files = wish.files.flatMap(cargoTarget);
    const names = [...wish.tests, ...freeFilter(wish)];
    return [...files, ...(names.length > 0 ? ["--", ...names] : [])];
  },
  jest: byPattern("-t"),
  vitest: byPattern("-t"),
  bun: byPattern("-t"),
  mocha: byPattern("--grep"),
  "node:test": (check, wish) => {
    // After a script, the option would follow its files, where node takes it for a file too.
    if (!check.command.startsWith("node --test")) return onlyFiles(check, wish);
    const names = [...wish.tests.map(escaped), ...freeFilter(wish)];
    return [...(names.length > 0 ? [`--test-name-pattern=${names.join("|")}`] : []), ...wish.files];
  },
  surefire: (_check, wish) => {
    const named = [...wish.files.map(stem), ...wish.tests, ...freeFilter(wish)];
    return named.length > 0 ? [`-Dtest=${named.join(",")}`] : [];
  },
  gradle: (_check, wish) => {
    const named = [...wish.files.map((file) => `*${stem(file)}`), ...wish.tests, ...freeFilter(wish)];
    return named.flatMap((one) => ["--tests", one]);
  },
};

/** Programs that take an argument for another target. */
const ofTargets = /^(?:make|just|rake|sbt|lein|stack|dune|zig build) /;

/** Any other program takes files, but how it selects tests by name is unknown. */
function onlyFiles({ command }: Checked, wish: Wish): Words {
  const isWhole = wish.files.length + wish.tests.length === 0 && wish.filter === "";
  if (!isWhole && ofTargets.test(command)) return phrase("check.only_whole", { command: visible(command) });
  if (wish.tests.length > 0 || freeFilter(wish).length > 0)
    return phrase("check.no_names", { command: visible(command) });
  return wish.files;
}

/** `tests/a.rs` is a program of its own; the names of tests in `src/a/b.rs` begin with `a::b`. */
function cargoTarget(file: string): readonly string[] {
  const test = /^tests\/([^/]+)(?:\.rs|\/main\.rs)$/.exec(file)?.[1];
  if (test !== undefined) return ["--test", test];
  const module = /^src\/(.+?)(?:\/mod)?\.rs$/.exec(file)?.[1];
  if (module === undefined || module === "lib" || module === "main") return [];
  return [module.replaceAll("/", "::")];
}

function stem(file: string): string {
  return posix.basename(file).replace(/\.\w+$/, "");
}

function quoted(word: string): string {
  return /^[\w@%+=:,./^-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

/** The words of one plain command, unquoted; `null` if a shell would change them. */
function wordsOf(command: string): readonly string[] | null {
  if (command.length > maxCommand) return null;
  const { commands, errors } = parse(command);
  const [only] = commands;
  if (errors?.length || commands.length !== 1 || !only || only.background) return null;
  const node = only.command;
  if (node.type !== "Command" || !node.name || node.prefix.length > 0 || node.redirects.length > 0) return null;
  const words = [node.name, ...node.args];
  return words.every(isPlain) ? words.map(({ value }) => value) : null;
}

const maxCommand = 10_000;

/** No variables or substitutions. A glob cannot expand to an option, because it may not start a word. */
function isPlain(word: { readonly type: string }): word is Word {
  if (word.type !== "Word") return false;
  const { text, parts } = word as Word;
  if (parts === undefined) return isLiteral(text);
  return parts.every((part, at) => {
    switch (part.type) {
      case "Literal":
        return isLiteral(part.text);
      case "SingleQuoted":
        return true;
      case "DoubleQuoted":
        return part.parts.every(({ type }) => type === "Literal");
      case "Glob":
        return at > 0;
      default:
        return false;
    }
  });
}

/** A shell would expand braces and `~`. */
function isLiteral(text: string): boolean {
  return !/[{}~!$`]/.test(text);
}
