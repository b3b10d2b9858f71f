import { fail, ok, type Result } from "../../contract/error.ts";
import { phrase } from "../../contract/text/catalogue.ts";
import { badLine, type FilePatch, type Hunk } from "./form.ts";
import { headOf, hunkOf } from "./hunk.ts";

// Lines of a hunk never begin with an asterisk, so spacing around the words of a marker does not matter.
const marker = /^\*\*\*\s*(Add File|Update File|Delete File|Move to)\s*:(.*)$/;
const begin = /^\*\*\*\s*Begin Patch\s*(?:\*\*\*)?\s*$/;
const end = /^\*\*\*\s*End Patch\s*(?:\*\*\*)?\s*$/;
const endOfFile = /^\*\*\*\s*End of File\s*(?:\*\*\*)?\s*$/;

interface EnvelopePart {
  readonly file: FilePatch;
  readonly next: number;
}

/** One or more `*** Begin Patch` … `*** End Patch`; text around them is ignored. */
export function parseEnvelope(given: readonly string[]): Result<readonly FilePatch[]> {
  const lines = atTheMargin(given);
  const files: FilePatch[] = [];
  let isInside = false;
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] ?? "";
    const isStart = begin.test(line);
    if (!isInside && !isStart && !marker.test(line)) {
      at++;
      continue;
    }
    isInside = !end.test(line);
    if (!isInside || isStart || line.trim() === "") {
      at++;
      continue;
    }
    const part = readPart(lines, at);
    if (!part.ok) return part;
    files.push(part.value.file);
    at = part.value.next;
  }
  if (!isInside) return ok(files);
  return fail("E_INVALID_ARGS", phrase("patch.no_end"), { advice: phrase("advice.patch_forms") });
}

export function isEnvelope(lines: readonly string[]): boolean {
  const isFramed = lines.some((line) => begin.test(line.trimStart()));
  return lines.some((line) => marker.test(isFramed ? line.trimStart() : line));
}

/**
 * Removes indentation before markers. Inside a hunk an indented marker is content, so a patch is shifted as a whole only if all of it is
 * indented; otherwise only the outer markers and the first file marker are.
 */
function atTheMargin(lines: readonly string[]): readonly string[] {
  const start = lines.findIndex((line) => begin.test(line.trimStart()));
  const first = lines[start] ?? "";
  const indent = first.slice(0, first.length - first.trimStart().length);
  if (start === -1) return lines;
  const stop = lines.findIndex((line, at) => at > start && end.test(line.trimStart()));
  const inside = lines.slice(start, stop === -1 ? lines.length : stop + 1);
  if (indent !== "" && inside.every((line) => line.trim() === "" || line.startsWith(indent)))
    return lines.map((line, at) => (at < start || (stop !== -1 && at > stop) ? line : line.slice(indent.length)));
  const firstFile = lines.findIndex((line, at) => at > start && line.trim() !== "");
  const isMarker = (line: string, at: number): boolean =>
    at === start || at === stop || (at === firstFile && marker.test(line.trimStart()));
  return lines.map((line, at) => (isMarker(line, at) ? line.trimStart() : line));
}

function readPart(lines: readonly string[], at: number): Result<EnvelopePart> {
  const [, what, rest = ""] = marker.exec(lines[at] ?? "") ?? [];
  const path = rest.trim();
  if (what === undefined || what === "Move to") return badLine(lines, at);
  if (path === "") return badLine(lines, at, "patch.bad_path");
  if (what === "Add File") return readAdded(lines, at, path);
  if (what === "Update File") return readUpdate(lines, at, path);
  const file = { action: "delete", path, to: null, hunks: [], isProgram: null } as const;
  return ok({ file, next: at + 1 });
}

function readAdded(lines: readonly string[], at: number, path: string): Result<EnvelopePart> {
  const stop = partEnd(lines, at + 1);
  const content = withoutBlankEnd(lines, at + 1, stop);
  const bad = lines.slice(at + 1, content).findIndex((line) => !/^(?:\+|$)/.test(line));
  if (bad !== -1) return badLine(lines, at + 1 + bad);
  // An empty line is an added line without its sign.
  const added = lines.slice(at + 1, content).map((line) => ({ sign: "+", text: line.slice(1) }) as const);
  const ends = { isBare: true, oldLacksBreak: false, newLacksBreak: false, isLast: false };
  const hunk: Hunk = { line: 0, anchors: [], lines: added, ...ends, at: at + 1 };
  const hunks = added.length === 0 ? [] : [hunk];
  return ok({ file: { action: "create", path, to: null, hunks, isProgram: null }, next: stop });
}

function readUpdate(lines: readonly string[], start: number, path: string): Result<EnvelopePart> {
  const stop = partEnd(lines, start + 1);
  const move = marker.exec(lines[start + 1] ?? "");
  const to = move?.[1] === "Move to" ? (move[2] ?? "").trim() : null;
  if (to === "") return badLine(lines, start + 1, "patch.bad_path");
  const hunks: Hunk[] = [];
  let at = start + (to === null ? 1 : 2);
  while (at < stop) {
    if (lines[at] === "" && withoutBlankEnd(lines, at, stop) === at) break;
    const read = readChunk(lines, at, stop);
    if (!read.ok) return read;
    hunks.push(read.value.hunk);
    at = read.value.next;
  }
  if (hunks.length === 0 && to === null) return badLine(lines, start, "patch.no_hunk");
  return ok({ file: { action: "change", path, to, hunks, isProgram: null }, next: stop });
}

/** `@@` lines, signed lines and optionally the end-of-file marker. The first chunk may lack `@@`. */
function readChunk(lines: readonly string[], at: number, stop: number) {
  let from = at;
  const heads = [];
  while (from < stop && lines[from]?.startsWith("@@")) heads.push(headOf(lines[from++] ?? ""));
  let to = from;
  while (to < stop && !lines[to]?.startsWith("@@") && !endOfFile.test(lines[to] ?? "")) {
    if (!/^(?:[ +\-\\]|$)/.test(lines[to] ?? "")) return badLine(lines, to);
    to++;
  }
  const isLast = to < stop && endOfFile.test(lines[to] ?? "");
  const anchors = heads.flatMap(({ words, line }) => (words === "" || line !== null ? [] : [words]));
  const head = heads.findLast(({ line }) => line !== null) ?? { line: null, old: null, words: "" };
  const read = hunkOf(lines, { at, from, to: withoutBlankEnd(lines, from, to) }, head, { anchors, isLast });
  return read.ok ? ok({ hunk: read.value.hunk, next: isLast ? to + 1 : to }) : read;
}

function partEnd(lines: readonly string[], from: number): number {
  for (let at = from; at < lines.length; at++) {
    const what = marker.exec(lines[at] ?? "")?.[1];
    if (end.test(lines[at] ?? "") || begin.test(lines[at] ?? "")) return at;
    if (what !== undefined && what !== "Move to") return at;
  }
  return lines.length;
}

function withoutBlankEnd(lines: readonly string[], from: number, to: number): number {
  let at = to;
  while (at > from && lines[at - 1] === "") at--;
  return at;
}
