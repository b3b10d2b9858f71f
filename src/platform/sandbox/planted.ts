// Watches for protected files that appear while a command runs.
import { lstatSync, readdirSync, readlinkSync, renameSync, symlinkSync } from "node:fs";
import { orNull } from "../files/probe.ts";
import { isHeld } from "./linux/held-place.ts";
import { entriesOf, kindOf } from "./protected.ts";

export interface Watched {
  readonly root: string;
  /** The path that must not appear, or must stay the same symlink. */
  readonly probe: string;
  /** The path to set aside: a direct child of a folder that the command cannot replace. */
  readonly take: string;
  /** Target of the original symlink; `null`: nothing existed. */
  readonly link: string | null;
}

export function plantedAmong(watch: readonly Watched[]): readonly Watched[] {
  return [...Map.groupBy(watch, ({ root }) => root)].flatMap(([root, all]) => {
    const isThere = entriesOf(root);
    return all.filter((one) => (one.link !== null || isThere(one.probe.slice(root.length + 1))) && isPlanted(one));
  });
}

function isPlanted({ probe, take, link }: Watched): boolean {
  const kind = kindOf(probe);
  if (link !== null) return kind !== "link" || orNull(() => readlinkSync(probe)) !== link;
  // An empty folder contains nothing to run; it may hold a place for another command.
  return kind !== "none" && !isHeld(take) && !(kind === "folder" && isEmpty(probe));
}

function isEmpty(folder: string): boolean {
  try {
    return readdirSync(folder).length === 0;
  } catch (error) {
    // Just removed. An unreadable folder counts as non-empty.
    return (error as NodeJS.ErrnoException).code === "ENOENT";
  }
}

/** Renames instead of removing: the user may have created it at the same moment. Call it after the command has ended. */
export function setAside({ take, link }: Watched): string {
  const name = freeName(take);
  if (kindOf(take) !== "none") renameSync(take, name);
  if (link !== null) symlinkSync(link, take);
  return take;
}

function freeName(path: string): string {
  for (let n = 1; ; n++) {
    const name = `${path}.set-aside${n === 1 ? "" : `-${n}`}`;
    if (lstatSync(name, { throwIfNoEntry: false }) === undefined) return name;
  }
}
