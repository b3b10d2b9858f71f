// A word to a person who is looking elsewhere. The terminal shows it, in the way that it understands.
import type { UiSettings } from "../../../contract/ui.ts";

type NotifyWay = UiSettings["notify"];

type Env = Readonly<Record<string, string | undefined>>;

/** What to write for it. `text`: one line without control characters. */
export function notification(way: NotifyWay, text: string, env: Env): string {
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

/** A bell reaches everybody, through tmux and ssh too; more is sent only to those known to show it. */
function bestWay(env: Env): NotifyWay {
  if (env.TMUX !== undefined || env.STY !== undefined) return "bell";
  if (/^(?:iTerm\.app|WezTerm|ghostty)$/.test(env.TERM_PROGRAM ?? "") || env.KITTY_WINDOW_ID !== undefined)
    return "osc9";
  if (env.VTE_VERSION !== undefined || /^(?:foot|rxvt)/.test(env.TERM ?? "")) return "osc777";
  return env.WT_SESSION === undefined ? "bell" : "osc9";
}
