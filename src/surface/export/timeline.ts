import type { Event, EventOf } from "../../contract/event.ts";
import { addUsage, noUsage, type Usage } from "../../contract/message.ts";
import type { Outcome, StopReason } from "../../contract/task.ts";
import type { Phrase } from "../../contract/text/catalogue.ts";
import type { Published } from "../../engine/port.ts";
import { openQuestions, type SessionState } from "../../machine/state.ts";
import { addCost, damagedNote, mustBeKnown, noteOf } from "./narrate.ts";
import { Rows, type TimelineRow } from "./rows.ts";

type Follow = Extract<Published, { kind: "event" }>;

export const spanKinds = ["model", "tool", "person", "retry", "other", "away"] as const;
/** Reasons to wait. `away`: no process had the session open. */
export type SpanKind = (typeof spanKinds)[number];

interface TimeSpan {
  readonly kind: SpanKind;
  /** Milliseconds since the start of the task. */
  readonly at: number;
  readonly ms: number;
}

export interface TaskLine {
  readonly id: string;
  readonly input: string;
  readonly startedAt: number;
  readonly rows: readonly TimelineRow[];
  readonly spans: readonly TimeSpan[];
  readonly ms: Readonly<Record<SpanKind | "total", number>>;
  readonly counts: Readonly<Record<"steps" | "calls" | "retries" | "compactions", number>>;
  readonly usage: Usage;
  /** In micro-dollars; `null`: no price was known. */
  readonly cost: number | null;
  readonly outcome: Outcome | null;
  readonly stopReason: StopReason | null;
}

export function* timeline(log: Iterable<Follow>): Generator<TaskLine> {
  const inputs = new Map<string, string>();
  /** Inputs by task: a continued task starts a new timeline. */
  const texts = new Map<string, string>();
  let open: OpenTask | null = null;
  for (const one of log) {
    if (!one.recorded.accepted) continue;
    const { event } = one.recorded;
    if (event.type === "input.admitted") inputs.set(event.inputId, event.text);
    if (event.type === "input.returned") for (const id of event.inputIds) inputs.delete(id);
    if (event.type === "task.started") {
      if (open) yield open.close();
      texts.set(event.taskId, inputs.get(event.inputId) ?? "");
      inputs.delete(event.inputId);
    }
    if (event.type === "task.started" || event.type === "task.continued")
      open = new OpenTask(event, texts.get(event.taskId) ?? "");
    try {
      mustBeKnown(event);
      open?.take(one, inputs);
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      open?.note(damagedNote(one.recorded.seq));
    }
    if (event.type !== "task.ended" || !open) continue;
    yield open.close();
    open = null;
  }
  if (open) yield open.close();
}

class OpenTask {
  private readonly started: EventOf<"task.started" | "task.continued">;
  private readonly input: string;
  private readonly rows = new Rows();
  private readonly spans: TimeSpan[] = [];
  private counts = { steps: 0, calls: 0, retries: 0, compactions: 0 };
  private usage = noUsage;
  private cost: number | null = null;
  private ended: { readonly outcome: Outcome; readonly stop: StopReason } | null = null;
  /** Monotonic, even if the clock was set back. */
  private now = 0;
  private waiting: SpanKind = "other";

  constructor(started: EventOf<"task.started" | "task.continued">, input: string) {
    this.started = started;
    this.input = input;
  }

  take({ recorded, state, transitions }: Follow, inputs: Map<string, string>): void {
    const { event } = recorded;
    const at = Math.max(this.now, event.at - this.started.at);
    this.spend(event.type === "session.resumed" ? "away" : this.waiting, at - this.now);
    this.now = at;
    this.waiting = waitsFor(state);
    this.count(event);
    this.rows.take(event, at, inputs);
    const note = event.type === "model.failed" || event.type === "context.compacted" ? null : noteOf(event);
    if (note) this.rows.note(note, at);
    this.rows.states(transitions, at);
  }

  note(text: Phrase): void {
    this.rows.note(text, this.now);
  }

  private count(event: Event): void {
    if (event.type === "model.replied") {
      this.counts.steps += 1;
      this.usage = addUsage(this.usage, event.reply.usage);
      this.cost = addCost(this.cost, event.reply.cost);
    }
    if (event.type === "tool.settled") this.counts.calls += 1;
    if (event.type === "retry.due") this.counts.retries += 1;
    if (event.type === "context.compacted") this.counts.compactions += 1;
    if (event.type === "task.summarized")
      this.ended = { outcome: event.summary.outcome, stop: event.summary.stop_reason };
  }

  private spend(kind: SpanKind, ms: number): void {
    if (ms === 0) return;
    const last = this.spans.at(-1);
    if (last?.kind === kind) this.spans[this.spans.length - 1] = { ...last, ms: last.ms + ms };
    else this.spans.push({ kind, at: this.now, ms });
  }

  close(): TaskLine {
    const ms = { total: this.now, model: 0, tool: 0, person: 0, retry: 0, other: 0, away: 0 };
    for (const span of this.spans) ms[span.kind] += span.ms;
    return {
      id: this.started.taskId,
      input: this.input,
      startedAt: this.started.at,
      rows: this.rows.close(),
      spans: this.spans,
      ms,
      counts: this.counts,
      usage: this.usage,
      cost: this.cost,
      outcome: this.ended?.outcome ?? null,
      stopReason: this.ended?.stop ?? null,
    };
  }
}

function waitsFor({ task, run }: SessionState): SpanKind {
  if (openQuestions(task).length > 0 || task.phase === "AWAITING_CONFIRMATION") return "person";
  if (run.phase === "awaiting_human") return "person";
  if (run.phase === "tool_running") return "tool";
  if (run.phase === "model_running")
    return run.doing === "waiting" ? "retry" : run.doing === "calling" ? "model" : "other";
  return "other";
}

export type Totals = Pick<TaskLine, "ms" | "counts" | "usage" | "cost">;

export function addLines(all: Totals | null, task: TaskLine): Totals {
  if (all === null) return { ms: task.ms, counts: task.counts, usage: task.usage, cost: task.cost };
  return {
    ms: addEach(all.ms, task.ms),
    counts: addEach(all.counts, task.counts),
    usage: addUsage(all.usage, task.usage),
    cost: addCost(all.cost, task.cost),
  };
}

function addEach<T extends Readonly<Record<keyof T, number>>>(one: T, other: T): T {
  const sums = Object.entries<number>(one).map(([name, value]) => [name, value + other[name as keyof T]]);
  return Object.fromEntries(sums) as T;
}
