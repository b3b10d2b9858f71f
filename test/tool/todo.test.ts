import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Todo } from "../../src/contract/message.ts";
import { todoread } from "../../src/tool/plan/todoread.ts";
import { todowrite } from "../../src/tool/plan/todowrite.ts";
import { makeWorkspace, told, type Workspace } from "./workspace.ts";

let ws: Workspace;
beforeAll(() => {
  ws = makeWorkspace();
});
afterAll(() => ws[Symbol.dispose]());

const todo = (id: string, status: Todo["status"]): Todo => ({ id, content: `do ${id}`, status, priority: "high" });

test("[TL-4] todowrite gives back the whole new list", async () => {
  const todos = [todo("1", "completed"), todo("2", "in_progress"), todo("3", "pending")];
  const text = "[x] 1 do 1 (high)\n[>] 2 do 2 (high)\n[ ] 3 do 3 (high)";
  expect(await ws.run(todowrite, { todos })).toEqual({ ok: true, value: { text, todos } });
  expect(await ws.run(todowrite, { todos: [] })).toEqual({
    ok: true,
    value: { text: "(no todos)", todos: [] },
  });
});

test("[TL-4] two in progress, a repeated id or more than 50 items are refused", async () => {
  const told_ = async (todos: readonly Todo[]): Promise<string> => told(await ws.run(todowrite, { todos }));
  expect(await told_([todo("1", "in_progress"), todo("2", "in_progress")])).toBe(
    "E_INVALID_ARGS: 2 todos are in_progress; at most one may be",
  );
  expect(await told_([todo("1", "pending"), todo("1", "completed")])).toBe("E_INVALID_ARGS: two todos have the id 1");
  const many = Array.from({ length: 51 }, (_, index) => todo(String(index), "pending"));
  expect(await told_(many)).toBe("E_INVALID_ARGS: invalid arguments for todowrite: todos at most 50 items, got 51");
  expect(await told_(many.slice(1))).toStartWith("[ ] 1 do 1");
});

test("todoread shows the session's list and changes nothing", async () => {
  const todos = [todo("a", "in_progress")];
  const result = await ws.run(todoread, {}, { todos: () => todos });
  expect(result).toEqual({ ok: true, value: { text: "[>] a do a (high)" } });
  expect(told(await ws.run(todoread, {}))).toBe("(no todos)");
});
