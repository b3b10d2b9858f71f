import { isKeyRepeat } from "@earendil-works/pi-tui/dist/keys.js";
import { spelledOut } from "../../../contract/show/visible.ts";
import { say } from "../../../contract/text/catalogue.ts";
import type { OpenFallback } from "../../../engine/port.ts";
import { words } from "../terminal/look.ts";
import type { Frame } from "../terminal/screen.ts";
import { cardFrame, type Hint, innerRoom, innerWidth, wrapped } from "./card.ts";
import { Choices, choice } from "./choices.ts";
import { AnswerPanel } from "./panel.ts";
import { isKey } from "./press.ts";

interface FallbackDeps {
  readonly offer: OpenFallback;
  readonly answer: (isYes: boolean) => void;
  readonly cancel: () => void;
}

const keys: readonly Hint[] = [["Esc", "tui.key.cancel"]];

export class FallbackPanel extends AnswerPanel<FallbackDeps> {
  private readonly choices = new Choices(this.look, [
    choice(this.look, "y", "tui.choice.switch", "tui.key.fallback_yes"),
    choice(this.look, "n", "tui.choice.stay", "tui.key.fallback_no"),
  ]);

  frame(width: number, room: number): Frame {
    const { look } = this;
    const { from, to, why } = this.deps.offer;
    const inner = innerWidth(width);
    const offer = wrapped(spelledOut(words(look, "tui.fallback.offer", { from, to })), inner);
    const reason = wrapped(look.theme.warn(spelledOut(say(look.lang, why))), inner, "• ");
    const { rows, hints } = this.choices.fit(keys, width, room);
    const left = innerRoom(look, hints, width, room) - rows.length;
    const body = [...[...offer, ...reason].slice(0, left), ...rows];
    const card = { title: words(look, "tui.fallback.title"), body, hints, isUrgent: true };
    return cardFrame(look, card, width, room);
  }

  handle(key: string): boolean {
    // A key that is held down was pressed before the question.
    if (this.isOver || isKeyRepeat(key)) return false;
    if (isKey(key, "escape")) return this.over(this.deps.cancel);
    const sign = this.choices.press(key);
    return sign ? this.over(() => this.deps.answer(sign === "y")) : sign === "";
  }
}
