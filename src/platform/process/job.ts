// A shell command that goes on while other things happen.
import { ok, type Result } from "../../contract/error.ts";
import { conclude } from "./conclude.ts";
import { reapOrphans } from "./orphans.ts";
import { type StartedShell, type StartRequest, startShell } from "./start.ts";
import { keepTail, type TailPiece } from "./tail.ts";

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

function follow({ timeoutMs, keepBytes }: JobRequest, started: StartedShell): RunningJob {
  const { child, streams } = started.shell;
  const tail = keepTail(keepBytes);
  const reading = Promise.all([pump(streams.stdout, tail.add), pump(streams.stderr, tail.add)]);
  const stop = Promise.withResolvers<"timeout" | "end">();
  const timer = timeoutMs === null ? undefined : setTimeout(() => stop.resolve("timeout"), timeoutMs);
  const reaping = setInterval(reapOrphans, REAP_EVERY_MS);
  let isOver = false;

  const watch = async (): Promise<JobOutcome> => {
    const { stopped, left } = await conclude(started, stop.promise, reading);
    const timedOut = stopped === "timeout";
    return {
      exitCode: timedOut ? 124 : child.exitCode,
      signal: timedOut || child.signalCode === null ? null : String(child.signalCode),
      timedOut,
      stopped: stopped === "end",
      unstopped: left,
    };
  };
  const over = watch().finally(() => {
    isOver = true;
    clearTimeout(timer);
    clearInterval(reaping);
    started.release();
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
