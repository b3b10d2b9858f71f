// Real commands for tests, and looking at the processes they leave.
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { isDead, readProc, readTable } from "../../src/platform/process/proc.ts";
import { runShell, type ShellOutcome, type ShellRequest } from "../../src/platform/process/shell.ts";

let count = 0;

export function shellRequest(command: string, more: Partial<ShellRequest> = {}): ShellRequest {
  count++;
  return {
    command,
    cwd: tmpdir(),
    timeoutMs: 600_000,
    maxStreamBytes: 1024 * 1024,
    signal: new AbortController().signal,
    marker: `test.${process.pid}.${count}`,
    onOutput: () => {},
    onSpawn: async () => {},
    ...more,
  };
}

export async function shell(command: string, more: Partial<ShellRequest> = {}): Promise<ShellOutcome> {
  const result = await runShell(shellRequest(command, more));
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.value;
}

/**
 * For a command line: a `sleep` in the background is not yet one while it is still a copy of the shell, and for a moment it has that name
 * but no arguments.
 */
export const sleeps = "until grep -qsa ^sleep /proc/$!/cmdline; do :; done";

/**
 * For a command line: waits for a file, and ends the shell when the folder or the parent is gone; an orphan, whose parent is meant to go,
 * ends some minutes later instead.
 */
export function untilFile(path: string, kind: "child" | "orphan" = "child"): string {
  const folder = path.startsWith("/") ? dirname(path) : '"$PWD"';
  const isAlone = kind === "child" ? "[ $PPID -gt 1 ] && [ ! -d /proc/$PPID ]" : "[ $((n += 1)) -gt 20000 ]";
  return `until [ -e ${path} ]; do if [ ! -d ${folder} ] || { ${isAlone}; }; then exit 99; fi; sleep 0.01; done`;
}

/** Does not run any more; may wait to be collected by whoever is its parent now. */
export function hasEnded(pid: number): boolean {
  const proc = readProc(pid);
  return proc === null || isDead(proc);
}

/** Waits for something, and not for a process of its own: how a shell looks at the gate. */
export function isWaitingAlone(pid: number): boolean {
  let hasChild = false;
  const table = readTable((proc) => {
    hasChild ||= proc.ppid === pid;
  });
  return table.get(pid)?.state === "S" && !hasChild;
}

/** Neither running nor waiting to be collected. */
export function isGone(pid: number): boolean {
  return readProc(pid) === null;
}

/** The pids a command wrote, one per line, into a file. */
export function pidsIn(file: string): readonly number[] {
  try {
    return readFileSync(file, "utf8").split("\n").filter(Boolean).map(Number);
  } catch {
    return []; // Not written yet.
  }
}

export async function inTempFolder(use: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "coder-test-"));
  try {
    await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Processes, other than this one, whose command line holds the token. Zombies do not count. */
export function aliveWith(token: string): readonly string[] {
  return readdirSync("/proc").filter((pid) => {
    if (!/^\d+$/.test(pid) || pid === String(process.pid)) return false;
    try {
      const isDead = readFileSync(`/proc/${pid}/stat`, "utf8").includes(") Z ");
      return !isDead && readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(token);
    } catch {
      // It ended while we looked.
      return false;
    }
  });
}

/** A `sleep` runs there. */
export function isAsleepIn(folder: string): boolean {
  return readdirSync("/proc").some((pid) => {
    try {
      return readFileSync(`/proc/${pid}/comm`, "utf8") === "sleep\n" && readlinkSync(`/proc/${pid}/cwd`) === folder;
    } catch {
      return false; // No process, or gone meanwhile.
    }
  });
}

/** A token that no other process has in its command line. */
export function newToken(): string {
  return String(Math.floor(Math.random() * 1e9)).padStart(9, "1");
}
