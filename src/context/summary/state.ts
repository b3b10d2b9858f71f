// Parts of a summary that come from the state, not from a model.
import type { Todo } from "../../contract/message.ts";
import type { Plan, PlanStep } from "../../contract/plan.ts";
import { visible } from "../../contract/show/visible.ts";
import type { TaskRecord } from "../../machine/history/task-record.ts";
import { estimateTokens } from "../tokens.ts";
import { shortened, unmarked } from "./words.ts";

const TODO = { pending: "[ ]", in_progress: "[>]", completed: "[x]" } as const;
const STEP: Readonly<Record<PlanStep["status"], string>> = {
  ...{ pending: "[ ]", in_progress: "[>]", done: "[x]", blocked: "[!]", skipped: "[-]" },
};

export function openTodoLines(todos: readonly Todo[]): readonly string[] {
  const open = todos.filter(({ status }) => status !== "completed");
  const done = todos.length - open.length;
  if (todos.length === 0) return [];
  return [
    `Todo list (${done} of ${todos.length} completed):`,
    ...open.map(({ status, content }) => `${TODO[status]} ${unmarked(content)}`),
  ];
}

export function planStateLines(plan: Plan | null): readonly string[] {
  if (plan === null) return [];
  const lines = [
    `Plan: ${plan.title}`,
    ...(plan.goal !== "" && plan.goal !== plan.title ? [`goal: ${plan.goal}`] : []),
    ...plan.constraints.map((constraint) => `constraint: ${constraint}`),
    ...plan.steps.map(({ status, id, title }) => `${STEP[status]} ${id}. ${title}`),
  ];
  return lines.map(unmarked);
}

/** Every file that the session changed and did not undo, newest last. */
export function changedFileLines(tasks: readonly TaskRecord[]): readonly string[] {
  const files = new Map<string, string>();
  for (const { changes, undone } of tasks) {
    if (undone) continue;
    for (const { path, before, after } of changes) {
      const was = files.get(path);
      files.delete(path);
      files.set(path, after === null ? "deleted" : was === "created" || before === null ? "created" : "modified");
    }
  }
  return [...files].map(([path, what]) => `- ${unmarked(visible(path))} (${what})`);
}

/** The lines that fit, from the front or, with `newest`, from the end; the rest is counted. */
export function fitting(lines: readonly string[], room: number, newest = false): readonly string[] {
  const all = lines.reduce((sum, line) => sum + lineSize(line), 0);
  if (all <= room) return lines;
  const kept: string[] = [];
  let left = room - MORE_TOKENS;
  // One long line must not crowd out all the others.
  const cut = lines.map((line) =>
    lineSize(line) > left / 3 ? shortened(line, Math.max(40, Math.floor(left / 2))) : line,
  );
  for (const line of newest ? cut.toReversed() : cut) {
    left -= lineSize(line);
    if (left < 0) break;
    kept.push(line);
  }
  const more = `(${lines.length - kept.length} more left out here)`;
  return newest ? [more, ...kept.toReversed()] : [...kept, more];
}

const MORE_TOKENS = 10;

export function lineSize(line: string): number {
  return estimateTokens(line) + 1;
}
