import { say } from "../../contract/text/catalogue.ts";
import { plain } from "../../contract/visible.ts";
import type { Published } from "../../engine/port.ts";

/** `--verbose`: every transition, decision and result as one line for stderr. */
export function verboseLines(published: Published): string {
  if (published.kind !== "event") return "";
  const { recorded, transitions } = published;
  const { event } = recorded;
  const lines = transitions.map((one) => `[${one.machine}] ${one.from} → ${one.to}`);
  if (event.type === "tool.decided")
    lines.push(
      `[call ${event.callId}] ${event.decision} (${event.source})${event.reasons.map((one) => `; ${say("en", one)}`).join("")}`,
    );
  if (event.type === "tool.settled")
    lines.push(`[call ${event.callId}] ${event.result.status} in ${event.result.ms} ms`);
  if (event.type === "sub.started")
    lines.push(`[call ${event.callId}] sub-agent ${event.subId} (${event.sub.kind}): ${event.sub.title}`);
  if (event.type === "model.failed")
    lines.push(`[model] attempt ${event.attempt} of call ${event.index} failed: ${say("en", event.error.text)}`);
  if (event.type === "context.compacted")
    lines.push(
      `[context] ${event.compaction.stage}: ${event.compaction.tokensBefore} → ${event.compaction.tokensAfter} tokens`,
    );
  if (event.type === "internal.reported") lines.push(`[internal ${event.traceId}] ${event.what}`);
  return lines.map((line) => `${plain(line)}\n`).join("");
}
