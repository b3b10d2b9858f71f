// What must hold after every event, whatever the world does. Each check throws a sentence.
import type { Effect, EffectOf } from "../../src/contract/effect.ts";
import type { Event } from "../../src/contract/event.ts";
import { reduce } from "../../src/machine/session.ts";
import {
  emptySession,
  isRunOver,
  openCalls,
  type RunState,
  runsOf,
  runWith,
  type SessionState,
} from "../../src/machine/state.ts";
import type { Step } from "../../src/machine/step.ts";
import {
  checkCalls,
  checkIndex,
  checkLadder,
  checkPlanning,
  checkRounds,
  checkSteering,
  checkStopping,
  checkSub,
  isClosing,
  must,
} from "./rules.ts";

/** One witness of a whole session. */
export class Audit {
  private folded = emptySession;
  private readonly inputs = new Map<string, "queued" | "started" | "delivered" | "returned">();
  private readonly committed = new Set<string>();
  private readonly callsOf = new Map<string, string[]>();
  private readonly intended = new Set<string>();
  /** The last word about a call: of policy, or of the person. */
  private readonly verdicts = new Map<string, string>();
  private readonly settled = new Set<string>();
  private readonly ordered = new Map<string, number>();
  private readonly reopened = new Map<string, number>();
  private readonly usage = { input: 0, output: 0, cachedInput: 0, reasoning: 0 };
  /** Calls of plans that were refused, changed or could not be followed. */
  private readonly withdrawn = new Set<string>();
  private readonly begun = new Set<string>();
  /** The run of a check that was neither judged nor stopped. */
  private openCheck: string | null = null;
  /** What the replies of each task have cost so far. */
  private readonly spent = new Map<string, number>();
  private task = "";
  private tasks = 0;
  private runs = 0;

  step(before: SessionState, event: Event, step: Step<SessionState>): void {
    if (!step.accepted) {
      must(step.state === before, "an event that is not accepted changes nothing", event);
      const reports = step.effects.every((one) => one.type === "report_internal");
      must(
        step.effects.length <= 1 && reports,
        "an event that is not accepted orders at most one report",
        step.effects,
      );
      return;
    }
    this.note(event);
    this.noteRuns(before, event, step);
    this.checkFold(event, step.state);
    this.checkInputs(step.state);
    checkIndex(before, event, step.state);
    checkCalls(step.state, this.intended);
    checkPlanning(step.state, step.effects);
    checkRounds(event, step);
    checkLadder(before, event, step);
    checkStopping(before, event, step);
    checkSub(before, event, step);
    this.checkResults(step);
    checkSteering(before, step);
    for (const effect of step.effects) this.checkOrder(effect, event, step.state, before);
  }

  /** After a crash what was ordered may be ordered once more. */
  crash(): this {
    this.ordered.clear();
    return this;
  }

  private note(event: Event): void {
    switch (event.type) {
      case "input.admitted":
        this.inputs.set(event.inputId, "queued");
        return;
      case "input.delivered":
      case "input.returned":
        for (const id of event.inputIds)
          this.leaveQueue(id, event.type === "input.returned" ? "returned" : "delivered");
        return;
      case "task.started":
        this.leaveQueue(event.inputId, "started");
        this.task = event.taskId;
        this.tasks++;
        this.runs++;
        return;
      case "task.continued":
        this.task = event.taskId;
        // Whatever it had ordered was answered or stopped.
        this.ordered.clear();
        return;
      case "run.started":
        must(!this.begun.has(event.runId), "a run starts once", event.runId);
        this.begun.add(event.runId);
        this.callsOf.set(
          event.runId,
          event.calls.map((one) => one.id),
        );
        return;
      case "sub.started":
        this.begun.add(event.subId);
        this.callsOf.set(event.subId, []);
        this.runs++;
        return;
      case "model.replied": {
        const step = `${event.runId}/${event.index}`;
        must(!this.committed.has(step), "a reply is committed once per step", step);
        this.committed.add(step);
        this.callsOf.get(event.runId)?.push(...event.reply.calls.map((one) => one.id));
        this.spent.set(this.task, (this.spent.get(this.task) ?? 0) + (event.reply.cost ?? 0));
        for (const key of Object.keys(this.usage) as (keyof typeof this.usage)[])
          this.usage[key] += event.reply.usage[key];
        return;
      }
      case "plan.settled":
        for (const one of event.calls ?? []) this.callsOf.get(one.id.split("/")[0] ?? "")?.push(one.id);
        return;
      case "plan.answered":
        this.reopen(event.taskId);
        return;
      case "run.stopped":
        this.reopen(event.runId);
        return;
      case "tool.decided":
        this.verdicts.set(event.callId, event.decision);
        return;
      case "tool.deferred":
        this.reopen(event.callId);
        return;
      case "approval.answered":
        this.verdicts.set(event.callId, event.answer);
        if (event.answer === "edit" && event.call) this.reopen(event.callId);
        return;
      case "tool.intended":
        this.intended.add(event.callId);
        return;
      case "tool.settled":
        must(!this.settled.has(event.callId), "a call is settled once", event.callId);
        this.settled.add(event.callId);
    }
  }

  /** Never two runs at once, and every check that was started is judged or stopped. */
  private noteRuns(before: SessionState, event: Event, { state, effects }: Step<SessionState>): void {
    const wasCheck = this.openCheck;
    if (event.type === "task.continued" && "run" in state.run && state.run.run.id === event.nextRunId) this.runs++;
    if (event.type === "check.judged" || event.type === "checks.chosen" || event.type === "run.stopped")
      this.openCheck = null;
    for (const effect of effects) {
      if (effect.type !== "start_run") continue;
      const isFirst = "run" in before.run && before.run.run.id === effect.runId;
      must(isFirst || isRunOver(before.run), "a run starts only when no other runs", before.run, effect);
      if (!isFirst) this.runs++;
      if (state.task.phase === "VERIFYING") this.openCheck = effect.runId;
    }
    if (event.type === "checks.finished" || event.type === "task.ended")
      must(wasCheck === null, "every check that was started is judged or stopped", wasCheck);
    const isRejected = event.type === "plan.rejected" && !event.missing;
    const isWithdrawn = isRejected || (event.type === "plan.answered" && event.answer !== "yes");
    if (isWithdrawn) for (const { call } of openCalls(before.run)) this.withdrawn.add(call.id);
  }

  /** Each reason to settle a call without running it stands in the log. */
  private checkSettling(effect: EffectOf<"settle_call">, event: Event, run: RunState, before: SessionState): void {
    const call = openCalls(run).find((one) => one.call.id === effect.callId)?.call;
    const verdict = this.verdicts.get(effect.callId) ?? "";
    const isGrounded = {
      failed: call?.problem !== undefined,
      refused: true,
      denied:
        verdict === "deny" ||
        verdict === "no" ||
        verdict === "edit" ||
        (event.type === "plan.answered" && event.answer === "no"),
      cancelled: event.type === "run.stopped" || isClosing(before),
      done: false,
      unknown: false,
    };
    must(isGrounded[effect.status], "a call is settled unrun only for a reason", effect, verdict);
  }

  private leaveQueue(id: string, how: "started" | "delivered" | "returned"): void {
    must(
      this.inputs.get(id) === "queued",
      `input is ${how} only once and only from the queue`,
      id,
      this.inputs.get(id),
    );
    this.inputs.set(id, how);
  }

  private reopen(key: string): void {
    this.reopened.set(key, (this.reopened.get(key) ?? 0) + 1);
  }

  private checkFold(event: Event, state: SessionState): void {
    this.folded = reduce(this.folded, JSON.parse(JSON.stringify(event))).state;
    must(Bun.deepEquals(this.folded, state, true), "the fold of the log is the live state", this.folded, state);
    const { tasks, runs, inputs, usage } = state;
    const counted = { tasks: this.tasks, runs: this.runs, inputs: this.inputs.size, usage: this.usage };
    must(
      Bun.deepEquals(counted, { tasks, runs, inputs, usage }),
      "tasks, runs, inputs and usage are counted",
      counted,
      state,
    );
  }

  private checkInputs(state: SessionState): void {
    const queued = [...this.inputs].filter(([, where]) => where === "queued").map(([id]) => id);
    const queue = state.queue.map((one) => one.inputId);
    must(Bun.deepEquals(queued, queue), "input is queued until it is started, delivered or returned", queued, queue);
  }

  /** TP-4: all calls have their result before the model is called again, and when the run is over. */
  private checkResults({ state, effects }: Step<SessionState>): void {
    for (const run of runsOf(state)) {
      if (!("run" in run)) continue;
      const { id } = run.run;
      if (!isRunOver(run) && !effects.some((one) => one.type === "call_model" && one.runId === id)) continue;
      const open = this.callsOf.get(id)?.filter((call) => !this.settled.has(call)) ?? [];
      must(open.length === 0, "every call has a result before the run goes on or ends", open);
    }
  }

  private checkOrder(effect: Effect, event: Event, state: SessionState, before: SessionState): void {
    const { task } = state;
    const run = "runId" in effect ? runWith(state, effect.runId) : state.run;
    if ("callId" in effect && effect.type !== "settle_call")
      must(!this.withdrawn.has(effect.callId), "no call of a plan that does not hold is carried out", effect);
    if (effect.type === "execute_call") {
      must(
        event.type === "tool.intended" && event.callId === effect.callId,
        "an intent comes before the execution",
        effect,
      );
    }
    if (effect.type === "intend_call") {
      const isAllowed = ["allow", "yes", "always"].includes(this.verdicts.get(effect.callId) ?? "");
      must(isAllowed, "only what was allowed or approved is intended", effect);
    }
    if (effect.type === "ask_human") {
      must(this.verdicts.get(effect.callId) === "ask", "a person is asked only where policy says so", effect);
    }
    if (effect.type === "decide_call") {
      const problem = openCalls(run).find((one) => one.call.id === effect.callId)?.call.problem;
      must(problem === undefined, "a call that cannot run is not judged", effect);
    }
    if (effect.type === "start_run") {
      const isConfirmed =
        (event.type === "plan.settled" && !(event.plan && event.needsConfirmation)) ||
        (event.type === "plan.answered" && event.answer === "yes") ||
        (event.type === "recovery.decided" && event.repairable && event.rung !== "ask") ||
        (event.type === "clarification.answered" && task.phase === "EXECUTING") ||
        event.type === "checks.chosen" ||
        event.type === "check.judged" ||
        (task.phase === "PLANNING" && run.phase === "preparing" && run.run.planning);
      must(isConfirmed, "a run starts only when nothing is left to confirm", event);
    }
    if (effect.type === "settle_call") this.checkSettling(effect, event, run, before);
    if (effect.type === "call_model") {
      must(
        run.phase === "model_running" && run.run.index === effect.index,
        "the model is called for this step",
        effect,
      );
      const { maxCost } = run.run.limits;
      must(
        maxCost === undefined || (this.spent.get(this.task) ?? 0) < maxCost,
        "no call starts once its task has cost what it may",
        effect,
      );
      must(run.attempt === effect.attempt && run.doing === "calling", "the model is called for this attempt", effect);
    }
    const runOfTask = task.phase === "IDLE" ? "" : task.task.runId;
    const index = "run" in run ? run.run.index : 0;
    const [key, reopens] = orderKey(effect, runOfTask, index);
    if (key === null) return;
    const count = (this.ordered.get(key) ?? 0) + 1;
    this.ordered.set(key, count);
    must(count <= 1 + (this.reopened.get(reopens) ?? 0), "no order is given twice", effect);
  }
}

/** What makes an order the same order, and whose answers allow it once more. */
function orderKey(effect: Effect, runOfTask: string, index: number): readonly [string | null, string] {
  switch (effect.type) {
    case "give_advice":
    case "report_internal":
    case "deliver_input":
    case "return_input":
      return [null, ""];
    case "decide_call":
    case "ask_human":
      return [`${effect.type} ${effect.callId}`, effect.callId];
    case "settle_call":
    case "intend_call":
    case "execute_call":
    case "reconcile_call":
      return [`${effect.type} ${effect.callId}`, ""];
    case "settle_plan":
    case "ask_plan":
      return [`${effect.type} ${effect.taskId}`, effect.taskId];
    case "read_plan":
      return [`${effect.type} ${effect.runId} ${index}`, ""];
    case "run_checks":
    case "judge_check":
    case "check_answer":
    case "decide_recovery":
      return [`${effect.type} ${effect.taskId} ${runOfTask}`, ""];
    case "stop_run":
      return [`${effect.type} ${effect.runId}`, effect.runId];
    default:
      return [JSON.stringify(effect), ""];
  }
}
