import type { MessageDelta } from "../../../contract/delta.ts";
import type { Published } from "../../../engine/port.ts";
import type { SessionState } from "../../../machine/state.ts";
import { oneLine } from "../terminal/fit.ts";
import { type Look, words } from "../terminal/look.ts";
import { runningTime } from "../terminal/measure.ts";
import { truncateToWidth, visibleWidth } from "../terminal/width.ts";
import type { Sending } from "./sending.ts";

const signs = ["⠋", "⠙", "⠸", "⠴", "⠦", "⠇"];
const SPIN_MS = 120;
const COUNT_MS = 1_000;

type Writing = "nothing" | "thinking" | "text" | "call" | "notes";

export class Progress {
  private readonly tick: () => void;
  private stream: Writing = "nothing";
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

  /** `null`: idle. `slow`: a message or command that takes long. `keys`: stop the task, end a retry delay; "": none. */
  line(
    state: SessionState,
    slow: Sending["slow"],
    keys: { readonly stop: string; readonly now: string },
    look: Look,
  ): string | null {
    const what = this.activity(state, slow?.command ?? null, look);
    if (what === null) return null;
    const ms = performance.now() - (state.task.phase === "IDLE" ? (slow?.since ?? 0) : this.startedAt);
    const sign = signs[Math.floor(ms / SPIN_MS) % signs.length] ?? "";
    const line = `${look.theme.accent(sign)} ${what} ${look.theme.dim(runningTime(look, ms))}`;
    const now = isWaiting(state) && keys.now !== "" ? ` · ${words(look, "tui.activity.now", { key: keys.now })}` : "";
    const stop = keys.stop === "" ? "" : ` · ${words(look, "tui.activity.stop", { key: keys.stop })}`;
    const hint = this.isCancelling ? "" : `${now}${stop}`;
    const width = look.width() - 1;
    // A hint that does not fit is left out, not cut.
    const isFitting = visibleWidth(line) + visibleWidth(hint) <= width;
    return truncateToWidth(isFitting ? `${line}${look.theme.dim(hint)}` : line, width, "…");
  }

  private activity({ task, run }: SessionState, command: string | null, look: Look): string | null {
    if (task.phase === "IDLE" || task.phase === "DONE") {
      if (command === null) return null;
      return command === "" ? words(look, "tui.activity.working") : words(look, "tui.activity.command", { command });
    }
    if (this.isCancelling) return words(look, "tui.activity.cancelling");
    if (run.phase === "awaiting_human" || task.phase === "AWAITING_CONFIRMATION" || task.phase === "CLARIFYING")
      return words(look, "tui.activity.waiting");
    if (run.phase === "tool_running") {
      const now =
        run.calls.find(({ status }) => status === "executing") ?? run.calls.find((one) => one.status !== "settled");
      return task.phase === "VERIFYING"
        ? words(look, "tui.activity.verifying")
        : words(look, "tui.activity.tool", { tool: oneLine(now?.call.tool ?? "") });
    }
    if (run.phase !== "model_running") return words(look, "tui.activity.working");
    if (run.doing === "waiting") return words(look, "tui.activity.retrying", { n: run.failures + 1 });
    if (run.doing === "compacting" || this.stream === "notes") return words(look, "tui.activity.compacting");
    return words(look, `tui.activity.model.${this.stream}`);
  }

  spin(how: "fast" | "slowly" | "not"): void {
    const everyMs = { fast: SPIN_MS, slowly: COUNT_MS, not: 0 }[how];
    if (everyMs === this.everyMs) return;
    this.everyMs = everyMs;
    if (this.spinner !== null) clearInterval(this.spinner);
    this.spinner = everyMs > 0 ? setInterval(this.tick, everyMs) : null;
  }
}

function streamOf(kind: MessageDelta["kind"], before: Writing): Writing {
  if (kind === "text" || kind === "thinking") return kind;
  if (kind === "start") return "nothing";
  return kind.startsWith("tool_call") ? "call" : before;
}

export function isWaiting({ run }: Pick<SessionState, "run">): boolean {
  return run.phase === "model_running" && run.doing === "waiting";
}
