import type { Lang } from "./text/catalogue.ts";

/** `terminal`: the terminal's own sixteen colours. */
export const themes = ["terminal", "dark", "light"] as const;
export type ThemeName = (typeof themes)[number];

/** How a person who looks elsewhere is told that something waits or has ended; `auto`: as their terminal understands it. */
export const notifyWays = ["auto", "bell", "osc9", "osc777", "off"] as const;
type NotifyWay = (typeof notifyWays)[number];

/** What a key can mean outside the editor. */
export const keyActions = [
  ...(["send", "queue", "newline", "cancel", "leave", "end", "mode", "details", "todos", "editor", "image"] as const),
  ...(["unqueue", "search", "suspend", "redraw", "help"] as const),
] as const;
export type KeyAction = (typeof keyActions)[number];

/** What a key can mean inside it; in the settings with `editor.` before it. */
export const editorActions = [
  ...(["cursorUp", "cursorDown", "historyPrevious", "historyNext", "cursorLeft", "cursorRight"] as const),
  ...(["cursorWordLeft", "cursorWordRight", "cursorLineStart", "cursorLineEnd", "jumpForward"] as const),
  ...(["jumpBackward", "pageUp", "pageDown", "deleteCharBackward", "deleteCharForward"] as const),
  ...(["deleteWordBackward", "deleteWordForward", "deleteToLineStart", "deleteToLineEnd"] as const),
  ...(["yank", "yankPop", "undo"] as const),
] as const;

export interface UiSettings {
  readonly theme: ThemeName;
  /** The person's own keys, by action; an empty list = none. */
  readonly keys: Readonly<Record<string, readonly string[]>>;
  readonly notify: NotifyWay;
}

/** What of it the person changes while they work. */
export interface UiChoice {
  readonly theme?: ThemeName;
  readonly lang?: Lang;
}
