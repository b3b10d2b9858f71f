import type { Lang } from "./text/catalogue.ts";

/** `terminal`: the terminal's own sixteen colours. */
export const themes = ["terminal", "dark", "light"] as const;
export type ThemeName = (typeof themes)[number];

/** How to notify a user who looks elsewhere; `auto`: whatever their terminal supports. */
export const notifyWays = ["auto", "bell", "osc9", "osc777", "off"] as const;
type NotifyWay = (typeof notifyWays)[number];

export const keyActions = [
  ...(["send", "queue", "newline", "cancel", "leave", "end", "mode", "details", "todos", "editor", "image"] as const),
  ...(["unqueue", "search", "suspend", "redraw", "help", "background", "jobs"] as const),
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

/** The parts of the status line, in their usual order. */
export const statusFields = [
  ...(["mode", "preset", "model", "context", "cost", "jobs", "sandbox", "trust", "branch"] as const),
  ...(["folder", "session"] as const),
] as const;
export type StatusField = (typeof statusFields)[number];

export interface StatusLineSettings {
  /** Gets the session as JSON on stdin; the first lines of what it writes are shown. */
  readonly command?: string;
  readonly fields: readonly StatusField[];
}

export interface UiSettings {
  readonly theme: ThemeName;
  readonly statusline: StatusLineSettings;
  /** The prompt has the keys of vim. */
  readonly vim: boolean;
  /** The user's keys per action; an empty list = none. */
  readonly keys: Readonly<Record<string, readonly string[]>>;
  readonly notify: NotifyWay;
}

export interface UiChoice {
  readonly theme?: ThemeName;
  readonly statusline?: StatusLineSettings;
  readonly vim?: boolean;
  readonly lang?: Lang;
}
