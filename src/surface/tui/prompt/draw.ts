import { type Look, words } from "../terminal/look.ts";
import type { Frame } from "../terminal/screen.ts";
import { truncateToWidth, visibleWidth } from "../terminal/width.ts";
import { type Menu, mostChoices } from "./menu.ts";
import type { Search } from "./search.ts";
import type { Draft } from "./unsent.ts";

/** Columns for the sign, and for the cursor behind the text. */
const signColumns = 2;
const reserved = signColumns + 1;

export interface Shown {
  readonly look: Look;
  readonly draft: Draft;
  readonly menu: Menu | null;
  readonly hint: string;
  readonly placeholder: string;
  readonly search: Search | null;
  readonly vim: { readonly label: "insert" | "normal"; readonly typed: string } | null;
}

export function frameOf(shown: Shown, width: number, room: number): Frame {
  return shown.search === null ? textFrame(shown, width, room) : searchFrame(shown.search, shown.look, width, room);
}

function textFrame({ look, draft, menu, hint, placeholder, vim }: Shown, width: number, room: number): Frame {
  const { theme } = look;
  const isShell = /^\s*!/.test(draft.lines[0] ?? "");
  // A menu takes room from the text; the rule takes one row.
  const most = Math.max(1, menu === null ? room - 1 : Math.floor(room / 3));
  const picture = draft.picture(Math.max(1, width - reserved), most);
  const isEmpty = draft.lines.length === 1 && draft.lines[0] === "";
  const sign = isShell ? theme.warn("! ") : theme.accent("> ");
  const dim = isEmpty ? placeholder : hint;
  const rows = picture.rows.map((row, at) => `${at === 0 && picture.above === 0 ? sign : "  "}${row}`);
  if (rows.length === 1) rows[0] += theme.dim(cut(dim, width - reserved - visibleWidth(picture.rows[0] ?? "")));
  const rule = ruleOf({
    label: isShell ? words(look, "prompt.shell") : "",
    hint: isShell ? words(look, "prompt.shell_hint") : "",
    mode: vim === null ? "" : `${words(look, `prompt.vim.${vim.label}`)} ${vim.typed}`.trimEnd(),
    more: moreOf(picture.above, picture.below),
    style: isShell ? theme.warn : theme.dim,
    width,
  });
  // In front of the `!` of a shell command there is no sign column: the `!` itself is the sign.
  const { line, col } = draft.cursor;
  const isAtSign = isShell && line === 0 && col === 0 && (draft.lines[0] ?? "").startsWith("!");
  const column = isAtSign ? 0 : picture.column + signColumns;
  return framed({ rule, rows, row: picture.row, column, menu }, look, width, room);
}

function searchFrame(search: Search, look: Look, width: number, room: number): Frame {
  const { theme } = look;
  const asked = search.asked(Math.max(1, width - reserved));
  const none = search.menu.choices.length === 0 ? `  ${words(look, "prompt.history_none")}` : "";
  const rule = ruleOf({
    label: words(look, "prompt.history"),
    hint: words(look, "prompt.history_hint", search.pressed),
    ...{ mode: "", more: "", style: theme.accent, width },
  });
  const rows = [`${theme.accent("? ")}${asked}`, ...(none === "" ? [] : [theme.dim(cut(none, width))])];
  const column = visibleWidth(asked) + signColumns;
  return framed(
    { rule, rows: rows.slice(0, Math.max(1, room - 1)), row: 0, column, menu: search.menu },
    look,
    width,
    room,
  );
}

interface Parts {
  readonly rule: string;
  readonly rows: readonly string[];
  readonly row: number;
  readonly column: number;
  readonly menu: Menu | null;
}

function framed({ rule, rows, row, column, menu }: Parts, look: Look, width: number, room: number): Frame {
  const rules = room > rows.length ? [rule] : [];
  const left = Math.min(room - rules.length - rows.length, mostChoices);
  const choices = left > 0 && menu !== null ? menu.lines(width, left, look.theme) : [];
  return { lines: [...rules, ...rows, ...choices], cursor: { row: row + rules.length, column } };
}

interface Rule {
  readonly label: string;
  readonly hint: string;
  /** Of vim. */
  readonly mode: string;
  readonly more: string;
  readonly style: (text: string) => string;
  readonly width: number;
}

function ruleOf({ label, hint, mode, more, style, width }: Rule): string {
  const full = label === "" ? "" : `─ ${label} · ${hint} `;
  const short = label === "" ? "" : `─ ${label} `;
  const end = [more, mode]
    .filter((part) => part !== "")
    .map((part) => ` ${part} ─`)
    .join("");
  const start = visibleWidth(full + end) + 2 <= width ? full : short;
  const line = width - visibleWidth(start + end);
  return style(line < 0 ? "─".repeat(width) : `${start}${"─".repeat(line)}${end}`);
}

function moreOf(above: number, below: number): string {
  return [above > 0 ? `↑${above}` : "", below > 0 ? `↓${below}` : ""].filter((part) => part !== "").join(" ");
}

function cut(text: string, width: number): string {
  return truncateToWidth(text, Math.max(0, width), "…").replaceAll("\x1b[0m", "");
}
