// The folder that stands in for /tmp in the sandbox: private to this process, and gone with it.
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { isAlive } from "../../identity.ts";
import { attend, isAttending, ownAttendance } from "../../presence.ts";
import { killEverything } from "../../process/tree.ts";

/** Each with how to leave the folder's home. */
const made = new Map<string, () => void>();

export function privateTemp(coderHome: string): string {
  return join(coderHome, "sandbox", ownAttendance().token, "tmp");
}

/** Where the folders of all processes lie. */
const homeOf = (folder: string): string => dirname(dirname(folder));

/** Makes it ready, and removes what killed processes left: theirs, and the places they held. */
export function makePrivateTemp(temp: string): void {
  if (made.has(temp)) return;
  const folder = dirname(temp);
  // As long as this process lives: whoever finds the folder must see that it is used, also from another PID namespace.
  const leave = attend(homeOf(folder));
  mkdirSync(temp, { recursive: true, mode: 0o700 });
  // As /tmp looks. Nobody else gets here: the folder above is ours alone.
  chmodSync(temp, 0o1777);
  if (made.size === 0) process.on("exit", removeAll);
  made.set(temp, leave);
  sweep(folder);
}

/** The same without a command of our own: where one was cut, there may be none after it. */
export function giveBackOfKilled(coderHome: string): void {
  sweep(dirname(privateTemp(coderHome)));
}

/** `leaving`: no longer needed by us, and about to be given back. */
interface HeldFolders {
  readonly held: readonly string[];
  readonly leaving: readonly string[];
}

/** Written down before a place is made and until it is gone, so that it is given back even after kill -9. */
export function recordHeld(temp: string, record: HeldFolders): void {
  writeFileSync(recordIn(dirname(temp)), JSON.stringify(record), { mode: 0o600 });
}

/** Never more than an empty folder: what somebody put into it meanwhile stays. */
export function giveBack(place: string): void {
  try {
    rmdirSync(place);
  } catch (error) {
    // In use by now, or gone already.
    const code = (error as NodeJS.ErrnoException).code ?? "";
    if (!["ENOTEMPTY", "EEXIST", "ENOENT", "ENOTDIR", "EACCES", "EROFS", "EPERM"].includes(code)) throw error;
  }
}

/** By other processes that run now: with the folder goes the mount over it, in whatever sandbox that is. */
export function heldByOthers(temp: string): ReadonlySet<string> {
  // Most hold nothing, and are not asked about: this is done before every command.
  const holding = foldersBeside(dirname(temp)).map((folder) => ({ folder, held: recorded(folder).held }));
  const living = holding.filter(({ folder, held }) => held.length > 0 && isUsed(folder));
  return new Set(living.flatMap(({ held }) => held));
}

function sweep(own: string): void {
  for (const folder of foldersBeside(own)) if (!isUsed(folder)) remove(folder);
}

/** Of other processes, living and dead. */
function foldersBeside(own: string): readonly string[] {
  const parent = dirname(own);
  return namesIn(parent)
    .map((name) => join(parent, name))
    .filter((folder) => folder !== own);
}

function isUsed(folder: string): boolean {
  const name = basename(folder);
  // As earlier versions named them.
  const [, pid, startTime] = /^(\d+)-(\d*)$/.exec(name) ?? [];
  return pid === undefined ? isAttending(homeOf(folder), name) : isAlive(Number(pid), startTime ?? "");
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    // Somebody has removed all of it: there is nobody beside us.
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    return [];
  }
}

function removeAll(): void {
  // A command that still ran could swap a folder for a link while we remove what is in it.
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
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch {
    // A folder in it that cannot be entered, or a process that still writes there: the next start tries again.
  }
}

function recorded(folder: string): HeldFolders {
  try {
    const { held, leaving } = JSON.parse(readFileSync(recordIn(folder), "utf8")) as Record<keyof HeldFolders, unknown>;
    return { held: pathsOf(held), leaving: pathsOf(leaving) };
  } catch {
    // None was written, or not to its end: then nothing was made yet.
    return { held: [], leaving: [] };
  }
}

function pathsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((place) => typeof place === "string") : [];
}

const recordIn = (folder: string): string => join(folder, "held.json");
