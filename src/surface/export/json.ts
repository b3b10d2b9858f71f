import { sessionJson } from "../../command/text/rows.ts";
import type { Event, Recorded } from "../../contract/event.ts";
import type { Call } from "../../contract/message.ts";
import { inDollars } from "../../contract/show/money.ts";
import { plainJson } from "../../contract/show/visible.ts";
import type { ExportHead } from "./head.ts";

/** Version of the format in docs/guide/sessions.md. */
const version = 1;

/** The session as one JSON value: messages first, then every event. Walks the log twice, so that neither is kept in memory. */
export function* json(head: ExportHead, log: Iterable<Recorded>): Generator<string> {
  yield `{"v":${version},"session":${plainJson(sessionJson(head))},\n"messages":[`;
  yield* listed(messages(log));
  yield `],\n"events":[`;
  yield* listed(log);
  yield "]}\n";
}

function* listed(items: Iterable<unknown>): Generator<string> {
  let before = "\n";
  for (const item of items) {
    yield before + plainJson(item);
    before = ",\n";
  }
}

function* messages(log: Iterable<Recorded>): Generator<unknown> {
  const inputs = new Map<string, string>();
  const tools = new Map<string, string>();
  for (const { seq, accepted, event } of log) {
    if (!accepted) continue;
    try {
      yield* messagesOf(event, inputs, tools).map((message) => ({ seq, at: event.at, ...message }));
    } catch (error) {
      // A damaged event has no message; it appears in `events` unchanged.
      if (!(error instanceof TypeError)) throw error;
    }
  }
}

function messagesOf(event: Event, inputs: Map<string, string>, tools: Map<string, string>): readonly object[] {
  const announce = (calls: readonly Call[]): void => {
    for (const call of calls) tools.set(call.id, call.tool);
  };
  if (event.type === "input.admitted") inputs.set(event.inputId, event.text);
  if (event.type === "input.returned") for (const id of event.inputIds) inputs.delete(id);
  if (event.type === "run.started") announce(event.calls);
  if (event.type === "task.started" || event.type === "input.delivered") {
    const ids = event.type === "task.started" ? [event.inputId] : event.inputIds;
    return ids.map((id) => {
      const text = inputs.get(id) ?? "";
      inputs.delete(id);
      return { role: "user", text };
    });
  }
  if (event.type === "model.replied") {
    const { text, thinking, calls, usage, cost } = event.reply;
    announce(calls);
    const shown = calls.map(({ id, tool, input }) => ({ id, tool, input }));
    const priced = cost === undefined ? {} : { cost_usd: inDollars(cost) };
    return [{ role: "assistant", text, thinking, calls: shown, usage, ...priced }];
  }
  if (event.type === "reply.cut") return [{ role: "assistant", text: event.text, interrupted: event.why, calls: [] }];
  if (event.type !== "tool.settled") return [];
  const { status, output, ms, images = [] } = event.result;
  const tool = tools.get(event.callId) ?? null;
  tools.delete(event.callId);
  return [{ role: "tool", call: event.callId, tool, status, text: output, ms, images }];
}
