// Which processes belong to a command, wherever they have gone since.
import { type Ended, endGroup, endTarget, killTargets, send, type Target, withDescendants } from "./kill.ts";
import { hasHiddenChildren, hasNoChildren, isOwnChild } from "./orphans.ts";
import { hasProc, isDead, markerOf, type Proc, readProc, readTable } from "./proc.ts";

/** All that came out of one detached shell. */
export interface Tree {
  readonly pid: number;
  /** Start of the shell in clock ticks since boot; 0 where the system does not tell. */
  readonly start: number;
  readonly marker: string;
  /**
   * Of a confined command: the process on record is not the shell, but the one that keeps the sandbox around it. `init`, the
   * first one inside, is known when it is built; all others inside are gone when it is.
   */
  readonly sandbox?: { init: Proc | null };
}

const live = new Set<Tree>();
/** Of the live ones, those whose processes are being ended. */
const ending = new Set<Tree>();

export function addTree(tree: Tree): void {
  // However the program ends, short of being killed itself. Added once: listeners are compared.
  process.off("exit", killEverything).on("exit", killEverything);
  live.add(tree);
}

export function removeTree(tree: Tree): void {
  live.delete(tree);
  ending.delete(tree);
}

/** Whether a process of it was stopped by a signal. */
export function isPaused(tree: Tree): boolean {
  if (!hasProc()) return false;
  const ownSession = readProc(process.pid)?.session;
  const roots: Proc[] = [];
  const table = readTable((proc) => {
    if (isRootOf(tree, proc, ownSession)) roots.push(proc);
  });
  return withDescendants(table, roots).some(({ state }) => state === "T");
}

export async function endTree(tree: Tree, patienceMs = 0): Promise<Ended> {
  ending.add(tree);
  if (!hasProc()) return await endGroup(tree.pid);
  try {
    return await endTarget(targetOf(tree), patienceMs);
  } catch (error) {
    // No file can be opened, so /proc cannot be read either: the group is still reached.
    if (!["EMFILE", "ENFILE"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
    return await endGroup(tree.pid);
  }
}

/** SIGKILL for everything started here, before it returns: for the second Ctrl+C and for the end of the program. */
export function killEverything(): void {
  const trees = [...live];
  for (const tree of trees) {
    ending.add(tree);
    send(-tree.pid, "SIGKILL");
  }
  if (trees.length > 0 && hasProc()) killTargets(trees.map(targetOf));
}

function targetOf(tree: Tree): Target {
  const ownSession = readProc(process.pid)?.session;
  return {
    isRoot: (proc) => isRootOf(tree, proc, ownSession),
    // With it all that is inside dies at once; asked like the others, it would leave them no time to end properly.
    isKeeper: (proc) => tree.sandbox !== undefined && proc.pid === tree.pid,
    isOwn: ({ pid }) => tree.sandbox !== undefined && (pid === tree.pid || pid === tree.sandbox.init?.pid),
    isGone: () => hasNoChildren() || isSandboxGone(tree),
    isTold: tree.sandbox?.init != null,
    isHiding: hasHiddenChildren,
  };
}

function isSandboxGone({ pid, start, sandbox }: Tree): boolean {
  const init = sandbox?.init ?? null;
  return init !== null && !isLiving(init.pid, init.start) && !isLiving(pid, start);
}

function isLiving(pid: number, start: number): boolean {
  const proc = readProc(pid);
  return proc !== null && proc.start === start && !isDead(proc);
}

function isRootOf(tree: Tree, proc: Proc, ownSession: number | undefined): boolean {
  if (proc.pid === process.pid || proc.start < tree.start) return false;
  if (proc.pid === tree.pid || proc.session === tree.pid || proc.group === tree.pid) return true;
  // Our own session holds only what was started attached; the others are detached children with another purpose.
  if (proc.session === ownSession || isOwnChild(proc.pid) || isOwnChild(proc.session)) return false;
  const marker = markerOf(proc.pid);
  if (marker === tree.marker) return true;
  const others = [...live].filter((other) => other !== tree && !ending.has(other));
  if (proc.ppid !== process.pid || others.some((other) => other.marker === marker)) return false;
  // An orphan in a session of its own that cleaned its environment. It is ours unless a command that goes on may have left
  // it, which takes it along when it ends.
  return others.every((other) => other.start > proc.start);
}
