// Reads processes from /proc. Every function treats a process that exits during the read as missing.
import { readdirSync, readFileSync } from "node:fs";
import { isProcOurs } from "../identity.ts";

export interface Proc {
  readonly pid: number;
  readonly ppid: number;
  readonly group: number;
  readonly session: number;
  /** One letter; Z and X are dead. */
  readonly state: string;
  readonly start: number;
  /** At most 15 bytes, chosen by the process. */
  readonly comm: string;
}

export type ProcTable = ReadonlyMap<number, Proc>;

/** False where /proc is unusable, so only process groups can be handled. */
export function hasProc(): boolean {
  return isProcOurs();
}

export function readProc(pid: number): Proc | null {
  const stat = readOf(pid, "stat");
  if (stat === null) return null;
  // The command name in field 2 may contain blanks and brackets, so fields are counted from its last bracket.
  const bracket = stat.lastIndexOf(")");
  const fields = stat.slice(bracket + 2).split(" ", 20);
  return {
    pid,
    ppid: Number(fields[1]),
    group: Number(fields[2]),
    session: Number(fields[3]),
    state: fields[0] ?? "X",
    start: Number(fields[19]),
    comm: stat.slice(stat.indexOf("(") + 1, bracket),
  };
}

/** `null` when it has none or several, or the kernel does not list them. */
export function onlyChildOf(pid: number): Proc | null {
  const [first, ...more] = childrenOf(pid);
  return first === undefined || more.length > 0 ? null : readProc(first);
}

/** Children of its first thread; none where the kernel does not list them. */
export function childrenOf(pid: number): readonly number[] {
  const listed = readOf(pid, `task/${pid}/children`)?.trim() ?? "";
  return listed === "" ? [] : listed.split(" ").map(Number);
}

/** Newest first: a process that keeps forking and exiting is soon gone. May miss a fork, so callers look again. */
export function readTable(visit: (proc: Proc) => void): ProcTable {
  const table = new Map<number, Proc>();
  if (!hasProc()) return table;
  for (const name of readdirSync("/proc").reverse()) {
    const pid = Number(name);
    const proc = Number.isInteger(pid) ? readProc(pid) : null;
    if (proc === null) continue;
    table.set(pid, proc);
    visit(proc);
  }
  return table;
}

export function isDead(proc: Proc): boolean {
  return proc.state === "Z" || proc.state === "X";
}

/** The value of CODER_CALL in its environment; null when there is none or we may not read it. */
export function markerOf(pid: number): string | null {
  const entries = readOf(pid, "environ")?.split("\0") ?? [];
  return entries.find((entry) => entry.startsWith(`${MARKER}=`))?.slice(MARKER.length + 1) ?? null;
}

/** During execve a process has neither environment nor command line. Kernel threads never have. */
export function isBecoming({ pid, ppid }: Proc): boolean {
  return pid !== 2 && ppid !== 2 && readOf(pid, "cmdline") === "" && readOf(pid, "environ") === "";
}

export const MARKER = "CODER_CALL";

export function nameOf({ pid, comm }: Proc): string {
  // An exiting process has no command line any more.
  const line = readOf(pid, "cmdline") || comm;
  const plain = Buffer.from(line, "latin1")
    .toString()
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, " ")
    .trim();
  return plain.length > 80 ? `${plain.slice(0, 79)}…` : plain;
}

function readOf(pid: number, file: string): string | null {
  // In another namespace this pid is a different process, which must not be signalled.
  if (!hasProc()) return null;
  try {
    return readFileSync(`/proc/${pid}/${file}`, "latin1");
  } catch (error) {
    // ESRCH: it exited between open and read. EACCES and EPERM: another user's process.
    const code = (error as NodeJS.ErrnoException).code ?? "";
    if (["ENOENT", "ESRCH", "EACCES", "EPERM"].includes(code)) return null;
    throw error;
  }
}
