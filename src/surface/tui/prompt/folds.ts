// A large paste is one character in the text, from the last private-use plane, which no font or text uses. So every edit moves, deletes and
// restores the paste as a whole, without copying it.
import { type Look, words } from "../terminal/look.ts";

const first = 0x10_0000;
const last = 0x10_fffd;
/** `plain` does not remove these characters, so every input must be stripped of them. */
export const folded = /[\u{100000}-\u{10fffd}]/gu;

const mostLines = 10;
const mostChars = 1_000;

interface Fold {
  readonly content: string;
  readonly label: string;
}

export class Folds {
  private readonly look: Pick<Look, "lang">;
  private readonly kept = new Map<string, Fold>();
  private count = 0;
  chars = 0;

  constructor(look: Pick<Look, "lang">) {
    this.look = look;
  }

  isLarge(text: string): boolean {
    return text.length > mostChars || linesIn(text) > mostLines;
  }

  /** Returns the character that stands for the paste. */
  fold(content: string): string {
    const mark = String.fromCodePoint(first + (this.count % (last - first + 1)));
    this.count += 1;
    const lines = linesIn(content);
    const label =
      lines > 1
        ? words(this.look, "prompt.paste_lines", { n: this.count, lines })
        : words(this.look, "prompt.paste_chars", { n: this.count, chars: content.length });
    this.kept.set(mark, { content, label });
    this.chars += content.length;
    return mark;
  }

  labelOf(mark: string): string {
    return this.kept.get(mark)?.label ?? "";
  }

  unfolded(text: string): string {
    return text.replace(folded, (mark) => this.kept.get(mark)?.content ?? "");
  }

  labelled(text: string): string {
    return text.replace(folded, (mark) => this.labelOf(mark));
  }

  keepOnly(texts: readonly string[]): void {
    if (this.kept.size === 0) return;
    const used = new Set(texts.flatMap((text) => text.match(folded) ?? []));
    for (const [mark, { content }] of this.kept) {
      if (used.has(mark)) continue;
      this.kept.delete(mark);
      this.chars -= content.length;
    }
  }
}

/** A final line break does not start another line. */
export function linesIn(text: string): number {
  let lines = text === "" || text.endsWith("\n") ? 0 : 1;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) lines += 1;
  return lines;
}
