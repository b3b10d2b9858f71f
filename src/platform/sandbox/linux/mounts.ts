// What a confined command sees of the disk, as a list of mounts over a read-only root.
import { accessSync, constants, readdirSync, readlinkSync, realpathSync, statSync } from "node:fs";
import { dirname } from "node:path";
import type { Confinement } from "../../../contract/sandbox.ts";
import { isWithin } from "../../files/path.ts";
import { gitPlaces } from "../git-places.ts";
import { homeCopies } from "../home/copies.ts";
import type { HomeView } from "../home/view.ts";
import { entriesOf } from "../listed-entries.ts";
import type { Watched } from "../planted.ts";
import { type Guarded, guardedUnder, kindOf } from "../protected.ts";
import { sealed, withoutItsLogins } from "../secret/sealed.ts";
import type { SecretFile } from "../secret/secret-files.ts";
import { isHeld } from "./held-place.ts";
import { narrowMounts } from "./narrow-mounts.ts";
import { socketPaths } from "./sockets.ts";

/**
 * `write`: from the disk, writable. `read`: from the disk. `empty`: a folder of its own without anything in it.
 * `nothing`: a file that cannot be opened. `veil`: empty but for what is put into it by others of these, and read-only.
 * `copy`: a file of its own with the same content. `folder`, `link`: of its own too. `judged`: read-only, by a descriptor that
 * was opened at this path.
 */
export interface Mount {
  readonly path: string;
  readonly kind: "write" | "read" | "empty" | "nothing" | "veil" | "copy" | "folder" | "link" | "judged";
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

/** What is known of the disk before the mounts are made. */
export interface SeenDisk {
  /** Secret files of the folders that are shown. */
  readonly secrets: readonly SecretFile[];
  readonly view: HomeView;
}

/** `lasts`: for a background job. */
export function layOut(confine: Confinement, lasts: boolean, { secrets, view }: SeenDisk): Layout {
  const mounts = new Map<string, Mount>();
  const put = (mount: Mount): void => {
    mounts.set(mount.path, mount);
  };
  sharedTemp ??= realOf("/tmp");
  for (const path of sharedTemp) put({ path, kind: "write", source: confine.temp });
  for (const mount of confine.narrow ? narrowMounts(confine, view) : around(confine, view)) put(mount);
  const resolver = confine.network ? ["/etc/resolv.conf"].flatMap(realOf) : [];
  for (const path of [...resolver, ...neededInRun.flatMap(realOf)]) {
    if (path.startsWith(`${RUN}/`)) put({ path, kind: "read" });
  }
  const extra = confine.judged === null ? [...confine.around, ...confine.shown] : [];
  for (const path of confine.judged === null ? [] : confine.shown) put({ path, kind: "veil" });
  const judged = confine.judged?.paths ?? [];
  // In a folder that is mounted it is there already, and its name may have become a link: who mounts over it mounts elsewhere.
  const isWithinOther = (path: string): boolean => judged.some((one) => one !== path && isWithin(path, one));
  for (const path of judged) if (!isWithinOther(path)) put({ path, kind: "judged" });
  for (const { path, target } of confine.judged?.links ?? []) {
    if (!judged.some((one) => isWithin(path, one))) put({ path, kind: "link", source: target });
  }
  const isMissing = (path: string): boolean => confine.narrow || isReplaced(path, [...mounts.keys()]);
  for (const path of extra.filter(isMissing)) put({ path, kind: "read" });
  const caches = confine.caches === null ? [] : realOf(confine.caches);
  for (const path of [...confine.writable, ...caches]) put({ path, kind: "write" });
  const isSeen = ({ path }: SecretFile): boolean =>
    confine.judged === null || judged.some((one) => isWithin(path, one));
  for (const secret of secrets.filter(isSeen)) for (const mount of hidingSecret(secret, confine, lasts)) put(mount);
  const isUnseen = (path: string): boolean => isOutOfSight(path, mounts, confine.narrow);
  for (const path of confine.allowed.filter(isUnseen)) put({ path, kind: "read" });
  const held = guardAll(confine, lasts, mounts);
  for (const { path, source, isWritable } of confine.over ?? [])
    put({ path, kind: isWritable ? "write" : "read", source });
  return { mounts: inOrder(mounts), ...held };
}

/** What nobody may change in the folders that may be written to, and in git's places outside of them. */
function guardAll(confine: Confinement, lasts: boolean, mounts: Map<string, Mount>): Pick<Layout, "hold" | "watch"> {
  const hold = new Set<string>();
  const watch: Watched[] = [];
  // In a home folder some are hidden already, which is more.
  const put = (mount: Mount): void => {
    const known = mounts.get(mount.path);
    if (known?.source === undefined && known?.kind !== "empty" && known?.kind !== "nothing")
      mounts.set(mount.path, mount);
  };
  for (const root of confine.guarded) {
    const isThere = entriesOf(root);
    const plan: Plan = { root, isThere, roots: confine.guarded, lasts, put, hold, watch };
    const ways = confine.ownPaths.filter((path) => isWithin(path, root));
    const own = ways.map((path): Guarded => ({ path: path.slice(root.length + 1), missing: "hold" }));
    const isAllowed = ({ path }: Guarded): boolean =>
      (confine.mayChange ?? []).some((one) => isWithin(one, `${root}/${path}`) || isWithin(`${root}/${path}`, one));
    for (const guarded of guardedUnder(root)) if (!isAllowed(guarded)) guard(guarded, plan);
    for (const guarded of own) guard(guarded, plan);
  }
  for (const { path, guarded } of gitPlaces(confine.guarded)) {
    // Hidden as a whole, it stays so.
    if (isOutOfSight(path, mounts, false)) continue;
    mounts.set(path, { path, kind: "write" });
    const roots = [...confine.guarded, path];
    const plan: Plan = { root: path, isThere: () => true, roots, lasts, put, hold, watch };
    for (const one of guarded) guard(one, plan);
  }
  return { hold: [...hold], watch };
}

/** The whole machine, without what is hidden. */
function around(confine: Confinement, view: HomeView): readonly Mount[] {
  return [...hidden(confine), ...veiled(confine, view)];
}

/** The nearest mount above it shows nothing of the disk. `isEmpty`: neither is anything else there. */
function isOutOfSight(path: string, mounts: ReadonlyMap<string, Mount>, isEmpty: boolean): boolean {
  for (let at = path; at !== dirname(at); at = dirname(at)) {
    const mount = mounts.get(at);
    if (mount !== undefined) return mount.kind === "veil" || mount.kind === "empty" || mount.source !== undefined;
  }
  return isEmpty;
}

/** Under another mount; elsewhere it is there as part of the root. */
function isReplaced(path: string, mounted: readonly string[]): boolean {
  return mounted.some((one) => isWithin(path, one));
}

/** What the machine has of these, it has for good. */
let ofTheMachine = { key: "", mounts: [] as readonly Mount[] };
let sharedTemp: readonly string[] | undefined;

function hidden({ hide }: Confinement): readonly Mount[] {
  const key = hide.join("\0");
  if (ofTheMachine.key !== key) {
    const paths = [RUN, ...hide.flatMap(realOf).filter(isOpenToUs)];
    ofTheMachine = { key, mounts: paths.map(hiding) };
  }
  return [...ofTheMachine.mounts, ...socketPaths().flatMap(realOf).filter(isOpenToUs).map(hiding)];
}

/** People's folders, and what of them a command needs. */
function veiled(confine: Confinement, { shown, hidden: within }: HomeView): readonly Mount[] {
  const { home, homeNamed, veils } = confine;
  const isVeiled = (path: string): boolean => veils.some((veil) => isWithin(path, veil));
  return [
    ...veils.map((path): Mount => ({ path, kind: "veil" })),
    // It is there, whatever of it is shown.
    ...(isVeiled(home) && !veils.includes(home) ? [{ path: home, kind: "folder" } as const] : []),
    ...(isVeiled(homeNamed) && homeNamed !== home ? [{ path: homeNamed, kind: "link", source: home } as const] : []),
    ...shown.map(({ path, source }): Mount => ({ path, kind: "read", ...(source === path ? {} : { source }) })),
    ...within.flatMap(realOf).map(hiding),
    ...homeCopies(confine).map((copy): Mount => ({ ...copy, kind: "copy" })),
  ];
}

/** In a job also the way to it: a folder that is no mount of its own could be renamed, and another put in its place. */
function hidingSecret({ path, kind }: SecretFile, confine: Confinement, lasts: boolean): readonly Mount[] {
  const source = kind === "settings" ? withoutItsLogins(path, confine.temp) : sealed(path, confine.temp);
  if (source === null) return [];
  const root = lasts ? confine.writable.find((one) => path !== one && isWithin(path, one)) : undefined;
  const way = root === undefined ? [] : pathsDown(root, path.slice(root.length + 1)).slice(0, -1);
  const mount = {
    file: { kind: "nothing", source },
    settings: { kind: "read", source },
    folder: { kind: "empty" },
  } as const;
  return [...way.map((one): Mount => ({ path: one, kind: "write" })), { path, ...mount[kind] }];
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
      } else if (isToHold || missing === "never" || (!lasts && missing !== "after")) {
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
    return over?.kind === "empty" || over?.kind === "veil" || (over?.kind === "write" && over.source !== undefined);
  };
  const isFilled = ({ path }: Mount): boolean => [...mounts.keys()].some((one) => one !== path && isWithin(one, path));
  const shown = [...mounts.values()]
    .filter((mount) => !isCovered(mount))
    // A veil over nothing is an empty folder, which costs less.
    .map((mount): Mount => (mount.kind === "veil" && !isFilled(mount) ? { ...mount, kind: "empty" } : mount));
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
