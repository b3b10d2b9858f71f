import type { Effect } from "../../contract/effect.ts";
import { CoderError, type ErrorInfo } from "../../contract/error.ts";
import type { Event, EventBody, Recorded } from "../../contract/event.ts";
import type { TaskId } from "../../contract/ids.ts";
import type { AppendEntry, SessionLog } from "../../contract/store.ts";
import { phrase } from "../../contract/text/catalogue.ts";
import { followUp } from "../../machine/follow-up.ts";
import { type History, HistoryFold } from "../../machine/history/history.ts";
import { reduce } from "../../machine/session.ts";
import { callIn, emptySession, type SessionState } from "../../machine/state.ts";
import type { Published, Transition } from "../port.ts";
import { LogPlaces, type MessagePlace, messageOf, pageOf, recentEvents } from "./log-tail.ts";

export interface Blob {
  readonly hash: string;
  readonly bytes: Uint8Array;
}

export interface EffectAnswer {
  readonly bodies: readonly EventBody[];
  readonly blobs: readonly Blob[];
}

interface Arrived extends EffectAnswer {
  readonly stored: {
    readonly resolve: (isAccepted: boolean) => void;
    readonly reject: (error: CoderError) => void;
  } | null;
}

export interface LoopHooks {
  readonly now: () => number;
  /** Answers within the batch, without a commit of its own; `null` = needs `perform`. */
  readonly answerNow: (effect: Effect, state: SessionState, history: History) => EffectAnswer | null;
  readonly perform: (effect: Effect) => void;
  readonly publish: (published: Published) => void;
  /** Logs the details of a fault of ours and returns its trace id. */
  readonly trace: (error: unknown) => string;
  /** The store failed. Memory must not run ahead of the disk, so this loop stops. */
  readonly onDead: (error: ErrorInfo) => void;
}

/** The one loop: take what arrived, reduce, append in one transaction, publish, perform. Always in this order. */
export class Loop {
  state: SessionState = emptySession;
  readonly history = new HistoryFold();
  readonly places = new LogPlaces();
  private seq = 1;
  private inbox: Arrived[] = [];
  private scheduled = false;
  private dead: ErrorInfo | null = null;
  private idleWaiters: (() => void)[] = [];
  private readonly log: SessionLog;
  private readonly hooks: LoopHooks;

  constructor(log: SessionLog, hooks: LoopHooks) {
    this.log = log;
    this.hooks = hooks;
  }

  /** Resume: folds the stored events. Orders nothing; the caller uses `pending`. */
  fold(recorded: Iterable<Recorded>): void {
    for (const one of recorded) {
      this.seq = one.seq + 1;
      this.places.note(one);
      if (!one.accepted) continue;
      this.state = this.refold(one);
      this.history.apply(one.event);
    }
  }

  /** An event accepted once must be accepted again; otherwise the log is damaged or from an unsupported version. */
  private refold({ seq, event }: Recorded): SessionState {
    let step: ReturnType<typeof reduce>;
    try {
      step = reduce(this.state, event);
    } catch (error) {
      throw new CoderError(damagedAt(seq), { cause: error });
    }
    if (!step.accepted || event.v !== 1) throw new CoderError(damagedAt(seq));
    return step.state;
  }

  push(body: EventBody, blobs: readonly Blob[] = []): void {
    this.arrive({ bodies: [body], blobs, stored: null });
  }

  /** Resolves when the events are stored, and synced if their kind requires it; rejects when the store fails. */
  pushStored(...bodies: readonly EventBody[]): Promise<void> {
    return new Promise((resolve, reject) => this.arriveStored(bodies, { resolve: () => resolve(), reject }));
  }

  /** Like `pushStored`, but resolves to whether the event was accepted: another event may have come first. */
  pushChecked(body: EventBody): Promise<boolean> {
    return new Promise((resolve, reject) => this.arriveStored([body], { resolve, reject }));
  }

  perform(effects: readonly Effect[]): void {
    // An empty batch is enough for a state with a follow-up.
    if (followUp(this.state)) this.arrive({ bodies: [], blobs: [], stored: null });
    for (const effect of effects) {
      const answer = this.hooks.answerNow(effect, this.state, this.history);
      if (answer) this.arrive({ ...answer, stored: null });
      else this.hooks.perform(effect);
    }
  }

  recent(tasks: number): readonly Recorded[] {
    return recentEvents(this.log, this.places, tasks, this.seq);
  }

  get pageCount(): number {
    return this.places.pages.length;
  }

  page(page: number): readonly Recorded[] {
    return pageOf(this.log, this.places, page);
  }

  messageOf(taskId: TaskId): MessagePlace | null {
    return messageOf(this.log, this.places, taskId);
  }

  get nextSeq(): number {
    return this.seq;
  }

  get failure(): ErrorInfo | null {
    return this.dead;
  }

  idle(): Promise<void> {
    return new Promise((resolve) => {
      this.idleWaiters.push(resolve);
      this.tellIdle();
    });
  }

  private arrive(arrived: Arrived): void {
    this.inbox.push(arrived);
    if (this.scheduled) return;
    this.scheduled = true;
    queueMicrotask(() => this.drain());
  }

  private arriveStored(bodies: readonly EventBody[], stored: NonNullable<Arrived["stored"]>): void {
    if (this.dead) stored.reject(new CoderError(this.dead));
    else this.arrive({ bodies, blobs: [], stored });
  }

  private drain(): void {
    this.scheduled = false;
    if (this.dead || this.inbox.length === 0) return;
    const work = this.inbox;
    this.inbox = [];
    const from = this.seq;
    let batch: Batch;
    try {
      batch = this.reduceAll(work);
      this.log.append({
        from,
        entries: batch.entries,
        blobs: [...work.flatMap((one) => one.blobs), ...batch.blobs],
        durable: batch.durable,
      });
    } catch (error) {
      this.die(error, work);
      return;
    }
    this.state = batch.state;
    this.seq += batch.entries.length;
    const published = batch.published.map((one, at) => ({ ...one, recorded: { ...one.recorded, seq: from + at } }));
    for (const { recorded } of published) this.places.note(recorded);
    for (const one of published) this.hooks.publish({ kind: "event", ...one });
    for (const one of work) one.stored?.resolve(one.bodies.every((body) => batch.accepted.has(body)));
    for (const effect of batch.orders) this.hooks.perform(effect);
    this.tellIdle();
  }

  /** Reduces what arrived and, right after each event, its consequences: answers to its effects, then follow-ups. */
  private reduceAll(work: readonly Arrived[]): Batch {
    const arrived = work.flatMap((one) => one.bodies);
    const answers: EventBody[] = [];
    const lists = { entries: [], blobs: [], published: [], orders: [] };
    const batch: Batch = { state: this.state, ...lists, accepted: new Set(), durable: false };
    const next = (): EventBody | undefined => answers.shift() ?? followUp(batch.state) ?? arrived.shift();
    for (let body = next(); body; body = next()) {
      const event: Event = { v: 1, at: this.hooks.now(), ...body };
      const before = batch.state;
      const step = reduce(before, event);
      batch.state = step.state;
      if (step.accepted) {
        this.history.apply(event);
        batch.accepted.add(body);
      }
      batch.entries.push({ event, accepted: step.accepted });
      batch.published.push({
        recorded: { seq: 0, accepted: step.accepted, event },
        state: step.state,
        transitions: transitions(before, step.state),
      });
      batch.durable ||= needsSync(event, step.state);
      const bodies: EventBody[] = [];
      for (const effect of step.effects) {
        const answer = this.hooks.answerNow(effect, batch.state, this.history);
        if (!answer) batch.orders.push(effect);
        bodies.push(...(answer?.bodies ?? []));
        batch.blobs.push(...(answer?.blobs ?? []));
      }
      answers.unshift(...bodies);
    }
    return batch;
  }

  private die(error: unknown, work: readonly Arrived[]): void {
    const text = phrase("run.crashed", { what: "append" });
    const failure =
      error instanceof CoderError
        ? error
        : new CoderError({ code: "E_INTERNAL", text, traceId: this.hooks.trace(error) });
    this.dead = failure.info;
    const lost = [...work, ...this.inbox];
    this.inbox = [];
    this.hooks.onDead(this.dead);
    for (const one of lost) one.stored?.reject(failure);
    this.hooks.publish({ kind: "fatal", error: this.dead });
    this.tellIdle();
  }

  private tellIdle(): void {
    const busy = this.state.task.phase !== "IDLE" || this.state.queue.length > 0 || this.inbox.length > 0;
    if (busy && !this.dead) return;
    const waiters = this.idleWaiters;
    this.idleWaiters = [];
    for (const resolve of waiters) resolve();
  }
}

interface Batch {
  state: SessionState;
  readonly entries: AppendEntry[];
  readonly blobs: Blob[];
  readonly published: {
    readonly recorded: Recorded;
    readonly state: SessionState;
    readonly transitions: readonly Transition[];
  }[];
  readonly orders: Effect[];
  readonly accepted: Set<EventBody>;
  durable: boolean;
}

/** Events that must survive power loss: what the user sent or answered, what precedes an outside effect, and the end of a task. */
function needsSync(event: Event, state: SessionState): boolean {
  switch (event.type) {
    // An intent found after a kill may not have been synced: this sync covers everything before it.
    case "session.resumed":
    case "input.admitted":
    case "input.returned":
    case "task.continued":
    case "approval.answered":
    case "plan.answered":
    case "clarification.answered":
    case "process.spawned":
    case "job.started":
    case "task.ended":
      return true;
    case "tool.intended": {
      const access = callIn(state, event.callId)?.call.access;
      return access !== "read" && access !== "session";
    }
    default:
      return false;
  }
}

export function transitions(before: SessionState, after: SessionState): readonly Transition[] {
  const list: Transition[] = [];
  if (before.task.phase !== after.task.phase)
    list.push({ machine: "task", from: before.task.phase, to: after.task.phase });
  if (before.run.phase !== after.run.phase) list.push({ machine: "run", from: before.run.phase, to: after.run.phase });
  return list;
}

function damagedAt(seq: number): ErrorInfo {
  return { code: "E_STORE", text: phrase("run.damaged_log", { seq }), advice: phrase("run.damaged_log.advice") };
}
