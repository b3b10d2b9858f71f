// Who a process is, so that a pid written down earlier is not mistaken for a later process with the same number.
import { readFileSync } from "node:fs";

export interface ProcessIdentity {
  readonly pid: number;
  /** Clock ticks between boot and the start of the process; empty where the system does not tell. */
  readonly startTime: string;
  /** Differs after every boot; empty where the system does not tell. */
  readonly bootId: string;
}

let own: ProcessIdentity | null = null;

/** Of this process, which stays the same as long as it runs. */
export function processIdentity(): ProcessIdentity {
  own ??= { pid: process.pid, startTime: statOf(process.pid)?.startTime ?? "", bootId: bootId() };
  return own;
}

export function bootId(): string {
  return readProc("/proc/sys/kernel/random/boot_id")?.trim() ?? "";
}

/** Does the process that had this pid at this start time still run? */
export function isAlive(pid: number, startTime: string): boolean {
  if (bootId() === "") return answersSignals(pid);
  const stat = statOf(pid);
  // A killed process keeps its entry until its parent has collected it; it never runs again.
  return stat !== null && stat.startTime === startTime && !"ZXx".includes(stat.state);
}

function statOf(pid: number): { readonly state: string; readonly startTime: string } | null {
  const stat = readProc(`/proc/${pid}/stat`);
  if (stat === null) return null;
  // The command name in field 2 may itself hold blanks and brackets: fields are counted from its last bracket.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return { state: fields[0] ?? "", startTime: fields[19] ?? "" };
}

function readProc(path: string): string | null {
  try {
    return readFileSync(path, "latin1");
  } catch (error) {
    // ESRCH: it ended between opening and reading.
    const code = (error as NodeJS.ErrnoException).code ?? "";
    if (["ENOENT", "ESRCH", "ENOTDIR", "EACCES"].includes(code)) return null;
    throw error;
  }
}

/** Without /proc all that can be asked is whether the pid is in use. */
function answersSignals(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
