import type { Todo } from "../../../contract/message.ts";
import type { Plan, PlanStepStatus } from "../../../contract/plan.ts";
import type { TextKey } from "../../../contract/text/catalogue.ts";
import { isTodoList } from "../../../machine/plan/progress.ts";
import type { SessionState } from "../../../machine/state.ts";
import { cut, oneLine, wrap } from "../terminal/fit.ts";
import { type Look, words } from "../terminal/look.ts";
import { visibleWidth } from "../terminal/width.ts";
import type { Detail } from "./block.ts";
import { ready } from "./lines.ts";

interface Item {
  readonly id: string;
  readonly text: string;
  readonly status: PlanStepStatus;
}

const marks: Readonly<Record<PlanStepStatus, string>> = {
  ...{ pending: "[ ]", in_progress: "[~]", done: "[x]", blocked: "[!]", skipped: "[-]" },
};
const ofTodo = { pending: "pending", in_progress: "in_progress", completed: "done" } as const;

export function todoItems(todos: readonly Todo[]): readonly Item[] {
  return todos.map(({ id, content, status }) => ({ id, text: content, status: ofTodo[status] }));
}

export function planItems({ steps }: Plan): readonly Item[] {
  return steps.map(({ id, title, status }) => ({ id, text: title, status }));
}

/** Every item of a new list; of a known one only the items whose status changed. */
export function itemLines(look: Look, items: readonly Item[], before: readonly Item[]): readonly string[] {
  const old = new Map(before.map((item) => [item.id, item]));
  const isSameList = items.length === before.length && items.every(({ id, text }) => old.get(id)?.text === text);
  const moved = items.filter(({ id, status }) => old.get(id)?.status !== status);
  const shown = isSameList ? moved : items;
  return shown.flatMap((item) => {
    const { mark, style } = markOf(look, item);
    const why = item.status === "blocked" ? ` (${words(look, "block.todo.blocked")})` : "";
    return wrap(`${style(oneLine(item.text))}${why}`, look.width(), `  ${mark} `, "      ");
  });
}

export function howFar(look: Look, items: readonly Item[]): string {
  const done = items.filter(({ status }) => status === "done" || status === "skipped").length;
  return words(look, "block.todo.done", { done, all: items.length });
}

function markOf(
  { theme }: Look,
  { status }: Item,
): { readonly mark: string; readonly style: (text: string) => string } {
  const [mark, style] = {
    pending: [theme.plain, theme.plain],
    in_progress: [theme.accent, theme.bold],
    done: [theme.good, theme.dim],
    blocked: [theme.bad, theme.plain],
    skipped: [theme.dim, theme.dim],
  }[status];
  return { mark: (mark ?? theme.plain)(marks[status]), style: style ?? theme.plain };
}

export function todosDetail(look: Look, { plan, planTask, todos: all }: SessionState): Detail | null {
  const todos = plan !== null && planTask !== null ? [] : all;
  if (plan === null && todos.length === 0) return null;
  const part = (key: TextKey, items: readonly Item[], width: number): readonly string[] =>
    items.length === 0
      ? []
      : [
          `${look.theme.bold(words(look, key))}  ${howFar(look, items)}`,
          ...itemLines({ ...look, width: () => width }, items, []),
        ];
  return {
    title: words(look, "tui.todos.title"),
    lines: (width) => {
      const key = plan && isTodoList(plan) ? "block.call.todos" : "block.call.plan";
      const steps = plan ? part(key, planItems(plan), width) : [];
      const list = part("block.call.todos", todoItems(todos), width);
      return ready([...steps, ...(steps.length > 0 && list.length > 0 ? [""] : []), ...list], width);
    },
  };
}

const maxPanel = 6;

export function todoLines(state: SessionState, look: Look, room: number): readonly string[] {
  const { task } = state;
  // A plan that waits for approval is shown in the question.
  if (task.phase === "IDLE" || task.phase === "DONE" || task.phase === "AWAITING_CONFIRMATION" || room < 1) return [];
  const isPlanned = state.plan !== null && state.planTask === task.task.id;
  const items = isPlanned && state.plan ? planItems(state.plan) : todoItems(state.todos);
  const isLeft = ({ status }: Item): boolean => status === "pending" || status === "in_progress";
  if (items.length < 2 || !items.some(isLeft)) return [];
  const found = items.findIndex(({ status }) => status === "in_progress");
  const now = found === -1 ? items.findIndex(isLeft) : found;
  const most = Math.min(room, maxPanel);
  if (most < 3) return [line(look, items[now], `  ${howFar(look, items)}`)];
  const from = Math.max(0, Math.min(now - 1, items.length - (most - 1)));
  const shown = items.slice(from, from + most - 1);
  return [look.theme.dim(cut(howFar(look, items), look.width())), ...shown.map((item) => line(look, item, ""))];
}

function line(look: Look, item: Item | undefined, behind: string): string {
  if (item === undefined) return "";
  const { mark, style } = markOf(look, item);
  const text = cut(oneLine(item.text), look.width() - 4 - visibleWidth(behind));
  return `${mark} ${style(text)}${look.theme.dim(behind)}`;
}
