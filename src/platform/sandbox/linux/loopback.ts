// One loopback-only network for all commands of a task, so that one command can reach a server that another started.
// It is held by descriptors instead of a process, so there is nothing to kill, and nothing left behind when we exit.
import { closeSync, openSync, readlinkSync } from "node:fs";
import { rememberChild } from "../../process/orphans.ts";
import { hasProc } from "../../process/proc.ts";
import { ownProgram, sandboxProgram } from "../state.ts";
import { namespaces } from "./bubblewrap.ts";
import { close, type HeldNamespaces, letGo, type Shared, shared } from "./loopback-kept.ts";

const MAKE_MS = 10_000;

/** Creates the loopback of this name if needed, and keeps it open for further commands. */
export function keepLoopback(name: string): Shared {
  const known = shared.get(name);
  const one = known ?? { held: make(), inside: 0, isKept: true };
  one.isKept = true;
  shared.set(name, one);
  return one;
}

/** `null`: the command gets a loopback of its own. */
export async function enterLoopback(name: string): Promise<{ argv: readonly string[]; leave: () => void } | null> {
  const one = keepLoopback(name);
  one.inside += 1;
  let hasLeft = false;
  const leave = (): void => {
    if (hasLeft) return;
    hasLeft = true;
    one.inside -= 1;
    letGo(name, one);
  };
  const held = await one.held;
  const program = held === null ? null : enterProgram();
  if (held === null || program === null) {
    leave();
    return null;
  }
  return { argv: entering(program, held), leave };
}

/** Tries it out. Call it only after `sandboxState` reported "ready". */
export async function canShareLoopback(): Promise<boolean> {
  const held = await make();
  if (held !== null) close(held);
  return held !== null;
}

/** Refers to our own descriptors by /proc path: an inherited descriptor would stay open in the command. */
function entering(program: string, { user, net }: HeldNamespaces): readonly string[] {
  const fd = (number: number): string => `/proc/${process.pid}/fd/${number}`;
  return [program, "--preserve-credentials", `--user=${fd(user)}`, `--net=${fd(net)}`, "--"];
}

let found: string | null | undefined;

function enterProgram(): string | null {
  if (found === undefined) found = hasProc() ? ownProgram("nsenter") : null;
  return found;
}

/** Tested once with the first namespace, since some kernels refuse to enter it. */
let works: Promise<boolean> | undefined;

/** Never rejects: on failure the command simply gets its own loopback. */
async function make(): Promise<HeldNamespaces | null> {
  const program = enterProgram();
  if (program === null) return null;
  try {
    const held = await hold();
    if (held === null) return null;
    works ??= tryOut(entering(program, held));
    if (await works) return held;
    close(held);
  } catch {
    // Out of processes or descriptors: the command itself will fail the same way and report it.
  }
  return null;
}

/** Bubblewrap creates the namespaces with loopback up, for a shell that prints its pid and waits until we hold both. */
async function hold(): Promise<HeldNamespaces | null> {
  const call = [sandboxProgram(), "--unshare-user", "--unshare-net", "--die-with-parent", "--cap-drop", "ALL"];
  const child = Bun.spawn([...call, "--ro-bind", "/", "/", "--", "/bin/sh", "-c", "echo $$; read -r line"], {
    ...alone,
    stdin: "pipe",
    stdout: "pipe",
  });
  const forget = rememberChild(child.pid);
  void child.exited.finally(forget);
  try {
    const { value } = await child.stdout.getReader().read();
    const pid = Number(new TextDecoder().decode(value));
    return Number.isInteger(pid) && pid > 0 ? openOf(pid) : null;
  } finally {
    await child.stdin.end();
    await child.exited;
  }
}

const alone = {
  cwd: "/",
  stderr: "ignore",
  env: { PATH: "/usr/bin:/bin" },
  timeout: MAKE_MS,
  killSignal: "SIGKILL",
  detached: true,
} as const;

function openOf(pid: number): HeldNamespaces | null {
  const user = openSync(`/proc/${pid}/ns/user`, "r");
  try {
    const net = openSync(`/proc/${pid}/ns/net`, "r");
    const held = { user, net };
    // In case the pid is not the process that we meant.
    if (readlinkSync(`/proc/self/fd/${net}`) !== readlinkSync("/proc/self/ns/net")) return held;
    close(held);
    return null;
  } catch (error) {
    closeSync(user);
    throw error;
  }
}

async function tryOut(argv: readonly string[]): Promise<boolean> {
  const disk = ["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"];
  const call = [...argv, sandboxProgram(), ...namespaces, "--as-pid-1", ...disk, "--", "true"];
  const child = Bun.spawn(call, { ...alone, stdin: "ignore", stdout: "ignore" });
  const forget = rememberChild(child.pid);
  return (await child.exited.finally(forget)) === 0;
}
