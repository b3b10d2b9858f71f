import { callTarget } from "../../command/text/call-target.ts";
import type { Event } from "../../contract/event.ts";
import type { CallId } from "../../contract/ids.ts";
import type { Call } from "../../contract/message.ts";
import { plain } from "../../contract/show/visible.ts";
import { say } from "../../contract/text/catalogue.ts";
import type { Published } from "../../engine/port.ts";
import { openCalls, runsOf } from "../../machine/state.ts";

export function verboseLines(): (published: Published) => string {
  const calls = new Map<CallId, Pick<Call, "tool" | "input">>();
  return (published) => {
    if (published.kind !== "event") return "";
    const { recorded, transitions, state } = published;
    const { event } = recorded;
    for (const { id, tool, input } of announced(event)) calls.set(id, { tool, input });
    // Calls of a task that began before a kill.
    for (const { call } of runsOf(state).flatMap(openCalls)) calls.set(call.id, call);
    const lines = transitions.map((one) => `[${one.machine}] ${one.from} → ${one.to}`);
    const named = (id: CallId): string => {
      const call = calls.get(id);
      return `[call ${id}]${call ? ` ${`${call.tool} ${callTarget(call.input)}`.trim()}` : ""}`;
    };
    lines.push(...eventLines(event, named));
    if (event.type === "tool.settled") calls.delete(event.callId);
    return lines.map((line) => `${plain(line)}\n`).join("");
  };
}

function announced(event: Event): readonly Call[] {
  if (event.type === "run.started") return event.calls;
  if (event.type === "model.replied") return event.reply.calls;
  return event.type === "approval.answered" && event.call ? [event.call] : [];
}

function eventLines(event: Event, named: (id: CallId) => string): readonly string[] {
  switch (event.type) {
    case "tool.decided": {
      const reasons = event.reasons.map((one) => `; ${say("en", one)}`).join("");
      return [`${named(event.callId)}: ${event.decision} (${event.source})${reasons}`];
    }
    case "tool.settled":
      return [`${named(event.callId)}: ${event.result.status} in ${event.result.ms} ms`];
    case "sub.started":
      return [`[call ${event.callId}] sub-agent ${event.subId} (${event.sub.kind}): ${event.sub.title}`];
    case "model.failed":
      return [`[model] attempt ${event.attempt} of call ${event.index} failed: ${say("en", event.error.text)}`];
    case "context.compacted": {
      const { stage, tokensBefore, tokensAfter } = event.compaction;
      return [`[context] ${stage}: ${tokensBefore} → ${tokensAfter} tokens`];
    }
    case "internal.reported":
      return [`[internal ${event.traceId}] ${event.what}`];
    default:
      return [];
  }
}
