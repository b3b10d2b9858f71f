// Rows around the prompt: activity and queue above it, the status line below.
import type { EnginePort } from "../../../engine/port.ts";
import { queueLines } from "../panels/queue.ts";
import type { Look } from "../terminal/look.ts";
import type { Keys } from "./keys.ts";
import { statusLine } from "./status.ts";
import type { Progress } from "./terminal-progress.ts";

interface AboveDeps {
  readonly port: EnginePort;
  readonly look: Look;
  readonly keys: Keys;
  /** Something is typed, so the send key cannot mean "retry now". */
  readonly isTyping: boolean;
  readonly progress: Progress;
  /** A slow message or command. */
  readonly slow: Parameters<Progress["line"]>[1];
}

export function aboveLines({ port, look, keys, isTyping, progress, slow }: AboveDeps, room: number): readonly string[] {
  const state = port.state();
  const activity = progress.line(
    state,
    slow,
    { stop: keys.shown("cancel"), now: isTyping ? "" : keys.shown("send") },
    look,
  );
  const queue = queueLines(state.queue, look, Math.max(0, Math.min(4, room - 2)), keys.shown("unqueue"));
  return [...(activity === null ? [] : [activity]), ...queue];
}

export function statusOf(port: EnginePort, look: Look, branch: string | null): string {
  const { trust } = port.settings;
  return statusLine(
    {
      ...{ state: port.state(), context: port.context(), sandbox: port.sandboxState() },
      ...{ trust: trust.state, isTrustAsked: trust.ignored.length > 0, branch },
    },
    look,
  );
}
