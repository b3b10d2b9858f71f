// Watches for protected files that come into being while a command runs.
import { lstatSync, readdirSync, readlinkSync, renameSync, symlinkSync } from "node:fs";
import { isHeld } from "./linux/held-place.ts";
import { entriesOf } from "./listed-entries.ts";
import { kindOf } from "./protected.ts";

export interface Watched {
  /** The writable folder that it lies in. */
  readonly root: string;
  /** What must not appear, or must stay the link it is. */
  readonly probe: string;
  /** What is set aside then: it lies directly in a folder that the command cannot swap for another. */
  readonly take: string;
  /** Where the link leads that was there; `null` = nothing was there. */
  readonly link: string | null;
}

/** Those of many that are broken now. */
export function plantedAmong(watch: readonly Watched[]): readonly Watched[] {
  return [...Map.groupBy(watch, ({ root }) => root)].flatMap(([root, all]) => {
    const isThere = entriesOf(root);
    return all.filter((one) => (one.link !== null || isThere(one.probe.slice(root.length + 1))) && isPlanted(one));
  });
}

function isPlanted({ probe, take, link }: Watched): boolean {
  const kind = kindOf(probe);
  if (link !== null) return kind !== "link" || targetOf(probe) !== link;
  // In an empty folder there is nothing to run; it may hold a place for another command.
  return kind !== "none" && !isHeld(take) && !(kind === "folder" && isEmpty(probe));
}

function targetOf(link: string): string | null {
  try {
    return readlinkSync(link);
  } catch {
    return null; // Not a link any more.
  }
}

function isEmpty(folder: string): boolean {
  try {
    return readdirSync(folder).length === 0;
  } catch (error) {
    // Gone in this moment. One that may not be looked into counts as full.
    return (error as NodeJS.ErrnoException).code === "ENOENT";
  }
}

/** Renamed, not removed: it may be the person's own, made in the same moment. Called when the command is gone. */
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
