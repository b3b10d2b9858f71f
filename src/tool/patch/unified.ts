import { fail, ok, type Result } from "../../contract/error.ts";
import { visible } from "../../contract/show/visible.ts";
import { phrase } from "../../contract/text/catalogue.ts";
import { badLine, type FilePatch, type Hunk } from "./form.ts";
import { isHeader, isSignature, readHunk } from "./hunk.ts";
import { gitNames, type Names, nameOf, wholeName, withoutPrefixes } from "./path.ts";

interface UnifiedPart {
  readonly file: FilePatch;
  readonly next: number;
}

/** A unified diff from git or diff, with any text before it. */
export function parseUnified(lines: readonly string[]): Result<readonly FilePatch[]> {
  const files: FilePatch[] = [];
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] ?? "";
    if (isSignature(lines, at)) {
      at += 2;
      continue;
    }
    const part = readPart(lines, at);
    if (part !== null) {
      if (!part.ok) return part;
      files.push(part.value.file);
      at = part.value.next;
      continue;
    }
    // Before the first file, such a line may be prose.
    if (files.length > 0 && /^[+-]/.test(line)) return badLine(lines, at);
    if (line.startsWith("@@")) return badLine(lines, at, "patch.no_file");
    at++;
  }
  return ok(files);
}

function readPart(lines: readonly string[], at: number): Result<UnifiedPart> | null {
  const line = lines[at] ?? "";
  if (line.startsWith("diff --git ")) return readGit(lines, at);
  if (/^diff --(?:cc|combined) /.test(line)) return badLine(lines, at, "patch.unsupported");
  if (/^Binary files .* differ$/.test(line)) return binary(line.slice(13, -7));
  return isHeader(lines, at) ? readPlain(lines, at, null) : null;
}

interface Extended {
  mode: string | null;
  isNew: boolean;
  isGone: boolean;
  from: string | null;
  to: string | null;
}

const extendedLine =
  /^(old mode|new mode|new file mode|deleted file mode|rename from|rename to|copy from|copy to|similarity index|dissimilarity index|index) (.*)$/;

function readGit(lines: readonly string[], start: number): Result<UnifiedPart> {
  const extended: Extended = { mode: null, isNew: false, isGone: false, from: null, to: null };
  let at = start + 1;
  for (let found = extendedLine.exec(lines[at] ?? ""); found; found = extendedLine.exec(lines[++at] ?? "")) {
    const [, what = "", value = ""] = found;
    if (what.startsWith("copy")) return badLine(lines, at, "patch.unsupported");
    if (/mode$/.test(what) && !/^100\d{3}$/.test(value.trim())) return badLine(lines, at, "patch.unsupported");
    note(extended, what, value.trim());
  }
  const next = lines[at] ?? "";
  const header = (lines[start] ?? "").slice("diff --git ".length);
  if (next.startsWith("GIT binary patch") || next.startsWith("Binary files ")) return binary(header);
  if (isHeader(lines, at)) return readPlain(lines, at, extended);
  const pair = gitNames(header);
  const names = pair === null ? null : withoutPrefixes(...pair, true);
  return finish(lines, { at: start, next: at, names, extended, hunks: [] });
}

function note(extended: Extended, what: string, value: string): void {
  if (what === "new file mode") extended.isNew = true;
  if (what === "deleted file mode") extended.isGone = true;
  if (what === "new mode" || what === "new file mode") extended.mode = value;
  if (what === "rename from") extended.from = wholeName(value);
  if (what === "rename to") extended.to = wholeName(value);
}

function readPlain(lines: readonly string[], start: number, extended: Extended | null): Result<UnifiedPart> {
  const old = nameOf((lines[start] ?? "").slice(4));
  const fresh = nameOf((lines[start + 1] ?? "").slice(4));
  const names = old === null || fresh === null ? null : withoutPrefixes(old, fresh, extended !== null);
  const hunks: Hunk[] = [];
  let at = start + 2;
  while (lines[at]?.startsWith("@@")) {
    if (lines[at]?.startsWith("@@@")) return badLine(lines, at, "patch.unsupported");
    const read = readHunk(lines, at);
    if (!read.ok) return read;
    hunks.push(read.value.hunk);
    at = read.value.next;
    while (lines[at] === "" && lines[at + 1]?.startsWith("@@")) at++;
  }
  return finish(lines, { at: start, next: at, names, extended, hunks });
}

interface Collected {
  readonly at: number;
  readonly next: number;
  readonly names: Names | null;
  readonly extended: Extended | null;
  readonly hunks: readonly Hunk[];
}

function finish(lines: readonly string[], { at, next, names, extended, hunks }: Collected): Result<UnifiedPart> {
  const renamed = extended?.from && extended.to ? { old: extended.from, fresh: extended.to, isPair: true } : null;
  const given = renamed ?? names;
  if (given === null || !(given.old ?? given.fresh)) return badLine(lines, at, "patch.bad_path");
  const isNew = renamed === null && (extended?.isNew === true || given.old === null);
  const isGone = renamed === null && (extended?.isGone === true || given.fresh === null);
  // With `a/` and `b/`, a different name is a rename; `x.orig` beside `x` is not.
  const isMoved = given.isPair && !isNew && !isGone && given.old !== given.fresh;
  const path = (isMoved || isGone ? given.old : given.fresh) ?? given.old ?? "";
  const mode = extended?.mode ?? null;
  if (hunks.length === 0 && !isNew && !isGone && !isMoved && mode === null) {
    return badLine(lines, at, "patch.no_hunk");
  }
  const isProgram = mode === null ? null : (Number.parseInt(mode, 8) & 0o100) !== 0;
  const action = isNew ? "create" : isGone ? "delete" : "change";
  return ok({ file: { action, path, to: isMoved ? given.fresh : null, hunks, isProgram }, next });
}

function binary(name: string) {
  const path = visible(name.slice(0, 200));
  return fail("E_INVALID_ARGS", phrase("patch.binary", { path }), { advice: phrase("advice.use_shell") });
}
