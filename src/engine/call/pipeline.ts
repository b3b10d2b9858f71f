import { CoderError, type ErrorInfo, type Result } from "../../contract/error.ts";
import type { EventBody } from "../../contract/event.ts";
import type { Call, CallResult, FileChange } from "../../contract/message.ts";
import { type Phrase, phrase } from "../../contract/text/catalogue.ts";
import type { AnyTool, ChangePlan, ToolContext, ToolOutput, WitnessPort } from "../../contract/tool.ts";
import type { Unkept } from "../../contract/undo.ts";
import { shareFor } from "../../machine/budget.ts";
import type { History } from "../../machine/history/history.ts";
import { type CallState, callIn, currentTask, type SessionState, type SubRun } from "../../machine/state.ts";
import { collectAfter } from "../../platform/collect.ts";
import { applyChanges, applyTogether } from "../../platform/files/change/apply.ts";
import { reconcile, statesOf } from "../../platform/files/change/reconcile.ts";
import { noteOwn } from "../../platform/obeyed/held-open.ts";
import { type CallVerdict, decideCall } from "../../policy/call-verdict.ts";
import { type CheckStanding, standingAtOnce } from "../check/standing.ts";
import { callFacts, standingOf } from "../judge/call-facts.ts";
import type { JudgeMoment } from "../judge/deed-facts.ts";
import type { Blob, EffectAnswer } from "../loop/loop.ts";
import { sleep } from "../loop/sleep.ts";
import { keyOf } from "../model/reply.ts";
import { AskedChanges } from "./asked-changes.ts";
import { boundOutput } from "./bound-output.ts";
import type { Watched } from "./command-changes.ts";
import { learnFrom } from "./learn-secrets.ts";
import { plantedNotices, plantedSince } from "./planted-since.ts";
import { cleanOutput, cleanUnended, cleanValue } from "./redact.ts";
import {
  cancelledResult,
  changedSinceShown,
  errorText,
  failed,
  field,
  halfDone,
  isEndedEarly,
  otherPlan,
  ranResult,
  type Settled,
  written,
} from "./result.ts";
import { ShownFiles } from "./shown-files.ts";
import { subResult } from "./sub-agent.ts";
import { allowedOutside, markerOf, mayWrite, type PipelineDeps, runOf, toolContext } from "./tool-context.ts";
import { blobsOf, isAsIntended, withFolders } from "./write-intent.ts";

type RunTool = Extract<AnyTool, { run: unknown }>;
type Ran = readonly [result: Settled, blobs: readonly Blob[]];

const neverAborted = new AbortController().signal;

function changesIn({ changes }: ChangePlan): readonly FileChange[] {
  return changes.map(({ change }) => change);
}

/** The input is part of the key because the user may edit it while asked. */
function countKey({ id, input }: Call): string {
  return JSON.stringify([id, input]);
}

/** The tool pipeline, in a fixed order (TP-1): availability and policy → risk → intent → execution → result. */
export class Pipeline {
  private readonly deps: PipelineDeps;
  /** Prepared writes between intent and execution. After a crash they are prepared again. */
  private readonly plans = new Map<string, ChangePlan>();

  private readonly counts = new Map<string, number | undefined>();

  readonly asked: AskedChanges;

  /** Standings of checks that needed a look at the project, until the call is decided. */
  private readonly checks = new Map<string, CheckStanding>();

  /** Start times of sub-agents; missing after a crash. */
  private readonly subStarts = new Map<string, number>();

  private readonly shown = new ShownFiles();

  private hasWarnedOfUnlooked = false;

  /** Processes that could not be stopped; reported when the run has stopped (CAN-4). */
  private unstopped: string[] = [];

  constructor(deps: PipelineDeps) {
    this.deps = deps;
    this.asked = new AskedChanges(deps);
  }

  takeUnstopped(): readonly string[] {
    const left = this.unstopped;
    this.unstopped = [];
    return left;
  }

  /** Decides on current facts. `null`: something must be looked up first. */
  decide(call: Call, state: SessionState, past?: JudgeMoment["past"]): EventBody | null {
    const { settings } = this.deps;
    const check = this.checkOf(call, state);
    const interactive = this.deps.isInteractive();
    const deed = () => (check === undefined ? null : this.deedOf(call, state, check, past));
    const verdict = decideCall(callFacts(call, state, settings, { check, interactive, deed }));
    return verdict && this.decided(call, state, verdict);
  }

  private deedOf(call: Call, state: SessionState, check: CheckStanding | null, past: JudgeMoment["past"]) {
    const tool = this.toolOf(call);
    const key = countKey(call);
    if (tool.survey && !this.counts.has(key)) return null;
    const standing = standingOf(call, state, this.deps.history, check);
    return this.deps.judge.factsOf(call, tool, state, { ...standing, count: this.counts.get(key), past });
  }

  private decided(call: Call, state: SessionState, { deed, ...verdict }: CallVerdict): EventBody | null {
    const answer = { type: "tool.decided", runId: runOf(call), callId: call.id, ...verdict } as const;
    if (deed === undefined) return answer;
    const judged = this.deps.judge.withForm(deed);
    const { question, outside, form, isUnasked } = judged;
    const isPart =
      form !== null || field(call.input, "offset") !== undefined || field(call.input, "limit") !== undefined;
    learnFrom([...question.paths, ...(question.mentions ?? []).map(({ fact }) => fact)], isPart);
    this.shown.expect(call.id, judged);
    const isTold = verdict.decision === "ask" || (verdict.decision === "deny" && isUnasked);
    const problem = isTold ? this.asked.problem(call, this.toolOf(call), state, judged) : null;
    if (problem === undefined) return null;
    if (problem) return this.settleNow(call, "failed", problem);
    return { ...answer, ...(outside.length > 0 ? { outside } : {}), ...(form ? { run: form } : {}) };
  }

  async decideLater(call: Call): Promise<EventBody | null> {
    const tool = this.toolOf(call);
    if (tool.survey) {
      const started = performance.now();
      const counted = await tool.survey(call.input as never, this.context(call, neverAborted));
      if (counted && !counted.ok) return this.settledEvent(call, failed(counted.error), started);
      this.counts.set(countKey(call), counted?.value);
    } else await this.deps.judge.ready();
    if (this.checkOf(call, this.deps.state()) === undefined) {
      const { lookAtCheck } = await import("../check/look.ts");
      const { state, history } = this.deps;
      this.checks.set(countKey(call), await lookAtCheck(call, { state: state(), history }, this.deps));
    }
    return this.decide(call, this.deps.state()) ?? this.decideAfterLook(call, tool);
  }

  /** How a check may run; `null` = not a check, `undefined` = look at the project first. */
  private checkOf(call: Call, state: SessionState): CheckStanding | null | undefined {
    if (call.role !== "checks") return null;
    return standingAtOnce(call, state, this.deps.settings) ?? this.checks.get(countKey(call));
  }

  private async decideAfterLook(call: Call, tool: AnyTool): Promise<EventBody | null> {
    if (await this.asked.prepare(call, tool)) return this.decide(call, this.deps.state());
    const state = this.deps.state();
    const standing = standingOf(call, state, this.deps.history, this.checkOf(call, state) ?? null);
    const past = await this.deps.judge.lookAtPast(call, tool, state, standing);
    return this.decide(call, this.deps.state(), past);
  }

  /** Reads and commands need no preparation: their intent is the call itself. */
  intendAtOnce(call: Call, state: SessionState): EffectAnswer | null {
    const tool = this.toolOf(call);
    if (!("plan" in tool)) {
      const intent = { changes: [], text: "" };
      return { bodies: [{ type: "tool.intended", runId: runOf(call), callId: call.id, intent }], blobs: [] };
    }
    if (!("plansAtOnce" in tool)) return null;
    const started = performance.now();
    const plan = tool.plan(call.input as never, toolContext(this.deps, state, call, neverAborted));
    return this.prepared(call, state, plan, started);
  }

  async intend(call: Call, signal: AbortSignal): Promise<void> {
    const started = performance.now();
    const { bodies, blobs } = this.prepared(call, this.deps.state(), await this.prepare(call, signal), started);
    for (const body of bodies) this.deps.push(body, blobs);
  }

  /** Stores the replaced bytes together with the intent. */
  private prepared(call: Call, state: SessionState, plan: Result<ChangePlan>, started: number): EffectAnswer {
    if (!plan.ok) return { bodies: [this.settledEvent(call, failed(plan.error), started)], blobs: [] };
    const { text, data } = plan.value;
    const made = changesIn(plan.value);
    if (!this.asked.isAsShown(call, state, made))
      return { bodies: [this.settledEvent(call, failed(changedSinceShown(made)), started)], blobs: [] };
    const planned = plan.value.changes.map((one) => ({ ...one, change: withFolders(one.change) }));
    this.plans.set(call.id, { ...plan.value, changes: planned });
    const changes = planned.map(({ change }) => change);
    const blobs = planned.flatMap(blobsOf);
    const intent = { changes, text, ...(data === undefined ? {} : { data: cleanValue(data) }) };
    return { bodies: [{ type: "tool.intended", runId: runOf(call), callId: call.id, intent }], blobs };
  }

  /** Answers a small read without a commit of its own. `null` = it has to wait or be retried. */
  executeAtOnce(call: Call, state: SessionState): EffectAnswer | null {
    const tool = this.toolOf(call);
    if ("sub" in tool) return { bodies: [this.subStarted(call, tool, state)], blobs: [] };
    if (!("run" in tool) || !tool.runNow) return null;
    const started = performance.now();
    const result = tool.runNow(call.input as never, toolContext(this.deps, state, call, neverAborted));
    if (!result || (!result.ok && result.error.transient)) return null;
    const settled = result.ok ? ranResult(result.value, state.todos) : failed(result.error);
    return { bodies: [this.settledEvent(call, settled, started)], blobs: [] };
  }

  async execute(call: Call, signal: AbortSignal): Promise<void> {
    const started = performance.now();
    const tool = this.toolOf(call);
    if ("plan" in tool) this.settle(call, await this.write(call, signal), started);
    else if ("sub" in tool) this.deps.push(this.subStarted(call, tool, this.deps.state()));
    else {
      const [result, blobs] = await this.runWatched(call, tool, signal);
      // The comparison's memory is no longer needed while the result is stored.
      await collectAfter(blobs.length);
      this.settle(call, result, started, blobs);
    }
  }

  /** PS-4: handles a call whose intent is stored but whose result is not. */
  async reconcile(one: CallState, isStopping: boolean, signal: AbortSignal): Promise<void> {
    const { call } = one;
    const started = performance.now();
    // A process left over from a read must not run beside its repetition.
    if (call.afterCrash === "repeat" && one.spawned) await this.endSurvivor(call, one.spawned);
    if (call.afterCrash === "unknown" && one.spawned) {
      this.settle(call, await this.afterKill(call, one.spawned), started);
    } else if (call.afterCrash === "reconcile") {
      await this.reconcileWrite(one, isStopping, signal, started);
    } else if (isStopping) {
      this.settle(call, cancelledResult(), started);
    } else {
      // A read, or a command that was never released from its start gate: nothing of it ran.
      await this.execute(call, signal);
    }
  }

  private subStarted(call: Call, tool: Extract<AnyTool, { sub: unknown }>, state: SessionState): EventBody {
    const sub = tool.sub(call.input as never);
    const share = shareFor(state);
    const may = mayWrite(state, this.deps) ? {} : { mayWrite: false as const };
    this.subStarts.set(call.id, performance.now());
    return {
      type: "sub.started",
      runId: runOf(call),
      subId: `r${state.runs + 1}`,
      callId: call.id,
      sub,
      ...may,
      ...share,
    };
  }

  /** TL-5: the result of the call around a sub-agent. */
  settleSub(call: Call, sub: SubRun, history: History): EventBody {
    const started = this.subStarts.get(call.id) ?? performance.now();
    this.subStarts.delete(call.id);
    return this.settledEvent(call, subResult(sub, history), started);
  }

  /** Settles a call that never executes: denied, refused, invalid, cancelled. */
  settleNow(call: Call, status: CallResult["status"], error: ErrorInfo): EventBody {
    return this.settledEvent(call, { status, output: errorText(error), error }, performance.now());
  }

  /** The planned file changes of a call that asks. `null` = it changes no files, or would fail. */
  async preview(call: Call): Promise<ChangePlan | null> {
    const plan = await this.asked.of(call, this.toolOf(call));
    return plan.ok ? plan.value : null;
  }

  /** Whether a question from before a crash is about something that is no longer possible. */
  async isObsolete(call: Call): Promise<boolean> {
    return !this.asked.has(call) && !(await this.asked.of(call, this.toolOf(call))).ok;
  }

  private async prepare(call: Call, signal: AbortSignal): Promise<Result<ChangePlan>> {
    const tool = this.toolOf(call);
    if (!("plan" in tool))
      throw new CoderError({ code: "E_INTERNAL", text: phrase("run.crashed", { what: call.tool }) });
    return tool.plan(call.input as never, this.context(call, signal));
  }

  private async write(call: Call, signal: AbortSignal): Promise<Settled> {
    const plan = this.plans.get(call.id);
    this.plans.delete(call.id);
    if (!plan) return failed({ code: "E_INTERNAL", text: phrase("run.crashed", { what: call.tool }) });
    if (signal.aborted) return cancelledResult();
    const { workspace: root, addDirs } = this.deps.settings;
    const at = { root, addDirs, allowedOutside: allowedOutside(this.deps.state(), call) };
    const options = { ...at, tempTag: this.markerOf(call) };
    const applied = plan.changes.length > 1 ? await applyTogether(plan, options) : applyChanges(plan, options);
    // The files may be where the watch does not look, such as git-ignored paths.
    this.deps.watch.checks.forget();
    // Also after a partial failure: what was written was allowed.
    noteOwn(changesIn(plan).map(({ real }) => real));
    if (!applied.ok) return failed(applied.error);
    return written(plan.text, changesIn(plan), plan.data);
  }

  private async reconcileWrite(one: CallState, isStopping: boolean, signal: AbortSignal, started: number) {
    const { call, intent } = one;
    const changes = intent?.changes ?? [];
    const found = reconcile(changes, this.markerOf(call));
    if (found === "applied") return this.settle(call, written(intent?.text ?? "", changes, intent?.data), started);
    if (found === "foreign") return this.settle(call, halfDone(changes, statesOf(changes)), started);
    if (isStopping) return this.settle(call, cancelledResult(), started);
    const plan = await this.prepare(call, signal);
    if (!plan.ok) return this.settle(call, failed(plan.error), started);
    // Only content that is stored with the intent may be replaced, since no other intent will be stored.
    if (!isAsIntended(plan.value, changes)) return this.settle(call, failed(otherPlan), started);
    this.plans.set(call.id, plan.value);
    this.settle(call, await this.write(call, signal), started);
  }

  private async runWatched(call: Call, tool: RunTool, signal: AbortSignal): Promise<Ran> {
    const { watch } = this.deps;
    if (!this.isWatched(call)) return this.runTool(call, tool, signal);
    const watched = await watch.before(call.role === "checks");
    let changed = 0;
    try {
      const ran = await this.runBetween(call, tool, signal, watched);
      changed = (ran[0].changes?.length ?? 0) + (ran[0].unkept?.length ?? 0);
      return ran;
    } finally {
      watched.over(changed);
    }
  }

  private async runBetween(call: Call, tool: RunTool, signal: AbortSignal, watched: Watched): Promise<Ran> {
    const [result, blobs] = await this.runTool(call, tool, signal, watched.witness).catch(async (error: unknown) => {
      await watched.ledger();
      throw error;
    });
    const { job } = result.data ?? {};
    const task = currentTask(this.deps.state())?.id ?? "";
    const { changes, unkept: lost } = await this.deps.watch.after(watched, task, job !== undefined);
    const command = tool.command?.(call.input as never) ?? call.tool;
    const unkept: readonly Unkept[] =
      job === undefined ? lost : [...lost, { path: command.slice(0, 200), why: "background" }];
    if (unkept.some(({ why }) => why === "workspace")) {
      const { workspace } = this.deps.settings;
      this.notify(phrase("summary.workspace_risk", { workspace }));
    }
    const found = {
      ...(changes.length > 0 ? { changes: changes.map(({ change }) => change) } : {}),
      ...(unkept.length > 0 ? { unkept } : {}),
    };
    return [{ ...result, ...found }, [...blobs, ...changes.flatMap(blobsOf)]];
  }

  private isWatched(call: Call): boolean {
    const { watch, state } = this.deps;
    return watch.isFor(call, callIn(state(), call.id)?.form?.readOnly ?? false);
  }

  private async runTool(call: Call, tool: RunTool, signal: AbortSignal, witness?: WitnessPort): Promise<Ran> {
    const waits = call.access === "read" ? this.deps.settings.readRetryMs : [];
    const confined = await this.confined(call, this.context(call, signal));
    const context = witness ? { ...confined, commands: { ...confined.commands, witness } } : confined;
    for (let attempt = 0; ; attempt++) {
      const result = await tool.run(call.input as never, context);
      if (result.ok) return this.ran(result.value);
      const wait = waits[attempt];
      if (!result.error.transient || wait === undefined || signal.aborted) return [failed(result.error), []];
      await sleep(wait, signal);
    }
  }

  private async confined(call: Call, context: ToolContext): Promise<ToolContext> {
    const { judge, push, state } = this.deps;
    const form = callIn(state(), call.id)?.form;
    if (!form) return context;
    // After a crash the sandbox has not been probed yet.
    await judge.ready();
    const notice = judge.confiner.notice(form, state().mode);
    if (notice) push(notice);
    const confine = await judge.confiner.confine(form, state().id);
    const set = judge.confiner.environment(form);
    const { readOnly: isProved, cpuSeconds } = form;
    const limits = {
      isProved,
      obeyed: judge.confiner.obeyed(form),
      ...(cpuSeconds === undefined ? {} : { cpuSeconds }),
    };
    return { ...context, commands: { ...context.commands, confine, set, ...limits } };
  }

  private ran(output: ToolOutput): Ran {
    const { data = {} } = output;
    this.unstopped.push(...(data.unstopped ?? []));
    const blobs = (output.images ?? []).map(({ ref, bytes }) => ({ hash: ref.hash, bytes }));
    const planted = plantedNotices(data, this.hasWarnedOfUnlooked);
    this.hasWarnedOfUnlooked ||= data.unlooked !== undefined;
    for (const text of [...planted, ...(output.plan?.notices ?? [])]) this.notify(text);
    return [ranResult(output, this.deps.state().todos), blobs];
  }

  /** Any part of the command may have run: stops the remaining processes and tells the user. */
  private async afterKill(call: Call, spawned: { pid: number; startTime: string }): Promise<Settled> {
    const command = this.toolOf(call).command?.(call.input as never) ?? call.tool;
    this.notify(phrase("run.unknown_notice", { command: command.slice(0, 200) }));
    await this.endSurvivor(call, spawned);
    const error: ErrorInfo = { code: "E_CANCELLED", text: phrase("run.unknown_outcome"), sideEffect: "unknown" };
    const planted = await plantedSince(this.deps, call);
    const data = planted.length > 0 ? { data: { command, planted } } : {};
    const unknown: Settled = { status: "unknown", output: errorText(error), error, ...data };
    if (!this.isWatched(call)) return unknown;
    return { ...unknown, unkept: [{ path: command.slice(0, 200), why: "cut_off" }] };
  }

  private async endSurvivor(call: Call, spawned: { pid: number; startTime: string }): Promise<void> {
    const { ended, left } = await this.deps.endSurvivor({ ...spawned, marker: this.markerOf(call) });
    if (ended.length > 0) this.notify(phrase("run.survivor_ended", { pid: spawned.pid }));
    if (left.length > 0) this.notify(phrase("cancel.left", { processes: left.join(", ") }));
  }

  private notify(text: Phrase): void {
    this.deps.push({ type: "notice.given", text });
  }

  private context(call: Call, signal: AbortSignal): ToolContext {
    return toolContext(this.deps, this.deps.state(), call, signal);
  }

  private markerOf(call: Call): string {
    return markerOf(this.deps.state().id, call.id);
  }

  private toolOf(call: Call): AnyTool {
    const tool = this.deps.tools.get(call.tool);
    if (!tool)
      throw new CoderError({ code: "E_INTERNAL", text: phrase("run.unknown_tool", { tool: call.tool, tools: "" }) });
    return tool;
  }

  /** Image bytes are stored in the same transaction as the result that refers to them. */
  private settle(call: Call, result: Settled, started: number, blobs: readonly Blob[] = []): void {
    this.deps.push(this.settledEvent(call, result, started), blobs);
  }

  private settledEvent(call: Call, result: Settled, started: number): EventBody {
    this.asked.forget(call);
    const ms = Math.round(performance.now() - started);
    const note = call.edited ? editNote(call.input) : "";
    const cleaned = isEndedEarly(result) ? cleanUnended : cleanOutput;
    const output = boundOutput(note + result.output, this.deps.spill(call), cleaned);
    const seen = this.shown.seenIn(call.id, output);
    const bounded = {
      ...result,
      output,
      ...(seen.length > 0 ? { seen } : {}),
      ...(result.data === undefined ? {} : { data: cleanValue(result.data, cleaned) }),
      ...(result.error ? { error: cleanValue(result.error) } : {}),
    };
    return {
      type: "tool.settled",
      runId: runOf(call),
      callId: call.id,
      // Images of the same size have the same description, so their hashes are part of the key.
      result: { ...bounded, key: keyOf(result.status, output, ...(result.images ?? []).map(({ hash }) => hash)), ms },
    };
  }
}

/** A longer text is the whole of a file, which the model can read. */
const maxNote = 2_000;

function editNote(input: unknown): string {
  const text = JSON.stringify(input);
  const rest =
    text.length > maxNote ? ` [… ${text.length - maxNote} more characters: read the file before you change it]` : "";
  return `[the person changed the arguments to ${text.slice(0, maxNote)}${rest}]\n`;
}
