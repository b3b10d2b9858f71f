// The feed of a session, with data that the engine supplies besides events.
import type { CallId } from "../../../contract/ids.ts";
import type { HistoryPort } from "../../../engine/port.ts";
import type { Keys } from "../app/keys.ts";
import type { Layout } from "../app/layout.ts";
import type { Look } from "../terminal/look.ts";
import { Feed } from "./feed.ts";

interface FeedPlace {
  readonly look: Look;
  readonly stage: Layout;
  readonly keys: Keys;
}

export function feedOf(port: HistoryPort, { look, stage, keys }: FeedPlace): Feed {
  return new Feed(look, {
    changesOf: (callId) => port.changesOf(callId as CallId),
    changed: () => stage.redrawSoon(),
    structured: (taskId) => {
      const found = port.structured(taskId);
      return found === null || found === "unfit" ? null : found.text;
    },
    key: keys.shown("details"),
  });
}
