// Finds a command's changes by comparing the tree before and after it. Writes nothing, and only reads the repository's index.

import { lstatSync } from "node:fs";
import type { PlannedChange } from "../../contract/tool.ts";
import type { Unkept } from "../../contract/undo.ts";
import { orNull } from "../files/probe.ts";
import type { Ledger } from "../witness/ledger.ts";
import { diskTime } from "./clock.ts";
import { compare } from "./compare.ts";
import { cleanContent, contentOf } from "./content.ts";
import { openEye } from "./file-stat.ts";
import type { TreeFolder } from "./file-tree.ts";
import { Keep } from "./keep.ts";
import { type LookLimits, usualLimits } from "./limits.ts";
import { heldOf, type LookTime, resultOf } from "./result.ts";
import { StoreHold } from "./store-hold.ts";
import { goneFolder, Walk } from "./tree-walk.ts";
import { Attribution } from "./whose.ts";

/** Results of earlier looks at a root: with them a look costs only a stat per file. */
export interface Sight {
  readonly root: string;
  readonly limits: LookLimits;
  readonly never: readonly string[];
  readonly keep: Keep;
  readonly stores: StoreHold;
  /** Content from the last command's result, needed until the result is stored. */
  found: Keep | null;
  tree: TreeFolder | null;
}

export interface TreeBaseline {
  readonly sight: Sight;
  readonly tree: TreeFolder;
  /** When the look ended, in milliseconds since 1970, by the file system's clock. */
  readonly at: number;
}

export interface LookResult {
  readonly changes: readonly PlannedChange[];
  readonly unkept: readonly Unkept[];
}

/** `root`: real path. `never`: real paths below it to skip, in addition to `.git` and `.coder`. */
export function openSight(root: string, never: readonly string[] = [], limits: Partial<LookLimits> = {}): Sight {
  const all = { ...usualLimits, ...limits };
  const [keep, stores] = [new Keep(all.maxBytes), new StoreHold(all.maxBytes)];
  return { root, never, limits: all, keep, stores, found: null, tree: null };
}

/** Makes the next look cheap while nobody waits: records clean files and reads nothing else. Throws when aborted. */
export async function lookAhead(sight: Sight, signal: AbortSignal): Promise<void> {
  sight.tree = await look(sight, sight.tree, "ahead", signal);
}

/** Copies all files that are not clean in git, as they could not be recovered. Must finish before the command starts. */
export async function lookBefore(sight: Sight): Promise<TreeBaseline> {
  const tree = await look(sight, sight.tree, "before");
  sight.tree = tree;
  let needed: ReadonlySet<string> | null = null;
  sight.keep.only((hash) => {
    needed ??= keptIn(tree);
    return needed.has(hash);
  });
  return { sight, tree, at: diskTime(sight.root) };
}

/** For a command that may remove git's objects. Must finish before it starts. */
export function holdStores({ sight, tree }: TreeBaseline): void {
  sight.stores.take(tree);
}

export interface AfterOptions extends Partial<Omit<LookTime, "attribution" | "held">> {
  /** Called right after the look, so that nothing happens in between. `null`: nobody followed the command. */
  readonly ledger?: () => Promise<Ledger | null>;
}

/** Changes by others, or outside of the command's run time, are reported but not counted as the command's. */
export async function lookAfter(baseline: TreeBaseline, { ledger, ...time }: AfterOptions = {}): Promise<LookResult> {
  const { sight, tree: before, at } = baseline;
  const endedAt = diskTime(sight.root);
  const after = await look(sight, before, "after");
  sight.tree = after;
  const compared = compare(before, after);
  // A writer that closes a file after this is found to have it open; one that closed it earlier is in the ledger.
  const held = ledger === undefined ? new Set<never>() : await heldOf(compared, sight);
  const followed = await ledger?.();
  return await resultOf(compared, sight, {
    ...{ startedAt: at, endedAt, isOthers: () => false, room: sight.limits.maxBytes },
    ...time,
    held,
    attribution: followed === undefined ? null : attributionOf(followed, sight.root, before, after),
  });
}

function attributionOf(
  ledger: Ledger | null,
  root: string,
  before: TreeFolder,
  after: TreeFolder,
): LookTime["attribution"] {
  return ledger === null
    ? { whose: () => "unclear", cameFrom: () => null }
    : new Attribution(ledger, root, before, after);
}

async function look(
  sight: Sight,
  old: TreeFolder | null,
  when: "ahead" | "before" | "after",
  signal?: AbortSignal,
): Promise<TreeFolder> {
  const { root, never, limits, keep } = sight;
  if (!orNull(() => lstatSync(root).isDirectory())) return goneFolder(root, old);
  const eye = await openEye(root);
  try {
    const isAfter = when === "after";
    const deadline = isAfter ? Number.POSITIVE_INFINITY : performance.now() + limits.maxMs;
    const { maxFiles } = limits;
    const walk = new Walk(eye, { root, never, maxFiles, isAfter, deadline, ...(signal && { signal }) });
    const tree = await walk.run(old);
    let paused = performance.now();
    for (const change of walk.changes) {
      const maxFileBytes = paused > deadline ? 0 : limits.maxFileBytes;
      change.entry.content =
        when === "ahead" ? cleanContent(change, root) : contentOf(change, { root, maxFileBytes, keep });
      if (performance.now() - paused < 10) continue;
      await new Promise(setImmediate);
      signal?.throwIfAborted();
      paused = performance.now();
    }
    return tree;
  } finally {
    eye.close();
  }
}

function keptIn(folder: TreeFolder, found = new Set<string>()): ReadonlySet<string> {
  for (const { content } of folder.entries) if (content?.kind === "kept") found.add(content.id);
  for (const inner of folder.folders) keptIn(inner, found);
  return found;
}
