// A question beside the task, while its answer streams. The whole answer goes to the scrollback when it is complete.
import { visible } from "../../../contract/show/visible.ts";
import { markdownLines } from "../blocks/aside.ts";
import { type Look, words } from "../terminal/look.ts";
import type { Frame } from "../terminal/screen.ts";
import { cardFrame, type Hint, innerRoom, innerWidth, wrapped } from "./card.ts";
import type { Panel } from "./panel.ts";
import { isKey } from "./press.ts";

const hints: readonly Hint[] = [["Esc", "tui.key.stop"]];
/** A panel is drawn anew at every chunk, and shows only the end. */
const maxChars = 8_000;

export class AsidePanel implements Panel {
  private readonly look: Look;
  private readonly question: string;
  private readonly stop: () => void;
  private text = "";

  constructor(look: Look, question: string, stop: () => void) {
    this.look = look;
    this.question = visible(question);
    this.stop = stop;
  }

  push(text: string): void {
    this.text += text;
  }

  frame(width: number, room: number): Frame {
    const inner = innerWidth(width);
    const left = innerRoom(this.look, hints, width, room);
    const asked = wrapped(this.look.theme.dim(this.question), inner).slice(0, Math.max(1, Math.floor(left / 3)));
    const answer =
      this.text === ""
        ? [words(this.look, "tui.activity.model.nothing")]
        : markdownLines(this.look, this.text.slice(-maxChars), inner);
    const body = [...asked, ...answer.slice(-Math.max(1, left - asked.length))];
    return cardFrame(this.look, { title: words(this.look, "tui.aside.title"), body, hints }, width, room);
  }

  handle(key: string): boolean {
    if (!isKey(key, "escape")) return false;
    this.stop();
    return true;
  }
}
