// The folder that stands in for /tmp in the sandbox: private to this process, and gone with it.
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { isAlive, processIdentity } from "../identity.ts";
import { killEverything } from "../process/tree.ts";

const made = new Set<string>();

export function privateTemp(coderHome: string): string {
  const { pid, startTime } = processIdentity();
  return join(coderHome, "sandbox", `${pid}-${startTime}`, "tmp");
}

/** Makes it ready, and removes what killed processes left: theirs, and the places they held. */
export function makePrivateTemp(temp: string): void {
  if (made.has(temp)) return;
  const folder = dirname(temp);
  mkdirSync(temp, { recursive: true, mode: 0o700 });
  // As /tmp looks. Nobody else gets here: the folder above is ours alone.
  chmodSync(temp, 0o1777);
  if (made.size === 0) process.on("exit", removeAll);
  made.add(temp);
  sweep(folder);
}

/** The same without a command of our own: where one was cut, there may be none after it. */
export function giveBackOfKilled(coderHome: string): void {
  sweep(dirname(privateTemp(coderHome)));
}

/** `leaving`: no longer needed by us, and about to be given back. */
interface Held {
  readonly held: readonly string[];
  readonly leaving: readonly string[];
}

/** Written down before a place is made and until it is gone, so that it is given back even after kill -9. */
export function recordHeld(temp: string, record: Held): void {
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
  const own = dirname(temp);
  const living = foldersBeside(own).filter(({ isUsed }) => isUsed);
  return new Set(living.flatMap(({ folder }) => recorded(folder).held));
}

function sweep(own: string): void {
  for (const { folder, isUsed } of foldersBeside(own)) if (!isUsed) remove(folder);
}

/** Of other processes, living and dead. */
function foldersBeside(own: string): readonly { readonly folder: string; readonly isUsed: boolean }[] {
  const parent = dirname(own);
  return namesIn(parent).flatMap((name) => {
    const [, pid, startTime] = /^(\d+)-(\d*)$/.exec(name) ?? [];
    const folder = join(parent, name);
    if (pid === undefined || folder === own) return [];
    return [{ folder, isUsed: isAlive(Number(pid), startTime ?? "") }];
  });
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
  for (const temp of made) {
    const { held, leaving } = recorded(dirname(temp));
    const all = [...held, ...leaving];
    if (all.length > 0) recordHeld(temp, { held: [], leaving: all });
    remove(dirname(temp));
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

function recorded(folder: string): Held {
  try {
    const { held, leaving } = JSON.parse(readFileSync(recordIn(folder), "utf8")) as Record<keyof Held, unknown>;
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
