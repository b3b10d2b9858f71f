// Calls that the model is still writing: a long file takes a while, and the user should see why.
import { cut, oneLine } from "../terminal/fit.ts";
import { type Look, words } from "../terminal/look.ts";
import { shownCount } from "../terminal/measure.ts";
import type { Block } from "./block.ts";
import { toolWords } from "./call-words.ts";

const headChars = 600;
const about = /"(path|command|pattern|url|title|file_path)"\s*:\s*"((?:[^"\\]|\\.)*)"?/;

interface Draft {
  readonly tool: string;
  head: string;
  chars: number;
}

export class DraftBlock implements Block {
  readonly group = "step";
  readonly detail = null;
  private readonly look: Look;
  private readonly drafts = new Map<number, Draft>();
  isOver = false;

  constructor(look: Look) {
    this.look = look;
  }

  begin(ordinal: number, tool: string): void {
    this.drafts.set(ordinal, { tool, head: "", chars: 0 });
  }

  push(ordinal: number, text: string): void {
    const draft = this.drafts.get(ordinal);
    if (!draft) return;
    draft.chars += text.length;
    if (draft.head.length < headChars) draft.head += text.slice(0, headChars);
  }

  drop(): void {
    this.isOver = true;
  }

  take(): readonly string[] {
    return [];
  }

  live(room: number): readonly string[] {
    if (this.isOver || room < 1) return [];
    return [...this.drafts.values()].slice(-room).map((draft) => this.line(draft));
  }

  private line({ tool, head, chars }: Draft): string {
    const { theme } = this.look;
    const [, name = "", value = ""] = about.exec(head) ?? [];
    const size = chars < 1_000 ? "" : `  ${words(this.look, "block.draft", { n: shownCount(chars) })}`;
    const what = toolWords(this.look, tool, name === "" ? {} : { [name]: oneLine(value) });
    return theme.dim(cut(`· ${what}${size}`, this.look.width()));
  }
}
