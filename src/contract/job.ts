import type { Result } from "./error.ts";
import type { CallId, TaskId } from "./ids.ts";
import { type Phrase, phrase } from "./text/catalogue.ts";
import type { CommandLimits } from "./tool.ts";

/**
 * How a job ended. `exited`: by itself. `killed`: on request. `cancelled`: with its task. `closed`: with its session. `lost`: coder died
 * and the rest of the job was killed later. `left`: it stays with the session that this one was forked from.
 */
export type JobFate = "exited" | "timeout" | "killed" | "cancelled" | "closed" | "lost" | "left";

export interface JobEnd {
  readonly fate: JobFate;
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly tail: string;
}

export interface Job {
  readonly id: string;
  readonly taskId: TaskId;
  readonly callId: CallId;
  readonly command: string;
  readonly pid: number;
  readonly startTime: string;
  /** Cancelling its task does not stop it. */
  readonly by?: "person";
  readonly end: JobEnd | null;
}

export interface JobView {
  readonly job: Job;
  readonly output: string;
  readonly missing: number;
}

/** A command in the foreground that the user may move to the background. */
interface Movable {
  readonly asked: Promise<void>;
  /** It has ended, or was moved. */
  readonly over: () => void;
}

/** What is left of starting a job when the command runs already. */
export interface MovedCommand {
  readonly command: string;
  readonly isTerminal: boolean;
  readonly running: RunningJob;
}

export interface JobOutcome {
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly timedOut: boolean;
  /** Whether `end` was called before it exited by itself. */
  readonly stopped: boolean;
  readonly unstopped: readonly string[];
  /** Protected files that it created and that were set aside, that were restored, and that could not be. */
  readonly planted: readonly string[];
  readonly restored: readonly string[];
  readonly unkept: readonly string[];
  readonly unlooked: number;
}

/** A command whose latest output is kept. */
export interface RunningJob {
  readonly read: (from: number) => { readonly text: string; readonly missing: number; readonly next: number };
  readonly total: () => number;
  /** Resolves when every process that it started is gone or reported. Never rejects. */
  readonly over: Promise<JobOutcome>;
  readonly end: () => Promise<JobOutcome>;
}

export interface JobPort {
  readonly movable: () => Movable;
  /** Resolves to the job's id once it is durable. */
  readonly adopt: (moved: MovedCommand) => Promise<string>;
  /** Resolves to the job's id once its pid is durable. A cancel before that prevents the start. */
  readonly start: (
    request: CommandLimits & {
      readonly command: string;
      readonly timeoutMs: number | null;
      readonly isTerminal: boolean;
      readonly signal: AbortSignal;
    },
  ) => Promise<Result<string>>;
  readonly output: (id: string, waitMs: number, signal: AbortSignal) => Promise<Result<JobView>>;
  readonly kill: (id: string) => Promise<Result<JobView>>;
  readonly list: () => readonly Job[];
}

/** The job's status in one line, for the user or the model. */
export function jobState({ id, command, end }: Pick<Job, "id" | "command" | "end">): Phrase {
  const first = command.split("\n")[0] ?? "";
  const args = { id, command: first.length > 200 ? `${first.slice(0, 200)}…` : first };
  if (end === null) return phrase("job.running", args);
  if (end.fate !== "exited") return phrase(`job.ended.${end.fate}`, args);
  if (end.signal !== null) return phrase("job.ended.signal", { ...args, signal: end.signal });
  return phrase("job.ended.exited", { ...args, code: end.exitCode ?? "?" });
}
