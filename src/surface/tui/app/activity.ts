// One line: the current activity, how long it has lasted, and the key that stops it.

import type { SessionState } from "../../../machine/state.ts";
import { oneLine } from "../terminal/fit.ts";
import { type Look, words } from "../terminal/look.ts";
import { runningTime } from "../terminal/measure.ts";
import { truncateToWidth, visibleWidth } from "../terminal/width.ts";

const signs = ["⠋", "⠙", "⠸", "⠴", "⠦", "⠇"];
const SIGN_MS = 120;

export interface Activity {
  readonly state: SessionState;
  /** The kind of text that the model is writing. */
  readonly stream: "nothing" | "thinking" | "text" | "call" | "notes";
  /** A slow slash command; "": a slow message; `null`: neither. */
  readonly command: string | null;
  readonly isCancelling: boolean;
  /** Milliseconds since it began, in this process. */
  readonly ms: number;
  /** The keys that stop the task and end a retry delay; "": none right now. */
  readonly keys: { readonly stop: string; readonly now: string };
}

/** Waiting to retry a model call. */
export function isWaiting({ run }: Pick<SessionState, "run">): boolean {
  return run.phase === "model_running" && run.doing === "waiting";
}

/** `null`: idle. */
export function activityLine(doing: Activity, look: Look): string | null {
  const what = whatOf(doing, look);
  if (what === null) return null;
  const { theme } = look;
  const sign = signs[Math.floor(doing.ms / SIGN_MS) % signs.length] ?? "";
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
