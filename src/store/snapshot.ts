// A copy of a session inside its workspace, in case the database is lost. Best effort: the database is authoritative.

import {
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fail, ok, type Result } from "../contract/error.ts";
import { isSessionId, type SessionId } from "../contract/ids.ts";
import { type Fields, isRecord } from "../contract/json.ts";
import { ownFolders } from "../contract/path/own-folders.ts";
import { type PhraseArgs, phrase, type TextKey } from "../contract/text/catalogue.ts";
import { orNull, withOpen } from "../platform/files/probe.ts";
import { isWriterGone, writerForm, writerName } from "../platform/identity.ts";
import { hasEarlier, ignoreName, ignoresAll, ignoresConfig, removeEarlier } from "./unseen.ts";

/** Far above any session's snapshot, even of earlier versions; a file planted in a workspace must not use up the memory. */
const maxBytes = 256 * 1024 * 1024;
const tempName = new RegExp(String.raw`^\..+?\.(${writerForm})\.tmp$`);

export function writeSnapshot(workspace: string, id: SessionId, text: string): Result<void> {
  if (!isSessionId(id)) return refuse("snapshot.bad_id", { id });
  return writeInCoderFolder(workspace, "sessions", `${id}.json`, text);
}

/** The workspace's own config: the only file in `.coder` that belongs into a repository. */
export function writeConfigFile(workspace: string, text: string): Result<void> {
  return writeInCoderFolder(workspace, "", "config.json", text, 0o644);
}

/** For settings that the user changed without asking for a file: its visibility to git does not change. */
export function keepInConfigFile(workspace: string, text: string): Result<void> {
  const isThere = (name: string): boolean =>
    lstatSync(join(workspace, ".coder", name), { throwIfNoEntry: false }) !== undefined;
  const made = makeCoderFolder(workspace, "", "config.json");
  if (!made.ok) return made;
  if (!isThere("config.json") && !isThere(ignoreName)) {
    const ignored = writeInCoderFolder(workspace, "", ignoreName, ignoresConfig, 0o644);
    if (!ignored.ok) return ignored;
  }
  return writeConfigFile(workspace, text);
}

/** Writes one file in the workspace's `.coder`, private by default, atomically, never through a symlink. */
export function writeInCoderFolder(
  workspace: string,
  folder: "sessions" | "output" | "",
  name: string,
  text: string,
  mode = 0o600,
): Result<void> {
  const inner = makeCoderFolder(workspace, folder, name);
  if (!inner.ok) return inner;
  const path = join(inner.value, name);
  try {
    replaceFile(inner.value, path, text, mode);
    return ok(undefined);
  } catch (error) {
    return refuseWrite(path, error);
  }
}

/** Creates a folder in the workspace's `.coder` and removes temporary files of killed writers. */
export function makeCoderFolder(
  workspace: string,
  folder: (typeof ownFolders)[number] | "",
  name: string,
): Result<string> {
  const coder = join(workspace, ".coder");
  const inner = join(coder, folder);
  try {
    for (const one of [coder, inner]) {
      makeFolder(one);
      if (!isRealFolder(one)) return refuseFolder(one);
    }
    removeStale(inner);
    if (folder !== "" && lstatSync(join(inner, ignoreName), { throwIfNoEntry: false }) === undefined) hide(workspace);
    return ok(inner);
  } catch (error) {
    return refuseWrite(join(inner, name), error);
  }
}

/** Gives each of our folders its own ignore file, and only then removes the earlier common one. */
function hide(workspace: string): void {
  for (const folder of ownFolders) {
    const own = join(workspace, ".coder", folder);
    const isThere = lstatSync(own, { throwIfNoEntry: false })?.isDirectory() === true;
    const ignoreFile = join(own, ignoreName);
    if (isThere && lstatSync(ignoreFile, { throwIfNoEntry: false }) === undefined)
      replaceFile(own, ignoreFile, ignoresAll, 0o644);
  }
  // If the removal fails, the next write tries again.
  if (hasEarlier(workspace)) void removeEarlier(workspace).catch(() => {});
}

/** The content of a workspace is untrusted: the caller asks before using it. */
export function readSnapshot(workspace: string, id: SessionId): Result<Readonly<Record<string, unknown>>> {
  if (!isSessionId(id)) return refuse("snapshot.bad_id", { id });
  const { coder, sessions, path } = placesOf(workspace, id);
  try {
    for (const folder of [coder, sessions]) if (!isRealFolder(folder)) return refuseFolder(folder);
    const text = readPlainFile(path);
    return text.ok ? parse(path, text.value) : text;
  } catch (error) {
    const code = codeOf(error);
    if (code === "ENOENT") return refuse("snapshot.missing", { path });
    if (code === "ELOOP") return refuse("snapshot.not_a_file", { path });
    return refuse("snapshot.unreadable", { path, code });
  }
}

/** The sequence number in a snapshot's first lines; `null`: unreadable. */
export function snapshotSeq(workspace: string, id: SessionId): number | null {
  if (!isSessionId(id)) return null;
  const head = new Uint8Array(512);
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  if (orNull(() => withOpen(placesOf(workspace, id).path, flags, (fd) => readSync(fd, head))) === null) return null;
  const found = /"seq": (\d+)/.exec(new TextDecoder().decode(head))?.[1];
  return found === undefined ? null : Number(found);
}

function placesOf(workspace: string, id: SessionId) {
  const coder = join(workspace, ".coder");
  const sessions = join(coder, "sessions");
  return { coder, sessions, path: join(sessions, `${id}.json`) };
}

function makeFolder(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) return;
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
  }
}

/** A symlink would lead our writes out of the workspace. */
function isRealFolder(path: string): boolean {
  return lstatSync(path).isDirectory();
}

/** The temporary file never has the final name, and `wx` does not follow a planted symlink. */
function replaceFile(folder: string, path: string, text: string, mode: number): void {
  const temp = join(folder, `.${path.slice(path.lastIndexOf("/") + 1)}.${writerName()}.tmp`);
  try {
    writeFileSync(temp, text, { flag: "wx", mode });
    renameSync(temp, path);
  } catch (error) {
    rmSync(temp, { force: true });
    throw error;
  }
}

/** Removes temporary files of writers that were killed before renaming. */
function removeStale(folder: string): void {
  for (const name of readdirSync(folder)) {
    const writer = tempName.exec(name)?.[1];
    if (writer === undefined) continue;
    const path = join(folder, name);
    const since = lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    if (writer === writerName() || isWriterGone(writer, since)) rmSync(path, { force: true });
  }
}

function readPlainFile(path: string): Result<string> {
  // Without O_NONBLOCK, opening a planted named pipe would block forever.
  return withOpen(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK, (fd) => {
    const stat = fstatSync(fd);
    if (!stat.isFile()) return refuse("snapshot.not_a_file", { path });
    if (stat.size > maxBytes) return refuseDamaged(path, `${stat.size} bytes, more than ${maxBytes}`);
    return ok(readFileSync(fd, "utf8"));
  });
}

function parse(path: string, text: string): Result<Fields> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return refuseDamaged(path, error.message);
  }
  return isRecord(value) ? ok(value) : refuseDamaged(path, "not a JSON object");
}

function refuseDamaged(path: string, problem: string) {
  return refuse("snapshot.damaged", { path, problem }, "snapshot.damaged.advice");
}

function refuseWrite(path: string, error: unknown) {
  return refuse("snapshot.unwritten", { path, code: codeOf(error) }, "snapshot.unwritten.advice");
}

function refuseFolder(path: string) {
  return refuse("snapshot.not_a_folder", { path }, "snapshot.not_a_folder.advice");
}

function refuse(text: TextKey, args: PhraseArgs, advice?: TextKey) {
  return fail("E_STORE", phrase(text, args), advice === undefined ? {} : { advice: phrase(advice, args) });
}

/** Only system errors become results; a bug is rethrown. */
function codeOf(error: unknown): string {
  if (error instanceof Error && "code" in error && "syscall" in error) return String(error.code);
  throw error;
}
