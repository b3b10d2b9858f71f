import { callTarget } from "../../command/text/call-target.ts";
import type { Event } from "../../contract/event.ts";
import type { CallId } from "../../contract/ids.ts";
import type { Call, Usage } from "../../contract/message.ts";
import type { Phrase } from "../../contract/text/catalogue.ts";
import type { Transition } from "../../engine/port.ts";

/** One line of a timeline; `at` and `ms` are milliseconds, `at` counts from the start of the task. */
export type TimelineRow = { readonly at: number } & (
  | { readonly kind: "states"; readonly machine: "task" | "run"; readonly states: readonly string[] }
  | {
      readonly kind: "model";
      readonly step: number;
      readonly ms: number;
      readonly usage: Usage;
      /** In micro-dollars, if known. */
      readonly cost?: number;
    }
  | {
      readonly kind: "failure";
      readonly step: number;
      readonly attempt: number;
      readonly ms: number;
      readonly fault: string;
      readonly retryInMs: number | null;
    }
  | {
      readonly kind: "call";
      readonly call: CallId;
      readonly tool: string;
      readonly about: string;
      readonly decision: string | null;
      readonly source: string | null;
      readonly answer: { readonly answer: string; readonly by: string } | null;
      readonly status: string | null;
      readonly ms: number | null;
    }
  | { readonly kind: "compaction"; readonly stage: string; readonly before: number; readonly after: number }
  | { readonly kind: "input"; readonly text: string }
  | { readonly kind: "note"; readonly text: Phrase }
);

type CallRow = Extract<TimelineRow, { kind: "call" }>;

/** A model call counts from the last of these events. */
const beforeModelCall: ReadonlySet<Event["type"]> = new Set([
  ...(["run.started", "model.replied", "model.failed", "context.compacted"] as const),
  ...(["retry.due", "session.resumed", "sub.started", "tool.settled"] as const),
]);

/** Builds the rows of one task. The row of a call stands where its first event does; later events complete it. */
export class Rows {
  private readonly rows: TimelineRow[] = [];
  private readonly calls = new Map<CallId, Call>();
  private readonly placed = new Map<CallId, number>();
  private modelFrom = 0;

  states(transitions: readonly Transition[], at: number): void {
    for (const { machine, from, to } of transitions) {
      // The run alternates between these two states at every step; the rows of the step show that already.
      if (machine === "run" && (to === "model_running" || to === "tool_running")) continue;
      const last = this.rows.at(-1);
      if (last?.kind === "states" && last.machine === machine)
        this.rows[this.rows.length - 1] = { ...last, states: [...last.states, to] };
      else this.rows.push({ kind: "states", at, machine, states: [from, to] });
    }
  }

  note(text: Phrase, at: number): void {
    this.rows.push({ kind: "note", at, text });
  }

  take(event: Event, at: number, inputs: Map<string, string>): void {
    const from = this.modelFrom;
    if (event.type === "run.started") this.announce(event.calls);
    if (event.type === "model.replied") {
      const { usage, cost, calls } = event.reply;
      const row = { kind: "model", at: from, step: event.index, ms: at - from, usage } as const;
      this.rows.push(cost === undefined ? row : { ...row, cost });
      this.announce(calls);
    }
    if (event.type === "model.failed") {
      const { index: step, attempt, fault, retryInMs } = event;
      this.rows.push({ kind: "failure", at: from, step, attempt, ms: at - from, fault, retryInMs });
    }
    if (event.type === "context.compacted") {
      const { stage, tokensBefore: before, tokensAfter: after } = event.compaction;
      this.rows.push({ kind: "compaction", at, stage, before, after });
    }
    if (event.type === "input.delivered")
      for (const id of event.inputIds) {
        this.rows.push({ kind: "input", at, text: inputs.get(id) ?? "" });
        inputs.delete(id);
      }
    if (event.type === "tool.decided")
      this.change(event.callId, at, { decision: event.decision, source: event.source });
    if (event.type === "approval.answered") {
      if (event.call) this.calls.set(event.callId, event.call);
      this.change(event.callId, at, { answer: { answer: event.answer, by: event.by } });
    }
    if (event.type === "tool.settled") {
      this.change(event.callId, at, { status: event.result.status, ms: event.result.ms });
      this.calls.delete(event.callId);
    }
    if (beforeModelCall.has(event.type)) this.modelFrom = at;
  }

  private announce(calls: readonly Call[]): void {
    for (const call of calls) this.calls.set(call.id, call);
  }

  private change(id: CallId, at: number, change: Partial<CallRow>): void {
    const place = this.placed.get(id);
    const known = place === undefined ? undefined : this.rows[place];
    if (place !== undefined && known?.kind === "call") {
      this.rows[place] = { ...known, ...change };
      return;
    }
    const call = this.calls.get(id);
    const about = callTarget(call?.input);
    this.placed.set(id, this.rows.length);
    const nothing = { decision: null, source: null, answer: null, status: null, ms: null };
    this.rows.push({ kind: "call", at, call: id, tool: call?.tool ?? "?", about, ...nothing, ...change });
  }

  close(): readonly TimelineRow[] {
    return this.rows;
  }
}
