import type { Lang } from "./text/catalogue.ts";

/** `terminal`: the terminal's own sixteen colours. */
export const themes = ["terminal", "dark", "light"] as const;
export type ThemeName = (typeof themes)[number];

/** How to notify a user who looks elsewhere; `auto`: whatever their terminal supports. */
export const notifyWays = ["auto", "bell", "osc9", "osc777", "off"] as const;
type NotifyWay = (typeof notifyWays)[number];

export const keyActions = [
  ...(["send", "queue", "newline", "cancel", "leave", "end", "mode", "details", "todos", "editor", "image"] as const),
  ...(["unqueue", "search", "suspend", "redraw", "help"] as const),
] as const;
export type KeyAction = (typeof keyActions)[number];

/** Key actions inside the editor; prefixed with `editor.` in the settings. */
export const editorActions = [
  ...(["cursorUp", "cursorDown", "historyPrevious", "historyNext", "cursorLeft", "cursorRight"] as const),
  ...(["cursorWordLeft", "cursorWordRight", "cursorLineStart", "cursorLineEnd", "jumpForward"] as const),
  ...(["jumpBackward", "pageUp", "pageDown", "deleteCharBackward", "deleteCharForward"] as const),
  ...(["deleteWordBackward", "deleteWordForward", "deleteToLineStart", "deleteToLineEnd"] as const),
  ...(["yank", "yankPop", "undo"] as const),
] as const;

export interface UiSettings {
  readonly theme: ThemeName;
  /** The user's keys per action; an empty list = none. */
  readonly keys: Readonly<Record<string, readonly string[]>>;
  readonly notify: NotifyWay;
}

export interface UiChoice {
  readonly theme?: ThemeName;
  readonly lang?: Lang;
}
