import { lstatSync } from "node:fs";
import { dirname, join } from "node:path";
import { namesIn } from "../../platform/files/entry.ts";
import { errnoOf } from "../../platform/files/failure.ts";
import { isFolderStamp, keyOf } from "../../platform/files/stamp.ts";
import type { LeftAlone, PathUndo } from "./path-undo.ts";

interface Settled {
  readonly turns: readonly PathUndo[];
  readonly refused: readonly { readonly real: string; readonly why: LeftAlone }[];
  /** Folders that stay because they contain something else. */
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
  const turns = new Map(all.filter(isNeeded).map((turn) => [turn.real, turn]));
  const refused: { real: string; why: LeftAlone }[] = [];
  const stays: string[] = [];
  for (let isOpen = true; isOpen; ) {
    isOpen = false;
    // Innermost first: whether a folder ends up empty depends on its content.
    for (const turn of [...turns.values()].sort((a, b) => b.real.length - a.real.length)) {
      const from = held.cameFrom(turn.real);
      const why = from !== undefined && stuck.has(from) ? "origin" : problemOf(turn, turns, lost);
      if (why === null) continue;
      isOpen = true;
      turns.delete(turn.real);
      if (why === "stays") stays.push(turn.real);
      else {
        refused.push({ real: turn.real, why });
        stuck.add(turn.real);
        for (const hash of held.hashesOf(turn.real)) lost.add(hash);
      }
    }
  }
  return { turns: [...turns.values()], refused, stays };
}

function isNeeded({ now, target }: PathUndo): boolean {
  return keyOf(now?.stamp ?? null) !== keyOf(target?.stamp ?? null) || now?.stamp.mode !== target?.stamp.mode;
}

type PathUndos = ReadonlyMap<string, PathUndo>;

function problemOf(
  { real, now, target }: PathUndo,
  turns: PathUndos,
  lost: ReadonlySet<string>,
): LeftAlone | "stays" | null {
  const isDropped = now !== null && now.stamp.size > 0 && now.stamp.hash !== target?.stamp.hash;
  if (isDropped && lost.has(now.stamp.hash)) return "origin";
  const [wasFolder, isFolder] = [isFolderStamp(now?.stamp ?? null), isFolderStamp(target?.stamp ?? null)];
  if (wasFolder && !isFolder && !isEmptied(real, turns)) return target === null ? "stays" : "not_empty";
  return target === null || hasFolder(real, turns) ? null : "parent";
}

function isEmptied(real: string, turns: PathUndos): boolean {
  const isFilled = [...turns.values()].some(({ real: one, target }) => target !== null && dirname(one) === real);
  return !isFilled && (namesIn(real)?.every((name) => turns.get(join(real, name))?.target === null) ?? false);
}

/** The parent will be, or can become, a folder. */
function hasFolder(real: string, turns: PathUndos): boolean {
  const above = dirname(real);
  if (above === real) return true;
  const turn = turns.get(above);
  if (turn !== undefined) return isFolderStamp(turn.target?.stamp ?? null);
  try {
    const stat = lstatSync(above, { throwIfNoEntry: false });
    return stat === undefined ? hasFolder(above, turns) : stat.isDirectory();
  } catch (error) {
    // An ancestor is a file by now, or unreadable.
    if (errnoOf(error) === undefined) throw error;
    return false;
  }
}
