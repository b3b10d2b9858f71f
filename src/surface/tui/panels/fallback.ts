import { spelledOut } from "../../../contract/show/visible.ts";
import { say } from "../../../contract/text/catalogue.ts";
import type { OpenFallback } from "../../../engine/port.ts";
import { words } from "../terminal/look.ts";
import type { Frame } from "../terminal/screen.ts";
import { cardFrame, type Hint, innerWidth, wrapped } from "./card.ts";
import { AnswerPanel } from "./panel.ts";
import { isKey, letter } from "./press.ts";

interface FallbackDeps {
  readonly offer: OpenFallback;
  readonly answer: (isYes: boolean) => void;
  readonly cancel: () => void;
}

const hints: readonly Hint[] = [
  ["y", "tui.key.fallback_yes"],
  ["n", "tui.key.fallback_no"],
  ["Esc", "tui.key.cancel"],
];

export class FallbackPanel extends AnswerPanel<FallbackDeps> {
  frame(width: number, room: number): Frame {
    const { look } = this;
    const { from, to, why } = this.deps.offer;
    const inner = innerWidth(width);
    const offer = wrapped(spelledOut(words(look, "tui.fallback.offer", { from, to })), inner);
    const reason = wrapped(look.theme.warn(spelledOut(say(look.lang, why))), inner, "• ");
    const card = { title: words(look, "tui.fallback.title"), body: [...offer, ...reason], hints, isUrgent: true };
    return cardFrame(look, card, width, room);
  }

  handle(key: string): boolean {
    if (this.isOver) return false;
    if (isKey(key, "escape")) return this.over(this.deps.cancel);
    const sign = letter(key);
    return (sign === "y" || sign === "n") && this.over(() => this.deps.answer(sign === "y"));
  }
}
