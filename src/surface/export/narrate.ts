// Turns a log into what a reader wants to see, in order: tasks, messages, calls with results, endings.
import type { Decision, Event, EventOf, Recorded } from "../../contract/event.ts";
import type { CallId, InputId } from "../../contract/ids.ts";
import { addUsage, type Call, type CallResult, noUsage, type Usage } from "../../contract/message.ts";
import type { TaskSummary } from "../../contract/task.ts";
import { type Phrase, phrase } from "../../contract/text/catalogue.ts";

export type Piece =
  | { readonly kind: "task"; readonly id: string; readonly at: number; readonly text: string }
  /** Sent while a task ran. */
  | { readonly kind: "said"; readonly text: string }
  | { readonly kind: "reply"; readonly text: string; readonly thinking: string }
  | { readonly kind: "cut"; readonly text: string; readonly why: Phrase }
  | CallPiece
  | { readonly kind: "note"; readonly text: Phrase }
  | { readonly kind: "end"; readonly summary: TaskSummary; readonly usage: Usage; readonly cost: number | null };

export interface CallPiece {
  readonly kind: "call";
  readonly call: Call;
  readonly decision: { readonly decision: Decision; readonly reasons: readonly Phrase[] } | null;
  readonly answer: Pick<EventOf<"approval.answered">, "answer" | "by" | "words"> | null;
  readonly result: CallResult | null;
}

/** An unknown cost adds nothing; the sum is unknown only while every cost is. */
export function addCost(all: number | null, more: number | null | undefined): number | null {
  return more === null || more === undefined ? all : (all ?? 0) + more;
}

/** Yields each piece as rendered by `show`. Holds only open calls, so that a log of any length needs little memory. */
export function* narrate(log: Iterable<Recorded>, show: (piece: Piece) => string): Generator<string> {
  const narrator = new Narrator();
  for (const { seq, accepted, event } of log) {
    if (!accepted) continue;
    try {
      mustBeKnown(event);
      yield* narrator.piecesOf(event).map(show);
    } catch (error) {
      // A damaged event lacks expected fields: the reader gets a note, and the rest.
      if (!(error instanceof TypeError)) throw error;
      yield show({ kind: "note", text: damagedNote(seq) });
    }
  }
  for (const piece of narrator.open()) yield show(piece);
}

/** Rejects entries of the log that are not events of this version. */
export function mustBeKnown({ v }: Event): void {
  if (v !== 1) throw new TypeError("an event of another version");
}

export function damagedNote(seq: number): Phrase {
  return phrase("run.damaged_log", { seq });
}

class Narrator {
  private readonly inputs = new Map<InputId, string>();
  private readonly calls = new Map<CallId, CallPiece>();
  private usage = noUsage;
  private cost: number | null = null;

  piecesOf(event: Event): readonly Piece[] {
    switch (event.type) {
      case "input.admitted":
        this.inputs.set(event.inputId, event.kind === "shell" ? `!${event.text}` : event.text);
        return [];
      case "task.started":
        this.usage = noUsage;
        this.cost = null;
        return [{ kind: "task", id: event.taskId, at: event.at, text: this.take(event.inputId) }];
      case "input.delivered":
        return event.inputIds.map((id) => ({ kind: "said", text: this.take(id) }));
      case "input.returned":
        for (const id of event.inputIds) this.inputs.delete(id);
        return [];
      case "clarification.answered":
        return [{ kind: "said", text: event.text }];
      case "run.started":
        this.announce(event.calls);
        return [];
      case "model.replied": {
        const { text, thinking, usage, cost, calls } = event.reply;
        this.usage = addUsage(this.usage, usage);
        this.cost = addCost(this.cost, cost);
        this.announce(calls);
        return text + thinking === "" ? [] : [{ kind: "reply", text, thinking }];
      }
      case "reply.cut":
        return [{ kind: "cut", text: event.text, why: cutBy(event) }];
      case "tool.decided":
        this.change(event.callId, { decision: { decision: event.decision, reasons: event.reasons } });
        return [];
      case "approval.answered": {
        const { answer, by, words, call } = event;
        this.change(event.callId, { answer: { answer, by, words }, ...(call === null ? {} : { call }) });
        return [];
      }
      case "tool.settled": {
        const piece = this.calls.get(event.callId);
        this.calls.delete(event.callId);
        return piece ? [{ ...piece, result: event.result }] : [];
      }
      case "task.summarized":
        return [{ kind: "end", summary: event.summary, usage: this.usage, cost: this.cost }];
      default: {
        const text = noteOf(event);
        return text ? [{ kind: "note", text }] : [];
      }
    }
  }

  open(): Iterable<Piece> {
    return this.calls.values();
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

  private change(id: CallId, change: Partial<CallPiece>): void {
    const piece = this.calls.get(id);
    if (piece) this.calls.set(id, { ...piece, ...change });
  }
}

function cutBy({ why }: EventOf<"reply.cut">): Phrase {
  return phrase("export.cut_reply", { why: phrase(`export.cut_reply.${why}`) });
}

const notes: { readonly [Type in Event["type"]]?: (event: EventOf<Type>) => Phrase | null } = {
  "session.started": ({ forkedFrom: id }) => (id === null ? null : phrase("export.forked", { id })),
  "session.moved": ({ from, to }) => phrase("export.moved", { from, to }),
  "task.continued": () => phrase("export.continued"),
  "reply.cut": cutBy,
  "session.resumed": ({ mode, model }) => phrase("export.resumed", { mode, model }),
  "history.restored": () => phrase("export.restored"),
  "mode.changed": ({ mode }) => phrase("command.mode.is", { mode }),
  "preset.changed": ({ preset }) => phrase("export.preset", { preset }),
  "model.changed": ({ model }) => phrase("command.model.is", { model }),
  "session.renamed": ({ title }) => phrase("command.rename.done", { title }),
  "aside.answered": ({ question, text }) => phrase("aside.told", { question, text }),
  "notice.given": ({ text }) => text,
  "advice.given": ({ text }) => text,
  "model.failed": ({ error }) => error.text,
  "context.compacted": ({ compaction: { stage, tokensBefore: before, tokensAfter: after } }) =>
    phrase("export.compacted", { stage, before, after }),
  "recovery.decided": ({ reason }) => reason,
  "sub.started": ({ sub: { kind, title } }) => phrase("export.sub_started", { kind, title }),
  "checks.finished": ({ result }) => checksNote(result),
  "cancel.requested": ({ source }) => phrase("export.cancelled", { source }),
  "task.timed_out": () => phrase("export.timed_out"),
  "internal.reported": ({ traceId: trace }) => phrase("export.internal", { trace }),
  "job.started": ({ jobId: id, command }) => phrase("export.job_started", { id, command }),
  "job.ended": ({ jobId: id, fate, exitCode: code }) => phrase("export.job_ended", { id, fate, code: code ?? "–" }),
};

export function noteOf(event: Event): Phrase | null {
  // A damaged log may hold any type, such as "constructor".
  if (!Object.hasOwn(notes, event.type)) return null;
  return (notes[event.type] as (event: Event) => Phrase | null)(event);
}

function checksNote(result: EventOf<"checks.finished">["result"]): Phrase {
  if (result.kind === "none") return result.reason;
  return phrase(result.kind === "pass" ? "export.checks_pass" : "export.checks_fail", { command: result.command });
}
