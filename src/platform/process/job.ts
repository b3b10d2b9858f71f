// A shell command that goes on while other things happen.
import { ok, type Result } from "../../contract/error.ts";
import type { Ended } from "./kill.ts";
import { reapOrphans } from "./orphans.ts";
import { EXIT_GRACE_MS, STREAM_GRACE_MS, waitAtMost } from "./shell.ts";
import { type StartedShell, type StartRequest, startShell } from "./start.ts";
import { keepTail, type TailPiece } from "./tail.ts";
import { endTree } from "./tree.ts";

export interface JobRequest extends StartRequest {
  /** `null`: no limit. */
  readonly timeoutMs: number | null;
  /** Both streams as they came, the newest so many bytes. */
  readonly keepBytes: number;
}

export interface JobOutcome {
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly timedOut: boolean;
  /** Whether `end` was called before it ended by itself. */
  readonly stopped: boolean;
  readonly unstopped: readonly string[];
}

export interface RunningJob {
  readonly read: (from: number) => TailPiece;
  readonly total: () => number;
  /** Everything it started is gone, or named. Never rejects. */
  readonly over: Promise<JobOutcome>;
  /** Ends it and waits for that. */
  readonly end: () => Promise<JobOutcome>;
}

const REAP_EVERY_MS = 1000;

export async function startJob(request: JobRequest): Promise<Result<RunningJob>> {
  const started = await startShell(request);
  return started.ok ? ok(follow(request, started.value)) : started;
}

function follow({ timeoutMs, keepBytes }: JobRequest, { shell, tree, release }: StartedShell): RunningJob {
  const tail = keepTail(keepBytes);
  const reading = Promise.all([pump(shell.streams.stdout, tail.add), pump(shell.streams.stderr, tail.add)]);
  const stop = Promise.withResolvers<"timeout" | "end">();
  const timer = timeoutMs === null ? undefined : setTimeout(() => stop.resolve("timeout"), timeoutMs);
  const reaping = setInterval(reapOrphans, REAP_EVERY_MS);
  let isOver = false;

  const watch = async (): Promise<JobOutcome> => {
    await shell.open();
    const exited = shell.child.exited.then(() => null);
    const why = await Promise.race([exited, stop.promise]);
    if (why === null) await waitAtMost(STREAM_GRACE_MS, reading);
    const { left }: Ended = await endTree(tree, why === null ? EXIT_GRACE_MS : 0);
    await waitAtMost(left.length > 0 ? 0 : 1000, Promise.all([reading, exited]));
    const { exitCode, signalCode } = shell.child;
    return {
      exitCode: why === "timeout" ? 124 : exitCode,
      signal: why === "timeout" || signalCode === null ? null : String(signalCode),
      timedOut: why === "timeout",
      stopped: why === "end",
      unstopped: left,
    };
  };
  const over = watch().finally(() => {
    isOver = true;
    clearTimeout(timer);
    clearInterval(reaping);
    release();
  });
  return {
    read: (from) => tail.since(from, isOver),
    total: tail.total,
    over,
    end: () => {
      stop.resolve("end");
      return over;
    },
  };
}

async function pump(stream: ReadableStream<Uint8Array>, add: (chunk: Uint8Array) => void): Promise<void> {
  for await (const chunk of stream) add(chunk);
}
