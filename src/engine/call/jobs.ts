import { fail, ok, type Result } from "../../contract/error.ts";
import type { EventBody } from "../../contract/event.ts";
import type { Job, JobFate, JobOutcome, JobPort, JobView, MovedCommand, RunningJob } from "../../contract/job.ts";
import type { Call } from "../../contract/message.ts";
import { phrase } from "../../contract/text/catalogue.ts";
import { callIn, currentTask, type SessionState } from "../../machine/state.ts";
import { KEEP_BYTES } from "../../platform/process/tail.ts";
import { sleep } from "../loop/sleep.ts";
import { newText, shownText } from "./job-text.ts";

/** More jobs only slow the machine down, and models lose track of them. */
const MAX_RUNNING = 8;
const TAIL_CHARS = 2_000;

export interface JobsDeps {
  readonly workspace: string;
  readonly state: () => SessionState;
  readonly pushStored: (...bodies: readonly EventBody[]) => Promise<void>;
  readonly markerOf: (callId: Call["id"]) => string;
  readonly endSurvivor: (survivor: {
    pid: number;
    startTime: string;
    marker: string;
  }) => Promise<{ ended: readonly string[]; left: readonly string[] }>;
}

interface Running {
  readonly running: RunningJob;
  readonly isTerminal: boolean;
  read: number;
  fate: JobFate;
  /** Resolves once the end of the job is in the log. */
  readonly logged: Promise<void>;
}

const nothing = { exitCode: null, signal: null, tail: "" } as const;
const neverStarted = fail("E_CANCELLED", phrase("run.never_started"), { sideEffect: "none" });

export class Jobs {
  private readonly deps: JobsDeps;
  private readonly byId = new Map<string, Running>();
  private readonly lost = new Map<string, Promise<void>>();
  private numbered = 0;
  private starting = 0;
  private unstopped: string[] = [];
  /** Commands in the foreground, by call, with what moves them to the background. */
  private readonly movable = new Map<Call["id"], () => void>();

  constructor(deps: JobsDeps) {
    this.deps = deps;
  }

  portFor(call: Call): JobPort {
    return {
      movable: () => {
        const { promise, resolve } = Promise.withResolvers<void>();
        this.movable.set(call.id, resolve);
        return { asked: promise, over: () => void this.movable.delete(call.id) };
      },
      adopt: (moved) => this.adopt(call, moved),
      start: (request) => this.start(call, request),
      output: (id, waitMs, signal) => this.output(id, waitMs, signal),
      kill: (id) => this.kill(id),
      list: () => this.deps.state().jobs,
    };
  }

  async kill(id: string): Promise<Result<JobView>> {
    const found = await this.findOwn(id);
    if (!found.ok) return found;
    await this.end([id], "killed");
    return this.look(id);
  }

  get canMove(): boolean {
    return this.movable.size > 0;
  }

  /** The newest command in the foreground goes on as a job. It may just have ended; then nothing happens. */
  moveToBackground(): Result<void> {
    const [id, move] = [...this.movable].at(-1) ?? [];
    if (id === undefined || !move) return fail("E_INVALID_ARGS", phrase("job.nothing_to_move"));
    const tooMany = this.tooMany();
    if (tooMany) return tooMany;
    this.movable.delete(id);
    move();
    return ok(undefined);
  }

  /** What it wrote so far, as far as it is kept; `null` = unknown, or of an earlier process. */
  shown(id: string): { readonly text: string; readonly missing: number } | null {
    const one = this.byId.get(id);
    if (!one) return null;
    const { text, missing } = one.running.read(0);
    return { text: shownText(text, one.isTerminal), missing };
  }

  total(id: string): number {
    return this.byId.get(id)?.running.total() ?? 0;
  }

  /** CAN-1: cancelling a task stops the jobs that it started, not those of earlier tasks or of the user. */
  async endOf(taskId: string): Promise<readonly string[]> {
    await this.end(
      this.running((job) => job.taskId === taskId && job.by !== "person"),
      "cancelled",
    );
    return this.takeUnstopped();
  }

  /** CAN-4: no job outlives its session. */
  async endAll(): Promise<void> {
    // Lost jobs are still being stopped: their end must be logged before the log closes.
    await Promise.allSettled(this.lost.values());
    await this.end([...this.byId.keys()], "closed");
  }

  /** PS-4: stops a job whose coder process was killed. Concurrent callers share one attempt. */
  endLost(id: string): Promise<void> {
    const known = this.lost.get(id) ?? this.endSurvivor(id);
    this.lost.set(id, known);
    return known;
  }

  private async endSurvivor(id: string): Promise<void> {
    const found = this.find(id);
    if (!found.ok || found.value.end !== null) return;
    const { pid, startTime, callId } = found.value;
    const { left } = await this.deps.endSurvivor({ pid, startTime, marker: this.deps.markerOf(callId) });
    await this.deps.pushStored({ type: "job.ended", jobId: id, fate: "lost", ...nothing }, ...noticeOf(left));
  }

  private takeUnstopped(): readonly string[] {
    const left = this.unstopped;
    this.unstopped = [];
    return left;
  }

  private running(which: (job: Job) => boolean): readonly string[] {
    const { jobs } = this.deps.state();
    return jobs.filter((job) => job.end === null && this.byId.has(job.id) && which(job)).map(({ id }) => id);
  }

  private async start(call: Call, request: Parameters<JobPort["start"]>[0]): Promise<Result<string>> {
    const { startJob } = await import("../../platform/process/job.ts");
    const { signal, isTerminal } = request;
    if (signal.aborted) return neverStarted;
    const tooMany = this.tooMany();
    if (tooMany) return tooMany;
    const of = ownerOf(this.deps.state());
    let id = "";
    this.starting += 1;
    try {
      const started = await startJob({
        ...request,
        cwd: this.deps.workspace,
        keepBytes: KEEP_BYTES,
        marker: this.deps.markerOf(call.id),
        // Both in one commit: after a crash the log has the process of the call and the job to stop.
        onSpawn: (pid, startTime) => {
          // Numbered only now: a number that is in no event would be used again after a resume.
          id = this.nextId();
          const at = { callId: call.id, pid, startTime };
          const runId = call.id.slice(0, call.id.indexOf("/"));
          return this.deps.pushStored(
            { type: "process.spawned", runId, ...at },
            { type: "job.started", jobId: id, ...of, command: request.command, ...at },
          );
        },
      });
      if (!started.ok) return started;
      if (started.value) {
        this.follow(id, { running: started.value, isTerminal });
        return ok(id);
      }
      await this.deps.pushStored({ type: "job.ended", jobId: id, fate: "cancelled", ...nothing });
      return neverStarted;
    } finally {
      this.starting -= 1;
    }
  }

  /** The user has read what it wrote so far with the result of its call. */
  private async adopt(call: Call, { command, isTerminal, running }: MovedCommand): Promise<string> {
    const state = this.deps.state();
    const spawned = callIn(state, call.id)?.spawned ?? { pid: 0, startTime: "" };
    const id = this.nextId();
    const { taskId } = ownerOf(state);
    const job = { jobId: id, taskId, callId: call.id, command, ...spawned, by: "person" } as const;
    try {
      await this.deps.pushStored({ type: "job.started", ...job });
    } catch (error) {
      await running.end();
      throw error;
    }
    this.follow(id, { running, isTerminal, read: running.total() });
    return id;
  }

  private tooMany(): Result<never> | null {
    const going = this.running(() => true);
    if (going.length + this.starting < MAX_RUNNING) return null;
    const args = { n: MAX_RUNNING, jobs: going.join(", ") };
    return fail("E_INVALID_ARGS", phrase("job.too_many", args), { advice: phrase("job.too_many.advice") });
  }

  private nextId(): string {
    this.numbered = Math.max(this.numbered, this.deps.state().jobsStarted) + 1;
    return `j${this.numbered}`;
  }

  private follow(id: string, begun: Pick<Running, "running" | "isTerminal"> & { readonly read?: number }): void {
    const logged = begun.running.over.then((outcome) => this.logEnd(id, outcome));
    const one: Running = { read: 0, ...begun, fate: "exited", logged };
    this.byId.set(id, one);
    // A store failure has been reported by the loop, and the session is over.
    logged.catch(() => {});
  }

  private async logEnd(id: string, outcome: JobOutcome): Promise<void> {
    const one = this.byId.get(id);
    const { exitCode, signal, timedOut, stopped, unstopped } = outcome;
    const fate = timedOut ? "timeout" : stopped ? (one?.fate ?? "killed") : "exited";
    const tail = one ? shownText(one.running.read(0).text, one.isTerminal).slice(-TAIL_CHARS).toWellFormed() : "";
    // For a cancelled task, `run.stopped` reports the processes that are left.
    if (fate === "cancelled") this.unstopped.push(...unstopped);
    const left = [...(fate === "cancelled" ? [] : noticeOf(unstopped)), ...(await plantedNotice(id, outcome))];
    await this.deps.pushStored({ type: "job.ended", jobId: id, fate, exitCode, signal, tail }, ...left);
    // The output stays readable as long as the state knows the job.
    for (const known of this.byId.keys()) if (!this.find(known).ok) this.byId.delete(known);
  }

  private async end(ids: readonly string[], fate: JobFate): Promise<void> {
    const all = ids.flatMap((id) => this.byId.get(id) ?? []);
    for (const one of all) {
      one.fate = fate;
      void one.running.end();
    }
    await Promise.allSettled(all.map((one) => one.logged));
  }

  private async output(id: string, waitMs: number, signal: AbortSignal): Promise<Result<JobView>> {
    const found = await this.findOwn(id);
    if (!found.ok) return found;
    const one = this.byId.get(id);
    if (one && found.value.end === null && waitMs > 0) {
      const over = new AbortController();
      const late = sleep(waitMs, AbortSignal.any([signal, over.signal]));
      await Promise.race([one.logged, late]).finally(() => over.abort());
      if (signal.aborted) return fail("E_CANCELLED", phrase("run.cancelled_call"));
    }
    return this.look(id);
  }

  private look(id: string): Result<JobView> {
    const found = this.find(id);
    if (!found.ok) return found;
    const one = this.byId.get(id);
    // For a job of an earlier process only the logged tail is left.
    if (!one) return ok({ job: found.value, output: found.value.end?.tail ?? "", missing: 0 });
    const { text, missing, next } = one.running.read(one.read);
    const raw = one.running.read(0).text;
    one.read = next;
    const output = newText(raw.slice(0, raw.length - text.length), raw, one.isTerminal);
    return ok({ job: found.value, output, missing });
  }

  /** A running job that is not ours lost its coder process, so it is stopped first. */
  private async findOwn(id: string): Promise<Result<Job>> {
    const found = this.find(id);
    if (!found.ok || found.value.end !== null || this.byId.has(id)) return found;
    await this.endLost(id);
    return this.find(id);
  }

  private find(id: string): Result<Job> {
    const { jobs } = this.deps.state();
    const job = jobs.find((one) => one.id === id);
    if (job) return ok(job);
    const known = jobs.map((one) => one.id).join(", ") || "–";
    return fail("E_INVALID_ARGS", id === "" ? phrase("job.no_id", { known }) : phrase("job.unknown", { id, known }));
  }
}

/** A command that the user typed is the user's own, whatever becomes of later tasks. */
function ownerOf(state: SessionState): Pick<Job, "taskId" | "by"> {
  const task = currentTask(state);
  return { taskId: task?.id ?? "", ...(task && task.input.kind !== "task" ? { by: "person" as const } : {}) };
}

/** A notice, because a job may end long after anybody reads its output. */
async function plantedNotice(id: string, outcome: JobOutcome): Promise<readonly EventBody[]> {
  const { plantedPhrase } = await import("../../platform/sandbox/blame/blame.ts");
  const what = plantedPhrase(outcome);
  return what ? [{ type: "notice.given", text: phrase("sandbox.planted.notice", { command: id, what }) }] : [];
}

/** CAN-4: names the processes that could not be stopped. */
function noticeOf(left: readonly string[]): readonly EventBody[] {
  if (left.length === 0) return [];
  return [{ type: "notice.given", text: phrase("cancel.left", { processes: left.join(", ") }) }];
}
