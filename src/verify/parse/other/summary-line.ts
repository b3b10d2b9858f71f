// How runners of any kind count: `3 specs, 1 failure`, `Passed: 3`, `ok | 3 passed | 0 failed`, `Ran 3 tests in 0.1s`.
import type { VerificationCounts } from "../../../contract/verification.ts";

type Field = keyof VerificationCounts | "total";

export interface Counted {
  readonly fields: Partial<Record<Field, number>>;
  /** It names tests or passes; a program's own `2 errors` does neither. */
  readonly isOfTests: boolean;
}

/** The first match decides: `pending spec` is skipped, `tests passed` is passed, `tests` alone is the total. */
const words: readonly (readonly [Field | "other", RegExp])[] = [
  [
    "other",
    /complete|assert|check|file|snapshot|step|warn|retr|flak|hook|suite|feature|group|module|browser|^unexpected$/,
  ],
  ["todo", /todo|to do|known failure|expected failure|xfail|incomplete/],
  ["errors", /uncaught|unhandled|unexpected|error/],
  ["failed", /fail|unsuccessful|失败/],
  ["skipped", /skip|pending|ignored|disabled|cancel|跳过/],
  ["passed", /pass|succe|^ok$|通过|成功/],
  ["total", /^total|tried|总|共/],
];
const tests = /\b(?:(?:doc)?tests?|specs?|examples?|scenarios?|cases?|runs?|failing)\b|测试|用例/;
const name = "(?<name>[a-z][a-z ]*?|[\\u4e00-\\u9fff]+)";
const shapes: readonly RegExp[] = [
  /^(?:out )?of (?<of>\d+)(?: tests?)?$/,
  /^\d+ of (?<of>\d+)$/,
  new RegExp(`^(?<n>\\d+)(?:(?: ?/ ?| of )(?<of>\\d+))? ${name}$`),
  new RegExp(`^${name} ?[:=›]? ?(?<n>\\d+)(?: ?/ ?(?<of>\\d+))?$`),
];
/** A verdict, or the name of a row, beside the numbers. */
const idle = /^(?:success|ok|passed|failed|error|disconnected|listed below|[a-z ]+:|\d+% .*)$/;
const time = "[\\d.]+ ?(?:\\([\\d.]+\\) )?(?:µs|ms|s|secs?|seconds?|m|min|minutes?)\\b";

const took = new RegExp(`[,:]? *(?:in|took|duration:?|time:?|:) *${time}.*$`);
const aside = new RegExp(`\\((?:${time}[^)]*|\\d+ steps?|\\d+ todo|\\d+)\\)`, "g");

/** Without marks, verdicts and durations around the numbers. */
function core(line: string): string {
  return line
    .toLowerCase()
    .replace(/\s+/g, (space) => (space.length > 1 ? "  " : " "))
    .replace(/^[\s#=*|✔✓✖✗✘✕×⨯❌ℹ●·•[{-]+(?:doctest\] )?/, "")
    .replace(/^(passed|failed) +\] (\d+ tests?)/, "$2 $1")
    .replace(/^.*: (?=executed \d)|^(?:ran|executed|all|total:?) (?=\d+ )/, "")
    .replace(/^executed |^(?:tests|asserts|specs|results?|summary)(?:: *| {2})(?=\d+ [a-z])/, "")
    .replace(/^(?:ok|(?:passed|failed)!?|failures!)(?: ?[|(]| +- )/, "")
    .replace(took, "")
    .replace(aside, "")
    .replace(/([:=]) +|^([a-z]+) +(?=\d+$)/g, "$1$2 ")
    .replace(/[\s.:!)=\]}-]+$/, "");
}

const between = /[,;|，、()]| \/ (?=\d+ [a-z])| and |\bwith (?=\d)| {2,}(?=[a-z\d])|(?= out of \d)/;
const maxLine = 200;
const hasDigit = /\d/;
/** A cheap filter: most lines have none of these words beside their numbers. */
const hint =
  /pass|fail|test|spec|succe|error|skip|pending|total|example|scenario|case|run|tried|ok|exception|known|unhandled|[\u4e00-\u9fff]/i;
const maxParts = 10;

/** The counts in a line; `null` unless the whole line counts one kind of thing. */
export function countedIn(line: string): Counted | null {
  if (line.length > maxLine || !hasDigit.test(line) || !hint.test(line)) return null;
  const parts = core(line)
    .split(between)
    .map((part) => part.trim())
    .filter((part) => part !== "" && !idle.test(part));
  const found = parts.map(partOf);
  // `9 steps (1 failed, 8 passed)` counts steps throughout.
  if (found.length === 0 || found.length > maxParts || found[0]?.field === "other") return null;
  const fields: Partial<Record<Field, number>> = {};
  let isOfTests = false;
  for (const one of found) {
    if (one === null) return null;
    if (one.total !== null) fields.total = one.total;
    if (one.field === "other" || one.n === null) continue;
    isOfTests ||= one.isOfTests;
    fields[one.field] = one.field === "total" ? Math.max(fields.total ?? 0, one.n) : (fields[one.field] ?? 0) + one.n;
  }
  return Object.keys(fields).length === 0 ? null : { fields, isOfTests };
}

interface Part {
  readonly field: Field | "other";
  readonly n: number | null;
  readonly total: number | null;
  readonly isOfTests: boolean;
}

function partOf(part: string): Part | null {
  const groups = shapes.map((shape) => shape.exec(part)?.groups).find((one) => one !== undefined);
  if (groups === undefined) return null;
  const { n, of, name: label = "" } = groups;
  const total = of === undefined ? null : Number(of);
  if (n === undefined) return { field: "total", n: total, total, isOfTests: true };
  const isTest = tests.test(label);
  const field = words.find(([, word]) => word.test(label))?.[0] ?? (isTest ? "total" : null);
  if (field === null) return null;
  return { field, n: Number(n), total, isOfTests: isTest || field === "passed" || field === "total" };
}
