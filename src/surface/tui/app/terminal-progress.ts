import type { MessageDelta } from "../../../contract/delta.ts";
import type { Published } from "../../../engine/port.ts";
import { isAsking, type SessionState } from "../../../machine/state.ts";
import { oneLine } from "../terminal/fit.ts";
import { type Look, words } from "../terminal/look.ts";
import { runningTime, shownCost, shownCount } from "../terminal/measure.ts";
import { truncateToWidth, visibleWidth } from "../terminal/width.ts";
import type { Sending } from "./sending.ts";
import { Traffic } from "./traffic.ts";

const signs = ["⠋", "⠙", "⠸", "⠴", "⠦", "⠇"];
const SPIN_MS = 120;
const COUNT_MS = 1_000;

type Writing = "nothing" | "thinking" | "text" | "call" | "notes";

export class Progress {
  private readonly tick: () => void;
  private readonly now: () => number;
  private readonly traffic: Traffic;
  private stream: Writing = "nothing";
  /** Counted anew once a second: a line that differs in every frame flickers, and costs bytes. */
  private counted: { readonly at: number; readonly facts: readonly string[] } | null = null;
  private isCancelling = false;
  private startedAt: number;
  private spinner: ReturnType<typeof setInterval> | null = null;
  private everyMs = 0;

  /** `now`: a monotonic clock in milliseconds. */
  constructor(tick: () => void, now: () => number) {
    this.tick = tick;
    this.now = now;
    this.startedAt = now();
    this.traffic = new Traffic(now);
  }

  hear(published: Published): void {
    this.traffic.hear(published);
    if (published.kind !== "delta" && published.kind !== "output") this.counted = null;
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
    this.startedAt = this.now();
    this.traffic.restart();
  }

  cancelled(): void {
    this.isCancelling = true;
  }

  /** `null`: idle. `slow`: a message or command that takes long. `keys`: stop the task, end a retry delay, move to the background. */
  line(state: SessionState, slow: Sending["slow"], keys: ActivityKeys, look: Look): string | null {
    const what = this.activity(state, slow?.command ?? null, look);
    if (what === null) return null;
    const isTask = state.task.phase !== "IDLE";
    const ms = this.now() - (isTask ? this.startedAt : (slow?.since ?? 0));
    const sign = signs[Math.floor(ms / SPIN_MS) % signs.length] ?? "";
    const doing = `${what} ${look.theme.dim(runningTime(look, ms))}`;
    const quiet = isTask ? this.quiet(state, look) : "";
    const facts = isTask ? [...this.facts(look)] : [];
    const hints = this.isCancelling ? [] : hintsOf(state, ms < LONG_MS ? { ...keys, move: "" } : keys, look);
    const width = look.width() - 1;
    // In a narrow terminal, a stall is more important than its place.
    const isBoth = visibleWidth(`${sign} ${doing} · ${quiet}`) <= width;
    const first = quiet === "" ? [doing] : [...(isBoth ? [doing] : []), look.theme.warn(quiet)];
    const all = (some: readonly string[]): string =>
      `${look.theme.accent(sign)} ${[...first, ...[...some, ...hints].map(look.theme.dim)].join(" · ")}`;
    // A part that does not fit is left out, not cut; the keys stay longest.
    while (facts.length > 0 && visibleWidth(all(facts)) > width) facts.pop();
    while (hints.length > 0 && visibleWidth(all([])) > width) hints.pop();
    return truncateToWidth(all(facts), width, "…");
  }

  /** The most telling first. */
  private facts(look: Look): readonly string[] {
    const at = Math.floor((this.now() - this.startedAt) / COUNT_MS);
    if (this.counted?.at !== at) this.counted = { at, facts: this.count(look) };
    return this.counted.facts;
  }

  private count(look: Look): readonly string[] {
    const { tokens, rate, spent } = this.traffic;
    const count = `↑ ${shownCount(tokens.input)} ↓ ${shownCount(tokens.output)}`;
    return [
      ...(tokens.input + tokens.output === 0 ? [] : [count]),
      ...(spent === 0 ? [] : [shownCost(spent)]),
      ...(rate === null ? [] : [words(look, "tui.activity.rate", { n: rate })]),
    ];
  }

  /** A model or a command that has long been silent; "": none. What coder itself waits for on purpose is no stall. */
  private quiet(state: SessionState, look: Look): string {
    const ms = this.traffic.quietMs;
    const { run } = state;
    if (ms === null || this.isCancelling || isWaiting(state) || this.stream === "notes") return "";
    const time = runningTime(look, ms);
    if (run.phase === "model_running" && run.doing === "calling") return words(look, "tui.activity.stalled", { time });
    return run.phase === "tool_running" ? words(look, "tui.activity.silent", { time }) : "";
  }

  private activity(state: SessionState, command: string | null, look: Look): string | null {
    const { task, run } = state;
    if (task.phase === "IDLE" || task.phase === "DONE") {
      if (command === null) return null;
      return command === "" ? words(look, "tui.activity.working") : words(look, "tui.activity.command", { command });
    }
    if (this.isCancelling) return words(look, "tui.activity.cancelling");
    if (isAsking(state) || task.phase === "AWAITING_CONFIRMATION" || task.phase === "CLARIFYING")
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

/** A task this old has a command that may be worth sending to the background. */
const LONG_MS = 5_000;

/** "": none. */
interface ActivityKeys {
  readonly stop: string;
  readonly now: string;
  readonly move: string;
}

function streamOf(kind: MessageDelta["kind"], before: Writing): Writing {
  if (kind === "text" || kind === "thinking") return kind;
  if (kind === "start") return "nothing";
  return kind.startsWith("tool_call") ? "call" : before;
}

function hintsOf(state: SessionState, { stop, now, move }: ActivityKeys, look: Look): string[] {
  return [
    ...(isWaiting(state) && now !== "" ? [words(look, "tui.activity.now", { key: now })] : []),
    ...(stop === "" ? [] : [words(look, "tui.activity.stop", { key: stop })]),
    ...(move === "" ? [] : [words(look, "tui.activity.move", { key: move })]),
  ];
}

export function isWaiting({ run }: Pick<SessionState, "run">): boolean {
  return run.phase === "model_running" && run.doing === "waiting";
}
