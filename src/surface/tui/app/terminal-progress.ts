// Progress of the task: what the model writes, since when, and whether it is being cancelled.
import type { MessageDelta } from "../../../contract/delta.ts";
import type { Published } from "../../../engine/port.ts";
import type { SessionState } from "../../../machine/state.ts";
import type { Look } from "../terminal/look.ts";
import { type Activity, activityLine } from "./activity.ts";
import type { Sending } from "./sending.ts";

const SPIN_MS = 120;
/** While only the seconds change. */
const COUNT_MS = 1_000;

export class Progress {
  private readonly tick: () => void;
  private stream: Activity["stream"] = "nothing";
  private isCancelling = false;
  private startedAt = performance.now();
  private spinner: ReturnType<typeof setInterval> | null = null;
  private everyMs = 0;

  /** `tick`: redraws the spinner. */
  constructor(tick: () => void) {
    this.tick = tick;
  }

  hear(published: Published): void {
    if (published.kind === "session") this.restart();
    if (published.kind === "compacting") this.stream = "notes";
    if (published.kind === "delta") this.stream = streamOf(published.delta.kind, this.stream);
    if (published.kind !== "event" || !published.recorded.accepted) return;
    const { type } = published.recorded.event;
    if (type === "model.replied" || type === "context.overflowed") this.stream = "nothing";
    if (type === "task.started" || type === "task.continued" || type === "task.ended") this.restart();
  }

  private restart(): void {
    this.stream = "nothing";
    this.isCancelling = false;
    this.startedAt = performance.now();
  }

  cancelled(): void {
    this.isCancelling = true;
  }

  /** `null`: idle. `slow`: a message or command that takes long. */
  line(state: SessionState, slow: Sending["slow"], keys: Activity["keys"], look: Look): string | null {
    const since = state.task.phase === "IDLE" ? (slow?.since ?? 0) : this.startedAt;
    const { stream, isCancelling } = this;
    const command = slow?.command ?? null;
    return activityLine({ state, stream, command, isCancelling, ms: performance.now() - since, keys }, look);
  }

  spin(how: "fast" | "slowly" | "not"): void {
    const everyMs = { fast: SPIN_MS, slowly: COUNT_MS, not: 0 }[how];
    if (everyMs === this.everyMs) return;
    this.everyMs = everyMs;
    if (this.spinner !== null) clearInterval(this.spinner);
    this.spinner = everyMs > 0 ? setInterval(this.tick, everyMs) : null;
  }
}

function streamOf(kind: MessageDelta["kind"], before: Activity["stream"]): Activity["stream"] {
  if (kind === "text" || kind === "thinking") return kind;
  if (kind === "start") return "nothing";
  return kind.startsWith("tool_call") ? "call" : before;
}
