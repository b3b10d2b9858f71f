import type { FileChange } from "../../../contract/message.ts";
import { isFolderStamp } from "../stamp.ts";
import type { Step } from "./commit.ts";

/** One operation on one name. A swap of a file and a folder takes two. */
export interface Move {
  readonly step: Step;
  readonly action: "make" | "remove" | "mode" | "put" | "replace" | "drop";
}

type Planned = readonly [stage: number, action: Move["action"]];

/**
 * Creates first, deletes last: wherever it is interrupted, the content of a renamed file is in one of its places. Folders are created
 * before their content and removed after it; an entry in another's place waits until that is gone; and folders that become inaccessible
 * are closed last.
 */
export function movesOf(steps: readonly Step[]): readonly Move[] {
  const [only, ...more] = steps;
  if (only !== undefined && more.length === 0)
    return planned(only.change, false).map(([, action]) => ({ step: only, action }));
  const freed = new Set(steps.flatMap(({ change }) => (isSwap(change) ? [change.real] : [])));
  return steps
    .flatMap((step) => {
      const isLate = step.change.before === null && aboveIn(step.change.real, freed) !== null;
      return planned(step.change, isLate).map(([stage, action]) => ({ move: { step, action }, stage }));
    })
    .toSorted((a, b) => a.stage - b.stage || byDepth(a, b))
    .map(({ move }) => move);
}

const stages = { open: 0, make: 1, put: 2, replace: 3, drop: 4, remove: 5, swap: 6, makeIn: 7, putIn: 8, close: 9 };

function planned({ before, after }: FileChange, isLate: boolean): readonly Planned[] {
  const [wasFolder, isFolder] = [isFolderStamp(before), isFolderStamp(after)];
  if (wasFolder && isFolder) return [[((after?.mode ?? 0) & 0o200) === 0 ? stages.close : stages.open, "mode"]];
  const made: readonly Planned[] = isFolder
    ? [
        [before !== null ? stages.swap : isLate ? stages.makeIn : stages.make, "make"],
        [stages.close, "mode"],
      ]
    : [];
  if (wasFolder) return [[stages.remove, "remove"], ...(after === null ? [] : [[stages.swap, "put"] as const])];
  if (before !== null && (after === null || isFolder)) return [[stages.drop, "drop"], ...made];
  if (isFolder || after === null) return made;
  if (before !== null) return [[stages.replace, "replace"]];
  return [[isLate ? stages.putIn : stages.put, "put"]];
}

export function isSwap({ before, after }: FileChange): boolean {
  return before !== null && after !== null && isFolderStamp(before) !== isFolderStamp(after);
}

export function isOfFolder({ before, after }: FileChange): boolean {
  return [before, after].every((stamp) => stamp === null || isFolderStamp(stamp));
}

/** Paths that cannot hold our temporary files, because they are not folders now or will not be. */
export function unsteady(changes: readonly FileChange[]): ReadonlySet<string> {
  return new Set(changes.filter((change) => isSwap(change) || isLeaving(change)).map(({ real }) => real));
}

export function isLeaving({ before, after }: FileChange): boolean {
  return isFolderStamp(before) && !isFolderStamp(after);
}

export function aboveIn(real: string, paths: ReadonlySet<string>): string | null {
  if (paths.size === 0) return null;
  for (let end = real.indexOf("/", 1); end > 0; end = real.indexOf("/", end + 1)) {
    if (paths.has(real.slice(0, end))) return real.slice(0, end);
  }
  return null;
}

type StagedMove = { readonly move: Move; readonly stage: number };

function byDepth(a: StagedMove, b: StagedMove): number {
  if (a.stage === stages.remove || a.stage === stages.close) return depth(b) - depth(a);
  return [stages.make, stages.makeIn, stages.open].includes(a.stage) ? depth(a) - depth(b) : 0;
}

function depth({ move }: StagedMove): number {
  return move.step.change.real.split("/").length;
}
