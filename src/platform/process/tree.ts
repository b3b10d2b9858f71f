// Decides which processes belong to a command, even after they were reparented.
import { type Ended, endGroup, endTarget, killTargets, send, type Target, withDescendants } from "./kill.ts";
import { hasHiddenChildren, hasNoChildren, isOwnChild } from "./orphans.ts";
import { hasProc, isDead, markerOf, type Proc, readProc, readTable } from "./proc.ts";

export interface Tree {
  readonly pid: number;
  /** Start time of the shell in clock ticks since boot; 0 where unknown. */
  readonly start: number;
  readonly marker: string;
  /** The recorded process is then the sandbox's outer one. When `init`, the first one inside, is gone, all others are gone too. */
  readonly sandbox?: { init: Proc | null };
}

const live = new Set<Tree>();
const ending = new Set<Tree>();

export function addTree(tree: Tree): void {
  // Runs however the program ends, except when it is killed. `off` keeps the listener single.
  process.off("exit", killEverything).on("exit", killEverything);
  live.add(tree);
}

export function removeTree(tree: Tree): void {
  live.delete(tree);
  ending.delete(tree);
}

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
    // Out of file descriptors, so /proc is unreadable too: the group can still be signalled.
    if (!["EMFILE", "ENFILE"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
    return await endGroup(tree.pid);
  }
}

/** SIGKILL for everything started here, synchronously: for the second Ctrl+C and for the end of the program. */
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
    // Its end kills everything inside at once; a SIGTERM to it would leave the others no time to exit properly.
    isKeeper: (proc) => tree.sandbox !== undefined && proc.pid === tree.pid,
    isOwn: ({ pid }) => tree.sandbox !== undefined && (pid === tree.pid || pid === tree.sandbox.init?.pid),
    isGone: () => hasNoChildren() || isSandboxGone(tree),
    isImmediate: tree.sandbox?.init != null,
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
  // Our own session contains only attached children; the others are detached children with another purpose.
  if (proc.session === ownSession || isOwnChild(proc.pid) || isOwnChild(proc.session)) return false;
  const marker = markerOf(proc.pid);
  if (marker === tree.marker) return true;
  const others = [...live].filter((other) => other !== tree && !ending.has(other));
  if (proc.ppid !== process.pid || others.some((other) => other.marker === marker)) return false;
  // An orphan in its own session with a cleaned environment. It is ours unless another running command may have left it; then it ends with
  // that command.
  return others.every((other) => other.start > proc.start);
}
