import type { Attachment } from "../../../contract/attachment.ts";
import type { EventOf } from "../../../contract/event.ts";
import { clean, cut, oneLine, signed } from "../terminal/fit.ts";
import { type Look, words } from "../terminal/look.ts";
import { counted } from "../terminal/measure.ts";
import { type Detail, Still } from "./block.ts";
import { readable } from "./long-text.ts";

type ShownInput = Pick<EventOf<"input.admitted">, "kind" | "text" | "typed" | "attachments" | "readOnly">;

const shownLines = 8;
/** Of these, at the end of a longer text. */
const shownTail = 3;
/** Nobody reads a pasted file in the scrollback. */
const maxChars = 4_000;

const shortChars = 600;

export function saidBlock(look: Look, { kind, text, typed, attachments = [], readOnly }: ShownInput): Still {
  // A command speaks to the model in the user's name; its first line says enough.
  const most = readOnly ? 1 : shownLines;
  const isShort = typed === undefined && text.length <= shortChars && text.split("\n").length <= most;
  const lines = (): readonly string[] => [
    ...textLines(look, kind, typed ?? text, most),
    ...attachments.filter(({ kind: what }) => what !== "problem").map((one) => named(look, one)),
  ];
  return new Still(look, "said", lines, isShort ? null : wholeOf(look, text));
}

export function answerBlock(look: Look, text: string): Still {
  return saidBlock(look, { kind: "task", text });
}

/** A pasted log is folded in its middle: the question stands before it or behind it. */
function textLines(look: Look, kind: ShownInput["kind"], text: string, most: number): readonly string[] {
  const { theme } = look;
  const isShell = kind === "shell";
  const style = isShell ? theme.warn : theme.accent;
  const own = text.trimEnd();
  const total = own.split("\n").length;
  const last = most > shownTail && total > most ? shownTail : 0;
  const first = clean(own.slice(0, maxChars))
    .split("\n")
    .slice(0, most - last);
  const head = signed(first.join("\n"), look.width(), `${style(isShell ? "!" : ">")} `, theme.bold);
  const lines = head.slice(0, 2 * (shownLines - last));
  const folded = total - first.length - last;
  if (folded > 0) lines.push(more(look, counted(look, "block.more_lines.n", folded)));
  else if (head.length > lines.length || own.length > maxChars)
    lines.push(more(look, counted(look, "block.more_chars.n", text.length)));
  if (last === 0) return lines;
  const end = clean(own.slice(-maxChars)).split("\n").slice(-last);
  return [...lines, ...signed(end.join("\n"), look.width(), "  ", theme.bold).slice(-2 * last)];
}

function more(look: Look, text: string): string {
  return look.theme.dim(cut(`  ${text}`, look.width()));
}

/** Failed attachments have a notice of their own. */
function named(look: Look, { kind, name }: Attachment): string {
  const key = kind === "image" ? "block.attached.image" : "block.attached";
  return look.theme.dim(cut(`  ${words(look, key, { name: oneLine(name) })}`, look.width()));
}

function wholeOf(look: Look, text: string): Detail {
  return {
    title: words(look, "block.said"),
    lines: (width) => readable(text, width),
  };
}
