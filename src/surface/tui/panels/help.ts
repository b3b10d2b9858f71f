import { allCommands } from "../../../command/all.ts";
import type { TextKey } from "../../../contract/text/catalogue.ts";
import { actions, type EditorAction, type Keys } from "../app/keys.ts";
import type { Detail } from "../blocks/block.ts";
import { ready } from "../blocks/lines.ts";
import { type Look, words } from "../terminal/look.ts";
import { truncateToWidth, visibleWidth } from "../terminal/width.ts";
import { wrapped } from "./card.ts";

type HelpRow = readonly [head: string, text: string];

const WIDE = 76;

/** Commands whose help line is too long for a column. */
const shorts: Readonly<Record<string, TextKey>> = {
  ...{ permissions: "tui.short.permissions", plan: "tui.short.plan", verify: "tui.short.verify" },
  ...{
    undo: "tui.short.undo",
    redo: "tui.short.redo",
    rewind: "tui.short.rewind",
    diff: "tui.short.diff",
    review: "tui.short.review",
  },
  ...{ commit: "tui.short.commit", pr: "tui.short.pr", init: "tui.short.init", compact: "tui.short.compact" },
  ...{ new: "tui.short.new", resume: "tui.short.resume", sessions: "tui.short.sessions", fork: "tui.short.fork" },
  ...{ clear: "tui.short.clear", rename: "tui.short.rename", memory: "tui.short.memory", usage: "tui.short.usage" },
  ...{ config: "tui.short.config", btw: "tui.short.btw", setup: "tui.short.setup", context: "tui.short.context" },
  ...{ jobs: "tui.short.jobs", skills: "tui.short.skills", status: "tui.short.status" },
  ...{ continue: "tui.short.continue", export: "tui.short.export", todos: "tui.short.todos", lang: "tui.short.lang" },
};

export function helpDetail(look: Look, keys: Keys): Detail {
  return {
    title: words(look, "tui.help.title"),
    lines: (width) => {
      const commands = allCommands.map((one): HelpRow => {
        const args = width >= WIDE || one.args === "" ? "" : ` ${one.args}`;
        const short = width >= WIDE ? shorts[one.name] : undefined;
        return [`/${one.name}${args}`, words(look, short ?? one.help)];
      });
      const [cancel, leave, key] = [keys.shown("cancel"), keys.shown("leave"), keys.shown("help")];
      const more = [
        ...[words(look, "tui.help.bang"), words(look, "tui.help.at")],
        ...(cancel === "" || leave === "" ? [] : [words(look, "tui.help.esc", { cancel, leave })]),
        ...(key === "" ? [] : [words(look, "tui.help.keys", { key })]),
      ];
      return ready([...table(look, commands, width), "", ...more.flatMap((line) => wrapped(line, width))], width);
    },
  };
}

const editing: readonly (readonly [TextKey, Partial<Record<EditorAction, string>>])[] = [
  ["tui.keys.history", { cursorUp: "up", cursorDown: "down" }],
  ["tui.keys.line_ends", { cursorLineStart: "ctrl+a", cursorLineEnd: "ctrl+e" }],
  ["tui.keys.word", { cursorWordLeft: "alt+left", cursorWordRight: "alt+right" }],
  ["tui.keys.delete_word", { deleteWordBackward: "ctrl+w" }],
  ["tui.keys.delete_line", { deleteToLineStart: "ctrl+u", deleteToLineEnd: "ctrl+k" }],
  ["tui.keys.yank", { yank: "ctrl+y" }],
  ["tui.keys.undo", { undo: "ctrl+-" }],
];

function editingRows(look: Look, keys: Keys): readonly HelpRow[] {
  const rows = editing.map(([text, known]): HelpRow => {
    const pairs = Object.entries(known) as (readonly [EditorAction, string])[];
    const shown = pairs.map(([action, key]) => keys.shownInEditor(action, key)).filter((key) => key !== "");
    return [shown.join(" "), words(look, text)];
  });
  return [...rows.filter(([head]) => head !== ""), ["Tab", words(look, "tui.keys.complete")]];
}

export function keysDetail(look: Look, keys: Keys): Detail {
  return {
    title: words(look, "tui.keys.title"),
    lines: (width) => {
      const ours = actions.flatMap((action): readonly HelpRow[] => {
        const shown = keys.shown(action);
        return shown === "" ? [] : [[shown, words(look, `tui.action.${action}`)]];
      });
      const own = wrapped(words(look, "tui.keys.own"), width);
      return ready([...table(look, [...ours, ...editingRows(look, keys)], width), "", ...own], width);
    },
  };
}

function table(look: Look, rows: readonly HelpRow[], width: number): readonly string[] {
  if (width < WIDE) return rows.flatMap((row) => below(look, row, width));
  const half = Math.ceil(rows.length / 2);
  const each = Math.floor((width - 2) / 2);
  const left = column(look, rows.slice(0, half), each);
  const right = column(look, rows.slice(half), each);
  return left.map((one, at) => `${one}${" ".repeat(each - visibleWidth(one) + 2)}${right[at] ?? ""}`.trimEnd());
}

function below({ theme }: Look, [head, text]: HelpRow, width: number): readonly string[] {
  const name = theme.bold(head);
  if (visibleWidth(head) <= width / 3) return wrapped(text, width, `${name}  `);
  return [...wrapped(name, width), ...wrapped(text, width, "  ")];
}

function column({ theme }: Look, rows: readonly HelpRow[], width: number): readonly string[] {
  const widest = Math.max(...rows.map(([head]) => visibleWidth(head)));
  return rows.map(([head, text]) => {
    const gap = " ".repeat(widest - visibleWidth(head) + 2);
    return `${theme.bold(head)}${gap}${truncateToWidth(text, Math.max(1, width - widest - 2), "…")}`;
  });
}
