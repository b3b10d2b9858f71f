import type { Attachment } from "../../contract/attachment.ts";
import type { Event, EventOf, EventType, View } from "../../contract/event.ts";
import { runOfCall } from "../../contract/ids.ts";
import { jobState } from "../../contract/job.ts";
import type { Call, CallResult, FileChange } from "../../contract/message.ts";
import type { Mode } from "../../contract/task.ts";
import { phrase, say } from "../../contract/text/catalogue.ts";
import { type Entry, type Note, taskAt } from "./entry.ts";
import { onlyItsTrace, outputsOf, withoutOutputs } from "./release.ts";
import { freshTask, noteDeeds, noteUndo, questionsIn, type TaskDraft, type TaskRecord } from "./task-record.ts";

interface Waiting {
  readonly kind: string;
  readonly text: string;
  readonly isJson: boolean;
  readonly attached: { readonly attachments?: readonly Attachment[] };
  /** Attached files whose content the model will know, each with the hash known when it was read. */
  readonly seen: readonly { readonly real: string; readonly hash: string; readonly before: string | undefined }[];
}

export interface Said {
  readonly at: number;
  readonly text: string;
}

/** A projection of accepted events. It only grows at its end, so that a step costs the same at any length. */
export interface History {
  readonly entries: readonly Entry[];
  /** The hash this session last saw per real path, from reads and from its own writes. */
  readonly known: ReadonlyMap<string, string>;
  readonly tasks: readonly TaskRecord[];
  readonly task: TaskRecord | undefined;
  /** Results of calls that changed files, including calls of sub-agents, by call id. */
  readonly deeds: ReadonlyMap<string, CallResult>;
  /** Tasks, steering input and answers, oldest first: no summary may lose them (CX-2). */
  readonly said: readonly Said[];
  /** The rules the model was told last, and the index of that entry. */
  readonly rules: { readonly at: number; readonly text: string; readonly salt: string };
  /** The last map given to the model with its index; the task that `places` were given for. */
  readonly overview: { readonly at: number; readonly map: string; readonly tree: string; readonly placesFor: string };
  readonly released: number;
  /** The history of a run: a running sub-agent's, or the task's own. */
  readonly of: (runId: string) => History;
  readonly resultOf: (id: string) => CallResult | undefined;
  readonly lastStepText: () => string;
}

/** The owner applies each accepted event once, in order; everybody else only reads. */
export class HistoryFold implements History {
  readonly entries: Entry[] = [];
  readonly known = new Map<string, string>();
  readonly tasks: TaskDraft[] = [];
  readonly deeds = new Map<string, CallResult>();
  readonly said: Said[] = [];
  rules = { at: -1, text: "", salt: "" };
  overview = { at: -1, map: "", tree: "", placesFor: "" };
  released = 0;
  private readonly waiting = new Map<string, Waiting>();
  private readonly calls = new Map<string, { call: Call; into: Map<string, CallResult> }>();
  private readonly jobs = new Map<string, { readonly command: string; readonly runId: string }>();
  /** How far outputs and whole entries are released; earlier entries that requests still show. */
  private prunedTo = 0;
  private trimmedTo = 0;
  private stillShown: readonly number[] = [];
  private intent: unknown;
  private kind = "task";
  private mode: Mode = "default";
  /** TL-5: what a sub-agent says stays in its own history; what it does belongs to the task. */
  /** Calls of the open step whose deeds are not noted yet: calls may end in another order than they were made in. */
  private due: readonly string[] = [];
  private readonly outer: HistoryFold | null;
  private readonly subs = new Map<string, { readonly callId: string; readonly history: HistoryFold }>();

  /** `outer`: the task's history, to which the deeds of a sub-agent belong too. */
  constructor(outer: HistoryFold | null = null) {
    this.outer = outer;
  }

  of(runId: string): HistoryFold {
    return this.subs.get(runId)?.history ?? this;
  }

  apply(event: Event): void {
    const sub = "runId" in event && event.runId !== undefined ? this.subs.get(event.runId) : undefined;
    if (sub) {
      sub.history.apply(event);
      if (event.type === "approval.answered" && event.by !== "nobody") this.noteOverheard(sub.history, event);
      return;
    }
    const handle = HistoryFold.handlers[event.type] as ((fold: HistoryFold, event: Event) => void) | undefined;
    handle?.(this, event);
  }

  private static readonly handlers: { readonly [T in EventType]?: (fold: HistoryFold, event: EventOf<T>) => void } = {
    "sub.started": (fold, event) => fold.startSub(event),
    "session.started": (fold, { mode, rewound }) => {
      fold.setMode(mode);
      if (rewound) fold.note(rewoundNote);
    },
    "session.resumed": (fold, { mode }) => fold.setMode(mode),
    "session.moved": (fold, event) => fold.move(event),
    "history.restored": (fold, { text }) => fold.note(text),
    "input.admitted": (fold, event) => fold.admit(event),
    "input.delivered": (fold, { inputIds }) => {
      for (const { text, attached } of inputIds.map((id) => fold.take(id))) fold.steer(text, attached);
    },
    "input.returned": (fold, { inputIds }) => {
      for (const id of inputIds) fold.waiting.delete(id);
    },
    "task.started": (fold, event) => fold.start(event),
    "task.continued": (fold, event) => fold.goOn(event),
    "task.assessed": (fold, { hints }) => fold.setHints(hints),
    "context.built": (fold, { hints }) => fold.setHints(hints),
    "run.started": (fold, { calls }) => fold.addCommands(calls),
    "plan.settled": (fold, { calls = [] }) => fold.addCommands(calls),
    "clarification.answered": (fold, { text }) => fold.steer(text),
    "rules.read": (fold, { text, salt }) => {
      fold.rules = { at: fold.entries.length, text, salt };
      fold.note({ rules: text });
    },
    "overview.given": (fold, event) => fold.giveOverview(event),
    "mode.changed": (fold, { mode, told }) => {
      fold.mode = mode;
      if (told && fold.task?.summary === null) fold.note({ mode });
      for (const { history } of fold.subs.values()) history.note({ mode });
    },
    "model.replied": (fold, event) => fold.addStep(event),
    "reply.cut": (fold, event) => fold.noteCut(event),
    "approval.answered": (fold, { call, by, words }) => {
      if (call) fold.replace(call);
      if (by !== "nobody") fold.noteWords(words);
    },
    "plan.answered": (fold, { words }) => {
      if (words !== say("en", phrase("run.plan_nobody"))) fold.noteWords(words);
    },
    "tool.intended": (fold, { intent }) => {
      fold.intent = intent.data;
    },
    "tool.settled": (fold, event) => fold.settle(event),
    "job.started": (fold, { jobId, callId, command }) =>
      void fold.jobs.set(jobId, { command, runId: runOfCall(callId) }),
    "job.ended": (fold, event) => fold.noteJob(event),
    "checks.finished": (fold, { answer }) => {
      if (fold.task && answer) fold.task.fits = answer.length === 0;
    },
    "task.summarized": (fold, { summary }) => {
      if (fold.task) fold.task.summary = summary;
    },
    "context.compacted": (fold, { compaction }) => fold.release(compaction),
    "advice.given": (fold, { text }) => fold.note(say("en", text)),
    "recovery.decided": (fold, { repairable, rung, instruction }) => {
      if (repairable && rung !== "rollback") fold.note(instruction);
    },
  };

  private move({ from, to }: EventOf<"session.moved">): void {
    const moved = (real: string): string => (real.startsWith(`${from}/`) ? to + real.slice(from.length) : real);
    const known = [...this.known];
    this.known.clear();
    for (const [real, hash] of known) this.known.set(moved(real), hash);
    const changed = (change: FileChange): FileChange => ({ ...change, real: moved(change.real) });
    for (const { changes } of this.tasks) changes.splice(0, changes.length, ...changes.map(changed));
    for (const [id, result] of this.deeds)
      this.deeds.set(id, { ...result, changes: (result.changes ?? []).map(changed) });
    this.note(`The workspace was moved from ${from} to ${to}.`);
  }

  /** Releases what no request shows any more; otherwise a session of days would hold every file it ever read. */
  private release({ pruneBefore, trimBefore }: View): void {
    for (; this.prunedTo < pruneBefore; this.prunedTo++) {
      const entry = this.entries[this.prunedTo];
      if (!entry) continue;
      this.released += outputsOf(entry);
      this.entries[this.prunedTo] = withoutOutputs(entry);
    }
    const shown = [this.rules.at, taskAt(this.entries, trimBefore)];
    const due = [...this.stillShown];
    for (; this.trimmedTo < trimBefore; this.trimmedTo++) due.push(this.trimmedTo);
    this.stillShown = due.filter((at) => shown.includes(at));
    for (const at of due) {
      const entry = shown.includes(at) ? undefined : this.entries[at];
      if (entry) this.entries[at] = onlyItsTrace(entry);
    }
  }

  private startSub({ subId, callId, sub, mayWrite, at }: EventOf<"sub.started">): void {
    const history = new HistoryFold(this);
    const { text, salt } = this.rules;
    if (text !== "") history.apply({ v: 1, at: 0, type: "rules.read", files: [], text, salt });
    const asked = this.entries.findLast((entry) => entry.kind === "user");
    history.tasks.push(freshTask("", sub.title, null, at));
    history.said.push({ at: history.entries.length, text: sub.prompt });
    const job = { sub, mayWrite: mayWrite ?? true, hints: asked?.hints ?? "", mode: this.mode };
    history.entries.push({ kind: "user", taskId: "", text: sub.prompt, hints: "", job });
    const { map } = this.overview;
    if (map !== "") history.apply({ v: 1, at: 0, type: "overview.given", part: "map", text: map });
    this.subs.set(subId, { callId, history });
  }

  /** Words about a sub-agent's call concern the task too, so they are noted in both histories. */
  private noteOverheard(sub: HistoryFold, { callId, answer, words }: EventOf<"approval.answered">): void {
    if (words.trim() === "") return;
    const tool = sub.calls.get(callId)?.call.tool ?? "";
    this.said.push({ at: this.entries.length, text: words });
    this.note(`The person was asked about a call of ${tool} by the sub-agent, answered ${answer}, and said: ${words}`);
  }

  private setMode(mode: Mode): void {
    this.mode = mode;
  }

  private note(note: Note): void {
    this.entries.push({ kind: "note", note });
  }

  get task(): TaskDraft | undefined {
    return this.tasks.at(-1);
  }

  /** A job that was stopped on demand is noted too: the user may have stopped it. */
  private noteJob(event: EventOf<"job.ended">): void {
    const { jobId: id, ...end } = event;
    const { command, runId } = this.jobs.get(id) ?? { command: "", runId: "" };
    this.jobs.delete(id);
    const text = say("en", jobState({ id, command, end }));
    for (const history of new Set<HistoryFold>([this, this.of(runId)])) history.note(text);
  }

  private steer(text: string, attached: Waiting["attached"] = {}): void {
    this.said.push({ at: this.entries.length, text });
    this.entries.push({ kind: "steer", text, ...attached });
  }

  /** The model reads these words in the result of the call that was asked about, so they get no entry. */
  private noteWords(text: string): void {
    if (text.trim() !== "") this.said.push({ at: this.entries.length - 1, text });
  }

  private admit({ inputId, kind, text, shown = text, schema, attachments = [] }: EventOf<"input.admitted">): void {
    const seen = attachments.flatMap((one) => one.seen ?? []);
    this.waiting.set(inputId, {
      kind,
      text: shown,
      isJson: schema !== undefined,
      attached: attachments.length > 0 ? { attachments } : {},
      seen: seen.map((one) => ({ ...one, before: this.known.get(one.real) })),
    });
  }

  private take(inputId: string): Waiting {
    const input = this.waiting.get(inputId) ?? { kind: "task", text: "", isJson: false, attached: {}, seen: [] };
    this.waiting.delete(inputId);
    // Keeps a newer hash: the model may have read or written the file since the input was sent.
    for (const { real, hash, before } of input.seen) if (this.known.get(real) === before) this.known.set(real, hash);
    return input;
  }

  private noteDeeds(call: Call, result: CallResult): void {
    if (this.task) noteDeeds(this.task, call, result);
    if (result.changes?.length || result.unkept?.length) this.deeds.set(call.id, { ...result, output: "" });
    this.outer?.noteDeeds(call, result);
  }

  /** A success counts as later than a failure by its place in the reply. */
  private noteInOrder(settled: Call, result: CallResult): void {
    if (!this.due.includes(settled.id)) {
      this.noteDeeds(settled, result);
      return;
    }
    for (const [at, id] of this.due.entries()) {
      const open = this.calls.get(id);
      const ended = open?.into.get(id);
      if (!open || !ended) {
        this.due = this.due.slice(at);
        return;
      }
      this.noteDeeds(open.call, ended);
    }
    this.due = [];
  }

  private giveOverview({ part, text }: EventOf<"overview.given">): void {
    if (part === "map") this.overview = { ...this.overview, at: this.entries.length, map: text };
    else if (part === "tree") this.overview = { ...this.overview, tree: text };
    else this.overview = { ...this.overview, placesFor: this.task?.taskId ?? "" };
    this.entries.push({ kind: "overview", text });
  }

  private start(event: EventOf<"task.started">): void {
    const input = this.take(event.inputId);
    this.kind = input.kind;
    const fits = input.isJson ? false : null;
    this.tasks.push(freshTask(event.taskId, input.text, fits, event.at));
    if (input.kind !== "task") return;
    this.said.push({ at: this.entries.length, text: input.text });
    this.entries.push({ kind: "user", taskId: event.taskId, text: input.text, ...input.attached, hints: "" });
  }

  /** Makes the old record the newest again. After an undo it starts a fresh one, because undone changes cannot be undone again. */
  private goOn({ taskId, at }: EventOf<"task.continued">): void {
    this.kind = "task";
    const place = this.tasks.findLastIndex((one) => one.taskId === taskId);
    const before = this.tasks[place];
    if (!before) return;
    if (before.undone) this.tasks.push(freshTask(taskId, before.asked, before.fits, at));
    else this.tasks.push(...this.tasks.splice(place, 1));
    if (this.task) this.task.summary = null;
  }

  /** A repeated reply needs no note: the model says it again. */
  private noteCut({ text, why, isRepeated }: EventOf<"reply.cut">): void {
    if (isRepeated) return;
    if (this.task) this.task.cut = { text, why };
    this.note({ cut: { text, why } });
  }

  private setHints(hints: string | undefined): void {
    const last = this.entries.at(-1);
    if (hints !== undefined && last?.kind === "user") this.entries[this.entries.length - 1] = { ...last, hints };
  }

  resultOf(id: string): CallResult | undefined {
    return this.calls.get(id)?.into.get(id);
  }

  lastStepText(): string {
    const step = this.entries.findLast((entry) => entry.kind === "step");
    return step?.text ?? "";
  }

  private addCommands(calls: readonly Call[]): void {
    for (const call of calls) {
      const results = new Map<string, CallResult>();
      const isOurs = this.kind === "task" || isByMode(call);
      // It keeps its place all the same: a view counts entries.
      this.entries.push({ kind: "command", call, results, isOurs, isUnsent: !isOurs && isUnsent(call) });
      this.calls.set(call.id, { call, into: results });
    }
  }

  private addStep(event: EventOf<"model.replied">): void {
    const { reply } = event;
    const results = new Map<string, CallResult>();
    // All calls of earlier steps are settled: only the open step's calls are looked up.
    this.calls.clear();
    for (const call of reply.calls) this.calls.set(call.id, { call, into: results });
    this.due = reply.calls.map(({ id }) => id);
    const { thinking, parts, by } = reply;
    const own = parts && by !== undefined ? { thinking, parts, by } : null;
    this.entries.push({ kind: "step", text: reply.text, own, calls: reply.calls, results });
    if (this.task && reply.text) this.task.lastText = reply.text;
    if (this.task) this.task.cut = null;
    const asked = reply.calls.find(({ role }) => role === "asks");
    if (this.task && asked) this.task.questions = questionsIn(asked);
  }

  /** After the user edited the arguments, the summary shows what ran; the model's own message stays as it was. */
  private replace(call: Call): void {
    const open = this.calls.get(call.id);
    if (open) this.calls.set(call.id, { call, into: open.into });
  }

  private settle(event: EventOf<"tool.settled">): void {
    const open = this.calls.get(event.callId);
    if (!open) return;
    const { result } = event;
    for (const [runId, { callId }] of this.subs) if (callId === event.callId) this.subs.delete(runId);
    open.into.set(event.callId, result);
    for (const one of result.seen ?? []) this.known.set(one.real, one.hash);
    for (const change of result.changes ?? []) {
      // The model has not seen what a command wrote into a file,
      if (open.call.access === "exec") continue;
      // nor what an undo restored, which may be the user's own version, nor what the user made of a proposal.
      if (change.after && open.call.role !== "undoes" && !open.call.edited)
        this.known.set(change.real, change.after.hash);
      else this.known.delete(change.real);
    }
    this.noteInOrder(open.call, result);
    // An undo inside another task only reverts that task's changes; it is not a task of its own.
    if (open.call.role === "undoes" && this.kind !== "task") noteUndo(this.tasks, result, this.intent);
  }
}

/** `/diff` without `--send`. */
function isUnsent({ role, input }: Call): boolean {
  return role === "compares" && (input as { readonly send?: boolean }).send !== true;
}

const rewoundNote =
  "[coder] The user took the conversation back to this point. Files may have changed since: read them again before you rely on what you know of them.";

/** A commit made because of `git.mode`. */
function isByMode({ role, input }: Call): boolean {
  return role === "commits" && (input as { readonly auto?: boolean }).auto === true;
}
