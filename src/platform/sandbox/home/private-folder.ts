// The private folder that replaces /tmp in the sandbox; removed when this process exits.
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { orNull } from "../../files/probe.ts";
import { isAlive } from "../../identity.ts";
import { attend, isAttending, ownAttendance } from "../../presence.ts";
import { killEverything } from "../../process/tree.ts";

/** Maps each temp folder to the function that ends our attendance beside it. */
const made = new Map<string, () => void>();

export function privateTemp(coderHome: string): string {
  return join(coderHome, "sandbox", ownAttendance().token, "tmp");
}

const homeOf = (folder: string): string => dirname(dirname(folder));

/** Creates the folder, and removes the folders and held places of killed processes. */
export function makePrivateTemp(temp: string): void {
  if (made.has(temp)) return;
  const folder = dirname(temp);
  // First, so that others see the folder in use as long as this process lives, even from another PID namespace.
  const leave = attend(homeOf(folder));
  mkdirSync(temp, { recursive: true, mode: 0o700 });
  // The mode of /tmp. The parent directory keeps everybody else out.
  chmodSync(temp, 0o1777);
  if (made.size === 0) process.on("exit", removeAll);
  made.set(temp, leave);
  sweep(folder);
}

/** Cleans up after a killed process when no command of our own will run. */
export function giveBackOfKilled(coderHome: string): void {
  sweep(dirname(privateTemp(coderHome)));
}

/** `leaving`: we no longer need these, but have not removed them yet. */
interface HeldFolders {
  readonly held: readonly string[];
  readonly leaving: readonly string[];
}

/** Written before a place is created and kept until it is removed, so that it is removed even after kill -9. */
export function recordHeld(temp: string, record: HeldFolders): void {
  writeFileSync(recordIn(dirname(temp)), JSON.stringify(record), { mode: 0o600 });
}

/** Removes only an empty folder: content that appeared meanwhile stays. */
export function giveBack(place: string): void {
  try {
    rmdirSync(place);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "";
    if (!["ENOTEMPTY", "EEXIST", "ENOENT", "ENOTDIR", "EACCES", "EROFS", "EPERM"].includes(code)) throw error;
  }
}

/** Held by other running processes: removing such a folder would remove the mount over it in their sandboxes. */
export function heldByOthers(temp: string): ReadonlySet<string> {
  // Runs before every command, so processes that hold nothing are not checked for being alive.
  const holding = foldersBeside(dirname(temp)).map((folder) => ({ folder, held: recorded(folder).held }));
  const living = holding.filter(({ folder, held }) => held.length > 0 && isUsed(folder));
  return new Set(living.flatMap(({ held }) => held));
}

function sweep(own: string): void {
  for (const folder of foldersBeside(own)) if (!isUsed(folder)) remove(folder);
}

function foldersBeside(own: string): readonly string[] {
  const parent = dirname(own);
  return namesIn(parent)
    .map((name) => join(parent, name))
    .filter((folder) => folder !== own);
}

function isUsed(folder: string): boolean {
  const name = basename(folder);
  // The naming of earlier versions.
  const [, pid, startTime] = /^(\d+)-(\d*)$/.exec(name) ?? [];
  return pid === undefined ? isAttending(homeOf(folder), name) : isAlive(Number(pid), startTime ?? "");
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    return [];
  }
}

function removeAll(): void {
  // A command that still runs could swap a folder for a symlink while we delete its content.
  killEverything();
  for (const [temp, leave] of made) {
    const { held, leaving } = recorded(dirname(temp));
    const all = [...held, ...leaving];
    if (all.length > 0) recordHeld(temp, { held: [], leaving: all });
    remove(dirname(temp));
    leave();
  }
}

function remove(folder: string): void {
  const { held, leaving } = recorded(folder);
  const needed = heldByOthers(join(folder, "tmp"));
  for (const place of [...held, ...leaving]) if (!needed.has(place)) giveBack(place);
  // An unreadable folder, or a process that still writes there: the next start tries again.
  orNull(() => rmSync(folder, { recursive: true, force: true }));
}

function recorded(folder: string): HeldFolders {
  try {
    const { held, leaving } = JSON.parse(readFileSync(recordIn(folder), "utf8")) as Record<keyof HeldFolders, unknown>;
    return { held: pathsOf(held), leaving: pathsOf(leaving) };
  } catch {
    // Missing or incomplete, so no place was created yet.
    return { held: [], leaving: [] };
  }
}

function pathsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((place) => typeof place === "string") : [];
}

const recordIn = (folder: string): string => join(folder, "held.json");
