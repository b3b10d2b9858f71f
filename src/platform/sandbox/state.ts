import type { SandboxState } from "../../contract/sandbox.ts";
import { type Phrase, phrase } from "../../contract/text/catalogue.ts";
import { orNull } from "../files/probe.ts";
import { findProgram, foreignPath } from "../find-program.ts";
import { seccompFilter } from "./linux/seccomp.ts";
import { systemFolders } from "./system-folders.ts";

const PROBE_MS = 10_000;
const LAST_WORDS_MS = 1_000;
const SEATBELT = "/usr/bin/sandbox-exec";

let probed: Promise<SandboxState> | undefined;
let program: string | null = null;
let bindsDescriptors = false;

export function sandboxState(): Promise<SandboxState> {
  probed ??= probe();
  return probed;
}

/** Call it only after `sandboxState` reported "ready". */
export function sandboxProgram(): string {
  if (program === null) throw new Error("asked for before it was known to work");
  return program;
}

/** Whether an open descriptor can be mounted, instead of a path that may change meanwhile. Since bubblewrap 0.10, in Debian since 2024. */
export function canBindDescriptors(): boolean {
  return bindsDescriptors;
}

async function probe(): Promise<SandboxState> {
  if (process.platform === "darwin") return await probeSeatbelt();
  if (process.platform !== "linux") return missing(phrase("sandbox.no_backend", { platform: process.platform }));
  const found = ownProgram("bwrap");
  if (found === null) return missing(phrase("sandbox.no_bubblewrap"));
  if (seccompFilter(process.arch) === null) return missing(phrase("sandbox.no_numbers", { arch: process.arch }));
  const namespaces = ["user", "pid", "ipc", "uts", "net"].map((name) => `--unshare-${name}`);
  const disk = ["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--perms", "0555", "--tmpfs", "/tmp"];
  // --as-pid-1: otherwise a second process of bubblewrap is left for us to reap.
  const trying = tryOut([found, ...namespaces, "--as-pid-1", "--cap-drop", "ALL", ...disk, "--", "true"]);
  const [state] = await Promise.all([trying, lookForDescriptors(found)]);
  return state;
}

/** Skips programs in the current folder, which could be anything. */
export function ownProgram(name: string): string | null {
  const keepOut = systemFolders.has(process.cwd()) ? [] : [process.cwd()];
  return findProgram([name], foreignPath(process.env.PATH ?? "", keepOut), keepOut);
}

async function lookForDescriptors(path: string): Promise<void> {
  const child = Bun.spawn([path, "--help"], {
    ...{ cwd: "/", stdin: "ignore", stderr: "ignore", timeout: PROBE_MS },
    env: { PATH: process.env.PATH ?? "" },
  });
  bindsDescriptors = (await new Response(child.stdout).text()).includes("--ro-bind-fd");
  await child.exited;
}

/** Untested on a real machine: see docs/guide/sandbox.md. */
async function probeSeatbelt(): Promise<SandboxState> {
  if (findProgram(["sandbox-exec"], "/usr/bin", []) === null) return missing(phrase("sandbox.no_seatbelt"));
  return await tryOut([SEATBELT, "-p", "(version 1)(allow default)", "/usr/bin/true"]);
}

async function tryOut(argv: readonly [string, ...string[]]): Promise<SandboxState> {
  const [path] = argv;
  const child = Bun.spawn([...argv], {
    cwd: "/",
    stdin: "ignore",
    stdout: "ignore",
    stderr: "pipe",
    env: { PATH: process.env.PATH ?? "" },
    timeout: PROBE_MS,
    killSignal: "SIGKILL",
    detached: true,
  });
  const reading = new Response(child.stderr).text();
  const code = await child.exited;
  // Where /proc belongs to another PID namespace, one of bubblewrap's processes may wait forever for the other.
  orNull(() => process.kill(-child.pid, "SIGKILL"));
  const errors = await Promise.race([reading, Bun.sleep(LAST_WORDS_MS).then(() => "")]);
  if (code !== 0) return { kind: "broken", reason: phrase("sandbox.broken", { path, why: whyBroken(errors, code) }) };
  program = path;
  return { kind: "ready", name: path === SEATBELT ? "seatbelt" : "bubblewrap" };
}

function whyBroken(errors: string, code: number | null): Phrase {
  const what = errors.trim().split("\n")[0]?.slice(0, 160) || `exit code ${code}`;
  if (/uid map|namespace/i.test(errors)) return phrase("sandbox.why_namespace", { what });
  if (/mount proc/i.test(errors)) return phrase("sandbox.why_proc", { what });
  if (/unknown option/i.test(errors)) return phrase("sandbox.why_old", { what });
  return phrase("sandbox.why_other", { what });
}

function missing(reason: Phrase): SandboxState {
  return { kind: "missing", reason };
}
