import type { Runner } from "../../contract/verification.ts";
import { endsOf, linesOf } from "../parse/lines.ts";

const programs: Readonly<Record<string, Runner>> = {
  ...{ pytest: "pytest", "py.test": "pytest", jest: "jest", vitest: "vitest", mocha: "mocha", _mocha: "mocha" },
  ...{ mvn: "surefire", mvnw: "surefire", mvnd: "surefire", gradle: "gradle", gradlew: "gradle" },
  ...{ eslint: "eslint", tsc: "tsc", "vue-tsc": "tsc" },
};
const starters = new Set(
  (
    "env time nice npx bunx pnpx exec dlx x yarn pnpm npm uv poetry pipenv run python python3 " +
    "cross-env dotenv corepack c8 nyc rtk command sh bash -c coverage"
  ).split(" "),
);
const isLint = (runner: Runner) => runner === "eslint" || runner === "tsc";

/** The runners behind a command, or else those its output shows. The first one's verdict counts. */
export function runnersOf(command: string, output: string): readonly Runner[] {
  const direct = runnersIn(command);
  if (direct.length > 0) return ordered(direct);
  const edges = edgesOf(output);
  const scripts = edges.flatMap((line) => scriptOf(line)).flatMap(runnersIn);
  return ordered(scripts.length > 0 ? scripts : bySignature(edges));
}

/** Tests before linters; of several test runners the last, whose summary comes last too. */
function ordered(found: readonly Runner[]): readonly Runner[] {
  const first = found.findLast((runner) => !isLint(runner)) ?? found.at(-1);
  return first === undefined ? [] : [...new Set([first, ...found])];
}

function runnersIn(command: string): readonly Runner[] {
  return command
    .slice(0, 4000)
    .split(/&&|\|\||[;|\n]/)
    .flatMap((part) => runnerIn(part.trim().split(/\s+/)) ?? []);
}

function runnerIn(words: readonly string[]): Runner | null {
  for (const [at, raw] of words.entries()) {
    const word = raw.replace(/^['"(]+|['")]+$/g, "");
    const name = word.slice(word.lastIndexOf("/") + 1).replace(/\.(?:cmd|js|mjs|bat|exe)$/, "");
    const rest = words.slice(at + 1);
    if (Object.hasOwn(programs, name)) return programs[name] ?? null;
    if (name === "node" || name === "tsx") return rest.includes("--test") ? "node:test" : inside(rest);
    if (name === "go" || name === "cargo") return toolchain(name, rest);
    if (name === "bun") return rest[0] === "test" ? "bun" : rest[0] === "x" ? runnerIn(rest.slice(1)) : null;
    if (name === "react-scripts") return rest[0] === "test" ? "jest" : null;
    if (/^\w+=/.test(word) || word.startsWith("-") || /^\d+\w?$/.test(word) || name === "timeout") continue;
    if (!starters.has(name)) return null;
  }
  return null;
}

/** `node node_modules/.bin/jest` */
function inside(rest: readonly string[]): Runner | null {
  const program = rest.find((word) => !word.startsWith("-"));
  return program === undefined ? null : runnerIn([program]);
}

function toolchain(name: "go" | "cargo", rest: readonly string[]): Runner | null {
  const verb = rest.find((word) => !word.startsWith("-") && !word.startsWith("+")) ?? "";
  const known = name === "go" ? ["test", "vet", "build"] : ["test", "t", "build", "check", "clippy", "b", "c"];
  return known.includes(verb) ? name : null;
}

const edge = 400;

/** The first and last lines, where package managers announce scripts and runners print summaries. */
function edgesOf(output: string): readonly string[] {
  const lines = [...linesOf(endsOf(output, edge * 200))];
  return lines.length <= 2 * edge ? lines : [...lines.slice(0, edge), ...lines.slice(-edge)];
}

/** `> jest --ci` of npm and pnpm, `$ jest` of yarn and bun, `packages/a test$ jest` of pnpm -r. */
function scriptOf(line: string): readonly string[] {
  if (line.startsWith("> ") || line.startsWith("$ ")) return [line.slice(2)];
  const at = /^\S+ [\w:-]+\$ /.exec(line.slice(0, 200))?.[0].length;
  return at === undefined ? [] : [line.slice(at)];
}

const signatures: readonly (readonly [Runner, RegExp])[] = [
  [
    "pytest",
    /^=+ test session starts =+$|^(?:=+ )?(?:\d+ \w+, )*\d+ (?:passed|failed|skipped|errors?|deselected) in [\d.]+s/,
  ],
  ["jest", /^(?:Test Suites|Tests): .*\d total$/],
  ["jest", /^\{"numFailedTestSuites":|^Ran all test suites\b|^No tests found, exiting with code \d/],
  ["vitest", /^ RUN {2}v\d|^ Test Files {2}\d|^\{"numTotalTestSuites":|^<testsuites name="vitest tests"/],
  ["mocha", /^ {2}\d+ passing \(\d+\w+\)$/],
  ["node:test", /^(?:# |ℹ )duration_ms \d/],
  ["bun", /^bun test v\d/],
  ["go", /^(?:ok {2}|FAIL|\? {3})\t\S+\s|^\{"Time":"[^"]+","Action":|^ *--- (?:FAIL|PASS): \S+ \(/],
  ["cargo", /^test result: (?:ok|FAILED)\. \d+ passed; |^running \d+ tests?$/],
  ["surefire", /^\[(?:INFO|ERROR|WARNING)\] (?:Tests run: \d|BUILD (?:SUCCESS|FAILURE)$|Scanning for projects)/],
  ["gradle", /^BUILD (?:SUCCESSFUL|FAILED) in |^> Task :/],
  ["eslint", /^✖ \d+ problems? \(\d+ errors?, /],
  ["tsc", /^\S.*(?:\(\d+,\d+\): | - )error TS\d+: /],
];

/** Used if none of those matches, as in truncated output: jest's suite names and failure blocks. */
const weakSignatures: typeof signatures = [
  ["jest", /^ ?(?:PASS|FAIL) +(?:\S+ +)?\S+\.[cm]?[jt]sx?(?: \([\d.]+ m?s\))?$|^ {2}● (?!Console$)\S.* › \S/],
];

/** Line prefixes of tools that run several packages at once. */
const prefixes = [/^[\w@./-]+:[\w-]+: /, /^\[[\w@./-]+\]: /, /^[\w@./-]+ [\w-]+: /, /^[\w@./-]+: /];

function bySignature(lines: readonly string[]): readonly Runner[] {
  // A JSON document is one line of any length; its first key identifies it.
  const short = lines.flatMap((line) => (line.length < 1000 ? line : line.startsWith('{"') ? line.slice(0, 100) : []));
  const find = (line: string) => signatures.find(([, sign]) => sign.test(line))?.[0] ?? [];
  const behind = (line: string) => prefixes.map((prefix) => line.replace(prefix, "")).flatMap(find);
  const found = [...short.flatMap(find), ...short.flatMap(behind)];
  if (found.length > 0) return found;
  return short.flatMap((line) => weakSignatures.find(([, sign]) => sign.test(line))?.[0] ?? []);
}
