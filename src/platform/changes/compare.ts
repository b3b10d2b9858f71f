import type { Unkept } from "../../contract/undo.ts";
import type { Stamp } from "./file-stat.ts";
import { type Entry, joined, shown, type TreeFolder } from "./file-tree.ts";

export type Side =
  | { readonly kind: "entry"; readonly entry: Entry; readonly folder: TreeFolder }
  | { readonly kind: "folder"; readonly folder: TreeFolder };

export interface TreeDifference {
  readonly path: string;
  readonly before: Side | null;
  readonly after: Side | null;
  /** Current stamp of the nearest parent folder that exists on both sides: newer than anything that appeared or vanished below it. */
  readonly above: Stamp;
  readonly name: string;
  /** The parent folders before and after: different ones if the folder was replaced. */
  readonly holders: { readonly before: TreeFolder | null; readonly after: TreeFolder | null };
}

export interface Compared {
  readonly differences: TreeDifference[];
  readonly unkept: Unkept[];
}

const permissions = 0o7777;

export function compare(before: TreeFolder, after: TreeFolder): Compared {
  const found: Compared = { differences: [], unkept: [] };
  if (before.stamp.ino !== after.stamp.ino) found.unkept.push({ path: "./", why: "workspace" });
  compareFolders(before, after, after.stamp, found);
  return found;
}

function compareFolders(before: TreeFolder | null, after: TreeFolder | null, outer: Stamp, found: Compared): void {
  const skipped = after?.skipped ?? before?.skipped ?? null;
  if (skipped !== null) {
    const isReported = skipped === "too_many" || before?.stamp !== after?.stamp;
    const path = (after ?? before)?.path ?? "";
    if (isReported) found.unkept.push({ path: path === "" ? "./" : `${shown(path)}/`, why: skipped });
    return;
  }
  if (before === after && !hasSkipped(after)) return;
  const pair = { before, after, above: before !== null && after !== null ? after.stamp : outer };
  if (before === null || after === null) {
    compareAlone(pair, before ?? after, found);
    return;
  }
  const [old, now] = [sidesOf(before), sidesOf(after)];
  for (const name of new Set([...old.keys(), ...now.keys()]))
    compareSides(pair, name, old.get(name) ?? null, now.get(name) ?? null, found);
}

type Pair = TreeDifference["holders"] & { readonly above: Stamp };

/** A whole folder is new or gone: a command may have removed 50,000 files, so avoid lookups for each of them. */
function compareAlone(pair: Pair, folder: TreeFolder | null, found: Compared): void {
  const is = (side: Side): [Side | null, Side | null] => (pair.before === null ? [null, side] : [side, null]);
  if (folder === null) return;
  for (const entry of folder.entries) compareSides(pair, entry.name, ...is({ kind: "entry", entry, folder }), found);
  for (const inner of folder.folders) compareSides(pair, inner.name, ...is({ kind: "folder", folder: inner }), found);
}

function compareSides(pair: Pair, name: string, one: Side | null, other: Side | null, found: Compared): void {
  const { before, after, above } = pair;
  const path = joined((after ?? before)?.path ?? "", name);
  if (isDifferent(one, other)) found.differences.push({ path, name, before: one, after: other, above, holders: pair });
  const [inside, next] = [folderOf(one), folderOf(other)];
  if (inside !== null || next !== null) compareFolders(inside, next, above, found);
}

function hasSkipped(folder: TreeFolder | null): boolean {
  return folder?.folders.some((one) => one.skipped === "too_many" || hasSkipped(one)) ?? false;
}

function sidesOf(folder: TreeFolder): ReadonlyMap<string, Side> {
  return new Map<string, Side>([
    ...folder.entries.map((entry) => [entry.name, { kind: "entry", entry, folder }] as const),
    ...folder.folders.map((inner) => [inner.name, { kind: "folder", folder: inner }] as const),
  ]);
}

function folderOf(side: Side | null): TreeFolder | null {
  return side?.kind === "folder" ? side.folder : null;
}

function isDifferent(one: Side | null, other: Side | null): boolean {
  if (one === null || other === null) return true;
  if (one.kind === "folder" && other.kind === "folder")
    return ((one.folder.stamp.mode ^ other.folder.stamp.mode) & permissions) !== 0;
  if (one.kind !== "entry" || other.kind !== "entry") return true;
  if (one.entry === other.entry) return false;
  const [a, b] = [one.entry, other.entry];
  if (a.stamp === b.stamp && !a.isFresh) return false;
  if (a.stamp.mode !== b.stamp.mode) return true;
  // Unread content may have changed together with its stamp.
  if (a.content?.kind === "unkept" || b.content?.kind === "unkept") return a.stamp !== b.stamp;
  return a.content?.kind !== b.content?.kind || a.content?.id !== b.content?.id;
}
