// The model that comes with coder: the rules of `mechanic/` behind the same port as any other. No network, no key.
import type { DeltaBody, MessageDelta, ModelPort, ModelRequest } from "../contract/delta.ts";
import { noUsage } from "../contract/message.ts";
import { nextMove } from "../mechanic/text/move.ts";

const longestMs = 15 * 60_000;

export function openBuiltin(now: () => number = () => performance.now()): ModelPort {
  const began = new Map<string, number>();
  return {
    async *stream(request, signal) {
      const { runId, modelCallIndex, attempt } = request;
      const start = began.get(runId) ?? now();
      began.set(runId, start);
      let seq = 0;
      const delta = (body: DeltaBody): MessageDelta => ({ runId, modelCallIndex, attempt, seq: seq++, ...body });
      yield delta({ kind: "start" });
      // Yields to the event loop, so that a cancel is noticed between two steps.
      await new Promise(setImmediate);
      if (signal.aborted) return;
      for (const body of reply(request, now() - start > longestMs)) yield delta(body);
    },
  };
}

function* reply({ messages, tools, system }: ModelRequest, isTimeUp: boolean): Generator<DeltaBody> {
  const workspace = /^Workspace: (\/.*)$/m.exec(system)?.[1] ?? null;
  const {
    text,
    asks,
    isRefusal = false,
  } = nextMove({ messages, tools: new Set(tools.map(({ name }) => name)), workspace, isTimeUp });
  if (text !== "") yield { kind: "text", text };
  for (const [ordinal, { tool, input }] of asks.entries()) {
    yield { kind: "tool_call_start", ordinal, providerId: null, tool };
    yield { kind: "tool_call_args", ordinal, text: JSON.stringify(input) };
    yield { kind: "tool_call_end", ordinal };
  }
  yield { kind: "usage", usage: noUsage };
  yield { kind: "done", finish: asks.length > 0 ? "tool_calls" : isRefusal ? "refused" : "stop" };
}
