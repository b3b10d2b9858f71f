// Who a process is, so that a pid written down earlier is not mistaken for a later process with the same number.
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

export interface ProcessIdentity {
  readonly pid: number;
  /** Clock ticks between boot and the start of the process; empty where the system does not tell. */
  readonly startTime: string;
  /** Differs after every boot; empty where the system does not tell. */
  readonly bootId: string;
  /** The PID namespace, in which alone the pid means something; empty where the system has none. */
  readonly pidNamespace: string;
  /** The machine, also after another boot. */
  readonly host: string;
}

let own: ProcessIdentity | null = null;

/** Of this process, which stays the same as long as it runs. */
export function processIdentity(): ProcessIdentity {
  own ??= {
    pid: process.pid,
    // Not by number: this /proc may be that of another namespace, where our number is somebody else's.
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

/** Does the process of this namespace that had this pid at this start time still run? */
export function isAlive(pid: number, startTime: string): boolean {
  if (!isProcOurs()) return answersSignals(pid);
  const stat = statOf(pid);
  // A killed process keeps its entry until its parent has collected it; it never runs again.
  return stat !== null && stat.startTime === startTime && !"ZXx".includes(stat.state);
}

/** A large export takes seconds. */
const writtenMs = 60 * 60_000;

/** This process in the name of a file or link that is only there while it writes. */
export function writerName(): string {
  const { pid, startTime } = processIdentity();
  return `${pid}.${startTime}.${place()}`;
}

/** The form of such a name, for a pattern of file names; those of earlier versions have no third part. */
export const writerForm = String.raw`\d+\.\d*(?:\.\d+)?`;

/** `since`: when it wrote. From another namespace or machine only time tells: it writes no longer than this. */
export function isWriterGone(name: string, since: number, longestMs = writtenMs): boolean {
  const [pid = "", startTime = "", where] = name.split(".");
  if (where !== undefined && where !== place()) return Date.now() - since > longestMs;
  return !isAlive(Number(pid), startTime);
}

/** Where the pid means something. */
function place(): string {
  const { bootId: boot, pidNamespace } = processIdentity();
  return String(Bun.hash(`${boot} ${pidNamespace}`) % 1_000_000_000n);
}

let isOurs: boolean | null = null;

/** False where there is no /proc, and where it shows the processes of another PID namespace, under other numbers. */
export function isProcOurs(): boolean {
  isOurs ??= linkAt("/proc/self") === String(process.pid);
  return isOurs;
}

function statOf(pid: number | "self"): { readonly state: string; readonly startTime: string } | null {
  const stat = readProc(`/proc/${pid}/stat`);
  if (stat === null) return null;
  // The command name in field 2 may itself hold blanks and brackets: fields are counted from its last bracket.
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
    // ESRCH: it ended between opening and reading.
    if (unreadable.includes((error as NodeJS.ErrnoException).code ?? "")) return null;
    throw error;
  }
}

/** Without a /proc of ours all that can be asked is whether the pid is in use. */
function answersSignals(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
