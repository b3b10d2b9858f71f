import type { Effect } from "../../contract/effect.ts";
import { CoderError, type ErrorInfo, ok, type Result } from "../../contract/error.ts";
import type { Compaction, EventBody, Recorded } from "../../contract/event.ts";
import type { CallId, TaskId } from "../../contract/ids.ts";
import type { JobFate } from "../../contract/job.ts";
import type { Call } from "../../contract/message.ts";
import type { ModelChoice } from "../../contract/settings.ts";
import type { SessionLog } from "../../contract/store.ts";
import { phrase } from "../../contract/text/catalogue.ts";
import type { AnyTool } from "../../contract/tool.ts";
import type { History } from "../../machine/history/history.ts";
import { callIn, coreOf, currentTask, isAsking, openQuestions, type SessionState } from "../../machine/state.ts";
import { collectAfter } from "../../platform/collect.ts";
import { Watch } from "../call/command-changes.ts";
import { Jobs, type JobsDeps } from "../call/jobs.ts";
import { Pipeline } from "../call/pipeline.ts";
import { isReadOnly, markerOf } from "../call/tool-context.ts";
import type { Toolbox } from "../call/toolbox.ts";
import type { CheckDeps } from "../check/standing.ts";
import { answerNow, carryOut, outlivesRun } from "../effect/effects.ts";
import type { EffectPorts } from "../effect/row.ts";
import type { Judge } from "../judge/judge.ts";
import { crashEvents, isOurFault } from "../loop/crash.ts";
import { Outputs } from "../loop/live-output.ts";
import { type EffectAnswer, Loop } from "../loop/loop.ts";
import { Scope } from "../loop/task-scope.ts";
import { TaskTimer } from "../loop/task-timer.ts";
import { tellContext } from "../model/model-call.ts";
import type { PreviewForm, ProposedFile, Published } from "../port.ts";
import { isChanged, netChanges } from "../task/net-changes.ts";
import { UndoRoom } from "../undo/undo-room.ts";
import { pastOf } from "../undo/undo-scope.ts";
import { leaveOpenTask } from "./fork.ts";
import { Overview } from "./overview.ts";
import { halfRewound } from "./rewind.ts";
import { rulesEvents } from "./rule-events.ts";
import { SessionModel } from "./session-model.ts";
import type { SessionDeps } from "./sessions.ts";
import { renderSnapshot, Snapshots } from "./snapshot.ts";
import type { WorkspaceIndex } from "./workspace-index.ts";

export interface LiveDeps extends Omit<SessionDeps, "index">, Toolbox, CheckDeps {
  readonly log: SessionLog;
  readonly judge: Judge;
  readonly model: () => ModelChoice | null;
  readonly takeModel: (choice: ModelChoice) => void;
  readonly publish: (published: Published) => void;
  /** The user can be asked to show these hidden files to commands, and was not asked before. */
  readonly mayShow: (files: readonly string[]) => boolean;
  /** `null`: disabled. */
  readonly index: WorkspaceIndex | null;
}

/** One open session: its loop, its pipeline, and everything they started. */
export class LiveSession {
  readonly loop: Loop;
  private readonly deps: LiveDeps;
  private readonly pipeline: Pipeline;
  private readonly watch: Watch;
  private readonly undoRoom: UndoRoom;
  readonly jobs: Jobs;
  private readonly snapshots: Snapshots;
  private readonly outputs: Outputs;
  private readonly ports: EffectPorts;
  private scope = new Scope("");
  private readonly timer: TaskTimer;
  readonly models: SessionModel;
  /** Stops the questions beside the task. */
  readonly asides = new AbortController();
  private readonly overview: Overview | null;

  constructor(deps: LiveDeps) {
    this.deps = deps;
    this.overview = deps.index && new Overview(deps.index, () => this.loop);
    this.models = new SessionModel({ ...deps, publish: (published) => this.publish(published) }, () => this.loop);
    this.loop = new Loop(deps.log, {
      now: Date.now,
      answerNow: (effect, state, history) =>
        this.guarded(effect, state, () => answerNow(this.ports, effect, { state, history })),
      perform: (effect) => this.perform(effect),
      publish: (published) => {
        try {
          this.publish(published);
        } catch (error) {
          // A failing observer (snapshot, timer, meter) must not stop the loop.
          this.trace(error);
        }
      },
      onDead: () => this.scope.abort(),
      trace: this.trace,
    });
    this.timer = new TaskTimer(
      deps.settings.maxTimeMs,
      () => waitsForUser(this.loop.state) || this.models.fallback.open !== null,
      (taskId) => this.loop.push({ type: "task.timed_out", taskId }),
    );
    this.jobs = new Jobs({
      workspace: deps.settings.workspace,
      state: () => this.loop.state,
      pushStored: (...bodies) => this.loop.pushStored(...bodies),
      markerOf: (callId) => markerOf(this.loop.state.id, callId),
      endSurvivor: survivorEnder(deps.judge.confiner.ownFolder),
    });
    this.outputs = new Outputs((callId, stream, text) => deps.publish({ kind: "output", callId, stream, text }));
    this.undoRoom = new UndoRoom((hashes) => deps.log.forget(hashes));
    this.watch = new Watch(deps.settings, [deps.judge.confiner.ownFolder], () => deps.index?.hold() ?? (() => {}));
    this.pipeline = this.makePipeline();
    this.snapshots = new Snapshots(
      (text) => deps.writeSnapshot(deps.log.id, text),
      () => renderSnapshot(this.loop.state, this.loop.history, this.loop.nextSeq),
      (text) => this.loop.push({ type: "notice.given", text }),
    );
    this.ports = this.makePorts();
  }

  get tools(): ReadonlyMap<string, AnyTool> {
    return this.deps.tools;
  }

  recorded(): readonly Recorded[] {
    return [...this.deps.log.read()];
  }

  modelChanged(): void {
    this.models.patience.renew();
    this.models.patience.endWait();
  }

  async compact(focus: string, signal: AbortSignal): Promise<Result<Compaction | null>> {
    const { compactSession } = await import("../model/compact-session.ts");
    return compactSession(this.loop, this.models, focus, signal);
  }

  agreed(call: Call): string | undefined {
    return this.pipeline.asked.shown(call);
  }

  async preview(callId: CallId, form: PreviewForm): Promise<string | null> {
    const open = callIn(this.loop.state, callId);
    if (open?.status !== "asking") return null;
    const { lang } = this.deps.settings;
    return this.shown(async ({ previewText }) => {
      const plan = await this.pipeline.preview(open.call);
      return plan && previewText(plan, lang, form);
    });
  }

  async proposed(callId: CallId): Promise<ProposedFile | null> {
    const open = callIn(this.loop.state, callId);
    if (open?.status !== "asking") return null;
    const plan = await this.pipeline.preview(open.call);
    return plan && (await import("../diff/proposed.ts")).proposedFile(plan);
  }

  async changesOf(id: CallId | TaskId): Promise<string | null> {
    const { deeds, tasks } = this.loop.history;
    const task = tasks.findLast(({ taskId }) => taskId === id);
    const deed = task ? { changes: netChanges(task.changes).filter(isChanged) } : deeds.get(id);
    if (!deed) return null;
    const { settings, log } = this.deps;
    return this.shown(({ changesText }) => changesText(deed, (hash) => log.blob(hash), settings.lang));
  }

  /** A view that fails shows nothing and must not stop anything else. */
  private async shown(make: (view: typeof import("../diff/diff-view.ts")) => Promise<string | null>) {
    try {
      return await make(await import("../diff/diff-view.ts"));
    } catch (error) {
      this.trace(error);
      return null;
    }
  }

  /** After a fold: performs the effects that the log holds no answers for. */
  restart(orders: readonly Effect[], foundSeq: number): void {
    // Ending a lost job writes no snapshot, so it counts as idle.
    const isIdle = orders.every(({ type }) => type === "end_job");
    this.snapshots.isOld = isIdle && this.deps.snapshotSeq(this.deps.log.id) !== foundSeq;
    const task = currentTask(this.loop.state);
    // A task that continues after a crash gets its whole time budget again: the log does not say how much was used.
    if (task) this.timer.start(task.id);
    this.loop.perform(orders);
  }

  /** PS-6: continues a stopped task under current limits and rules. Durable when it resolves. */
  async goOn(): Promise<Result<void>> {
    const { goOnWith } = await import("./go-on.ts");
    const { settings, isInteractive } = this.deps;
    const bodies = goOnWith(this.loop.state, settings, isInteractive());
    if (!bodies.ok) return bodies;
    // The continued run needs a new scope: its old one was aborted.
    this.scope = new Scope("");
    await this.loop.pushStored(...this.ports.rules(this.loop.state, this.loop.history), bodies.value);
    return ok(undefined);
  }

  /** Once everything that was left open is done: the files may have been rewound without the conversation. */
  async tellRewound(): Promise<void> {
    await this.loop.idle();
    const text = this.loop.failure ? null : halfRewound(this.loop);
    if (text) this.loop.push({ type: "notice.given", text });
  }

  leaveOpenTask(fate: JobFate): ReturnType<typeof leaveOpenTask> {
    return leaveOpenTask(this.loop.state, (call, status, error) => this.pipeline.settleNow(call, status, error), fate);
  }

  async stop(): Promise<void> {
    if (this.loop.failure) {
      this.scope.abort();
      await this.scope.settled();
    } else if (this.loop.state.task.phase !== "IDLE") {
      this.loop.push({ type: "cancel.requested", source: "client" });
      await this.loop.idle();
    }
    await this.jobs.endAll();
    this.timer.stop();
  }

  close(): void {
    this.timer.stop();
    this.watch.close();
    this.deps.judge.confiner.endTask(this.loop.state.id);
    // A kill may have come between the last task and its snapshot. Best effort: nobody is left to tell.
    if (this.snapshots.isOld && !this.loop.failure) this.snapshots.flush();
    try {
      this.deps.log.close();
    } catch (error) {
      // A full disk can prevent deleting the lease row; the lease expires with this process.
      if (!(error instanceof CoderError && error.info.code === "E_STORE")) throw error;
    }
  }

  private makePorts(): EffectPorts {
    const { settings, tools, judge, isInteractive, isRefusedCheck, mayShow, hints, rules, newTraceId } = this.deps;
    const { loop, models, pipeline, jobs, overview } = this;
    return {
      ...{ settings, tools, judge, isInteractive, isRefusedCheck, mayShow, hints },
      ...{ loop, models, pipeline, jobs, overview },
      rules: (state, history) => rulesEvents(rules(), models.callDeps().window, history, state.id),
      lookAhead: () => this.lookAhead(),
      stopRun: (runId) => this.stopRun(runId),
      traceId: newTraceId,
    };
  }

  private makePipeline(): Pipeline {
    const { settings, tools, isInteractive, isRefusedCheck, judge, log, spill } = this.deps;
    const { jobs, watch, loop } = this;
    const { ownFolder } = judge.confiner;
    const state = () => loop.state;
    return new Pipeline({
      ...{ settings, tools, isInteractive, isRefusedCheck, judge, jobs, watch, state, history: loop.history },
      push: (body, blobs) => loop.push(body, blobs),
      pushStored: (body) => loop.pushStored(body),
      onOutput: (callId, stream, text) => this.outputs.show(callId, stream, text),
      spill: (call) => (text) => spill(log.id, call, text),
      past: pastOf(loop.history, state, (hash) => log.blob(hash), [ownFolder]),
      endSurvivor: survivorEnder(ownFolder),
    });
  }

  private publish(published: Published): void {
    const settled = published.kind === "event" && published.recorded.event;
    if (settled && settled.type === "tool.settled") {
      this.outputs.end(settled.callId);
      if (settled.result.changes?.length) this.deps.index?.filesChanged();
      void collectAfter(settled.result.changes?.length ?? 0);
    }
    this.deps.publish(published);
    if (published.kind === "fallback") this.timer.look();
    if (published.kind !== "event" || !published.recorded.accepted) return;
    const { event } = published.recorded;
    if (event.type === "task.started" || event.type === "task.continued") this.timer.start(event.taskId);
    else this.timer.look();
    if (event.type === "model.replied" && event.reply.finish === "length" && event.reply.calls.length === 0) {
      this.loop.push({ type: "notice.given", text: phrase("run.cut_reply") });
    }
    if (event.type === "context.compacted") giveBack(this.loop.history.of(event.runId ?? ""));
    if (event.type === "task.summarized") tellContext(this.models.callDeps());
    if (event.type === "task.ended") {
      this.timer.stop();
      this.deps.judge.confiner.endTask(this.loop.state.id);
      this.undoRoom.tidy(this.loop.history);
    }
    this.snapshots.follow(event.type);
  }

  private perform(effect: Effect): void {
    // Effects that end a run must not open a new scope.
    const scope = outlivesRun(effect) ? null : this.scopeOf(rootRun(this.loop.state) ?? this.scope.runId);
    const work = carryOut(this.ports, effect, scope?.signal ?? neverAborted).catch((error: unknown) => {
      for (const body of this.afterCrash(effect, this.loop.state, error)) this.loop.push(body);
    });
    scope?.track(work);
  }

  private lookAhead(): void {
    const { state } = this.loop;
    if (state.mode === "plan" || isReadOnly(state)) return;
    this.watch.lookAhead();
    this.deps.judge.confiner.lookAhead(state);
  }

  /** CAN-1: stops the whole scope, then reports that it is gone. */
  private async stopRun(runId: string): Promise<void> {
    const scope = this.scopeOf(runId);
    scope.abort();
    await scope.settled();
    const task = currentTask(this.loop.state);
    const left = task ? await this.jobs.endOf(task.id) : [];
    this.loop.push({ type: "run.stopped", runId, unstopped: [...this.pipeline.takeUnstopped(), ...left] });
  }

  private scopeOf(runId: string): Scope {
    if (this.scope.runId !== runId) this.scope = new Scope(runId);
    return this.scope;
  }

  private guarded(effect: Effect, state: SessionState, answer: () => EffectAnswer | null): EffectAnswer | null {
    try {
      return answer();
    } catch (error) {
      return { bodies: this.afterCrash(effect, state, error), blobs: [] };
    }
  }

  private readonly trace = (error: unknown): string => {
    const traceId = this.deps.newTraceId();
    this.deps.logInternal(traceId, error);
    return traceId;
  };

  private afterCrash(effect: Effect, state: SessionState, error: unknown): readonly EventBody[] {
    const traceId = isOurFault(error) ? this.trace(error) : "";
    const call = "callId" in effect ? callIn(state, effect.callId)?.call : undefined;
    const settle = call ? (info: ErrorInfo) => this.pipeline.settleNow(call, "failed", info) : null;
    return crashEvents({ effect, error, traceId, settle });
  }
}

const neverAborted = new AbortController().signal;

/** A task and its sub-agents share one scope. */
function rootRun({ run }: SessionState): string | undefined {
  return coreOf(run)?.id;
}

/** Releasing less than this is not worth the 30 ms of a collection. */
const WORTH_COLLECTING = 8_000_000;
/** Released characters per history at the last collection. */
const collected = new WeakMap<History, number>();

/** Released entries are in the old generation, which the runtime collects only after memory has doubled. */
function giveBack(history: History): void {
  if (history.released - (collected.get(history) ?? 0) < WORTH_COLLECTING) return;
  collected.set(history, history.released);
  Bun.gc(false);
}

function waitsForUser(state: SessionState): boolean {
  const { task } = state;
  return isAsking(state) || openQuestions(task).length > 0 || task.phase === "AWAITING_CONFIRMATION";
}

/** Also cleans up the mount points that its sandbox left in the workspace. */
function survivorEnder(ownFolder: string): JobsDeps["endSurvivor"] {
  return async (survivor) => {
    const ended = await (await import("../../platform/process/survivor.ts")).endSurvivor(survivor);
    (await import("../../platform/sandbox/home/private-folder.ts")).giveBackOfKilled(ownFolder);
    return ended;
  };
}
