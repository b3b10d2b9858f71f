// Ends processes: SIGTERM first, then SIGKILL, and checks until nothing is left.
import { reapListed, reapOrphans } from "./orphans.ts";
import { isDead, nameOf, type Proc, type ProcTable, readProc, readTable } from "./proc.ts";

/** Between SIGTERM and SIGKILL; keeps a cancel well below 200 ms. */
const GRACE_MS = 70;
/** Processes that survive this (stuck in a hanging disk call) are reported instead. */
const GIVE_UP_MS = 1000;

const HIDING = "a process that forks faster than it can be found";

export interface Ended {
  readonly ended: readonly string[];
  /** With their pids: the user has to end them. */
  readonly left: readonly string[];
}

export interface Target {
  readonly isRoot: (proc: Proc) => boolean;
  /** Ends by itself after the others: killed if necessary, but never sent SIGTERM. */
  readonly isKeeper?: (proc: Proc) => boolean;
  /** Part of the sandbox, so not reported as left over by the command. */
  readonly isOwn?: (proc: Proc) => boolean;
  /** Reliably true only when nothing is left. */
  readonly isGone: () => boolean;
  /** `isGone` turns true at once, so during the grace period no search is needed. */
  readonly isImmediate?: boolean;
  /** Reliably true when something is left that the table does not show. */
  readonly isHiding: (table: ProcTable) => boolean;
}

export async function endTarget(target: Target, patienceMs: number): Promise<Ended> {
  const started = performance.now() + patienceMs;
  const names = new Map<number, string>();
  const signalled = new Set<number>();
  const own = new Set<number>();
  let cleanPasses = 0;
  for (;;) {
    reapOrphans();
    if (target.isGone()) break;
    const waited = performance.now() - started;
    if (waited < 0 && target.isImmediate) {
      await shortly(waited + patienceMs);
      continue;
    }
    const isKilling = waited > GRACE_MS;
    const { table, members } = findMembers(target, isKilling);
    reapListed(table);
    const isHiding = members.length === 0 && target.isHiding(table);
    cleanPasses = members.length === 0 && !isHiding ? cleanPasses + 1 : 0;
    // After something was alive, one clean pass may have missed its latest fork.
    if (cleanPasses === (names.size === 0 ? 1 : 2)) break;
    if (waited < 0) {
      await Bun.sleep(2);
      continue;
    }
    for (const proc of members) {
      if (!names.has(proc.pid)) names.set(proc.pid, nameOf(proc));
      if (target.isOwn?.(proc)) own.add(proc.pid);
    }
    if (waited > GIVE_UP_MS) return isHiding ? { ended: [], left: [HIDING] } : report(names, members, own);
    const others = members.filter((proc) => !target.isKeeper?.(proc));
    if (!isKilling) terminate(others, signalled);
    await Bun.sleep(isKilling || members.length === 0 ? 1 : 6);
  }
  return report(names, [], own);
}

/** A process that is about to exit does so within a millisecond; a timer takes longer. */
async function shortly(waited: number): Promise<void> {
  if (waited < 1) await new Promise<void>((done) => setImmediate(done));
  else await Bun.sleep(1);
}

/** The same without the event loop and without SIGTERM. */
export function killTargets(targets: readonly Target[]): void {
  const started = performance.now();
  let cleanPasses = 0;
  while (cleanPasses < 2 && performance.now() - started < 200) {
    const members = targets.flatMap((target) => findMembers(target, true).members);
    cleanPasses = members.length === 0 ? cleanPasses + 1 : 0;
    Bun.sleepSync(1);
  }
}

/** The living roots and their descendants; children of a process that was just killed are roots in the next pass. */
function findMembers({ isRoot }: Target, isKilling: boolean): { table: ProcTable; members: readonly Proc[] } {
  const ownGroup = readProc(process.pid)?.group;
  const roots: Proc[] = [];
  const table = readTable((proc) => {
    if (isDead(proc) || !isRoot(proc)) return;
    roots.push(proc);
    if (!isKilling) return;
    // At once: a process that keeps forking would have another pid by the end of the pass. One signal reaches a whole group.
    if (proc.group !== ownGroup) send(-proc.group, "SIGKILL");
    send(proc.pid, "SIGKILL");
  });
  return { table, members: withDescendants(table, roots) };
}

export function withDescendants(table: ProcTable, roots: readonly Proc[]): readonly Proc[] {
  const below = Map.groupBy(table.values(), (proc) => proc.ppid);
  const seen = new Set<Proc>();
  const todo = [...roots];
  for (let proc = todo.pop(); proc !== undefined; proc = todo.pop()) {
    if (seen.has(proc)) continue;
    seen.add(proc);
    todo.push(...(below.get(proc.pid) ?? []).filter((child) => !isDead(child)));
  }
  return [...seen];
}

/** Without /proc only the process group can be found. */
export async function endGroup(group: number): Promise<Ended> {
  const started = performance.now();
  let isSignalled = false;
  while (send(-group, 0)) {
    const waited = performance.now() - started;
    if (waited > GIVE_UP_MS) return { ended: [], left: [`process group ${group}`] };
    if (waited > GRACE_MS) send(-group, "SIGKILL");
    else if (!isSignalled) terminateOne(-group);
    isSignalled = true;
    await Bun.sleep(5);
  }
  return { ended: [], left: [] };
}

/** `target`: a pid, or a process group as a negative number. Returns false when there is none or we may not signal it. */
export function send(target: number, signal: NodeJS.Signals | 0): boolean {
  // These would address all processes (-1), our own group (0) and init.
  if (target >= -1 && target <= 1) return false;
  try {
    return process.kill(target, signal);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "";
    if (code === "ESRCH" || code === "EPERM") return false;
    throw error;
  }
}

function terminate(members: readonly Proc[], signalled: Set<number>): void {
  for (const { pid } of members) {
    if (!signalled.has(pid)) terminateOne(pid);
    signalled.add(pid);
  }
}

function terminateOne(target: number): void {
  send(target, "SIGTERM");
  // A stopped process receives SIGTERM only after it is continued.
  send(target, "SIGCONT");
}

function report(names: ReadonlyMap<number, string>, left: readonly Proc[], own: ReadonlySet<number>): Ended {
  const living = new Set(left.map(({ pid }) => pid));
  const ended = Map.groupBy(
    [...names].filter(([pid]) => !living.has(pid) && !own.has(pid)),
    ([, name]) => name,
  );
  return {
    ended: firstFew([...ended].map(([name, { length }]) => (length === 1 ? name : `${name} (${length} times)`))),
    left: firstFew([...living].map((pid) => `${names.get(pid)} (pid ${pid})`)),
  };
}

function firstFew(names: readonly string[]): readonly string[] {
  return names.length <= 20 ? names : [...names.slice(0, 20), `${names.length - 20} more`];
}
