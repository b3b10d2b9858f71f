// Compares the files that the user's programs obey before and after a command, and reverts forbidden changes.
import type { ObeyedScope } from "../../contract/sandbox.ts";
import { changedAt } from "../changes/file-stat.ts";
import { asBytes, shown } from "../changes/file-tree.ts";
import { isWithin } from "../files/path.ts";
import { systemFolders } from "../sandbox/system-folders.ts";
import { differences } from "./differences.ts";
import { noteOwn, type ObeyedBaseline, openBaselines } from "./held-open.ts";
import type { Obeyed } from "./obeyed-entry.ts";
import { lift, revert } from "./revert.ts";
import { Survey, type Surveyed } from "./survey.ts";

export interface SetAside {
  readonly aside: readonly string[];
  readonly restored: readonly string[];
  readonly left: readonly string[];
  /** Number of folders beyond the limits of the first survey. */
  readonly unlooked: number;
}

interface RunningSurvey {
  readonly survey: Survey;
  queue: Promise<unknown>;
}

const surveys = new Map<string, RunningSurvey>();

/** `null`: everything is allowed. The command's changes are still recorded while others run beside it. */
export async function lookBefore(scope: ObeyedScope | null): Promise<ObeyedBaseline | null> {
  const [other] = openBaselines;
  const wanted = scope ?? (other ? { ...other.scope, allowed: [], isFree: true } : null);
  if (wanted === null) return null;
  const baseline = { scope: wanted, seen: await lookAll(wanted, false), ours: new Set<string>() };
  openBaselines.add(baseline);
  return baseline;
}

export async function lookAhead(scope: ObeyedScope): Promise<void> {
  await lookAll(scope, false);
}

/** Real paths of files that anybody changed after `since` (milliseconds since 1970). */
export async function changedSince(scope: ObeyedScope, since: number): Promise<readonly string[]> {
  const seen = await lookAll(scope, true);
  return [...seen].flatMap(([root, { entries }]) => {
    // Git writes into its own folders all the time.
    const files = [...entries.values()].filter(({ kind }) => kind !== "git" && kind !== "folder");
    return files.filter(({ stamp }) => changedAt(stamp) >= since).map(({ path }) => `${root}/${shown(path)}`);
  });
}

export function forget(baseline: ObeyedBaseline): void {
  openBaselines.delete(baseline);
}

/** Each pass uncovers what was inside something set aside; only an attacker nests this deep. */
const maxPasses = 50;

/** `mounted`: paths that the sandbox protected from the command. */
export async function lookAfter(baseline: ObeyedBaseline, mounted: readonly string[]): Promise<SetAside> {
  const { scope, ours } = baseline;
  openBaselines.delete(baseline);
  noteOwn(scope.allowed);
  const left = [...mounted, ...ours, ...scope.allowed];
  const kept = { aside: new Set<string>(), restored: new Set<string>(), left: new Set<string>() };
  let unlooked = 0;
  for (const [root, before] of baseline.seen) {
    unlooked += before.unseen.length;
    const known = new Set(before.unseen);
    const isLeft = leftIn(root, left);
    const real = (path: string): string => `${root}/${shown(path)}`;
    // Compare again after restoring: something may still be redirected, or have hidden something else.
    for (let pass = 0; ; pass++) {
      const { entries, unseen, root: now } = await lookAt(root, scope.never, true);
      // The root was replaced, maybe by a folder of the user's: leave everything in it alone.
      if (now !== before.root) {
        kept.left.add(root);
        break;
      }
      const found = differences(before.entries, entries, isLeft);
      if (scope.isFree) noteOwn(found.map(({ path }) => real(path)));
      const lifted =
        scope.isFree || pass >= maxPasses
          ? []
          : liftAll(
              root,
              unseen.filter((path) => !known.has(path)),
              kept,
            );
      // The first pass has already handled everything that is gone.
      const isDone = found.every(({ after }) => after === null) && (pass > 0 || found.length === 0);
      if (scope.isFree || (isDone && lifted.length === 0)) break;
      const done = pass < maxPasses ? revert(root, found) : nothingDone;
      if (done.aside.length + done.restored.length + lifted.length === 0) {
        // Nothing obeys an entry whose folder is gone too.
        for (const { path, after } of found) if (after !== null) kept.left.add(real(path));
        break;
      }
      for (const key of ["aside", "restored"] as const) for (const path of done[key]) kept[key].add(real(path));
    }
  }
  return { aside: [...kept.aside], restored: [...kept.restored], left: [...kept.left], unlooked };
}

function liftAll(root: string, deep: readonly string[], { aside, left }: Record<"aside" | "left", Set<string>>) {
  return deep.flatMap((path) => {
    const now = lift(root, path);
    if (now === null) left.add(`${root}/${shown(path)}`);
    if (!now) return [];
    aside.add(`${root}/${shown(now)}`);
    return [now];
  });
}

const nothingDone = { aside: [], restored: [] };

/** Matches these paths, everything in them, and protected folders that contain them. */
function leftIn(root: string, left: readonly string[]): (one: Obeyed) => boolean {
  const paths = new Set(
    left.filter((path) => isWithin(path, root)).map((path) => asBytes(path.slice(root.length + 1))),
  );
  if (paths.size === 0) return () => false;
  return ({ path, kind }) => {
    for (let at = path; at !== ""; at = at.slice(0, Math.max(0, at.lastIndexOf("/")))) if (paths.has(at)) return true;
    return kind === "folder" && [...paths].some((one) => one.startsWith(`${path}/`));
  };
}

async function lookAll(
  { roots, never, apart = [] }: ObeyedScope,
  isAfter: boolean,
): Promise<ReadonlyMap<string, Surveyed>> {
  const outer = roots.filter((root) => !roots.some((other) => other !== root && isWithin(root, other)));
  const seen = new Map<string, Surveyed>();
  // A system folder is too large to survey and belongs to no project.
  for (const root of new Set(outer.filter((one) => !systemFolders.has(one))))
    seen.set(root, await lookAt(root, never, isAfter));
  for (const folder of apart.filter((one) => !outer.some((root) => isWithin(one, root))))
    seen.set(folder, await lookAt(folder, never, isAfter, "git"));
  return seen;
}

async function lookAt(root: string, never: readonly string[], isAfter: boolean, place?: "git"): Promise<Surveyed> {
  const one = surveys.get(root) ?? { survey: new Survey(root, never, place), queue: Promise.resolve() };
  surveys.set(root, one);
  const look = one.queue.then(() => one.survey.look(isAfter));
  // The awaiting caller gets the error.
  one.queue = look.catch(() => {});
  return await look;
}
