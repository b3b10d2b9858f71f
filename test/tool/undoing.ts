// A session as the undo tool sees it: tasks that changed files by tools and by commands, and what was kept of them.
import { existsSync, lstatSync, readFileSync } from "node:fs";
import type { FileChange } from "../../src/contract/message.ts";
import type { PlannedChange } from "../../src/contract/tool.ts";
import type { PastTask, Unkept } from "../../src/contract/undo.ts";
import { lookAfter, lookBefore, openSight } from "../../src/platform/changes/look.ts";
import { applyChanges } from "../../src/platform/files/change/apply.ts";
import { missingAbove } from "../../src/platform/files/entry.ts";
import { stampOf } from "../../src/platform/files/open.ts";
import { undo } from "../../src/tool/undo/undo.ts";
import type { Ground } from "../platform/changes/ground.ts";
import { makeContext, told } from "./workspace.ts";

export interface Undone {
  readonly text: string;
  readonly refused: readonly string[];
  readonly isDone: boolean;
}

export interface Actor {
  /** By a file tool; `null` deletes. */
  readonly write: (files: Readonly<Record<string, string | null>>) => void;
  /** By a command, whose changes are found by looking. */
  readonly shell: (work: () => unknown) => Promise<void>;
  readonly endTask: (title: string) => void;
  readonly undo: (n?: number) => Promise<Undone>;
  readonly redo: (n?: number) => Promise<Undone>;
  /** Of all its tasks. */
  readonly unkept: () => readonly string[];
}

type Done = { -readonly [K in keyof PastTask]: PastTask[K] };

export function makeActor(ground: Ground): Actor {
  const blobs = new Map<string, Uint8Array>();
  const tasks: Done[] = [];
  const sight = openSight(ground.root, [], { maxFileBytes: 4_000 });
  let changes: FileChange[] = [];
  let unkept: Unkept[] = [];
  const keep = (planned: readonly PlannedChange[]): void => {
    for (const { change, beforeBytes, afterBytes } of planned) {
      if (change.before && beforeBytes) blobs.set(change.before.hash, beforeBytes);
      if (change.after && afterBytes) blobs.set(change.after.hash, afterBytes);
    }
  };
  const past = { tasks: () => tasks, bytes: (hash: string) => blobs.get(hash) ?? null };
  const back = async (input: { n?: number; redo?: true }): Promise<Undone> => {
    if (!("plan" in undo)) throw new Error("undo has no plan");
    const plan = await undo.plan(input as never, { ...makeContext(ground.root, new Map()), past });
    if (!plan.ok) return { text: told(plan), refused: namesIn(told(plan)), isDone: false };
    const applied = applyChanges(plan.value, { root: ground.root, addDirs: [], tempTag: "undo" });
    if (!applied.ok) return { text: told(applied), refused: [], isDone: false };
    keep(plan.value.changes);
    const data = plan.value.data as { tasks: readonly string[]; refused: readonly { path: string }[] };
    const turned = tasks.filter(({ taskId }) => data.tasks.includes(taskId));
    if (!input.redo) for (const task of turned) task.undone = true;
    for (const task of input.redo ? turned : []) {
      task.undone = true;
      for (const one of tasks) if (task.taskId.split("+").slice(1).includes(one.taskId)) one.undone = false;
    }
    const kind = input.redo ? "redo" : "undo";
    const title = `${kind} of ${turned.map((task) => task.title).join(", ")}`;
    const taskId = [`${kind}${tasks.length}`, ...data.tasks].join("+");
    tasks.push({
      taskId,
      title,
      kind,
      changes: plan.value.changes.map((one) => one.change),
      unkept: [],
      undone: false,
      ...(kind === "undo" ? { undoes: data.tasks } : {}),
    });
    return { text: plan.value.text, refused: data.refused.map(({ path }) => path), isDone: true };
  };
  return {
    write: (files) => {
      const planned = Object.entries(files).map(([path, text]) => plannedFor(ground, path, text));
      const applied = applyChanges({ changes: planned }, { root: ground.root, addDirs: [], tempTag: "write" });
      if (!applied.ok) throw new Error(told(applied));
      keep(planned);
      changes.push(...planned.map(({ change }) => change));
    },
    shell: async (work) => {
      const before = await lookBefore(sight);
      await work();
      const looked = await lookAfter(before);
      keep(looked.changes);
      changes.push(...looked.changes.map(({ change }) => change));
      unkept.push(...looked.unkept);
    },
    endTask: (title) => {
      tasks.push({ taskId: `t${tasks.length}`, title, kind: "task", changes, unkept, undone: false });
      changes = [];
      unkept = [];
    },
    undo: (n) => back(n === undefined ? {} : { n }),
    redo: (n) => back({ redo: true, ...(n === undefined ? {} : { n }) }),
    unkept: () => tasks.flatMap((task) => task.unkept.map(({ path }) => path)),
  };
}

function namesIn(text: string): readonly string[] {
  return text.split("\n").flatMap((line) => (line.startsWith("E_") ? [] : (/^(.*?): /.exec(line)?.[1] ?? [])));
}

function plannedFor(ground: Ground, path: string, text: string | null): PlannedChange {
  const real = ground.path(path);
  const old = existsSync(real) ? readFileSync(real) : null;
  const mode = old ? lstatSync(real).mode : 0o644;
  const after = text === null ? null : Buffer.from(text);
  const folders = old === null ? missingAbove(real) : 0;
  const stamps = { before: old && stampOf(old, mode), after: after && stampOf(after, mode) };
  return {
    change: { path, real, ...stamps, ...(folders > 0 ? { folders } : {}) },
    beforeBytes: old,
    afterBytes: after,
  };
}
