// Turns a log into what a reader wants to see, in order: tasks, messages, calls with results, endings.
import type { Decision, Event, EventOf, Recorded } from "../../contract/event.ts";
import type { CallId, InputId } from "../../contract/ids.ts";
import { type Call, type CallResult, noUsage, type Usage } from "../../contract/message.ts";
import type { TaskSummary } from "../../contract/task.ts";
import { type Phrase, phrase } from "../../contract/text/catalogue.ts";

export type Piece =
  | { readonly kind: "task"; readonly id: string; readonly at: number; readonly text: string }
  /** Sent while a task ran. */
  | { readonly kind: "said"; readonly text: string }
  | { readonly kind: "reply"; readonly text: string; readonly thinking: string }
  /** A reply that was interrupted. */
  | { readonly kind: "cut"; readonly text: string; readonly why: Phrase }
  | ToldCall
  | { readonly kind: "note"; readonly text: Phrase }
  | { readonly kind: "end"; readonly summary: TaskSummary; readonly usage: Usage; readonly cost: number | null };

export interface ToldCall {
  readonly kind: "call";
  readonly call: Call;
  readonly decision: { readonly decision: Decision; readonly reasons: readonly Phrase[] } | null;
  readonly answer: Pick<EventOf<"approval.answered">, "answer" | "by" | "words"> | null;
  /** `null`: the log ends before the call does. */
  readonly result: CallResult | null;
}

/** An unknown cost adds nothing; the sum is unknown only while every cost is. */
export function addCost(all: number | null, more: number | null | undefined): number | null {
  return more === null || more === undefined ? all : (all ?? 0) + more;
}

export function addUsage(one: Usage, other: Usage): Usage {
  return {
    input: one.input + other.input,
    output: one.output + other.output,
    cachedInput: one.cachedInput + other.cachedInput,
    reasoning: one.reasoning + other.reasoning,
  };
}

/** Yields each piece as rendered by `show`. Holds only open calls, so that a log of any length needs little memory. */
export function* narrate(log: Iterable<Recorded>, show: (piece: Piece) => string): Generator<string> {
  const teller = new Teller();
  for (const { seq, accepted, event } of log) {
    if (!accepted) continue;
    try {
      mustBeKnown(event);
      yield* [...teller.tell(event)].map(show);
    } catch (error) {
      // A damaged event lacks expected fields: the reader gets a note, and the rest.
      if (!(error instanceof TypeError)) throw error;
      yield show({ kind: "note", text: damagedNote(seq) });
    }
  }
  for (const piece of teller.open()) yield show(piece);
}

/** Rejects entries of the log that are not events of this version. */
export function mustBeKnown({ v }: Event): void {
  if (v !== 1) throw new TypeError("an event of another version");
}

export function damagedNote(seq: number): Phrase {
  return phrase("run.damaged_log", { seq });
}

class Teller {
  private readonly inputs = new Map<InputId, string>();
  private readonly calls = new Map<CallId, ToldCall>();
  private usage = noUsage;
  private cost: number | null = null;

  *tell(event: Event): Generator<Piece> {
    switch (event.type) {
      case "input.admitted":
        this.inputs.set(event.inputId, event.kind === "shell" ? `!${event.text}` : event.text);
        return;
      case "task.started":
        this.usage = noUsage;
        this.cost = null;
        yield { kind: "task", id: event.taskId, at: event.at, text: this.take(event.inputId) };
        return;
      case "input.delivered":
        for (const id of event.inputIds) yield { kind: "said", text: this.take(id) };
        return;
      case "input.returned":
        for (const id of event.inputIds) this.inputs.delete(id);
        return;
      case "clarification.answered":
        yield { kind: "said", text: event.text };
        return;
      case "run.started":
        this.announce(event.calls);
        return;
      case "model.replied":
        this.usage = addUsage(this.usage, event.reply.usage);
        this.cost = addCost(this.cost, event.reply.cost);
        this.announce(event.reply.calls);
        if (event.reply.text !== "" || event.reply.thinking !== "")
          yield { kind: "reply", text: event.reply.text, thinking: event.reply.thinking };
        return;
      case "reply.cut":
        yield { kind: "cut", text: event.text, why: cutBy(event) };
        return;
      case "tool.decided":
        this.change(event.callId, { decision: { decision: event.decision, reasons: event.reasons } });
        return;
      case "approval.answered": {
        const { answer, by, words, call } = event;
        this.change(event.callId, { answer: { answer, by, words }, ...(call === null ? {} : { call }) });
        return;
      }
      case "tool.settled": {
        const told = this.calls.get(event.callId);
        this.calls.delete(event.callId);
        if (told) yield { ...told, result: event.result };
        return;
      }
      case "task.summarized":
        yield { kind: "end", summary: event.summary, usage: this.usage, cost: this.cost };
        return;
      default: {
        const text = noteOf(event);
        if (text) yield { kind: "note", text };
      }
    }
  }

  *open(): Generator<Piece> {
    yield* this.calls.values();
  }

  private take(id: InputId): string {
    const text = this.inputs.get(id) ?? "";
    this.inputs.delete(id);
    return text;
  }

  private announce(calls: readonly Call[]): void {
    for (const call of calls)
      this.calls.set(call.id, { kind: "call", call, decision: null, answer: null, result: null });
  }

  private change(id: CallId, change: Partial<ToldCall>): void {
    const told = this.calls.get(id);
    if (told) this.calls.set(id, { ...told, ...change });
  }
}

function cutBy({ why }: EventOf<"reply.cut">): Phrase {
  return phrase("export.cut_reply", { why: phrase(`export.cut_reply.${why}`) });
}

/** Events other than messages and calls. */
export function noteOf(event: Event): Phrase | null {
  switch (event.type) {
    case "session.started":
      return event.forkedFrom === null ? null : phrase("export.forked", { id: event.forkedFrom });
    case "session.moved":
      return phrase("export.moved", { from: event.from, to: event.to });
    case "task.continued":
      return phrase("export.continued");
    case "reply.cut":
      return cutBy(event);
    case "session.resumed":
      return phrase("export.resumed", { mode: event.mode, model: event.model });
    case "history.restored":
      return phrase("export.restored");
    case "mode.changed":
      return phrase("command.mode.is", { mode: event.mode });
    case "preset.changed":
      return phrase("export.preset", { preset: event.preset });
    case "model.changed":
      return phrase("command.model.is", { model: event.model });
    case "notice.given":
    case "advice.given":
      return event.text;
    case "model.failed":
      return event.error.text;
    case "context.compacted": {
      const { stage, tokensBefore, tokensAfter } = event.compaction;
      return phrase("export.compacted", { stage, before: tokensBefore, after: tokensAfter });
    }
    case "recovery.decided":
      return event.reason;
    case "sub.started":
      return phrase("export.sub_started", { kind: event.sub.kind, title: event.sub.title });
    case "checks.finished":
      return checksNote(event.result);
    case "cancel.requested":
      return phrase("export.cancelled", { source: event.source });
    case "task.timed_out":
      return phrase("export.timed_out");
    case "internal.reported":
      return phrase("export.internal", { trace: event.traceId });
    case "job.started":
      return phrase("export.job_started", { id: event.jobId, command: event.command });
    case "job.ended":
      return phrase("export.job_ended", { id: event.jobId, fate: event.fate, code: event.exitCode ?? "–" });
    default:
      return null;
  }
}

function checksNote(result: EventOf<"checks.finished">["result"]): Phrase {
  if (result.kind === "none") return result.reason;
  return phrase(result.kind === "pass" ? "export.checks_pass" : "export.checks_fail", { command: result.command });
}
