import { ok, type Result } from "../../contract/error.ts";
import type { JobOutcome, RunningJob } from "../../contract/job.ts";
import type { Confinement } from "../../contract/sandbox.ts";
import { type Phrase, say } from "../../contract/text/catalogue.ts";
import { plantedPhrase, sandboxBlamed } from "../sandbox/blame/blame.ts";
import { sandboxHint } from "../sandbox/blame/hint.ts";
import { type Late, limitCommand } from "./command-limit.ts";
import { conclude, pump } from "./conclude.ts";
import type { Ended } from "./kill.ts";
import { reapOrphans } from "./orphans.ts";
import { keptBy } from "./shell.ts";
import { type StartedShell, type StartRequest, startShell } from "./start.ts";
import { keepTail, type Tail } from "./tail.ts";
import { endTree, isPaused } from "./tree.ts";

export interface JobRequest extends StartRequest {
  readonly timeoutMs: number | null;
  /** How much of the most recent output to keep, both streams together. */
  readonly keepBytes: number;
  readonly signal: AbortSignal;
}

const REAP_EVERY_MS = 1000;

/** `null`: cancelled before the command began, so it had no effects. */
export async function startJob(request: JobRequest): Promise<Result<RunningJob | null>> {
  const started = await startShell(request, true);
  if (!started.ok) return started;
  if (!request.signal.aborted) return ok(follow(request, started.value));
  await endTree(started.value.tree);
  await keptBy(started.value);
  return ok(null);
}

function follow({ timeoutMs, keepBytes, confine = null }: JobRequest, started: StartedShell): RunningJob {
  const { streams } = started.shell;
  const tail = keepTail(keepBytes);
  const reading = Promise.all([streams.stdout, streams.stderr].map((stream) => pump(stream.getReader(), tail.add)));
  const stop = Promise.withResolvers<JobStop>();
  const stopLimit = timeoutMs === null ? () => {} : limitCommand(timeoutMs, () => isPaused(started.tree), stop.resolve);
  const reaping = setInterval(() => {
    reapOrphans();
    if (started.isBroken()) stop.resolve("planted");
  }, REAP_EVERY_MS);
  const concluded = conclude(started, stop.promise, reading).finally(() => {
    stopLimit();
    clearInterval(reaping);
  });
  return runningJob(started, { tail, confine, concluded, end: () => stop.resolve("end") });
}

type JobStop = Late | "end" | "planted";

export interface Followed {
  readonly tail: Tail;
  readonly confine: Confinement | null;
  readonly concluded: Promise<Ended & { readonly stopped: JobStop | "cancel" | null }>;
  readonly end: () => void;
}

/** A shell whose output goes into `tail` and whose end is awaited by somebody already. */
export function runningJob(started: StartedShell, { tail, confine, concluded, end }: Followed): RunningJob {
  const { child } = started.shell;
  let isOver = false;
  const watch = async (): Promise<JobOutcome> => {
    const { stopped, ended, left } = await concluded;
    if (stopped === null && ended.length > 0) addLine(tail, `(still running at the end, ended: ${ended.join(", ")})`);
    if (left.length > 0) addLine(tail, `(could not be ended: ${left.join(", ")})`);
    const kept = await keptBy(started);
    const plantedText = plantedPhrase(kept);
    if (plantedText !== null) addLine(tail, `(${say("en", plantedText)})`);
    const timedOut = stopped === "timeout";
    const cause = stopped === null && confine ? causeOf(child.exitCode, tail, confine) : null;
    if (cause !== null && plantedText === null) addLine(tail, `(${say("en", cause)})`);
    const signal = stopped === "paused" ? "SIGSTOP" : child.signalCode;
    return {
      exitCode: timedOut ? 124 : child.exitCode,
      signal: timedOut || signal === null ? null : String(signal),
      timedOut,
      stopped: stopped === "end",
      unstopped: left,
      ...kept,
    };
  };
  const over = watch().finally(async () => {
    isOver = true;
    await keptBy(started);
  });
  return {
    read: (from) => tail.since(from, isOver),
    total: tail.total,
    over,
    end: () => {
      end();
      return over;
    },
  };
}

function causeOf(exitCode: number | null, tail: Tail, confine: Confinement): Phrase | null {
  const { text } = tail.since(0, true);
  const ended = { exitCode, stdout: text, stderr: "", timedOut: false, cancelled: false, hidden: [] };
  return sandboxBlamed(ended, confine)?.text ?? sandboxHint(ended, confine);
}

function addLine(tail: Tail, line: string): void {
  const last = tail.since(Math.max(0, tail.total() - 1), true).text;
  tail.add(new TextEncoder().encode(`${last === "" || last === "\n" ? "" : "\n"}${line}\n`));
}
