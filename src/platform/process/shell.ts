// Runs one shell command to its end, and ends everything it leaves behind.
import { ok, type Result } from "../../contract/error.ts";
import type { RunningJob } from "../../contract/job.ts";
import { keepBounded, showLive } from "./capture.ts";
import { type Late, limitCommand } from "./command-limit.ts";
import { conclude, pump } from "./conclude.ts";
import { type GatedShell, OUT_OF_TIME } from "./gate.ts";
import { reapOrphans } from "./orphans.ts";
import { type StartedShell, type StartRequest, startShell } from "./start.ts";
import { KEEP_BYTES, keepTail } from "./tail.ts";
import { endTree, isPaused, type Tree } from "./tree.ts";

export interface ShellRequest extends StartRequest {
  readonly timeoutMs: number;
  readonly maxStreamBytes: number;
  readonly signal: AbortSignal;
  readonly onOutput: (stream: "stdout" | "stderr", text: string) => void;
  /** Resolves when it is to go on as a background job. */
  readonly leave?: Promise<void>;
}

export interface ShellOutcome {
  /** 124 after a timeout; null when a signal ended it. */
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly durationMs: number;
  readonly truncated: { readonly stdout: boolean; readonly stderr: boolean };
  readonly timedOut: boolean;
  readonly isOutOfTime: boolean;
  readonly cancelled: boolean;
  /** False when it was cancelled before the command began: it had no effects. */
  readonly started: boolean;
  /** Processes that were still running when the command exited by itself; they were ended. */
  readonly leftOver: readonly string[];
  readonly unstopped: readonly string[];
  /** Protected files that a confined command created, now `NAME.set-aside`. The command was ended for it. */
  readonly planted: readonly string[];
  readonly hidden: readonly string[];
  /** Protected files, anywhere in the workspace, that were restored to their earlier state. */
  readonly restored: readonly string[];
  /** Protected files that could not be restored, and folders that could not be read. */
  readonly unkept: readonly string[];
  readonly unlooked: number;
  /** It goes on as this job, with everything it has written; the rest says how far it was. */
  readonly moved?: RunningJob;
}

const REAP_EVERY_MS = 200;

type Stop = Late | "cancel" | "end" | "planted";

export async function runShell(request: ShellRequest): Promise<Result<ShellOutcome>> {
  if (request.signal.aborted) return ok(neverStarted);
  const started = await startShell(request);
  if (!started.ok) return started;
  const { tree, release } = started.value;
  let isMoved = false;
  try {
    if (started.value.isOpen || !request.signal.aborted) {
      const outcome = await runOpened(request, started.value);
      isMoved = outcome.moved !== undefined;
      return ok({ ...outcome, ...(isMoved ? nothingKept : await keptBy(started.value)) });
    }
    const { left } = await endTree(tree);
    return ok({ ...neverStarted, unstopped: left });
  } catch (error) {
    await endTree(tree);
    throw error;
  } finally {
    if (!isMoved) {
      release();
      await started.value.keep();
    }
  }
}

const nothingKept: Planted = { planted: [], restored: [], unkept: [], unlooked: 0 };

export async function keptBy({ release, keep }: StartedShell): Promise<Planted> {
  const ended = release();
  const { aside, restored, left, unlooked } = await keep();
  return { planted: [...new Set([...ended, ...aside])], restored, unkept: left, unlooked };
}

export type Planted = Pick<ShellOutcome, "planted" | "restored" | "unkept" | "unlooked">;

async function runOpened(request: ShellRequest, started: StartedShell): Promise<Omit<ShellOutcome, keyof Planted>> {
  const { child, streams } = started.shell;
  const began = performance.now();
  const output = readOutput(streams, request);
  const at = (): Pick<ShellOutcome, "stdout" | "stderr" | "truncated" | "durationMs"> => ({
    ...output.kept(),
    durationMs: Math.round(performance.now() - began),
  });
  const stop = stopOf(request, started.tree);
  const reaping = setInterval(() => {
    reapOrphans();
    if (started.isBroken()) stop.now("planted");
  }, REAP_EVERY_MS);
  const concluded = conclude(started, stop.asked, output.ended).finally(async () => {
    clearInterval(reaping);
    stop.forget();
    await output.close();
  });
  const isLeft = request.leave && !(await Promise.race([concluded, request.leave]));
  if (isLeft) {
    stop.forget();
    output.silence();
    const { confine = null } = request;
    const { runningJob } = await import("./job.ts");
    const job = { tail: output.tail, confine, concluded, end: () => stop.now("end") };
    return { ...goingOn, ...at(), moved: runningJob(started, job) };
  }
  const { stopped, ended, left } = await concluded;
  return {
    ...endOf(stopped, child),
    ...at(),
    timedOut: stopped === "timeout",
    isOutOfTime: stopped === null && request.cpuSeconds !== undefined && child.exitCode === OUT_OF_TIME,
    cancelled: stopped === "cancel",
    started: true,
    leftOver: stopped === null ? ended : [],
    unstopped: left,
    hidden: started.hidden,
  };
}

const neverStarted: ShellOutcome = {
  exitCode: null,
  signal: null,
  stdout: "",
  stderr: "",
  durationMs: 0,
  truncated: { stdout: false, stderr: false },
  timedOut: false,
  isOutOfTime: false,
  cancelled: true,
  started: false,
  leftOver: [],
  unstopped: [],
  planted: [],
  hidden: [],
  restored: [],
  unkept: [],
  unlooked: 0,
};

const goingOn = { ...neverStarted, cancelled: false, started: true };

/** A command that was ended because it never continued reports the signal that had stopped it. */
function endOf(stopped: Stop | null, { exitCode, signalCode }: GatedShell["child"]) {
  if (stopped === "timeout") return { exitCode: 124, signal: null };
  if (stopped === "paused") return { exitCode: null, signal: "SIGSTOP" };
  return { exitCode, signal: signalCode === null ? null : String(signalCode) };
}

function stopOf({ timeoutMs, signal }: ShellRequest, tree: Tree) {
  const { promise, resolve } = Promise.withResolvers<Stop>();
  const cancel = (): void => resolve("cancel");
  const stopLimit = limitCommand(timeoutMs, () => isPaused(tree), resolve);
  signal.addEventListener("abort", cancel, { once: true });
  if (signal.aborted) cancel();
  return {
    asked: promise,
    now: resolve,
    forget: () => {
      stopLimit();
      signal.removeEventListener("abort", cancel);
    },
  };
}

/** Reads both streams of a running command. `ended` rejects when `onOutput` throws. */
function readOutput(streams: GatedShell["streams"], { maxStreamBytes, onOutput, leave }: ShellRequest) {
  const tail = keepTail(KEEP_BYTES);
  let isShown = true;
  const open = (name: "stdout" | "stderr") => {
    const kept = keepBounded(maxStreamBytes);
    const reader = streams[name].getReader();
    const live = showLive(maxStreamBytes, (text) => {
      if (isShown) onOutput(name, text);
    });
    const take = (chunk: Uint8Array): void => {
      kept.add(chunk);
      if (leave) tail.add(chunk);
      if (isShown) live.show(chunk);
    };
    return { kept, reader, ended: pump(reader, take).finally(live.end) };
  };
  const stdout = open("stdout");
  const stderr = open("stderr");
  return {
    tail,
    /** What comes now is for the job alone. */
    silence: () => {
      isShown = false;
    },
    ended: Promise.all([stdout.ended, stderr.ended]),
    kept: () => {
      const [out, err] = [stdout.kept.text(), stderr.kept.text()];
      return { stdout: out.text, stderr: err.text, truncated: { stdout: out.isCut, stderr: err.isCut } };
    },
    /** Stops reading a stream that another process still holds open. */
    close: () => Promise.all([stdout.reader.cancel(), stderr.reader.cancel()]),
  };
}
