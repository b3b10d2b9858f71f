import { lstatSync } from "node:fs";
import { dirname, join } from "node:path";
import { namesIn } from "../../platform/files/entry.ts";
import { orElse } from "../../platform/files/failure.ts";
import { isFolderStamp, keyOf } from "../../platform/files/stamp.ts";
import type { LeftAlone, PathUndo } from "./path-undo.ts";

interface Settled {
  readonly undos: readonly PathUndo[];
  readonly refused: readonly { readonly real: string; readonly why: LeftAlone }[];
  readonly stays: readonly string[];
}

/** `refused`: paths refused already. `hashesOf`: contents of a path before it was changed. */
export interface Held {
  readonly refused: readonly string[];
  readonly hashesOf: (real: string) => readonly string[];
  /** The path before a move; `undefined` = not moved. */
  readonly cameFrom: (real: string) => string | undefined;
}

/**
 * Drops changes that are impossible together, until none is left to drop. A folder is removed only if it ends up empty; a file needs its
 * folder. If a moved file cannot go back, its new place is not removed: the content might exist nowhere else.
 */
export function settle(all: readonly PathUndo[], held: Held): Settled {
  const lost = new Set(held.refused.flatMap(held.hashesOf));
  const stuck = new Set(held.refused);
  const undos = new Map(all.filter(isNeeded).map((undo) => [undo.real, undo]));
  const refused: { real: string; why: LeftAlone }[] = [];
  const stays: string[] = [];
  for (let isOpen = true; isOpen; ) {
    isOpen = false;
    // Innermost first: whether a folder ends up empty depends on its content.
    for (const undo of [...undos.values()].sort((a, b) => b.real.length - a.real.length)) {
      const from = held.cameFrom(undo.real);
      const why = from !== undefined && stuck.has(from) ? "origin" : problemOf(undo, undos, lost);
      if (why === null) continue;
      isOpen = true;
      undos.delete(undo.real);
      if (why === "stays") stays.push(undo.real);
      else {
        refused.push({ real: undo.real, why });
        stuck.add(undo.real);
        for (const hash of held.hashesOf(undo.real)) lost.add(hash);
      }
    }
  }
  return { undos: [...undos.values()], refused, stays };
}

function isNeeded({ now, target }: PathUndo): boolean {
  return keyOf(now?.stamp ?? null) !== keyOf(target?.stamp ?? null) || now?.stamp.mode !== target?.stamp.mode;
}

type PathUndos = ReadonlyMap<string, PathUndo>;

function problemOf(
  { real, now, target }: PathUndo,
  undos: PathUndos,
  lost: ReadonlySet<string>,
): LeftAlone | "stays" | null {
  const isDropped = now !== null && now.stamp.size > 0 && now.stamp.hash !== target?.stamp.hash;
  if (isDropped && lost.has(now.stamp.hash)) return "origin";
  const [wasFolder, isFolder] = [isFolderStamp(now?.stamp ?? null), isFolderStamp(target?.stamp ?? null)];
  if (wasFolder && !isFolder && !isEmptied(real, undos)) return target === null ? "stays" : "not_empty";
  return target === null || hasFolder(real, undos) ? null : "parent";
}

function isEmptied(real: string, undos: PathUndos): boolean {
  const isFilled = [...undos.values()].some(({ real: one, target }) => target !== null && dirname(one) === real);
  return !isFilled && (namesIn(real)?.every((name) => undos.get(join(real, name))?.target === null) ?? false);
}

/** The parent will be, or can become, a folder. */
function hasFolder(real: string, undos: PathUndos): boolean {
  const above = dirname(real);
  if (above === real) return true;
  const undo = undos.get(above);
  if (undo !== undefined) return isFolderStamp(undo.target?.stamp ?? null);
  // `null`: an ancestor is a file by now, or unreadable.
  const stat = orElse(() => lstatSync(above, { throwIfNoEntry: false }), null);
  return stat === undefined ? hasFolder(above, undos) : stat?.isDirectory() === true;
}
