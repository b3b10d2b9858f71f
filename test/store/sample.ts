// Events as a session writes them, and what the tables beside the log must then hold, worked out independently.
import { Database } from "bun:sqlite";
import { afterEach, beforeEach } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CoderError } from "../../src/contract/error.ts";
import type { Event, EventBody, Recorded } from "../../src/contract/event.ts";
import type { Call, CallResult, Todo } from "../../src/contract/message.ts";
import type { AppendEntry, SessionLog } from "../../src/contract/store.ts";
import { roleOf } from "../support/role.ts";

export const sid = "aaaa-0001";
export const other = "bbbb-0002";

/** A fresh folder for each test of the file that calls this. */
export function useFolder(): () => string {
  let folder = "";
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "coder-store-"));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  return () => folder;
}

export function event(body: EventBody, at = 1_000): Event {
  return { v: 1, at, ...body };
}

export function call(id: Call["id"], tool = "read", input: unknown = { path: "a.ts" }): Call {
  return { id, providerId: "p1", tool, input, key: `${tool}:1`, access: "read", afterCrash: "repeat", ...roleOf(tool) };
}

export function admitted(inputId: string, text: string): Event {
  return event({ type: "input.admitted", inputId, kind: "task", delivery: "now", text });
}

export function started(inputId: string): Event {
  const limits = { maxSteps: 128, maxTokens: null, maxAttempts: 3 };
  return event({ type: "task.started", taskId: "t1", runId: "r1", inputId, limits });
}

export function replied(text: string, calls: readonly Call[] = []): Event {
  const usage = { input: 10, output: 5, cachedInput: 0, reasoning: 0 };
  const reply = { text, thinking: "", calls, usage, finish: calls.length > 0 ? "tool_calls" : "stop" } as const;
  return event({ type: "model.replied", runId: "r1", index: 1, attempt: 1, reply });
}

export function settled(callId: Call["id"], output: string, todos?: readonly Todo[]): Event {
  const result: CallResult = { status: "done", output, key: "k", ms: 1, ...(todos === undefined ? {} : { todos }) };
  return event({ type: "tool.settled", runId: "r1", callId, result });
}

export function note(text: string): Event {
  return event({ type: "internal.reported", traceId: "x", what: text });
}

export function accepted(...events: readonly Event[]): readonly AppendEntry[] {
  return events.map((each) => ({ event: each, accepted: true }));
}

export function put(log: SessionLog, from: number, ...events: readonly Event[]): void {
  log.append({ from, entries: accepted(...events), blobs: [], durable: false });
}

export function recorded(entries: readonly AppendEntry[], from = 1): readonly Recorded[] {
  return entries.map(({ event: each, accepted: isAccepted }, index) => ({
    seq: from + index,
    accepted: isAccepted,
    event: each,
  }));
}

/** The failure as data, so that tests compare all of it. */
export function faultOf(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error instanceof CoderError ? error.info : error;
  }
  return "no failure";
}

type Row = readonly unknown[];
export interface Tables {
  readonly messages: readonly Row[];
  readonly todos: readonly Row[];
  readonly permission_log: readonly Row[];
}

/** What is really in the file, read past all of our own code. */
export function tablesOf(home: string, id: string): Tables {
  const db = new Database(join(home, "coder.db"), { readonly: true });
  const rows = (columns: string, table: string, order: string): Row[] =>
    db
      .prepare(
        `select ${columns} from ${table} where session = (select key from sessions where id = ?) order by ${order}`,
      )
      .values(id);
  try {
    return {
      messages: rows("seq, part, role, call, tool, status, text", "messages", "seq, part"),
      todos: rows("id, content, status, priority", "todos", "position"),
      permission_log: rows(
        "seq, at, call, tool, decision, source, reasons, answer, by, words",
        "permission_log",
        "seq",
      ),
    };
  } finally {
    db.close(true);
  }
}

/** The same, from the events alone. */
export function tablesFrom(log: Iterable<Recorded>): Tables {
  const all = [...log].filter((each) => each.accepted);
  const inputs = new Map<string, string>();
  const tools = new Map<string, string>();
  const messages: Row[] = [];
  const permissions: Row[] = [];
  let todos: readonly Row[] = [];
  const user = (seq: number, ids: readonly string[]): void => {
    for (const [part, id] of ids.entries()) {
      if (inputs.has(id)) messages.push([seq, part, "user", null, null, null, text(inputs.get(id) ?? "")]);
    }
    for (const id of ids) inputs.delete(id);
  };
  for (const { seq, event: each } of all) {
    if (each.type === "input.admitted") inputs.set(each.inputId, each.text);
    if (each.type === "input.returned") for (const id of each.inputIds) inputs.delete(id);
    if (each.type === "task.started") user(seq, [each.inputId]);
    if (each.type === "input.delivered") user(seq, each.inputIds);
    const calls =
      each.type === "model.replied"
        ? each.reply.calls
        : each.type === "run.started"
          ? each.calls
          : each.type === "approval.answered" && each.call !== null
            ? [each.call]
            : [];
    for (const { id, tool } of calls) tools.set(id, tool);
    if (each.type === "model.replied") messages.push([seq, 0, "assistant", null, null, null, text(each.reply.text)]);
    if (each.type === "tool.settled") {
      const { callId, result } = each;
      messages.push([seq, 0, "tool", callId, tools.get(callId) ?? null, result.status, text(result.output)]);
      todos = result.todos?.map(({ id, content, status, priority }) => [id, text(content), status, priority]) ?? todos;
    }
    if (each.type === "tool.decided") {
      const { at, callId, decision, source, reasons } = each;
      const why = JSON.stringify(reasons);
      permissions.push([seq, at, callId, tools.get(callId) ?? null, decision, source, why, null, null, null]);
    }
    if (each.type === "approval.answered") {
      const { at, callId, answer, by, words } = each;
      permissions.push([seq, at, callId, tools.get(callId) ?? null, null, null, null, answer, by, text(words)]);
    }
  }
  return { messages, todos, permission_log: permissions };
}

/** SQLite holds UTF-8: half a surrogate pair cannot be stored in a text column (the log itself escapes it). */
function text(value: string): string {
  return value.toWellFormed();
}
