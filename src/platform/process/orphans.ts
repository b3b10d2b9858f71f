// The kernel reparents an orphaned process to the nearest "child subreaper" above it. We are one, so orphans of our commands, even after
// `setsid`, appear below our own pid, and we must reap them.

import { openCLibrary } from "../c-library.ts";
import { childrenOf, isDead, type ProcTable, readProc } from "./proc.ts";

interface Prctl {
  readonly prctl: (option: number, a: number, b: number, c: number, d: number) => number;
  readonly waitid: (idType: number, id: number, info: Uint8Array, options: number) => number;
  readonly waitpid: (pid: number, status: null, options: number) => number;
}

const PR_SET_CHILD_SUBREAPER = 36;
const WNOHANG = 1;
// P_ALL; WEXITED | WNOHANG | WNOWAIT | __WALL.
const P_ALL = 0;
const LOOK = 4 | WNOHANG | 0x01000000 | 0x40000000;
const SI_PID = 16;

let libc: Prctl | null = null;
let adopting: Promise<void> | undefined;
const info = new Uint8Array(128);
const infoView = new DataView(info.buffer);

const RUNTIME_COLLECTS_MS = 1000;
let uncollected = { pid: 0, since: 0 };

/** Pids of detached children that the runtime itself reaps: never reaped here, never taken for orphans. */
const children = new Set<number>();

/** Call this before the first spawn. Where it fails, only groups, sessions and the marker identify a command's processes. */
export function adoptOrphans(): Promise<void> {
  adopting ??= openLibc().then((opened) => {
    if (opened !== null && opened.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) === 0) libc = opened;
  });
  return adopting;
}

/** All code that starts a detached child must register it here. Returns the function that removes it. */
export function rememberChild(pid: number): () => void {
  children.add(pid);
  return () => children.delete(pid);
}

export function isOwnChild(pid: number): boolean {
  return children.has(pid);
}

/** True only when it is certain that this process has no children at all. */
export function hasNoChildren(): boolean {
  return libc !== null && libc.waitid(P_ALL, 0, info, LOOK) === -1;
}

/** True when this process has children but the table shows none: one of them forks and exits faster than we read. */
export function hasHiddenChildren(table: ProcTable): boolean {
  if (libc === null || hasNoChildren()) return false;
  const own = table.get(process.pid)?.session;
  // A dead one in our session may be waiting for the runtime; any other is a trace of the one that hides.
  return ![...table.values()].some((proc) => proc.ppid === process.pid && (!isDead(proc) || proc.session === own));
}

/** Reaps exited orphans: each would occupy its pid as long as we run. */
export function reapOrphans(): void {
  while (libc !== null) {
    infoView.setInt32(SI_PID, 0, true);
    if (libc.waitid(P_ALL, 0, info, LOOK) === -1) return;
    const pid = infoView.getInt32(SI_PID, true);
    if (pid === 0) return;
    if (children.has(pid) || isTheRuntimes(pid)) {
      reapBehind(libc);
      return;
    }
    if (libc.waitpid(pid, null, WNOHANG) !== pid) return;
  }
}

/** `waitid` keeps returning a child that is not ours to reap, so look behind it. */
function reapBehind({ waitpid }: Prctl): void {
  const own = readProc(process.pid)?.session;
  for (const pid of childrenOf(process.pid)) {
    const proc = children.has(pid) ? null : readProc(pid);
    if (proc !== null && proc.session !== own && isDead(proc)) waitpid(pid, null, WNOHANG);
  }
}

/** The same for the processes in a table, without stopping at the first that is not ours to reap. */
export function reapListed(table: ProcTable): void {
  const own = table.get(process.pid)?.session;
  for (const proc of table.values()) {
    const isOrphan = proc.ppid === process.pid && proc.session !== own && !children.has(proc.pid);
    if (isOrphan && isDead(proc)) libc?.waitpid(proc.pid, null, WNOHANG);
  }
}

/** Attached children of the runtime share our session, and it needs their exit status; it reaps them quickly, so wait a moment. */
function isTheRuntimes(pid: number): boolean {
  if (readProc(pid)?.session !== readProc(process.pid)?.session) return false;
  const now = performance.now();
  if (uncollected.pid !== pid) uncollected = { pid, since: now };
  return now - uncollected.since < RUNTIME_COLLECTS_MS;
}

async function openLibc(): Promise<Prctl | null> {
  const library = await openCLibrary({
    prctl: { args: ["i32", "u64", "u64", "u64", "u64"], returns: "i32" },
    waitid: { args: ["i32", "i32", "ptr", "i32"], returns: "i32" },
    waitpid: { args: ["i32", "ptr", "i32"], returns: "i32" },
  });
  return (library?.symbols ?? null) as Prctl | null;
}
