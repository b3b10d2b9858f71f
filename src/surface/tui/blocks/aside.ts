import type { Aside } from "../../../contract/event.ts";
import { phrase } from "../../../contract/text/catalogue.ts";
import { clean, signed } from "../terminal/fit.ts";
import { type Look, words } from "../terminal/look.ts";
import { MarkdownStream } from "../terminal/markdown-stream.ts";
import { Still } from "./block.ts";
import { readable } from "./long-text.ts";

/** A question beside the task, with its answer: behind a bar, so that nobody takes it for a part of the task. */
export function asideBlock(look: Look, { question, text, isCut }: Aside): Still {
  const { theme } = look;
  const lines = (): readonly string[] => {
    const bar = `${theme.accent("▏")} `;
    const asked = signed(clean(question), look.width() - 2, "", theme.bold);
    const why = isCut ? [theme.dim(words(look, "block.cut_reply", { why: phrase("export.cut_reply.cancelled") }))] : [];
    return [...asked, ...markdownLines(look, text.trim(), look.width() - 2), ...why].map((line) => `${bar}${line}`);
  };
  const whole = { title: words(look, "tui.aside.title"), lines: (width: number) => readable(text, width) };
  return new Still(look, "said", lines, whole);
}

export function markdownLines(look: Look, text: string, width: number): readonly string[] {
  const stream = new MarkdownStream(look.theme, () => Math.max(1, width));
  stream.push(clean(text));
  stream.finish();
  return stream.take();
}
