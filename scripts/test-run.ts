// A run of the tests has folders of its own, and nothing outlives it: neither a file nor a process, also when it is stopped.
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface TestRun {
  readonly env: Readonly<Record<string, string>>;
  /** Ends what still runs and removes the folders. Tells the command lines of what was ended. */
  readonly end: () => readonly string[];
}

const owner = "run.pid";
/** More than ever run at once. Names stay short: paths are part of what the tests of the terminal see. */
const maxRuns = 100;

/** In the temporary folder, where the name is taken, beside it and in memory (test/support/places.ts). */
export function openTestRun(
  [temporary, ...more]: readonly [string, ...string[]] = [tmpdir(), "/var/tmp", "/dev/shm"],
): TestRun {
  const name = takeName(temporary);
  const folders = [temporary, ...more].filter((base) => existsSync(base)).map((base) => join(base, name));
  for (const folder of folders) mkdirSync(folder, { recursive: true });
  const end = (): readonly string[] => {
    const ended = endProcesses(folders);
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
    return ended;
  };
  // Without npm's look for a newer npm: it asks the real registry, and prints a notice when the answer comes in time.
  return { env: { TMPDIR: join(temporary, name), CODER_TEST_RUN: name, npm_config_update_notifier: "false" }, end };
}

/** The first that is free, or left by a run that was killed. */
function takeName(temporary: string): string {
  for (let at = 0; at < maxRuns; at += 1) {
    const name = `c${at}`;
    const folder = join(temporary, name);
    if (isAbandoned(folder)) rmSync(folder, { recursive: true, force: true });
    try {
      mkdirSync(folder);
      writeFileSync(join(folder, owner), String(process.pid));
      return name;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
  }
  throw new Error(`no folder is free in ${temporary}: c0 to c${maxRuns - 1} are in use`);
}

function isAbandoned(folder: string): boolean {
  try {
    if (statSync(folder).uid !== process.getuid?.()) return false;
    process.kill(Number(readFileSync(join(folder, owner), "utf8")), 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
}

/** Everything that stands in the folders, or was told of them. What is ended may just have started something. */
function endProcesses(folders: readonly string[]): readonly string[] {
  const ended = new Map<string, string>();
  for (let round = 0; round < 100; round += 1) {
    const found = processes().filter((pid) => belongs(pid, folders));
    if (found.length === 0) break;
    for (const pid of found) {
      ended.set(pid, read(pid, "cmdline").replaceAll("\0", " ").trim());
      try {
        process.kill(Number(pid), "SIGKILL");
      } catch {
        // It has ended by itself.
      }
    }
    Bun.sleepSync(10);
  }
  return [...ended.values()];
}

function processes(): readonly string[] {
  if (!existsSync("/proc/self/cwd")) return [];
  return readdirSync("/proc").filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid);
}

function belongs(pid: string, folders: readonly string[]): boolean {
  const texts = [cwdOf(pid), read(pid, "environ"), read(pid, "cmdline")].map((text) => `${text}/`);
  return folders.some((folder) => texts.some((text) => text.includes(`${folder}/`) || text.includes(`${folder}\0`)));
}

function cwdOf(pid: string): string {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return "";
  }
}

function read(pid: string, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, "latin1");
  } catch {
    return "";
  }
}
