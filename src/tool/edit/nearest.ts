import { readdirSync } from "node:fs";
import { basename, dirname } from "node:path";
import { fail, type Result } from "../../contract/error.ts";
import { visible } from "../../contract/show/visible.ts";
import { phrase } from "../../contract/text/catalogue.ts";
import type { ToolContext } from "../../contract/tool.ts";
import { orElse } from "../../platform/files/failure.ts";
import { type LocatedPath, locate } from "../../platform/files/path.ts";

/** Limits: an error message must not take a second. */
const maxLineChars = 200;
const maxChars = 2_000_000;
const maxCandidates = 3;
const shownLines = 5;
const maxNames = 5000;

/** Up to three places most similar to `old`, with line numbers; "" if nothing is similar. */
export function nearestText(text: string, old: string): string {
  const wanted = old.split("\n");
  const anchor = wanted.reduce(
    (best, line, index) => (line.trim().length > wanted[best]!.trim().length ? index : best),
    0,
  );
  const score = scorer(wanted[anchor]!.trim());
  const lines = text.slice(0, maxChars).split("\n");
  const best = lines
    .map((line, index) => ({ index, score: score(line.trim()) }))
    .filter((one) => one.score >= 0.5)
    .sort((a, b) => b.score - a.score || a.index - b.index)
    .slice(0, maxCandidates);
  return best
    .map(({ index }) => {
      const first = Math.max(0, index - anchor);
      return showLines(lines, first, Math.max(first + Math.min(wanted.length, shownLines), index + 1));
    })
    .join("\n--\n");
}

function showLines(lines: readonly string[], from: number, to: number): string {
  const first = Math.max(from, to - shownLines);
  return lines
    .slice(first, to)
    .map((line, index) => `${first + index + 1}\t${shorten(line)}`)
    .join("\n");
}

export function shownLine(text: string, position: number, number: number): string {
  const start = text.lastIndexOf("\n", position - 1) + 1;
  const end = text.indexOf("\n", position);
  return `${number}\t${shorten(text.slice(position === 0 ? 0 : start, end === -1 ? text.length : end))}`;
}

function shorten(line: string): string {
  const plain = line.endsWith("\r") ? line.slice(0, -1) : line;
  return (plain.length > maxLineChars ? `${plain.slice(0, maxLineChars)}…` : plain).toWellFormed();
}

function scorer(wanted: string): (other: string) => number {
  const pairs = pairsOf(wanted);
  return (other) => {
    if (other === wanted) return 1;
    const found = pairsOf(other);
    if (pairs.size === 0 || found.size === 0) return 0;
    let common = 0;
    for (const pair of found) if (pairs.has(pair)) common++;
    return (2 * common) / (pairs.size + found.size);
  };
}

function pairsOf(line: string): ReadonlySet<number> {
  const pairs = new Set<number>();
  const end = Math.min(line.length, maxLineChars);
  for (let at = 1; at < end; at++) pairs.add(line.charCodeAt(at - 1) * 0x10000 + line.charCodeAt(at));
  return pairs;
}

export function missing(at: LocatedPath): Result<never> {
  const path = visible(at.shown);
  const score = scorer(basename(at.real).toLowerCase());
  const near = orElse(() => readdirSync(dirname(at.real)), [])
    .slice(0, maxNames)
    .map((name) => ({ name, score: score(name.toLowerCase()) }))
    .filter(({ score }) => score >= 0.4)
    .sort((a, b) => b.score - a.score || (a.name < b.name ? -1 : 1))
    .slice(0, 5)
    .map(({ name }) => visible(name));
  if (near.length === 0) return fail("E_IO", phrase("file.missing", { path }));
  return fail("E_IO", phrase("file.missing_near", { path, names: near.join(", ") }));
}

/** The folder in which a search starts. */
export function folderAt(path: string, ctx: ToolContext): Result<LocatedPath> {
  const at = locate(path, ctx);
  if (!at.ok) return at;
  if (at.value.kind === "none") return missing(at.value);
  if (at.value.kind === "folder") return at;
  const text = phrase("file.not_folder", { path: visible(at.value.shown) });
  return fail("E_INVALID_ARGS", text, { advice: phrase("advice.not_folder") });
}
