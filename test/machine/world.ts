// A world that plays against the machine: it keeps what was ordered and answers it in any order, late, twice or never.
import type { Effect } from "../../src/contract/effect.ts";
import type { Event, EventBody } from "../../src/contract/event.ts";
import { followUp } from "../../src/machine/follow-up.ts";
import { pending } from "../../src/machine/pending.ts";
import { reduce } from "../../src/machine/session.ts";
import { emptySession, openQuestions, runsOf, type SessionState } from "../../src/machine/state.ts";
import { answer, budgets, instant } from "./answers.ts";
import type { Audit } from "./audit.ts";
import { event, plan } from "./make.ts";
import { checkRest, isStopping, must } from "./rules.ts";
import { samples } from "./samples.ts";

/** Facts of the session itself: played at any time, without consequence for the machines. */
const asides = [
  "mode.changed",
  "preset.changed",
  "model.changed",
  "notice.given",
  "session.resumed",
  "plan.changed",
  "reply.cut",
] as const;
/** About plans and checks: what the project and the reply look like. */
const looks = ["settle_plan", "read_plan", "run_checks", "judge_check", "check_answer"] as const;
/** Orders of the task machine that take their time; a stop ends them before it is answered. */
const ofTask: readonly Effect["type"][] = [
  ...(["ask_clarification", "ask_plan", "decide_recovery"] as const),
  ...looks,
];
/** Orders that the engine carries out at once when it can. */
const quick: readonly Effect["type"][] = ["decide_call", "intend_call", "decide_recovery", ...looks];
/** Events that may come twice, each time as a fact of its own. */
const repeatable: readonly Event["type"][] = [
  ...asides,
  "input.admitted",
  "input.delivered",
  "advice.given",
  "internal.reported",
  "cancel.requested",
  "task.timed_out",
  "task.continued",
  "process.spawned",
];

export class World {
  state: SessionState;
  /** Accepted events in order. */
  readonly log: Event[] = [];
  open: Effect[] = [];
  private late: Effect[] = [];
  private at = 0;
  private readonly tape: Uint8Array;
  private readonly audit: Audit | null;
  /** Judging and preparing take no time where nothing has to be looked up. */
  private readonly isPrompt: boolean;

  /** An audit must have seen a session from its first event. */
  constructor(
    tape: Uint8Array,
    { audit = null, resume = null }: { audit?: Audit | null; resume?: SessionState | null } = {},
  ) {
    this.tape = tape;
    this.audit = audit;
    this.state = resume ?? emptySession;
    this.isPrompt = this.pick(2) === 1;
    this.take(pending(this.state));
    this.follow();
  }

  /** Plays until the tape is used up. Every choice is one byte, so that a failure shrinks to a short tape. */
  play(): this {
    while (this.at < this.tape.length) {
      this.move();
      this.rest();
    }
    return this;
  }

  /** Answers everything in the plainest way. */
  finish(): this {
    for (let n = 0; this.state.task.phase !== "IDLE" || this.state.queue.length > 0; n++) {
      must(n < 5_000, "a task whose orders are all answered ends", this.state.task, this.open);
      this.answerOpen(0);
      this.rest();
    }
    return this;
  }

  /** A cancel, and the answer to the stop that it orders. */
  cancel(): void {
    const { task } = this.state;
    const ended = () =>
      this.log.some((one) => one.type === "task.ended" && task.phase !== "IDLE" && one.taskId === task.task.id);
    this.hear({ type: "cancel.requested", source: "esc" });
    const stop = this.open.findIndex((one) => one.type === "stop_run");
    must(task.phase === "IDLE" || stop >= 0, "a cancel orders the stop", this.open);
    if (task.phase === "IDLE") return;
    this.answerOpen(stop);
    must(ended(), "a cancelled task is IDLE when all has stopped", this.state.task, this.state.run.phase);
    this.rest();
  }

  private readonly pick = (n: number): number => (this.tape[this.at++] ?? 0) % n;

  private move(): void {
    const what = this.pick(20);
    if (what < 11) this.answerOpen(this.pick(Math.max(1, this.open.length)));
    else if (what < 13) this.admit();
    else if (what < 15) this.answerLate();
    else if (what < 17) this.repeat();
    else if (what === 17) this.crash();
    else if (what === 18) this.aside();
    else this.interrupt();
  }

  private interrupt(): void {
    const source = (["esc", "internal", "sigint"] as const)[this.pick(9)];
    if (source) this.hear({ type: "cancel.requested", source });
    else this.timeOut();
  }

  private answerOpen(at: number): void {
    const effect = this.open[at];
    if (!effect) this.admit();
    else if (effect.type === "execute_call" && this.pick(6) === 1) {
      const { runId, callId } = effect;
      this.mustHear({ type: "process.spawned", runId, callId, pid: 7, startTime: "9" });
    } else {
      this.open.splice(at, 1);
      this.mustHear(answer(effect, this.state, this.pick));
    }
  }

  /** An answer to what a stop has given up. Only a result still counts, and none is an internal error. */
  private answerLate(): void {
    const [effect] = this.late.splice(this.pick(Math.max(1, this.late.length)), 1);
    if (!effect) return;
    const body = answer(effect, this.state, this.pick);
    const { accepted, effects } = reduce(this.state, event(body));
    must(!accepted || body.type === "tool.settled", "of what was given up only results count", body);
    must(accepted || effects.length === 0, "a late answer is no internal error", body, effects);
    this.hear(body);
  }

  private repeat(): void {
    const old = this.log[this.pick(256) % Math.max(1, this.log.length)];
    if (!old || repeatable.includes(old.type) || this.open.some((one) => isAnswer(old, one))) return;
    must(!reduce(this.state, old).accepted, "no answer counts twice", old);
    this.hear(old);
  }

  private admit(): void {
    const kind = (["task", "task", "shell", "tool"] as const)[this.pick(4)] ?? "task";
    const delivery = (["steer", "queue", "now"] as const)[this.pick(3)] ?? "now";
    const call = kind === "tool" ? { call: { tool: "read", input: {} } } : {};
    const given = kind === "task" && this.pick(6) === 5 ? { plan } : {};
    const form = kind === "task" && this.pick(6) === 5 ? { schema: {} } : {};
    const inputId = `i${this.state.inputs + 1}`;
    this.mustHear({ type: "input.admitted", inputId, kind, delivery, text: inputId, ...call, ...given, ...form });
  }

  private timeOut(): void {
    const { task } = this.state;
    if (task.phase === "IDLE") return;
    const timedOut = event({ type: "task.timed_out", taskId: task.task.id });
    const waits =
      openQuestions(task).length > 0 ||
      task.phase === "AWAITING_CONFIRMATION" ||
      runsOf(this.state).some(({ phase }) => phase === "awaiting_human");
    must(
      !waits || !reduce(this.state, timedOut).accepted,
      "time does not count while a person is waited for",
      task.phase,
    );
    this.hear(timedOut);
  }

  private aside(): void {
    const what = this.pick(asides.length + 3);
    const aside = asides[what];
    if (aside) this.mustHear(samples[aside]);
    else if (what === asides.length) this.recall();
    else this.goOn();
  }

  /** The person lets a task go on that had stopped, with the limits of now. */
  private goOn(): void {
    const { stopped, task, queue } = this.state;
    if (!stopped || task.phase !== "IDLE" || queue.length > 0) return;
    const { maxTokens, maxCost } = budgets[this.pick(budgets.length)] ?? {};
    const cost = maxCost === undefined ? {} : { maxCost: maxCost + 20 };
    const limits = { ...stopped.task.limits, maxSteps: 1 + this.pick(3), maxTokens: maxTokens ?? null, ...cost };
    const ids = { taskId: stopped.task.id, nextRunId: `r${this.state.runs + 1}` };
    const body = { type: "task.continued", ...ids, limits } as const;
    // A stop is answered when all that ran is gone: nothing of it comes later than the task's end.
    this.late = [];
    this.mustHear(body);
  }

  /** The person takes back what they have queued, at any time: once, and without a consequence for the machines. */
  private recall(): void {
    const waiting = this.state.queue[this.pick(Math.max(1, this.state.queue.length))];
    if (!waiting) return;
    const returned = { type: "input.returned", inputIds: [waiting.inputId] } as const;
    const { effects } = reduce(this.state, event(returned));
    must(effects.length === 0, "what is taken back orders nothing", effects);
    this.mustHear(returned);
    const again = reduce(this.state, event(returned));
    must(!again.accepted && again.effects.length === 0, "what does not wait cannot be taken back", again.effects);
  }

  /** Nothing that ran survives, and no late answer either: the log alone says what to order again. */
  private crash(): void {
    this.late = [];
    this.open = [];
    this.take(pending(this.state));
    this.follow();
  }

  private rest(): void {
    if (isStopping(this.state)) {
      const stops = this.open.filter((one) => one.type === "stop_run").length;
      must(stops === 1, "a stop under way is ordered exactly once", this.open);
    }
    checkRest(this.state, this.open);
  }

  private hear(body: EventBody): boolean {
    const heard = event(body);
    const before = this.state;
    const step = reduce(before, heard);
    this.audit?.step(before, heard, step);
    this.state = deepFreeze(step.state);
    if (step.accepted) this.log.push(heard);
    if (step.accepted && heard.type === "run.stopped")
      this.late = this.late.filter((one) => !ofTask.includes(one.type));
    this.take(step.effects);
    this.follow();
    return step.accepted;
  }

  /** What follows from the state alone comes right behind what led to it, before anything from outside. */
  private follow(): void {
    const next = followUp(this.state);
    if (next) this.mustHear(next);
  }

  /** What was asked for, and what a person sends, is never turned away. */
  private mustHear(body: EventBody): void {
    must(this.hear(body), "the answer to an open order is accepted", body, this.state.task.phase, this.state.run.phase);
  }

  /** As the loop does it: instant answers are made at once and heard one after the other, each with all it causes. */
  private take(effects: readonly Effect[]): void {
    const answers: EventBody[] = [];
    for (const effect of effects) {
      const isNow = this.isPrompt && quick.includes(effect.type);
      const body = isNow ? answer(effect, this.state, this.pick) : instant(effect, this.state, this.pick);
      if (body) answers.push(body);
      else this.order(effect);
    }
    for (const body of answers) this.mustHear(body);
  }

  /** A stop gives up all that is open: whatever of it still answers is late. */
  private order(effect: Effect): void {
    if (effect.type === "stop_run") {
      this.late.push(...this.open);
      this.open = [];
    }
    this.open.push(effect);
  }
}

/** A repeated answer that fits an open order of the same name cannot be told from the real one. */
function isAnswer(old: Event, order: Effect): boolean {
  if (old.type === "tool.decided" || old.type === "tool.deferred")
    return order.type === "decide_call" && order.callId === old.callId;
  if (old.type === "approval.answered") return order.type === "ask_human" && order.callId === old.callId;
  if (old.type === "plan.answered") return order.type === "ask_plan" && order.taskId === old.taskId;
  if (old.type === "plan.settled" || old.type === "plan.rejected")
    return order.type === "read_plan" || order.type === "settle_plan";
  if (old.type === "clarification.answered" || old.type === "clarification.unanswered")
    return order.type === "ask_clarification" && order.taskId === old.taskId;
  if (old.type === "recovery.decided") return order.type === "decide_recovery" && order.taskId === old.taskId;
  if (old.type === "checks.chosen") return order.type === "run_checks" || order.type === "judge_check";
  if (old.type === "check.judged") return order.type === "judge_check";
  if (old.type === "checks.finished") return order.type === "run_checks" || order.type === "check_answer";
  return old.type === "run.stopped" && order.type === "stop_run" && order.runId === old.runId;
}

function deepFreeze<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const part of Object.values(value)) deepFreeze(part);
  return value;
}
