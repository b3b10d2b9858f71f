import type { ErrorInfo } from "../contract/error.ts";
import type { Event, EventOf } from "../contract/event.ts";
import { jobState } from "../contract/job.ts";
import type { AssistantReply, Call, CallResult, FileChange } from "../contract/message.ts";
import type { Question, TaskSummary } from "../contract/task.ts";
import { say } from "../contract/text/catalogue.ts";
import type { PastTask, Unkept } from "../contract/undo.ts";
import type { VerificationResult } from "../contract/verification.ts";

/** One item of the conversation, in the order in which the model sees it. Steps are filled in as results arrive. */
export type Entry =
  | { readonly kind: "user"; readonly taskId: string; readonly text: string; hints: string }
  | { readonly kind: "steer"; readonly text: string }
  | { readonly kind: "note"; readonly text: string }
  | {
      readonly kind: "step";
      readonly text: string;
      /** What goes back to the model that wrote it. */
      readonly own: Pick<AssistantReply, "thinking" | "parts" | "by"> | null;
      readonly calls: readonly Call[];
      readonly results: Map<string, CallResult>;
    }
  /** `isOurs`: started by us to verify or to take back, not by the person. */
  | {
      readonly kind: "command";
      readonly call: Call;
      readonly results: Map<string, CallResult>;
      readonly isOurs: boolean;
    };

interface Waiting {
  readonly kind: string;
  readonly text: string;
  readonly isJson: boolean;
}

/** What one task did, from the log alone (SM-9). */
export interface TaskRecord {
  readonly taskId: string;
  /** What was asked for, its first line. */
  readonly title: string;
  kind: PastTask["kind"];
  readonly changes: FileChange[];
  /** How many of them were there when the newest run of the model began. */
  before: number;
  readonly unkept: Unkept[];
  /** Of an undo: the tasks it took back. */
  undoes: readonly string[];
  /** Taken back, and not brought again since. */
  undone: boolean;
  readonly commands: { readonly command: string; readonly status: string; readonly exit_code: number | null }[];
  lastText: string;
  summary: TaskSummary | null;
  /** Whether the last text had to be JSON of a given form, and is; `null` = nothing was asked for. */
  fits: boolean | null;
  /** What the model asked last. */
  questions: readonly Question[];
  /** The last call that did not succeed and was not followed by one that did. `unclear`: a check that said nothing about the code. */
  failed: ErrorInfo | "failed" | "unclear" | null;
}

/** The conversation as a fold of accepted events. Append-only, so that a step costs the same at any length. */
export class History {
  readonly entries: Entry[] = [];
  /** Hash this session last saw, by real path: from reads and from its own writes. */
  readonly known = new Map<string, string>();
  readonly tasks: TaskRecord[] = [];
  /** Reported input tokens ÷ our estimate of that request; 1 until a provider reports usage. */
  calibration = 1;
  private readonly waiting = new Map<string, Waiting>();
  private readonly calls = new Map<string, { call: Call; into: Map<string, CallResult> }>();
  private readonly jobs = new Map<string, string>();
  private estimate = 0;
  /** What the newest call was about to say about itself. */
  private intent: unknown;
  /** What the newest task began with. */
  private kind = "task";

  apply(event: Event): void {
    switch (event.type) {
      case "history.restored":
        this.entries.push({ kind: "note", text: event.text });
        return;
      case "input.admitted":
        this.waiting.set(event.inputId, { kind: event.kind, text: event.text, isJson: event.schema !== undefined });
        return;
      case "input.delivered":
        for (const id of event.inputIds) this.entries.push({ kind: "steer", text: this.take(id).text });
        return;
      case "input.returned":
        for (const id of event.inputIds) this.waiting.delete(id);
        return;
      case "task.started":
        this.start(event);
        return;
      case "context.built":
        this.setHints(event.hints);
        return;
      case "run.started":
        for (const call of event.calls) this.addCommand(call);
        return;
      case "plan.settled":
        for (const call of event.calls ?? []) this.addCommand(call);
        return;
      case "clarification.answered":
        this.entries.push({ kind: "steer", text: event.text });
        return;
      case "model.replied":
        this.addStep(event);
        return;
      case "approval.answered":
        if (event.call) this.replace(event.call);
        return;
      case "tool.intended":
        this.intent = event.intent.data;
        return;
      case "tool.settled":
        this.settle(event);
        return;
      case "job.started":
        this.jobs.set(event.jobId, event.command);
        return;
      case "job.ended":
        this.noteJob(event);
        return;
      case "checks.finished":
        if (this.task && event.answer) this.task.fits = event.answer.length === 0;
        return;
      case "task.summarized":
        if (this.task) this.task.summary = event.summary;
        return;
      case "advice.given":
        this.entries.push({ kind: "note", text: say("en", event.text) });
        return;
      case "recovery.decided":
        if (this.task && event.rung !== "rollback") this.task.before = this.task.changes.length;
        if (event.repairable && event.rung !== "rollback") this.entries.push({ kind: "note", text: event.instruction });
        return;
      default:
        return;
    }
  }

  /** The engine notes how large it believed the request to be; the reply's usage then corrects the estimate. */
  noteEstimate(tokens: number): void {
    this.estimate = tokens;
  }

  get task(): TaskRecord | undefined {
    return this.tasks.at(-1);
  }

  /** Also what was ended on demand: it may have been the person who did. */
  private noteJob(event: EventOf<"job.ended">): void {
    const { jobId: id, ...end } = event;
    const command = this.jobs.get(id) ?? "";
    this.jobs.delete(id);
    this.entries.push({ kind: "note", text: say("en", jobState({ id, command, end })) });
  }

  private take(inputId: string): Waiting {
    const input = this.waiting.get(inputId) ?? { kind: "task", text: "", isJson: false };
    this.waiting.delete(inputId);
    return input;
  }

  private start(event: EventOf<"task.started">): void {
    const input = this.take(event.inputId);
    this.kind = input.kind;
    const fits = input.isJson ? false : null;
    this.tasks.push({
      taskId: event.taskId,
      title: input.text.split("\n", 1)[0]?.slice(0, 200) ?? "",
      kind: "task",
      changes: [],
      before: 0,
      unkept: [],
      undoes: [],
      undone: false,
      commands: [],
      lastText: "",
      summary: null,
      fits,
      questions: [],
      failed: null,
    });
    if (input.kind === "task") this.entries.push({ kind: "user", taskId: event.taskId, text: input.text, hints: "" });
  }

  private setHints(hints: string): void {
    const last = this.entries.at(-1);
    if (last?.kind === "user") last.hints = hints;
  }

  /** What a call of the step or command that runs now, or ran last, came to. */
  resultOf(id: string): CallResult | undefined {
    return this.calls.get(id)?.into.get(id);
  }

  /** What the model wrote in its newest step. */
  lastStepText(): string {
    const step = this.entries.findLast((entry) => entry.kind === "step");
    return step?.text ?? "";
  }

  private addCommand(call: Call): void {
    const results = new Map<string, CallResult>();
    this.entries.push({ kind: "command", call, results, isOurs: this.kind === "task" || isByMode(call) });
    this.calls.set(call.id, { call, into: results });
  }

  private addStep(event: EventOf<"model.replied">): void {
    const { reply } = event;
    const results = new Map<string, CallResult>();
    // What an earlier step called is settled by now: only the open step's calls are looked up.
    this.calls.clear();
    for (const call of reply.calls) this.calls.set(call.id, { call, into: results });
    const { thinking, parts, by } = reply;
    const own = parts && by !== undefined ? { thinking, parts, by } : null;
    this.entries.push({ kind: "step", text: reply.text, own, calls: reply.calls, results });
    if (this.task && reply.text) this.task.lastText = reply.text;
    const asked = reply.calls.find(({ tool, problem }) => tool === "question" && !problem);
    if (this.task && asked) this.task.questions = questionsIn(asked);
    if (reply.usage.input > 0 && this.estimate > 0)
      this.calibration = Math.min(3, Math.max(0.5, reply.usage.input / this.estimate));
  }

  /** The person edited the arguments: what ran is what the summary shows; the model's own words stay as they were. */
  private replace(call: Call): void {
    const open = this.calls.get(call.id);
    if (open) this.calls.set(call.id, { call, into: open.into });
  }

  /** By the person as a task of its own; in the middle of another it only takes back what that one did. */
  private noteUndo({ status, changes = [], data = this.intent }: CallResult): void {
    const { tasks = [], redo = false } = (data ?? {}) as { tasks?: readonly string[]; redo?: boolean };
    if (this.kind === "task" || !this.task || (status !== "done" && changes.length === 0)) return;
    this.task.kind = redo ? "redo" : "undo";
    if (!redo) this.task.undoes = tasks;
    // Of one that was cut short, the rest is still to be done.
    if (status !== "done") return;
    const taken = this.tasks.filter(({ taskId }) => tasks.includes(taskId));
    for (const one of taken) one.undone = true;
    const again = new Set(redo ? taken.flatMap(({ undoes }) => undoes) : []);
    for (const one of this.tasks) if (again.has(one.taskId)) one.undone = false;
  }

  private settle(event: EventOf<"tool.settled">): void {
    const open = this.calls.get(event.callId);
    if (!open) return;
    const { result } = event;
    open.into.set(event.callId, result);
    for (const one of result.seen ?? []) this.known.set(one.real, one.hash);
    for (const change of result.changes ?? []) {
      this.task?.changes.push(change);
      // What a command left in a file, the model has not seen.
      if (open.call.access === "exec") continue;
      // Nor what an undo brought back, which may be the person's own.
      if (change.after && open.call.tool !== "undo") this.known.set(change.real, change.after.hash);
      else this.known.delete(change.real);
    }
    for (const one of result.unkept ?? []) this.task?.unkept.push(one);
    if (open.call.tool === "undo") this.noteUndo(result);
    if (this.task) this.task.failed = failureOf(result);
    if (open.call.access === "exec")
      this.task?.commands.push({ command: commandOf(open.call), status: result.status, exit_code: exitCode(result) });
  }
}

function failureOf({ status, error, data }: CallResult): TaskRecord["failed"] {
  if (status === "done") return null;
  const { type } = (data as { verification?: Partial<VerificationResult> } | undefined)?.verification ?? {};
  if (type === "environment") return "unclear";
  return status === "unknown" ? "failed" : (error ?? "failed");
}

/** Options may be left out. */
function questionsIn({ input }: Call): readonly Question[] {
  const { questions } = input as { readonly questions: readonly (Pick<Question, "question"> & Partial<Question>)[] };
  return questions.map(({ question, options = [] }) => ({ question, options }));
}

/** A commit that `git.mode` asked for. */
function isByMode({ tool, input }: Call): boolean {
  return tool === "commit" && (input as { readonly auto?: boolean }).auto === true;
}

export function commandOf(call: Call): string {
  const input = call.input;
  return typeof input === "object" && input !== null && "command" in input ? String(input.command) : call.tool;
}

function exitCode(result: CallResult): number | null {
  const data = result.data;
  const code = typeof data === "object" && data !== null && "exit_code" in data ? data.exit_code : null;
  return typeof code === "number" ? code : null;
}
