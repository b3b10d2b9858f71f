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
  readonly end: JobEnd | null;
}

export interface JobView {
  readonly job: Job;
  readonly output: string;
  readonly missing: number;
}

export interface JobPort {
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
