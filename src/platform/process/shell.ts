// Runs one shell command to its end, and ends whatever it leaves behind.
import { ok, type Result } from "../../contract/error.ts";
import type { GatedShell } from "./gate.ts";
import { reapOrphans } from "./orphans.ts";
import { readOutput } from "./output.ts";
import { type StartRequest, startShell } from "./start.ts";
import { endTree, type Tree } from "./tree.ts";

export interface ShellRequest extends StartRequest {
  readonly timeoutMs: number;
  readonly maxStreamBytes: number;
  readonly signal: AbortSignal;
  readonly onOutput: (stream: "stdout" | "stderr", text: string) => void;
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
export const STREAM_GRACE_MS = 100;
/** A process closes its streams a moment before it is gone. */
export const EXIT_GRACE_MS = 20;
const REAP_EVERY_MS = 200;

type Stop = "timeout" | "cancel";

export async function runShell(request: ShellRequest): Promise<Result<ShellOutcome>> {
  if (request.signal.aborted) return ok(neverStarted);
  const started = await startShell(request);
  if (!started.ok) return started;
  const { shell, tree, release } = started.value;
  try {
    if (!request.signal.aborted) return ok(await runOpened(request, shell, tree));
    const { left } = await endTree(tree);
    return ok({ ...neverStarted, unstopped: left });
  } catch (error) {
    await endTree(tree);
    throw error;
  } finally {
    release();
  }
}

async function runOpened(request: ShellRequest, shell: GatedShell, tree: Tree): Promise<ShellOutcome> {
  const { child } = shell;
  const began = performance.now();
  const output = readOutput(shell.streams, request.maxStreamBytes, request.onOutput);
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

export async function waitAtMost(ms: number, work: Promise<unknown>): Promise<void> {
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
