import { durationText } from "../../contract/show/duration.ts";
import { type Phrase, phrase } from "../../contract/text/catalogue.ts";
import type { Published } from "../../engine/port.ts";

/** Shorter waits end before anyone has read about them. */
const NOTICED_MS = 1_000;
/** The same reason is repeated after this much waiting. */
const AGAIN_MS = 60_000;

/** MD-4: tells line-based surfaces why and how long coder waits for a model, but not every attempt of a long outage. */
export class OutageNotices {
  private last = "";
  private sinceMs = 0;

  hear(published: Published): Phrase | null {
    if (published.kind !== "event" || !published.recorded.accepted) return null;
    const { event } = published.recorded;
    if (event.type === "model.replied" || event.type === "task.ended") this.last = "";
    if (event.type !== "model.failed" || event.retryInMs === null) return null;
    const reason = JSON.stringify(event.error.text);
    const isRepeated = reason === this.last && this.sinceMs < AGAIN_MS;
    this.sinceMs = isRepeated ? this.sinceMs + event.retryInMs : event.retryInMs;
    if (isRepeated || event.retryInMs < NOTICED_MS) return null;
    this.last = reason;
    const time = durationText(event.retryInMs);
    return phrase("run.retrying", { text: event.error.text, time, n: event.attempt + 1 });
  }
}
