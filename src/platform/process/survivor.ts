// Ends processes of a command whose coder was killed.
import { type Ended, endTarget } from "./kill.ts";
import { isOwnChild } from "./orphans.ts";
import { hasProc, isBecoming, isDead, markerOf, type Proc, type ProcTable, readProc, readTable } from "./proc.ts";

export interface Survivor {
  readonly pid: number;
  readonly startTime: string;
  readonly marker: string;
}

/** A process without a command line for this long has erased it itself. */
const maxLooks = 20;

/** Spares a process that merely reuses the recorded pid, the calling process, its children and its ancestors. */
export async function endSurvivor(survivor: Survivor): Promise<Ended> {
  if (!hasProc() || survivor.startTime === "") return { ended: [], left: [] };
  const start = Number(survivor.startTime);
  const isMarked = (proc: Proc): boolean =>
    proc.start >= start && !isDead(proc) && markerOf(proc.pid) === survivor.marker;
  const isSameSession = hasKeptSession(survivor.pid, start, isMarked);
  const above = lineOf(process.pid);
  const ownSession = readProc(process.pid)?.session;
  const isSpared = (proc: Proc): boolean =>
    above.has(proc.pid) || proc.session === ownSession || isOwnChild(proc.pid) || isOwnChild(proc.session);
  const isRoot = (proc: Proc): boolean =>
    !isSpared(proc) && ((isSameSession && proc.session === survivor.pid) || isMarked(proc));
  let looks = 0;
  const isHiding = (table: ProcTable): boolean =>
    ++looks < maxLooks &&
    [...table.values()].some((proc) => proc.start >= start && !isDead(proc) && !isSpared(proc) && isBecoming(proc));
  return await endTarget({ isRoot, isGone: () => false, isHiding }, 0);
}

/** The pid of a live session is not reused. When the shell is gone, a marked member proves that it is the same session. */
function hasKeptSession(pid: number, start: number, isMarked: (proc: Proc) => boolean): boolean {
  let isKept = false;
  readTable((proc) => {
    if (proc.session !== pid) return;
    isKept ||= (proc.pid === pid && proc.start === start) || isMarked(proc);
  });
  return isKept;
}

function lineOf(pid: number): ReadonlySet<number> {
  const line = new Set<number>();
  for (let proc = readProc(pid); proc !== null; proc = readProc(proc.ppid)) line.add(proc.pid);
  return line;
}
