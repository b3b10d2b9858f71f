// Back to before a message: the files by an undo, the conversation by a copy of the session's beginning. Loaded on demand.
import { type ErrorInfo, fail, ok, type Result } from "../../contract/error.ts";
import type { EventBody } from "../../contract/event.ts";
import type { TaskId } from "../../contract/ids.ts";
import type { CallResult } from "../../contract/message.ts";
import { type Phrase, phrase } from "../../contract/text/catalogue.ts";
import { isFolderStamp } from "../../platform/files/stamp.ts";
import { chooseSince } from "../../tool/undo/undo-choose.ts";
import { cleanUnended } from "../call/redact.ts";
import type { Loop } from "../loop/loop.ts";
import type { Admission, InputOptions, Opened, Rewindable, Rewound } from "../port.ts";
import { endedTasks } from "../undo/undo-scope.ts";
import type { LiveSession } from "./session.ts";
import type { Sessions } from "./sessions.ts";

export interface RewindDeps {
  readonly open: Sessions;
  /** Admits a call that the typed command makes. */
  readonly run: (call: NonNullable<InputOptions["call"]>, typed: string) => Promise<Admission>;
}

const mostMessages = 500;

/** Newest first. */
export function rewindable({ history, places, state }: Loop): readonly Rewindable[] {
  const records = new Map(endedTasks(history, state).map((one) => [one.taskId, one]));
  const messages = places.tasks.filter(({ taskId, inputId }) => {
    const kind = places.inputs.get(inputId)?.kind;
    return (kind === "task" || kind === "shell") && records.has(taskId);
  });
  return messages
    .slice(-mostMessages)
    .toReversed()
    .map(({ taskId, inputId, began }, index) => {
      const changes = records.get(taskId)?.changes ?? [];
      const files = changes.filter(({ before, after }) => !isFolderStamp(after ?? before)).map(({ path }) => path);
      // A title may end in the middle of a secret.
      const text = cleanUnended(places.inputs.get(inputId)?.title ?? "");
      return { n: index + 1, taskId, text, at: began, files: [...new Set(files)] };
    });
}

/** Nothing of the conversation is lost: the session stays as it is, and the copy without its end takes its place. */
export async function rewind(
  { open, run }: RewindDeps,
  { taskId, code, typed }: { readonly taskId: TaskId; readonly code: boolean; readonly typed: string },
): Promise<Result<Rewound>> {
  const { live } = open;
  const { loop } = live ?? {};
  if (loop && isBusy(loop)) return busy;
  const place = loop?.messageOf(taskId);
  if (!live || !loop || !place) return fail("E_INVALID_ARGS", phrase("rewind.unknown"));
  const changed = chooseSince(endedTasks(loop.history, loop.state), taskId);
  let said: readonly Phrase[] = [];
  if (code && changed.length > 0) {
    const undone = await callDone(live, () => run({ tool: "undo", input: { since: taskId } }, typed));
    if (!undone.ok) return undone;
    said = saidIn(undone.value);
  }
  const files = new Set(changed.flatMap(({ changes }) => changes.map(({ path }) => path)));
  const stay: readonly Phrase[] =
    code || files.size === 0 ? [] : [phrase("rewind.files_stay", { files: named([...files]) })];
  const told = [phrase("rewind.done", { id: loop.state.id }), ...said, ...stay];
  const { before, text } = place;
  const notices = told.map((one): EventBody => ({ type: "notice.given", text: one }));
  return ok({ opened: await open.rewind({ before, code, notices }), text });
}

/** Back to where the rewind began: the session before it, and the files as they were there. */
export async function unrewind({ open, run }: RewindDeps): Promise<Result<{ readonly opened: Opened }>> {
  const { loop } = open.live ?? {};
  if (loop && isBusy(loop)) return busy;
  const { rewound, tasks } = loop?.state ?? { rewound: null, tasks: 0 };
  if (rewound === null || tasks !== rewound.tasks) return fail("E_INVALID_ARGS", phrase("undo.nothing_to_redo"));
  const opened = await open.resume(rewound.from, true);
  const { live } = open;
  if (!opened.ok || !live) return ok({ opened });
  if (rewound.code && halfRewound(live.loop) !== null) {
    const redone = await callDone(live, () => run({ tool: "undo", input: { redo: true } }, "/redo"));
    if (!redone.ok) return redone;
  }
  return ok({ opened });
}

/** The files are rewound, the conversation is not: by choice, or because a rewind was cut short. */
export function halfRewound({ history, state }: Pick<Loop, "history" | "state">): Phrase | null {
  const last = endedTasks(history, state).findLast(({ kind, changes }) => kind !== "task" || changes.length > 0);
  if (last?.kind !== "undo" || last.since === null || last.undone) return null;
  const title = history.tasks.find(({ taskId }) => taskId === last.since)?.title ?? "";
  return phrase("rewind.half", { title: cleanUnended(title) });
}

function isBusy({ state }: Loop): boolean {
  return state.task.phase !== "IDLE" || state.queue.length > 0;
}

const busy = fail("E_INVALID_ARGS", phrase("input.busy", { command: "/rewind" }), {
  advice: phrase("input.busy.advice"),
});

/** Runs a call to its end; fails with its error, and where somebody stopped it. */
async function callDone(live: LiveSession, run: () => Promise<Admission>): Promise<Result<CallResult>> {
  const admission = await run();
  if (admission.kind === "refused") return { ok: false, error: admission.error };
  await live.loop.idle();
  if (live.loop.failure) return { ok: false, error: live.loop.failure };
  const entry = live.loop.history.entries.findLast((one) => one.kind === "command");
  const result = entry?.kind === "command" ? [...entry.results.values()].at(-1) : undefined;
  if (result?.status === "done") return ok(result);
  const why: ErrorInfo = result?.error ?? { code: "E_CANCELLED", text: phrase("run.cancelled_call") };
  return fail(why.code, phrase("rewind.stopped", { why: why.text }), { advice: phrase("rewind.stopped.advice") });
}

function saidIn({ data }: CallResult): readonly Phrase[] {
  return (data as { readonly said?: readonly Phrase[] } | undefined)?.said ?? [];
}

const maxNames = 20;

function named(files: readonly string[]): string {
  const shown = files.slice(0, maxNames).join(", ");
  return files.length > maxNames ? `${shown}, … (${files.length})` : shown;
}
