import type { Attachment } from "../../../contract/attachment.ts";
import type { EventOf } from "../../../contract/event.ts";
import { clean, cut, oneLine, signed } from "../terminal/fit.ts";
import { type Look, words } from "../terminal/look.ts";
import { counted } from "../terminal/measure.ts";
import { type Detail, Still } from "./block.ts";
import { readable } from "./long-text.ts";

type ShownInput = Pick<EventOf<"input.admitted">, "kind" | "text" | "typed" | "attachments" | "readOnly">;

const shownLines = 8;
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

function textLines(look: Look, kind: ShownInput["kind"], text: string, most: number): readonly string[] {
  const { theme } = look;
  const isShell = kind === "shell";
  const style = isShell ? theme.warn : theme.accent;
  const all = clean(text.slice(0, maxChars)).trimEnd().split("\n");
  const total = text.trimEnd().split("\n").length;
  const kept = all.slice(0, most);
  const wrapped = signed(kept.join("\n"), look.width(), `${style(isShell ? "!" : ">")} `, theme.bold);
  const lines = wrapped.slice(0, 2 * shownLines);
  const isCut = wrapped.length > lines.length || (text.length > maxChars && total <= kept.length);
  if (total > kept.length) return [...lines, more(look, counted(look, "block.more_lines.n", total - kept.length))];
  return isCut ? [...lines, more(look, counted(look, "block.more_chars.n", text.length))] : lines;
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
