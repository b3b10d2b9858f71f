import { type DiffData, type DiffFile, maxPaths } from "../../contract/diff.ts";
import { isSecretIn } from "../../contract/path/secret-path.ts";
import { visible } from "../../contract/show/visible.ts";
import { type Lang, type Phrase, phrase, say } from "../../contract/text/catalogue.ts";
import type { History } from "../../machine/history/history.ts";
import type { TaskInput } from "../port.ts";

const severities = ["critical", "high", "medium", "low"] as const;

/** SL-3, with the field names of the JSON that models write and people read. */
export interface Finding {
  readonly severity: (typeof severities)[number];
  readonly file: string;
  readonly line: number;
  readonly problem: string;
  readonly suggestion: string;
  /** For a finding on an unchanged line: the changed line that causes it. */
  readonly follows_from?: { readonly file: string; readonly line: number };
}

export interface Review {
  readonly findings: readonly Finding[];
  readonly dropped: number;
}

const place = { file: { type: "string" }, line: { type: "integer", minimum: 1 } } as const;
const texts = { problem: { type: "string", minLength: 1 }, suggestion: { type: "string" } } as const;

/** SL-3: the JSON Schema of a review's answer. */
const reviewSchema = {
  type: "object",
  properties: {
    findings: {
      type: "array",
      items: {
        type: "object",
        properties: {
          severity: { enum: severities },
          ...place,
          ...texts,
          follows_from: { type: "object", properties: place, required: ["file", "line"] },
        },
        required: ["severity", "file", "line", "problem", "suggestion"],
      },
    },
  },
  required: ["findings"],
} as const;

interface ReviewScope {
  /** Changed files that may be shown; empty = unknown, or too many to name. */
  readonly paths: readonly string[];
  /** Changed files that may hold secrets. */
  readonly left: readonly string[];
}

const maxPathChars = 60_000;

/** A phrase = nothing to review. Only changed files count: an unchanged secret file is not mentioned. */
export function scopeOf(changed: readonly string[] | null, workspace: string): ReviewScope | Phrase {
  if (changed === null) return { paths: [], left: [] };
  const isSecret = isSecretIn(workspace);
  const left = changed.filter(isSecret);
  const paths = changed.filter((path) => !isSecret(path));
  if (paths.length + left.length === 0) return phrase("review.clean");
  if (paths.length === 0) return phrase("review.only_secret", { files: left.map(visible).join(", ") });
  const isNamed = paths.length <= maxPaths && paths.join("").length <= maxPathChars;
  return { paths: isNamed ? paths : [], left };
}

/** A read-only task that starts with the diff; its findings are filtered before anyone sees them. */
export function reviewTask(base: string, focus: string, { paths, left }: ReviewScope): TaskInput {
  const text = [
    focus === "" ? "Review the changes." : `Review the changes. Look above all at: ${focus}`,
    "The diff, untracked files included, stands below; read whatever you need around it. Change nothing and run nothing.",
    "Report only real problems that these changes bring in: wrong results, crashes, lost data, security holes, broken callers, missing cases, tests that cannot fail. No praise, no matters of taste, nothing that was there before.",
    "Each finding names the changed line it is about, by its number in the file as it is now. Where the problem shows at a line that was not changed, name that line and give the changed line it comes from as follows_from. A finding that points at no changed line is thrown away.",
    "Nothing found: an empty list.",
    ...(left.length === 0 ? [] : [`Changed files that may hold secrets are left out: ${left.map(visible).join(", ")}`]),
  ].join("\n");
  const named = paths.length === 0 ? {} : { paths };
  const call = { tool: "diff", input: { base, whole: true, ...named } };
  return { text, options: { call, schema: reviewSchema, readOnly: true, about: focus } };
}

export function isReview(history: History | undefined, taskId: string): boolean {
  return history !== undefined && diffOf(history, taskId) !== undefined;
}

export function reviewIn(
  history: History | undefined,
  taskId: string,
  answer: unknown,
  workspace: string,
): Review | null {
  const diff = history && diffOf(history, taskId);
  if (diff === undefined) return null;
  const { findings } = answer as { readonly findings: readonly Finding[] };
  return judged(findings, diff?.files ?? [], workspace);
}

/** `undefined`: not a review. `null`: the diff failed. */
function diffOf({ entries }: History, taskId: string): DiffData | null | undefined {
  const at = entries.findIndex((entry) => entry.kind === "user" && entry.taskId === taskId);
  const first = entries[at + 1];
  if (at === -1 || first?.kind !== "command" || first.call.role !== "compares") return undefined;
  const result = first.results.get(first.call.id);
  return result?.status === "done" ? (result.data as DiffData) : null;
}

function judged(findings: readonly Finding[], files: readonly DiffFile[], workspace: string): Review {
  const named = findings.map((one) => renamed(one, workspace));
  const isChanged = ({ file, line }: Pick<Finding, "file" | "line">): boolean =>
    files.some(({ path, lines }) => path === file && lines.some(([from, to]) => line >= from && line <= to));
  const kept = named.filter((one) => isChanged(one) || (one.follows_from && isChanged(one.follows_from)));
  return { findings: kept.sort(byWeight), dropped: findings.length - kept.length };
}

/** Models write paths in several forms. */
function renamed(finding: Finding, workspace: string): Finding {
  const plain = (path: string): string =>
    (path.startsWith(`${workspace}/`) ? path.slice(workspace.length + 1) : path).replace(/^(?:\.\/)+/, "");
  const { severity, line, problem, suggestion, follows_from: from } = finding;
  const origin = from ? { follows_from: { file: plain(from.file), line: from.line } } : {};
  return { severity, file: plain(finding.file), line, problem, suggestion, ...origin };
}

function byWeight(one: Finding, other: Finding): number {
  const weight = severities.indexOf(one.severity) - severities.indexOf(other.severity);
  const name = one.file < other.file ? -1 : one.file > other.file ? 1 : 0;
  return weight || name || one.line - other.line;
}

export function reviewText({ findings, dropped }: Review, lang: Lang): string {
  const lines = findings.flatMap(({ severity, file, line, problem, suggestion, follows_from: from }) => [
    `${severity.padEnd(9)}${file}:${line}: ${indented(problem)}`,
    ...(from ? [`         ${say(lang, phrase("review.from", { place: `${from.file}:${from.line}` }))}`] : []),
    ...(suggestion.trim() === "" ? [] : [`         → ${indented(suggestion)}`]),
  ]);
  const head = findings.length === 0 ? [say(lang, phrase("review.nothing"))] : lines;
  const tail = dropped === 0 ? [] : [say(lang, phrase("review.dropped", { n: dropped }))];
  return [...head, ...tail].join("\n");
}

function indented(text: string): string {
  return text.trim().replaceAll("\n", "\n           ");
}
