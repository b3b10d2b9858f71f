import { fail, ok, type Result } from "../contract/error.ts";
import { phrase } from "../contract/text/catalogue.ts";
import { badLine, type FilePatch, type Hunk } from "./patch-form.ts";
import { headOf, hunkOf } from "./patch-hunk.ts";

const marker = /^\*\*\* (Add File|Update File|Delete File|Move to):(.*)$/;
const begin = /^\*\*\* Begin Patch\s*$/;
const end = /^\*\*\* End Patch\s*$/;
const endOfFile = /^\*\*\* End of File\s*$/;

interface Part {
  readonly file: FilePatch;
  readonly next: number;
}

/** `*** Begin Patch` … `*** End Patch`, once or more; what stands around them is not part of the patch. */
export function parseEnvelope(lines: readonly string[]): Result<readonly FilePatch[]> {
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
  return lines.some((line) => marker.test(line));
}

function readPart(lines: readonly string[], at: number): Result<Part> {
  const [, what, rest = ""] = marker.exec(lines[at] ?? "") ?? [];
  const path = rest.trim();
  if (what === undefined || what === "Move to") return badLine(lines, at);
  if (path === "") return badLine(lines, at, "patch.bad_path");
  if (what === "Add File") return readAdded(lines, at, path);
  if (what === "Update File") return readUpdate(lines, at, path);
  const file = { action: "delete", path, to: null, hunks: [], isProgram: null } as const;
  return ok({ file, next: at + 1 });
}

function readAdded(lines: readonly string[], at: number, path: string): Result<Part> {
  const stop = partEnd(lines, at + 1);
  const content = withoutBlankEnd(lines, at + 1, stop);
  const bad = lines.slice(at + 1, content).findIndex((line) => !/^(?:\+|$)/.test(line));
  if (bad !== -1) return badLine(lines, at + 1 + bad);
  // A blank line that lost its sign.
  const added = lines.slice(at + 1, content).map((line) => ({ sign: "+", text: line.slice(1) }) as const);
  const ends = { oldLacksBreak: false, newLacksBreak: false, isLast: false };
  const hunk: Hunk = { line: 0, anchors: [], lines: added, ...ends, at: at + 1 };
  const hunks = added.length === 0 ? [] : [hunk];
  return ok({ file: { action: "create", path, to: null, hunks, isProgram: null }, next: stop });
}

function readUpdate(lines: readonly string[], start: number, path: string): Result<Part> {
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

/** `@@` lines, lines with their signs, and where it says so the end of the file. The first may lack its `@@`. */
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

/** The line that begins the next file or ends the patch. */
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
