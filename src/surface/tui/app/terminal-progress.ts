import type { MessageDelta } from "../../../contract/delta.ts";
import type { Published } from "../../../engine/port.ts";
import type { SessionState } from "../../../machine/state.ts";
import { oneLine } from "../terminal/fit.ts";
import { type Look, words } from "../terminal/look.ts";
import { runningTime } from "../terminal/measure.ts";
import { truncateToWidth, visibleWidth } from "../terminal/width.ts";
import type { Sending } from "./sending.ts";

const SPIN_MS = 120;
const COUNT_MS = 1_000;

export class Progress {
  private readonly tick: () => void;
  private stream: Activity["stream"] = "nothing";
  private isCancelling = false;
  private startedAt = performance.now();
  private spinner: ReturnType<typeof setInterval> | null = null;
  private everyMs = 0;

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

const signs = ["⠋", "⠙", "⠸", "⠴", "⠦", "⠇"];

interface Activity {
  readonly state: SessionState;
  readonly stream: "nothing" | "thinking" | "text" | "call" | "notes";
  /** A slow slash command; "": a slow message; `null`: neither. */
  readonly command: string | null;
  readonly isCancelling: boolean;
  readonly ms: number;
  /** The keys that stop the task and end a retry delay; "": none right now. */
  readonly keys: { readonly stop: string; readonly now: string };
}

export function isWaiting({ run }: Pick<SessionState, "run">): boolean {
  return run.phase === "model_running" && run.doing === "waiting";
}

function activityLine(doing: Activity, look: Look): string | null {
  const what = whatOf(doing, look);
  if (what === null) return null;
  const { theme } = look;
  const sign = signs[Math.floor(doing.ms / SPIN_MS) % signs.length] ?? "";
  const width = look.width() - 1;
  const line = `${theme.accent(sign)} ${what} ${theme.dim(runningTime(look, doing.ms))}`;
  const hint = doing.isCancelling ? "" : hintOf(doing, look);
  // A hint that does not fit is left out, not cut.
  const isFitting = visibleWidth(line) + visibleWidth(hint) <= width;
  return truncateToWidth(isFitting ? `${line}${theme.dim(hint)}` : line, width, "…");
}

function hintOf({ state, keys: { stop, now } }: Activity, look: Look): string {
  const atOnce = isWaiting(state) && now !== "" ? ` · ${words(look, "tui.activity.now", { key: now })}` : "";
  return stop === "" ? atOnce : `${atOnce} · ${words(look, "tui.activity.stop", { key: stop })}`;
}

function whatOf({ state, stream, command, isCancelling }: Activity, look: Look): string | null {
  const { task, run } = state;
  if (task.phase === "IDLE" || task.phase === "DONE") {
    if (command === null) return null;
    return command === "" ? words(look, "tui.activity.working") : words(look, "tui.activity.command", { command });
  }
  if (isCancelling) return words(look, "tui.activity.cancelling");
  if (run.phase === "awaiting_human" || task.phase === "AWAITING_CONFIRMATION" || task.phase === "CLARIFYING")
    return words(look, "tui.activity.waiting");
  if (run.phase === "tool_running") {
    const now =
      run.calls.find(({ status }) => status === "executing") ?? run.calls.find((one) => one.status !== "settled");
    return task.phase === "VERIFYING"
      ? words(look, "tui.activity.verifying")
      : words(look, "tui.activity.tool", { tool: oneLine(now?.call.tool ?? "") });
  }
  if (run.phase === "model_running") {
    if (run.doing === "waiting") return words(look, "tui.activity.retrying", { n: run.failures + 1 });
    if (run.doing === "compacting" || stream === "notes") return words(look, "tui.activity.compacting");
    return words(look, `tui.activity.model.${stream}`);
  }
  return words(look, "tui.activity.working");
}
