// What a confined command sees of the disk, as a list of mounts over a read-only root.
import { accessSync, constants, readdirSync, readlinkSync, realpathSync, statSync } from "node:fs";
import { dirname } from "node:path";
import type { Confinement } from "../../contract/sandbox.ts";
import { isWithin } from "../files/path.ts";
import { entriesOf } from "./entries.ts";
import { isHeld } from "./held.ts";
import type { Watched } from "./planted.ts";
import { type Guarded, guardedUnder, kindOf } from "./protected.ts";
import { socketPaths } from "./sockets.ts";

/**
 * `write`: from the disk, writable. `read`: from the disk. `empty`: a folder of its own without anything in it.
 * `nothing`: a file that cannot be opened.
 */
export interface Mount {
  readonly path: string;
  readonly kind: "write" | "read" | "empty" | "nothing";
  /** Where it comes from, when that is not the same path. */
  readonly source?: string;
}

interface Layout {
  /** In the order in which they are made: what lies deeper comes later. */
  readonly mounts: readonly Mount[];
  /** Empty folders that must be there first. */
  readonly hold: readonly string[];
  readonly watch: readonly Watched[];
}

/** Sockets of the machine's services lie there; of all else there, only this is needed. */
const RUN = "/run";
const neededInRun = ["/run/current-system", "/run/opengl-driver"];

/** `lasts`: for a background job. */
export function layOut(confine: Confinement, lasts: boolean): Layout {
  const mounts = new Map<string, Mount>();
  const put = (mount: Mount): void => {
    mounts.set(mount.path, mount);
  };
  sharedTemp ??= realOf("/tmp");
  for (const path of sharedTemp) put({ path, kind: "write", source: confine.temp });
  for (const mount of hidden(confine)) put(mount);
  const resolver = confine.network ? ["/etc/resolv.conf"].flatMap(realOf) : [];
  for (const path of [...resolver, ...neededInRun.flatMap(realOf)]) {
    if (path.startsWith(`${RUN}/`)) put({ path, kind: "read" });
  }
  for (const path of confine.shown.filter((one) => isReplaced(one, [...mounts.keys()]))) put({ path, kind: "read" });
  const caches = confine.caches === null ? [] : realOf(confine.caches);
  for (const path of [...confine.writable, ...caches]) put({ path, kind: "write" });
  const hold = new Set<string>();
  const watch: Watched[] = [];
  // In a home folder some are hidden already, which is more.
  const add = (mount: Mount): void => {
    if (!["empty", "nothing"].includes(mounts.get(mount.path)?.kind ?? "")) put(mount);
  };
  for (const root of confine.guarded) {
    const isThere = entriesOf(root);
    const plan: Plan = { root, isThere, roots: confine.guarded, lasts, put: add, hold, watch };
    const ways = confine.ownPaths.filter((path) => isWithin(path, root));
    const own = ways.map((path): Guarded => ({ path: path.slice(root.length + 1), missing: "hold" }));
    for (const guarded of [...guardedUnder(root), ...own]) guard(guarded, plan);
  }
  for (const { path, source } of confine.over ?? []) put({ path, kind: "read", source });
  return { mounts: inOrder(mounts), hold: [...hold], watch };
}

/** Under another mount; elsewhere it is there as part of the root. */
function isReplaced(path: string, mounted: readonly string[]): boolean {
  return mounted.some((one) => isWithin(path, one));
}

/** What the machine has of these, it has for good. */
let ofTheMachine = { key: "", mounts: [] as readonly Mount[] };
let sharedTemp: readonly string[] | undefined;

function hidden({ hide, home }: Confinement): readonly Mount[] {
  const isThere = entriesOf(home);
  const { inHome = [], elsewhere = [] } = Object.groupBy(hide, (path) =>
    path.startsWith(`${home}/`) ? "inHome" : "elsewhere",
  );
  const key = elsewhere.join("\0");
  if (ofTheMachine.key !== key) {
    const paths = [RUN, ...elsewhere.flatMap(realOf).filter(isOpenToUs)];
    ofTheMachine = { key, mounts: paths.map(hiding) };
  }
  const found = inHome.filter((path) => isThere(path.slice(home.length + 1)));
  const looked = [...found.flatMap(realOf), ...socketPaths().flatMap(realOf).filter(isOpenToUs)];
  return [...ofTheMachine.mounts, ...looked.map(hiding)];
}

function hiding(path: string): Mount {
  return { path, kind: isFolder(path) ? "empty" : "nothing" };
}

interface Plan {
  readonly root: string;
  /** What the root has, by the first part of a path. */
  readonly isThere: (path: string) => boolean;
  /** Every folder in which such files are kept. */
  readonly roots: readonly string[];
  readonly lasts: boolean;
  readonly put: (mount: Mount) => void;
  readonly hold: Set<string>;
  readonly watch: Watched[];
}

function guard({ path: below, missing }: Guarded, plan: Plan): void {
  const { root, isThere, lasts, put, hold, watch } = plan;
  const whole = `${root}/${below}`;
  for (const path of pathsDown(root, below)) {
    const kind = isHeld(path) || !isThere(below) ? "none" : kindOf(path);
    if (kind === "none") {
      const isToHold = missing === "hold" || (missing === "job" && lasts) || path === `${root}/.git` || isHeld(path);
      // Where we can make nothing, a command cannot either, unless it opens the folder first.
      const canHold = isToHold && isOpen(dirname(path), constants.W_OK);
      if (canHold) {
        hold.add(path);
        put({ path, kind: "empty" });
      } else if (isToHold || !lasts || missing === "never") {
        watch.push({ root, probe: whole, take: path, link: null });
      }
      return;
    }
    // A link itself cannot be mounted over, only what it leads to.
    if (kind === "link") {
      watch.push({ root, probe: path, take: path, link: readlinkSync(path) });
      for (const real of realOf(path)) guardTarget({ path: `${real}${whole.slice(path.length)}`, missing }, plan);
      return;
    }
    if (path === whole || kind === "file") {
      put({ path, kind: kind === "folder" && isIdle(path) ? "empty" : "read" });
      return;
    }
    // A mount of its own: otherwise it could be renamed, with all that is mounted in it, and another put in its place.
    put({ path, kind: "write" });
  }
}

/** What a link leads to can be written where it lies in a writable folder itself. `path` is a whole one here. */
function guardTarget({ path, missing }: Guarded, plan: Plan): void {
  const root = plan.roots.find((one) => path !== one && isWithin(path, one));
  // Ends: what was resolved has no links, so that each round has fewer names left.
  if (root !== undefined) guard({ path: path.slice(root.length + 1), missing }, { ...plan, root, isThere: () => true });
}

/** As git makes it: nothing in it is ever run, and an empty folder costs less. */
function isIdle(folder: string): boolean {
  return folder.endsWith("/.git/hooks") && readdirSync(folder).every((name) => name.endsWith(".sample"));
}

/** `a/b/c` → `/root/a`, `/root/a/b`, `/root/a/b/c`. */
function pathsDown(root: string, path: string): readonly string[] {
  if (!path.includes("/")) return [`${root}/${path}`];
  const parts = path.split("/");
  return parts.map((_, at) => `${root}/${parts.slice(0, at + 1).join("/")}`);
}

/** Parents first. What would only be hidden inside something hidden is left out: there is nothing to be seen. */
function inOrder(mounts: ReadonlyMap<string, Mount>): readonly Mount[] {
  const above = (path: string): Mount | undefined => {
    for (let end = path.lastIndexOf("/"); end > 0; end = path.lastIndexOf("/", end - 1)) {
      const mount = mounts.get(path.slice(0, end));
      if (mount !== undefined) return mount;
    }
    return undefined;
  };
  const isCovered = ({ path, kind }: Mount): boolean => {
    if (kind !== "empty" && kind !== "nothing") return false;
    const over = above(path);
    return over?.kind === "empty" || over?.source !== undefined;
  };
  const shown = [...mounts.values()].filter((mount) => !isCovered(mount));
  // A longer path is never above a shorter one.
  return shown.sort((a, b) => a.path.length - b.path.length);
}

/** What we can do nothing with, a confined command cannot either: it needs no mount, and each costs time. */
function isOpenToUs(path: string): boolean {
  return [constants.R_OK, constants.W_OK, constants.X_OK].some((mode) => isOpen(path, mode));
}

function isOpen(path: string, mode: number): boolean {
  try {
    accessSync(path, mode);
    return true;
  } catch {
    return false; // Not in this way.
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function realOf(path: string): readonly string[] {
  if (kindOf(path) === "none") return [];
  try {
    return [realpathSync.native(path)];
  } catch {
    // A link that leads nowhere, or through folders we may not enter.
    return [];
  }
}
