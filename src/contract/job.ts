import type { Result } from "./error.ts";
import type { CallId, TaskId } from "./ids.ts";
import { type Phrase, phrase } from "./text/catalogue.ts";
import type { CommandLimits } from "./tool.ts";

/**
 * How a job came to its end. `exited`: by itself. `killed`: on demand. `cancelled`: with the task that started it. `closed`:
 * with the session that it belongs to. `lost`: its coder died; what was left of it was ended. `left`: it stays with the
 * session that this one is a copy of.
 */
export type JobFate = "exited" | "timeout" | "killed" | "cancelled" | "closed" | "lost" | "left";

export interface JobEnd {
  readonly fate: JobFate;
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** The end of its output, redacted. */
  readonly tail: string;
}

/** A command in the background, as the log tells of it. */
export interface Job {
  readonly id: string;
  readonly taskId: TaskId;
  readonly callId: CallId;
  readonly command: string;
  readonly pid: number;
  readonly startTime: string;
  readonly end: JobEnd | null;
}

/** A job and what it has written since it was last looked at. */
export interface JobView {
  readonly job: Job;
  readonly output: string;
  /** Bytes of that output which are no longer kept. */
  readonly missing: number;
}

/** What tools see of the session's jobs. */
export interface JobPort {
  /** The job's id, once its pid is on disk. A cancel before that means that nothing of it happens. */
  readonly start: (
    request: CommandLimits & {
      readonly command: string;
      readonly timeoutMs: number | null;
      readonly isTerminal: boolean;
      readonly signal: AbortSignal;
    },
  ) => Promise<Result<string>>;
  /** Waits at most so long for its end, then tells what is new. */
  readonly output: (id: string, waitMs: number, signal: AbortSignal) => Promise<Result<JobView>>;
  readonly kill: (id: string) => Promise<Result<JobView>>;
  readonly list: () => readonly Job[];
}

/** How a job is doing, in one line for a person or the model. */
export function jobState({ id, command, end }: Pick<Job, "id" | "command" | "end">): Phrase {
  const first = command.split("\n")[0] ?? "";
  const args = { id, command: first.length > 200 ? `${first.slice(0, 200)}…` : first };
  if (end === null) return phrase("job.running", args);
  if (end.fate !== "exited") return phrase(`job.ended.${end.fate}`, args);
  if (end.signal !== null) return phrase("job.ended.signal", { ...args, signal: end.signal });
  return phrase("job.ended.exited", { ...args, code: end.exitCode ?? "?" });
}
