import type { ErrorInfo } from "../../contract/error.ts";
import type { CutReply } from "../../contract/event.ts";
import { type Call, type CallResult, type FileChange, subjectOf } from "../../contract/message.ts";
import type { Question, TaskSummary } from "../../contract/task.ts";
import type { PastTask, Unkept } from "../../contract/undo.ts";
import { commandOf } from "./entry.ts";

type Frozen<T> =
  T extends Map<infer K, infer V>
    ? ReadonlyMap<K, V>
    : T extends Set<infer V>
      ? ReadonlySet<V>
      : T extends (infer V)[]
        ? readonly V[]
        : T;

/** What one task did, from the log alone (SM-9). */
export type TaskRecord = { readonly [Name in keyof TaskDraft]: Frozen<TaskDraft[Name]> };

/** While it is folded. */
export interface TaskDraft {
  readonly taskId: string;
  /** What was asked for, its first line. */
  readonly title: string;
  /** The same with its other lines; a beginning of what is long. */
  readonly asked: string;
  /** When it began, by the clock. */
  readonly at: number;
  kind: PastTask["kind"];
  readonly changes: FileChange[];
  /** By check, how many of them were there when it last passed; 0 for one of ours that has not yet. */
  readonly sound: Map<string, number>;
  /** Which of them are ours, run to verify the task: whatever else the model has looked at, these decide. */
  readonly ownChecks: Set<string>;
  /** The newest check of the model's said that the code is wrong. */
  isKnownWrong: boolean;
  readonly unkept: Unkept[];
  /** Of both, what a check has done: not what the task was about. */
  readonly byChecks: Set<FileChange | Unkept>;
  /** Of an undo: the tasks it took back. */
  undoes: readonly string[];
  /** Taken back, and not brought again since. */
  undone: boolean;
  readonly commands: { readonly command: string; readonly status: string; readonly exit_code: number | null }[];
  /** What commands made or changed although other programs obey it. */
  readonly planted: string[];
  lastText: string;
  /** What had come of a reply after that, which never came to its end. */
  cut: CutReply | null;
  summary: TaskSummary | null;
  /** Whether the last text had to be JSON of a given form, and is; `null` = nothing was asked for. */
  fits: boolean | null;
  /** What the model asked last. */
  questions: readonly Question[];
  /** The last call that did not succeed and was not followed by one that did. `unclear`: a check that said nothing about the code. */
  failed: ErrorInfo | "failed" | "unclear" | null;
  /** Calls of the model that were not allowed or failed, and were not made good later. */
  troubles: readonly Trouble[];
  /** Whether any call of the model came to a good end. */
  didAnything: boolean;
}

interface Trouble {
  readonly status: "denied" | "failed";
  readonly access: Call["access"];
  readonly tool: string;
  readonly role: Call["role"];
  readonly about: string;
}

export function freshTask(taskId: string, text: string, fits: boolean | null, at: number): TaskDraft {
  return {
    taskId,
    title: text.split("\n", 1)[0]?.slice(0, 200) ?? "",
    asked: text.slice(0, 4_000),
    at,
    kind: "task",
    changes: [],
    sound: new Map(),
    ownChecks: new Set(),
    isKnownWrong: false,
    unkept: [],
    byChecks: new Set(),
    undoes: [],
    undone: false,
    commands: [],
    planted: [],
    lastText: "",
    cut: null,
    summary: null,
    fits,
    questions: [],
    failed: null,
    troubles: [],
    didAnything: false,
  };
}

function failureOf({ status, error, data }: CallResult): TaskRecord["failed"] {
  if (status === "done") return null;
  const type = data?.verification?.type;
  if (type === "environment") return "unclear";
  // What the sandbox stopped on the way is no word on the tests.
  if (type !== undefined) return "failed";
  return status === "unknown" ? "failed" : (error ?? "failed");
}

/** How many changes were there when all that verifies the task last passed. */
export function soundIn({ sound, ownChecks }: TaskRecord): number {
  const each = [...ownChecks].map((one) => sound.get(one) ?? 0);
  return each.length === 0 ? 0 : Math.min(...each);
}

/** Some of a check's tests say nothing about the others: only the same command in the same folder is the same check. */
function noteCheck(task: TaskDraft, call: Call, result: CallResult): void {
  const { command, path, also = [] } = call.input as CheckInput & { readonly also?: readonly CheckInput[] };
  for (const one of [{ command, path }, ...also]) {
    const key = JSON.stringify([one.command, one.path ?? "."]);
    if (!isByModel(call)) task.ownChecks.add(key);
    if (isPassed(result)) task.sound.set(key, task.changes.length);
  }
}

interface CheckInput {
  readonly command?: string;
  readonly path?: string;
}

/** Checks after a run and those that the model asked for. */
function isPassed({ status, data }: CallResult): boolean {
  return status === "done" && data?.verification?.ok === true && data.verification.type === "pass";
}

/** Options may be left out. */
export function questionsIn({ input }: Call): readonly Question[] {
  const { questions } = input as { readonly questions: readonly (Pick<Question, "question"> & Partial<Question>)[] };
  return questions.map(({ question, options = [] }) => ({ question, options }));
}

/** What a call did to the workspace. */
export function noteDeeds(task: TaskDraft, call: Call, result: CallResult): void {
  for (const change of result.changes ?? []) task.changes.push(change);
  for (const one of result.unkept ?? []) task.unkept.push(one);
  const isCheck = call.role === "checks";
  for (const one of isCheck ? [...(result.changes ?? []), ...(result.unkept ?? [])] : []) task.byChecks.add(one);
  task.planted.push(...(result.data?.planted ?? []));
  task.failed = failureOf(result);
  if (isByModel(call)) noteTrouble(task, call, result);
  else if (isCheck && ranCheck(result)) task.troubles = task.troubles.filter((one) => !isChecked(one, call));
  if (isCheck) noteCheck(task, call, result);
  if (isCheck && isByModel(call) && ranCheck(result)) task.isKnownWrong = !isPassed(result);
  if (call.access === "exec")
    task.commands.push({ command: commandOf(call), status: result.status, exit_code: result.data?.exit_code ?? null });
}

/** Calls that no reply asked for are checks, commands and undos of ours or of the person's. */
function isByModel({ id, access }: Call): boolean {
  return access !== "session" && !id.split("/").slice(1).join("/").startsWith("0/");
}

/** Whether there is anything to tell: one that said nothing about the code may be worth a second try. */
function ranCheck({ data }: CallResult): boolean {
  const type = data?.verification?.type;
  return type !== undefined && type !== "environment";
}

/** Our own check runs what the model was not allowed to, and has the last word over what its checks said. */
function isChecked({ status, role, about }: Trouble, { input }: Call): boolean {
  return about === subjectOf(input) || (status === "failed" && role === "checks");
}

/**
 * What works now, or was done another way, is no trouble any more; what was not allowed stays so until the very same is. A look
 * that found nothing, and a call that could not even begin, leave nothing behind that a person has to know of.
 */
function noteTrouble(task: TaskDraft, call: Call, { status }: CallResult): void {
  const { tool, role, access, input } = call;
  const about = subjectOf(input);
  const isSame = (one: Trouble): boolean => one.tool === tool && one.about === about;
  if (status === "done") task.didAnything = true;
  if (status === "done" || status === "denied" || status === "failed")
    task.troubles = task.troubles.filter((one) => !isSame(one) && (status !== "done" || !isMadeGood(one, tool, about)));
  const isTold = status === "denied" || (status === "failed" && access !== "read" && !call.problem);
  if (isTold) task.troubles = [...task.troubles, { status, access, tool, role, about }];
}

function isMadeGood(one: Trouble, tool: string, about: string): boolean {
  return one.status === "failed" && (one.tool === tool || (about !== "" && one.about === about));
}

/** An undo that the person asked for, as a task of its own: the last of these. */
export function noteUndo(all: readonly TaskDraft[], result: CallResult, intent: unknown): void {
  const { status, changes = [], data = intent } = result;
  const { tasks = [], redo = false } = (data ?? {}) as { tasks?: readonly string[]; redo?: boolean };
  const task = all.at(-1);
  if (!task || (status !== "done" && changes.length === 0)) return;
  task.kind = redo ? "redo" : "undo";
  if (!redo) task.undoes = tasks;
  // Of one that was cut short, the rest is still to be done.
  if (status !== "done") return;
  const taken = all.filter(({ taskId }) => tasks.includes(taskId));
  for (const one of taken) one.undone = true;
  const again = new Set(redo ? taken.flatMap(({ undoes }) => undoes) : []);
  for (const one of all) if (again.has(one.taskId)) one.undone = false;
}
