// Identifies a process, so that a recorded pid is not mistaken for a later process with the same number.
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

export interface ProcessIdentity {
  readonly pid: number;
  /** Clock ticks between boot and the start of the process; empty where unknown. */
  readonly startTime: string;
  /** Differs after every boot; empty where unknown. */
  readonly bootId: string;
  /** The PID namespace, outside of which the pid is meaningless; empty where there are none. */
  readonly pidNamespace: string;
  readonly host: string;
}

let own: ProcessIdentity | null = null;

export function processIdentity(): ProcessIdentity {
  own ??= {
    pid: process.pid,
    // Not by pid: this /proc may belong to another namespace, where our number is a different process.
    startTime: statOf("self")?.startTime ?? "",
    bootId: bootId(),
    pidNamespace: linkAt("/proc/self/ns/pid"),
    host: `${hostname()} ${readProc("/etc/machine-id")?.trim() ?? ""}`.trim(),
  };
  return own;
}

export function bootId(): string {
  return readProc("/proc/sys/kernel/random/boot_id")?.trim() ?? "";
}

/** Whether the process of this namespace with this pid and start time still runs. */
export function isAlive(pid: number, startTime: string): boolean {
  if (!isProcOurs()) return answersSignals(pid);
  const stat = statOf(pid);
  // A killed process keeps its entry until its parent reaps it; it never runs again.
  return stat !== null && stat.startTime === startTime && !"ZXx".includes(stat.state);
}

const writtenMs = 60 * 60_000;

/** Identifies this process in the name of a temporary file or link that exists only while it writes. */
export function writerName(): string {
  const { pid, startTime } = processIdentity();
  return `${pid}.${startTime}.${place()}`;
}

/** Pattern of such a name; names of earlier versions have no third part. */
export const writerForm = String.raw`\d+\.\d*(?:\.\d+)?`;

/** `since`: when it wrote. Of another namespace or machine only the time is known: no write takes longer than `longestMs`. */
export function isWriterGone(name: string, since: number, longestMs = writtenMs): boolean {
  const [pid = "", startTime = "", where] = name.split(".");
  if (where !== undefined && where !== place()) return Date.now() - since > longestMs;
  return !isAlive(Number(pid), startTime);
}

/** The boot and PID namespace in which the pid is valid. */
function place(): string {
  const { bootId: boot, pidNamespace } = processIdentity();
  return String(Bun.hash(`${boot} ${pidNamespace}`) % 1_000_000_000n);
}

let isOurs: boolean | null = null;

/** False without /proc, or where it shows another PID namespace with other numbers. */
export function isProcOurs(): boolean {
  isOurs ??= linkAt("/proc/self") === String(process.pid);
  return isOurs;
}

function statOf(pid: number | "self"): { readonly state: string; readonly startTime: string } | null {
  const stat = readProc(`/proc/${pid}/stat`);
  if (stat === null) return null;
  // The command name in field 2 may contain blanks and brackets, so fields are counted from its last bracket.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return { state: fields[0] ?? "", startTime: fields[19] ?? "" };
}

const unreadable = ["ENOENT", "ESRCH", "ENOTDIR", "EACCES", "EPERM", "EINVAL"];

function readProc(path: string): string | null {
  return read(() => readFileSync(path, "latin1"));
}

function linkAt(path: string): string {
  return read(() => readlinkSync(path)) ?? "";
}

function read(work: () => string): string | null {
  try {
    return work();
  } catch (error) {
    // ESRCH: it exited between open and read.
    if (unreadable.includes((error as NodeJS.ErrnoException).code ?? "")) return null;
    throw error;
  }
}

/** Without a usable /proc we can only check whether the pid is in use. */
function answersSignals(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
