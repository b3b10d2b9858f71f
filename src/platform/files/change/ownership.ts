// Finds out who else could change a path: the entry itself, or a folder on the way to it.
import { lstatSync, readlinkSync, type Stats } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { orNull, readText } from "../probe.ts";

/** `owner`: it belongs to somebody else. `group`, `all`: they can write to it. */
export interface Outsider {
  readonly path: string;
  readonly who: "owner" | "group" | "all";
  readonly uid: number;
  readonly mode: number;
}

const maxSteps = 500;
/** Owner of everything that comes from outside of a container. Nobody inside can act as this user. */
const unknownOwner = 65_534;
/** In such a folder only the owner of an entry can remove it. */
const sticky = 0o1000;

/** The first place on the way to a path that others could replace; `null`: none. A missing path is as safe as its folder. */
export function outsiderAt(paths: readonly string[]): Outsider | null {
  const me = process.geteuid?.();
  if (me === undefined) return null;
  const seen = new Map<string, Stats | null>();
  for (const path of paths) {
    const outsider = outsiderOn(path, me, seen);
    if (outsider) return outsider;
  }
  return null;
}

function outsiderOn(path: string, me: number, seen: Map<string, Stats | null>): Outsider | null {
  const statOf = (one: string): Stats | null => {
    const known = seen.get(one);
    if (known !== undefined) return known;
    const stat = orNull(() => lstatSync(one));
    seen.set(one, stat);
    return stat;
  };
  const isOurs = (uid: number): boolean => uid === me || uid === 0;
  let folder = "/";
  let rest = namesIn(resolve(path));
  let around = statOf(folder) ?? lstatSync(folder);
  for (let steps = 0; steps < maxSteps; steps++) {
    const [name, ...more] = rest;
    if (name === undefined) return null;
    const here = name === ".." ? dirname(folder) : join(folder, name);
    const stat = statOf(here);
    const opened = openTo(around, me);
    if (opened && (around.mode & sticky) === 0) return { ...found(folder, around), who: opened };
    if (stat === null) return null;
    if (!isOurs(stat.uid) && (opened || stat.isSymbolicLink() || more.length === 0 || stat.uid !== unknownOwner)) {
      return { ...found(here, stat), who: "owner" };
    }
    if (stat.isSymbolicLink()) {
      const target = readlinkSync(here);
      if (target.startsWith("/")) folder = "/";
      rest = [...namesIn(target), ...more];
      around = statOf(folder) ?? around;
      continue;
    }
    if (more.length === 0) {
      const who = openTo(stat, me);
      return who ? { ...found(here, stat), who } : null;
    }
    [folder, around, rest] = [here, stat, more];
  }
  return null;
}

function namesIn(path: string): readonly string[] {
  return path.split("/").filter((name) => name !== "" && name !== ".");
}

function found(path: string, { uid, mode }: Stats) {
  return { path, uid, mode: mode & 0o7777 };
}

function openTo({ mode, gid }: Stats, me: number): "group" | "all" | null {
  if ((mode & 0o002) !== 0) return "all";
  return (mode & 0o020) !== 0 && !isAlone(gid, me) ? "group" : null;
}

/** Many systems give each user a private group. */
function isAlone(gid: number, me: number): boolean {
  const groups = rowsOf("/etc/group").filter(([, , id]) => Number(id) === gid);
  const users = rowsOf("/etc/passwd");
  const own = users.find(([, , uid]) => Number(uid) === me)?.[0];
  const members = groups.flatMap(([, , , list = ""]) => list.split(",").filter((name) => name !== ""));
  const isOther = ([, , uid, group]: readonly string[]): boolean =>
    Number(group) === gid && Number(uid) !== me && Number(uid) >= 1_000 && Number(uid) !== unknownOwner;
  const isKnown = groups.length > 0 && process.platform === "linux";
  return isKnown && members.every((name) => name === own || name === "root") && !users.some(isOther);
}

function rowsOf(file: string): readonly (readonly string[])[] {
  return readText(file)
    .split("\n")
    .map((line) => line.split(":"));
}
