import { visible } from "../../../contract/show/visible.ts";
import type { UiSettings } from "../../../contract/ui.ts";
import type { SessionState } from "../../../machine/state.ts";
import { cut } from "../terminal/fit.ts";
import { type Look, words } from "../terminal/look.ts";
import { type Going, WindowState } from "./window-state.ts";

/** A user is assumed to watch shorter tasks, and for this long after a key press. */
const LONG_MS = 10_000;
const SHOWN = 60;

interface AttentionDeps {
  readonly look: Look;
  readonly way: UiSettings["notify"];
  readonly write: (text: string) => void;
  readonly folder: string;
  readonly takesStatus: () => boolean;
  /** A monotonic clock in milliseconds. */
  readonly now: () => number;
}

export class Attention {
  private readonly deps: AttentionDeps;
  /** `null`: the terminal has not reported it. */
  private isFocused: boolean | null = null;
  private touchedAt: number;
  private title = "";
  private task = "";
  private startedAt: number;
  private readonly window: WindowState | null;
  private going: Going = "idle";

  constructor(deps: AttentionDeps) {
    this.deps = deps;
    this.window = deps.way === "off" ? null : new WindowState({ ...deps, env: process.env });
    this.touchedAt = deps.now();
    this.startedAt = deps.now();
  }

  focus(isFocused: boolean): void {
    this.isFocused = isFocused;
  }

  /** A key press proves that the user is here, whatever the terminal has reported. */
  touched(): void {
    this.touchedAt = this.deps.now();
    this.isFocused ||= null;
  }

  /** `asked`: what the user is asked, if anything. */
  follow({ task, title }: SessionState, asked: "permission" | "question" | null): void {
    const { look, folder } = this.deps;
    const isRunning = task.phase !== "IDLE" && task.phase !== "DONE";
    if (isRunning) this.task = short(task.task.input.text);
    if (isRunning) this.going = "working";
    this.window?.show(asked ?? this.going);
    const about = title === "" ? this.task : visible(title);
    const isAbout = about !== "" && (title !== "" || task.phase !== "IDLE");
    const name = isAbout ? `${about} – ${folder}` : folder;
    this.show(asked !== null ? words(look, "tui.title.asks", { folder: name }) : name);
  }

  /** The application ends. */
  leave(): void {
    this.window?.clear();
  }

  /** Another program had the window and may have set its own title. */
  retitle(): void {
    const { title } = this;
    this.title = "";
    this.show(title);
  }

  begun(): void {
    this.startedAt = this.deps.now();
  }

  ended(outcome: "done" | "error" | "idle"): void {
    this.going = outcome;
    if (this.deps.now() - this.startedAt >= LONG_MS) this.call("tui.notify.ended");
  }

  asks(): void {
    this.call("tui.notify.asks");
  }

  private call(key: "tui.notify.ended" | "tui.notify.asks"): void {
    const { look, way, write } = this.deps;
    const isHere = this.isFocused ?? this.deps.now() - this.touchedAt < LONG_MS;
    if (!isHere) write(notification(way, words(look, key, { task: this.task }), process.env));
  }

  private show(text: string): void {
    if (text === this.title) return;
    this.title = text;
    this.deps.write(`\x1b]2;${text}\x07`);
  }
}

function short(text: string): string {
  const [first = ""] = text
    .slice(0, 10 * SHOWN)
    .trim()
    .split("\n", 1);
  return cut(visible(first), SHOWN);
}

type NotifyWay = UiSettings["notify"];

type Env = Readonly<Record<string, string | undefined>>;

function notification(way: NotifyWay, text: string, env: Env): string {
  switch (way === "auto" ? bestWay(env) : way) {
    case "osc9":
      return `\x1b]9;${text}\x07`;
    case "osc777":
      return `\x1b]777;notify;coder;${text.replaceAll(";", ",")}\x07`;
    case "off":
      return "";
    default:
      return "\x07";
  }
}

/** A bell works everywhere, even through tmux and ssh; anything else only where the terminal is known to show it. */
function bestWay(env: Env): NotifyWay {
  if (env.TMUX !== undefined || env.STY !== undefined) return "bell";
  if (/^(?:iTerm\.app|WezTerm|ghostty)$/.test(env.TERM_PROGRAM ?? "") || env.KITTY_WINDOW_ID !== undefined)
    return "osc9";
  if (env.VTE_VERSION !== undefined || /^(?:foot|rxvt)/.test(env.TERM ?? "")) return "osc777";
  return env.WT_SESSION === undefined ? "bell" : "osc9";
}
