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

/** The record of one task, from the log alone (SM-9). */
export type TaskRecord = { readonly [Name in keyof TaskDraft]: Frozen<TaskDraft[Name]> };

export interface TaskDraft {
  readonly taskId: string;
  readonly title: string;
  readonly asked: string;
  readonly at: number;
  kind: PastTask["kind"];
  readonly changes: FileChange[];
  /** Per check, the number of changes when it last passed; 0 for one of our own that has not passed. */
  readonly sound: Map<string, number>;
  /** Checks we ran ourselves to verify the task: only these decide, whatever else the model checked. */
  readonly ownChecks: Set<string>;
  isKnownWrong: boolean;
  readonly unkept: Unkept[];
  /** The changes and unkept files that a check caused: they are not the task's own work. */
  readonly byChecks: Set<FileChange | Unkept>;
  undoes: readonly string[];
  /** For an undo or redo: the tasks that it made undone or done, with what they were before. */
  flips: ReadonlyMap<string, boolean>;
  /** For an undo back to a message: the task that this message began. */
  since: string | null;
  /** Undone, and not redone since. */
  undone: boolean;
  readonly commands: { readonly command: string; readonly status: string; readonly exit_code: number | null }[];
  /** Files that commands made or changed although other programs obey them. */
  readonly planted: string[];
  lastText: string;
  /** An interrupted reply after `lastText`. */
  cut: CutReply | null;
  summary: TaskSummary | null;
  /** Whether the last text fits the requested JSON form; `null` = none was requested. */
  fits: boolean | null;
  questions: readonly Question[];
  /** The last call that failed with no success after it. `unclear`: a check that said nothing about the code. */
  failed: ErrorInfo | "failed" | "unclear" | null;
  /** The model's denied or failed calls that no later call made good. */
  troubles: readonly Trouble[];
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
    flips: new Map(),
    since: null,
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
  // A sandbox failure on the way says nothing about the tests.
  if (type !== undefined) return "failed";
  return status === "unknown" ? "failed" : (error ?? "failed");
}

/** The number of changes when all verifying checks had last passed. */
export function soundIn({ sound, ownChecks }: TaskRecord): number {
  const each = [...ownChecks].map((one) => sound.get(one) ?? 0);
  return each.length === 0 ? 0 : Math.min(...each);
}

/** A partial test run says nothing about the other tests: only the same command in the same directory is the same check. */
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

function isPassed({ status, data }: CallResult): boolean {
  return status === "done" && data?.verification?.ok === true && data.verification.type === "pass";
}

export function questionsIn({ input }: Call): readonly Question[] {
  const { questions } = input as { readonly questions: readonly (Pick<Question, "question"> & Partial<Question>)[] };
  return questions.map(({ question, options = [] }) => ({ question, options }));
}

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

/** Calls with a step index of 0 are checks, commands and undos of coder or the user. */
function isByModel({ id, access }: Call): boolean {
  return access !== "session" && !id.split("/").slice(1).join("/").startsWith("0/");
}

/** False for a check that said nothing about the code: it may be worth a second try. */
function ranCheck({ data }: CallResult): boolean {
  const type = data?.verification?.type;
  return type !== undefined && type !== "environment";
}

/** Our own check can run what the model was denied, and overrules the model's checks. */
function isChecked({ status, role, about }: Trouble, { input }: Call): boolean {
  return about === subjectOf(input) || (status === "failed" && role === "checks");
}

/** A success of the same tool or subject clears a failure, but only the identical call clears a denial. */
function noteTrouble(task: TaskDraft, call: Call, { status }: CallResult): void {
  const { tool, role, access, input } = call;
  const about = subjectOf(input);
  const isSame = (one: Trouble): boolean => one.tool === tool && one.about === about;
  if (status === "done") task.didAnything = true;
  if (status === "done" || status === "denied" || status === "failed")
    task.troubles = task.troubles.filter((one) => !isSame(one) && (status !== "done" || !isMadeGood(one, tool, about)));
  const isReported = status === "denied" || (status === "failed" && access !== "read" && !call.problem);
  if (isReported) task.troubles = [...task.troubles, { status, access, tool, role, about }];
}

function isMadeGood(one: Trouble, tool: string, about: string): boolean {
  return one.status === "failed" && (one.tool === tool || (about !== "" && one.about === about));
}

export function noteUndo(all: readonly TaskDraft[], result: CallResult, intent: unknown): void {
  const { status, changes = [], data = intent } = result;
  const { tasks = [], redo = false, since = null } = (data ?? {}) as UndoData;
  const task = all.at(-1);
  if (!task || (status !== "done" && changes.length === 0)) return;
  task.kind = redo ? "redo" : "undo";
  if (!redo) task.undoes = tasks;
  const reverted = all.filter(({ taskId }) => tasks.includes(taskId));
  // A partial undo leaves the rest to be done, and can be redone as far as it came.
  task.flips = new Map(reverted.map(({ taskId, undone }) => [taskId, undone]));
  if (status !== "done") return;
  task.since = since;
  const before = new Map(all.map(({ taskId, undone }) => [taskId, undone]));
  const flip = (taskId: string, isUndone: boolean): void => {
    for (const one of all) if (one.taskId === taskId) one.undone = isUndone;
  };
  // An undo that is itself reverted leaves its tasks as it found them.
  for (const { flips } of reverted.toReversed()) for (const [taskId, wasUndone] of flips) flip(taskId, wasUndone);
  for (const { taskId } of reverted) flip(taskId, true);
  task.flips = new Map(all.flatMap(({ taskId, undone }) => flipOf(taskId, before.get(taskId) ?? undone, undone)));
}

interface UndoData {
  readonly tasks?: readonly string[];
  readonly redo?: boolean;
  readonly since?: string;
}

function flipOf(taskId: string, was: boolean, is: boolean): readonly (readonly [string, boolean])[] {
  return was === is ? [] : [[taskId, was]];
}
