// Computes what a confined command sees of the disk, as a list of mounts over a read-only root.
import { constants, readdirSync, readlinkSync, statSync } from "node:fs";
import { dirname } from "node:path";
import type { Confinement } from "../../../contract/sandbox.ts";
import { isWithin } from "../../files/path.ts";
import { isAccessible, realOf } from "../../files/probe.ts";
import { gitPlaces } from "../git-places.ts";
import { homeCopies } from "../home/copies.ts";
import type { HomeView } from "../home/view.ts";
import type { Watched } from "../planted.ts";
import { entriesOf, type Guarded, guardedUnder, kindOf } from "../protected.ts";
import { sealed, withoutItsLogins } from "../secret/sealed.ts";
import type { SecretFile } from "../secret/secret-files.ts";
import { isHeld } from "./held-place.ts";
import { narrowMounts } from "./narrow-mounts.ts";
import { socketPaths } from "./sockets.ts";

/**
 * `write`, `read`: bind mounts. `empty`: an empty folder. `nothing`: a file that cannot be opened.
 * `veil`: read-only and empty except for other mounts below it. `copy`: a separate file with the same content.
 * `folder`, `link`: created in the sandbox. `judged`: a read-only bind mount of a descriptor that was opened at this path.
 */
export interface Mount {
  readonly path: string;
  readonly kind: "write" | "read" | "empty" | "nothing" | "veil" | "copy" | "folder" | "link" | "judged";
  readonly source?: string;
}

interface Layout {
  readonly mounts: readonly Mount[];
  readonly hold: readonly string[];
  readonly watch: readonly Watched[];
}

/** Contains the sockets of system services; nothing else in it is needed but these. */
const RUN = "/run";
const neededInRun = ["/run/current-system", "/run/opengl-driver"];

export interface SeenDisk {
  readonly secrets: readonly SecretFile[];
  readonly view: HomeView;
}

export function layOut(confine: Confinement, lasts: boolean, { secrets, view }: SeenDisk): Layout {
  const mounts = new Map<string, Mount>();
  const put = (mount: Mount): void => {
    mounts.set(mount.path, mount);
  };
  sharedTemp ??= targetOf("/tmp");
  for (const path of sharedTemp) put({ path, kind: "write", source: confine.temp });
  for (const mount of confine.narrow ? narrowMounts(confine, view) : [...hidden(confine), ...veiled(confine, view)])
    put(mount);
  const resolver = confine.network ? ["/etc/resolv.conf"].flatMap(targetOf) : [];
  for (const path of [...resolver, ...neededInRun.flatMap(targetOf)]) {
    if (path.startsWith(`${RUN}/`)) put({ path, kind: "read" });
  }
  const extra = confine.judged === null ? [...confine.around, ...confine.shown] : [];
  for (const path of confine.judged === null ? [] : confine.shown) put({ path, kind: "veil" });
  const judged = confine.judged?.paths ?? [];
  // A mounted parent already contains this path, and its name may have become a symlink: a mount over it would land elsewhere.
  const isWithinOther = (path: string): boolean => judged.some((one) => one !== path && isWithin(path, one));
  for (const path of judged) if (!isWithinOther(path)) put({ path, kind: "judged" });
  for (const { path, target } of confine.judged?.links ?? []) {
    if (!judged.some((one) => isWithin(path, one))) put({ path, kind: "link", source: target });
  }
  // Not below another mount, a path is visible through the root.
  const isMissing = (path: string): boolean => confine.narrow || [...mounts.keys()].some((one) => isWithin(path, one));
  for (const path of extra.filter(isMissing)) put({ path, kind: "read" });
  const caches = confine.caches === null ? [] : targetOf(confine.caches);
  for (const path of [...confine.writable, ...caches]) put({ path, kind: "write" });
  const isSeen = ({ path }: SecretFile): boolean =>
    confine.judged === null || judged.some((one) => isWithin(path, one));
  for (const secret of secrets.filter(isSeen)) for (const mount of hidingSecret(secret, confine, lasts)) put(mount);
  const isUnseen = (path: string): boolean => isOutOfSight(path, mounts, confine.narrow);
  for (const path of confine.allowed.filter(isUnseen)) put({ path, kind: "read" });
  const held = protectAll(confine, lasts, mounts);
  for (const { path, source, isWritable } of confine.over ?? [])
    put({ path, kind: isWritable ? "write" : "read", source });
  return { mounts: inOrder(mounts), ...held };
}

/** Protects files in the writable folders, and in their git folders outside of them. */
function protectAll(confine: Confinement, lasts: boolean, mounts: Map<string, Mount>): Pick<Layout, "hold" | "watch"> {
  const hold = new Set<string>();
  const watch: Watched[] = [];
  // Some paths in a home folder are hidden already, which is stricter.
  const put = (mount: Mount): void => {
    const known = mounts.get(mount.path);
    if (known?.source === undefined && known?.kind !== "empty" && known?.kind !== "nothing")
      mounts.set(mount.path, mount);
  };
  for (const root of confine.guarded) {
    const isThere = entriesOf(root);
    const plan: Plan = { root, isThere, roots: confine.guarded, lasts, put, hold, watch };
    const ownPathsHere = confine.ownPaths.filter((path) => isWithin(path, root));
    const own = ownPathsHere.map((path): Guarded => ({ path: path.slice(root.length + 1), missing: "hold" }));
    const isAllowed = ({ path }: Guarded): boolean =>
      (confine.mayChange ?? []).some((one) => isWithin(one, `${root}/${path}`) || isWithin(`${root}/${path}`, one));
    for (const guarded of guardedUnder(root)) if (!isAllowed(guarded)) protect(guarded, plan);
    for (const guarded of own) protect(guarded, plan);
  }
  for (const { path, guarded } of gitPlaces(confine.guarded)) {
    if (isOutOfSight(path, mounts, false)) continue;
    mounts.set(path, { path, kind: "write" });
    const roots = [...confine.guarded, path];
    const plan: Plan = { root: path, isThere: () => true, roots, lasts, put, hold, watch };
    for (const one of guarded) protect(one, plan);
  }
  return { hold: [...hold], watch };
}

/** Whether the nearest mount above hides the disk. `isEmpty`: the answer when there is no such mount. */
function isOutOfSight(path: string, mounts: ReadonlyMap<string, Mount>, isEmpty: boolean): boolean {
  for (let at = path; at !== dirname(at); at = dirname(at)) {
    const mount = mounts.get(at);
    if (mount !== undefined) return mount.kind === "veil" || mount.kind === "empty" || mount.source !== undefined;
  }
  return isEmpty;
}

let ofTheMachine = { key: "", mounts: [] as readonly Mount[] };
let sharedTemp: readonly string[] | undefined;

function hidden({ hide }: Confinement): readonly Mount[] {
  const key = hide.join("\0");
  if (ofTheMachine.key !== key) {
    const paths = [RUN, ...hide.flatMap(targetOf).filter(isOpenToUs)];
    ofTheMachine = { key, mounts: paths.map(hiding) };
  }
  return [...ofTheMachine.mounts, ...socketPaths().flatMap(targetOf).filter(isOpenToUs).map(hiding)];
}

function veiled(confine: Confinement, { shown, hidden: within }: HomeView): readonly Mount[] {
  const { home, homeNamed, veils } = confine;
  const isVeiled = (path: string): boolean => veils.some((veil) => isWithin(path, veil));
  return [
    ...veils.map((path): Mount => ({ path, kind: "veil" })),
    // The home folder exists even if nothing in it is shown.
    ...(isVeiled(home) && !veils.includes(home) ? [{ path: home, kind: "folder" } as const] : []),
    ...(isVeiled(homeNamed) && homeNamed !== home ? [{ path: homeNamed, kind: "link", source: home } as const] : []),
    ...shown.map(({ path, source }): Mount => ({ path, kind: "read", ...(source === path ? {} : { source }) })),
    ...within.flatMap(targetOf).map(hiding),
    ...homeCopies(confine).map((copy): Mount => ({ ...copy, kind: "copy" })),
  ];
}

/** For a job also the parent directories: a folder that is not a mount point could be renamed and replaced. */
function hidingSecret({ path, kind }: SecretFile, confine: Confinement, lasts: boolean): readonly Mount[] {
  const source = kind === "settings" ? withoutItsLogins(path, confine.temp) : sealed(path, confine.temp);
  if (source === null) return [];
  const root = lasts ? confine.writable.find((one) => path !== one && isWithin(path, one)) : undefined;
  const parents = root === undefined ? [] : pathsDown(root, path.slice(root.length + 1)).slice(0, -1);
  const mount = {
    file: { kind: "nothing", source },
    settings: { kind: "read", source },
    folder: { kind: "empty" },
  } as const;
  return [...parents.map((one): Mount => ({ path: one, kind: "write" })), { path, ...mount[kind] }];
}

function hiding(path: string): Mount {
  return { path, kind: statSync(path, { throwIfNoEntry: false })?.isDirectory() ? "empty" : "nothing" };
}

interface Plan {
  readonly root: string;
  /** Whether the first segment of the path exists in the root. */
  readonly isThere: (path: string) => boolean;
  readonly roots: readonly string[];
  readonly lasts: boolean;
  readonly put: (mount: Mount) => void;
  readonly hold: Set<string>;
  readonly watch: Watched[];
}

function protect({ path: below, missing }: Guarded, plan: Plan): void {
  const { root, isThere, lasts, put, hold, watch } = plan;
  const whole = `${root}/${below}`;
  for (const path of pathsDown(root, below)) {
    const kind = isHeld(path) || !isThere(below) ? "none" : kindOf(path);
    if (kind === "none") {
      const isToHold = missing === "hold" || (missing === "job" && lasts) || path === `${root}/.git` || isHeld(path);
      // Where we cannot create anything, a command cannot either, unless it changes the permissions first.
      const canHold = isToHold && isAccessible(dirname(path), constants.W_OK);
      if (canHold) {
        hold.add(path);
        put({ path, kind: "empty" });
      } else if (isToHold || missing === "never" || (!lasts && missing !== "after")) {
        watch.push({ root, probe: whole, take: path, link: null });
      }
      return;
    }
    // A symlink itself cannot be mounted over, only its target.
    if (kind === "link") {
      watch.push({ root, probe: path, take: path, link: readlinkSync(path) });
      for (const real of targetOf(path)) protectTarget({ path: `${real}${whole.slice(path.length)}`, missing }, plan);
      return;
    }
    if (path === whole || kind === "file") {
      put({ path, kind: kind === "folder" && isIdle(path) ? "empty" : "read" });
      return;
    }
    // A mount point cannot be renamed; a plain folder could be, with all mounts in it, and be replaced.
    put({ path, kind: "write" });
  }
}

/** The target of a symlink needs protection if it lies in a writable folder. `path` is absolute here. */
function protectTarget({ path, missing }: Guarded, plan: Plan): void {
  const root = plan.roots.find((one) => path !== one && isWithin(path, one));
  // Terminates: a resolved path has no symlinks, so each recursion has fewer names left.
  if (root !== undefined)
    protect({ path: path.slice(root.length + 1), missing }, { ...plan, root, isThere: () => true });
}

/** A hooks folder with samples only: git runs nothing in it, and an empty mount is cheaper. */
function isIdle(folder: string): boolean {
  return folder.endsWith("/.git/hooks") && readdirSync(folder).every((name) => name.endsWith(".sample"));
}

/** `a/b/c` → `/root/a`, `/root/a/b`, `/root/a/b/c`. */
function pathsDown(root: string, path: string): readonly string[] {
  if (!path.includes("/")) return [`${root}/${path}`];
  const parts = path.split("/");
  return parts.map((_, at) => `${root}/${parts.slice(0, at + 1).join("/")}`);
}

/** Parents first. Skips mounts that hide something inside a hidden folder. */
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
    // A veil with nothing in it is an empty folder, which is cheaper.
    .map((mount): Mount => (mount.kind === "veil" && !isFilled(mount) ? { ...mount, kind: "empty" } : mount));
  // A longer path is never above a shorter one.
  return shown.sort((a, b) => a.path.length - b.path.length);
}

/** A path that we cannot access is closed to a confined command too: it needs no mount, and each mount costs time. */
function isOpenToUs(path: string): boolean {
  return [constants.R_OK, constants.W_OK, constants.X_OK].some((mode) => isAccessible(path, mode));
}

/** Empty for a missing path or a dangling symlink. */
function targetOf(path: string): readonly string[] {
  return kindOf(path) === "none" ? [] : [realOf(path) ?? []].flat();
}
