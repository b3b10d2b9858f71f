// Runs one shell command to its end, and ends whatever it leaves behind.
import { fail, ok, type Result } from "../../contract/error.ts";
import { phrase } from "../../contract/text/catalogue.ts";
import { type Environment, type GatedShell, spawnGated } from "./gate.ts";
import { adoptOrphans, reapOrphans, rememberChild } from "./orphans.ts";
import { readOutput } from "./output.ts";
import { hasProc, readProc } from "./proc.ts";
import { addTree, endTree, removeTree, type Tree } from "./tree.ts";

export interface ShellRequest {
  readonly command: string;
  readonly cwd: string;
  /** The environment of this program when absent. */
  readonly env?: Environment;
  readonly timeoutMs: number;
  readonly maxStreamBytes: number;
  readonly signal: AbortSignal;
  /** Unique among all calls of all sessions: strays are found by it. */
  readonly marker: string;
  readonly onOutput: (stream: "stdout" | "stderr", text: string) => void;
  /** The command does not start before this has resolved; when it rejects, the command never starts. */
  readonly onSpawn: (pid: number, startTime: string) => Promise<void>;
}

export interface ShellOutcome {
  /** 124 after a timeout; null when ended by a signal. */
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly durationMs: number;
  readonly truncated: { readonly stdout: boolean; readonly stderr: boolean };
  readonly timedOut: boolean;
  readonly cancelled: boolean;
  /** False when it was cancelled before the command began: nothing happened. */
  readonly started: boolean;
  /** Processes the command had left running when it ended by itself; they were ended. */
  readonly leftOver: readonly string[];
  readonly unstopped: readonly string[];
}

/** After the shell's end its output may still be on its way, or be held open by what it left running. */
const STREAM_GRACE_MS = 100;
/** A process closes its streams a moment before it is gone. */
const EXIT_GRACE_MS = 20;
const REAP_EVERY_MS = 200;

type Stop = "timeout" | "cancel";

export async function runShell(request: ShellRequest): Promise<Result<ShellOutcome>> {
  if (request.command.includes("\0")) return fail("E_INVALID_ARGS", phrase("bash.nul"));
  if (request.signal.aborted) return ok(neverStarted);
  await adoptOrphans();
  const spawned = spawnGated(request.command, request.cwd, request.env ?? process.env, request.marker);
  if (!spawned.ok) return spawned;
  const { child } = spawned.value;
  const start = readProc(child.pid)?.start ?? 0;
  const tree: Tree = { pid: child.pid, start, marker: request.marker };
  const forget = rememberChild(child.pid);
  addTree(tree);
  try {
    await request.onSpawn(child.pid, hasProc() ? String(start) : "");
    if (!request.signal.aborted) return ok(await runOpened(request, spawned.value, tree));
    const { left } = await endTree(tree);
    return ok({ ...neverStarted, unstopped: left });
  } catch (error) {
    await endTree(tree);
    throw error;
  } finally {
    removeTree(tree);
    void child.exited.finally(forget);
  }
}

async function runOpened(request: ShellRequest, shell: GatedShell, tree: Tree): Promise<ShellOutcome> {
  const { child } = shell;
  const began = performance.now();
  const output = readOutput(child, request.maxStreamBytes, request.onOutput);
  const stop = stopOf(request);
  const reaping = setInterval(reapOrphans, REAP_EVERY_MS);
  try {
    const exited = child.exited.then(() => null);
    // Over only with the shell's exit; its fault comes through at once.
    const flowing = Promise.all([shell.open(), output.ended]);
    const stopped = await Promise.race([exited, stop.asked, flowing.then(() => exited)]);
    if (stopped === null) await waitAtMost(STREAM_GRACE_MS, output.ended);
    const { ended, left } = await endTree(tree, stopped === null ? EXIT_GRACE_MS : 0);
    // Nobody holds the streams any more, unless somebody could not be stopped.
    await waitAtMost(left.length > 0 ? 0 : 1000, Promise.all([flowing, exited]));
    return {
      exitCode: stopped === "timeout" ? 124 : child.exitCode,
      signal: stopped === "timeout" || child.signalCode === null ? null : String(child.signalCode),
      ...output.kept(),
      durationMs: Math.round(performance.now() - began),
      timedOut: stopped === "timeout",
      cancelled: stopped === "cancel",
      started: true,
      leftOver: stopped === null ? ended : [],
      unstopped: left,
    };
  } finally {
    clearInterval(reaping);
    stop.forget();
    await output.close();
  }
}

const neverStarted: ShellOutcome = {
  exitCode: null,
  signal: null,
  stdout: "",
  stderr: "",
  durationMs: 0,
  truncated: { stdout: false, stderr: false },
  timedOut: false,
  cancelled: true,
  started: false,
  leftOver: [],
  unstopped: [],
};

async function waitAtMost(ms: number, work: Promise<unknown>): Promise<void> {
  const late = Promise.withResolvers<void>();
  const timer = setTimeout(late.resolve, ms);
  await Promise.race([work, late.promise]).finally(() => clearTimeout(timer));
}

/** Timer and cancel as one promise. */
function stopOf({ timeoutMs, signal }: ShellRequest): { asked: Promise<Stop>; forget: () => void } {
  const { promise, resolve } = Promise.withResolvers<Stop>();
  const cancel = (): void => resolve("cancel");
  const timer = setTimeout(() => resolve("timeout"), timeoutMs);
  signal.addEventListener("abort", cancel, { once: true });
  return {
    asked: promise,
    forget: () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", cancel);
    },
  };
}
