import { spelledOut } from "../../../contract/show/visible.ts";
import type { Question } from "../../../contract/task.ts";
import { type Phrase, say } from "../../../contract/text/catalogue.ts";
import { type Look, words } from "../terminal/look.ts";
import type { Frame } from "../terminal/screen.ts";
import { truncateToWidth } from "../terminal/width.ts";
import { cardFrame, type Hint, innerRoom, innerWidth, under } from "./card.ts";
import { choiceRows, nextChoice } from "./choices.ts";
import { barredHead } from "./exact.ts";
import { TextField } from "./field.ts";
import { AnswerPanel } from "./panel.ts";
import { isEnter, isKey, letter, typed } from "./press.ts";
import { Scroll } from "./scroll.ts";

export interface QuestionDeps {
  readonly questions: readonly Question[];
  readonly send: (text: string) => void;
  readonly cancel: () => void;
  readonly redraw: () => void;
}

/** A question while it is answered. `at`: an option, or the index behind the last for the user's own words; `null`: undecided. */
interface AskedQuestion {
  readonly question: string;
  readonly options: readonly string[];
  readonly field: TextField;
  at: number | null;
  readonly scroll: Scroll;
}

export class QuestionPanel extends AnswerPanel<QuestionDeps> {
  private readonly asked: readonly AskedQuestion[];
  private readonly answers: string[] = [];
  private now = 0;

  constructor(look: Look, deps: QuestionDeps) {
    super(look, deps);
    const text = (one: string | Phrase): string => spelledOut(typeof one === "string" ? one : say(look.lang, one));
    this.asked = deps.questions.map(({ question, options }) => ({
      ...{ question: text(question), options: options.map((one) => text(one).replaceAll("\n", " ")) },
      ...{ field: new TextField("", deps.redraw), at: null, scroll: new Scroll(look) },
    }));
  }

  get asking(): string {
    return String(this.now);
  }

  frame(width: number, room: number): Frame {
    const asked = this.asked[this.now];
    const hints = this.hints(asked);
    const inner = innerWidth(width);
    const left = innerRoom(this.look, hints, width, room);
    const side = this.asked.length > 1 ? `${this.now + 1}/${this.asked.length}` : "";
    const title = words(this.look, "tui.question.title");
    const { lines, cursor } = asked ? this.body(asked, inner, left) : { lines: [], cursor: null };
    return cardFrame(this.look, { title, side, body: lines, cursor, hints, isUrgent: true }, width, room);
  }

  handle(key: string): boolean {
    const asked = this.asked[this.now];
    if (this.isOver) return false;
    if (isKey(key, "escape")) this.over(this.deps.cancel);
    else if (!asked) return false;
    else if (isEnter(key)) this.enter(asked);
    else if (isKey(key, "enter")) return false;
    else if (isKey(key, "up", "down") && this.isChoosing(asked)) this.move(asked, isKey(key, "up") ? -1 : 1);
    else if (isKey(key, "left") && asked.field.text === "" && this.now > 0) this.now--;
    else if (!asked.scroll.handle(key) && !this.isNumber(asked, key)) this.type(asked, key);
    return true;
  }

  /** Arrows move between options until the user types an answer. */
  private isChoosing({ options, field }: AskedQuestion): boolean {
    return options.length > 0 && field.text === "";
  }

  private move(asked: AskedQuestion, by: -1 | 1): void {
    asked.scroll.follow();
    asked.at = nextChoice(asked.at, by, asked.options.length + 1);
  }

  private isNumber(asked: AskedQuestion, key: string): boolean {
    const option = asked.options[Number(typed(key) || "0") - 1];
    const isOwn = asked.field.text !== "" || asked.at === asked.options.length;
    if (option === undefined || isOwn) return false;
    // A key that is held down was pressed before this question.
    if (letter(key) !== "") this.answer(option);
    return true;
  }

  private type(asked: AskedQuestion, key: string): void {
    asked.field.handle(key);
    if (asked.field.text !== "") asked.at = null;
  }

  private enter({ field, at, options }: AskedQuestion): void {
    const answer = field.text.trim() || options[at ?? -1];
    if (answer) this.answer(answer);
  }

  private answer(text: string): void {
    this.answers[this.now] = text;
    this.now++;
    if (this.now < this.asked.length) return;
    this.now--;
    this.over(() => this.deps.send(together(this.asked, this.answers)));
  }

  private hints(asked: AskedQuestion | undefined): readonly Hint[] {
    const options = asked?.options.length ?? 0;
    const numbers: readonly Hint[] = options === 0 ? [] : [[options === 1 ? "1" : `1–${options}`, "tui.key.choose"]];
    const back: readonly Hint[] = this.now > 0 ? [["←", "tui.key.before"]] : [];
    return [...numbers, ["Enter", "tui.key.send"], ...back, ["Esc", "tui.key.cancel"]];
  }

  private body(asked: AskedQuestion, width: number, room: number): Frame {
    const { theme } = this.look;
    const own = asked.field.frame(Math.max(1, width - 2), Math.max(1, Math.floor(room / 2)));
    const above: string[] = [...barredHead(asked.question, width, Number.POSITIVE_INFINITY).rows];
    const { rows, chosen: span } = choiceRows(this.look, asked.options, asked.at, width);
    const chosen = span && { from: above.length + span.from, to: above.length + span.to };
    above.push(...rows);
    const shown = asked.scroll.view(above, Math.max(1, room - own.lines.length), chosen);
    const isEmpty = asked.field.text === "";
    const key = asked.options.length > 0 ? "tui.question.own" : "tui.question.type";
    const hint = theme.dim(truncateToWidth(words(this.look, key), Math.max(1, width - 2), "…"));
    const mark = asked.at === asked.options.length && asked.options.length > 0 ? theme.accent("❯") : theme.accent(">");
    const typing = own.lines.map((line, at) => `${at === 0 ? mark : " "} ${isEmpty && at === 0 ? hint : line}`);
    return { lines: [...shown, ...typing], cursor: under(own.cursor, shown.length, 2) };
  }
}

function together(asked: readonly AskedQuestion[], answers: readonly string[]): string {
  if (asked.length === 1) return answers[0] ?? "";
  return asked.map(({ question }, at) => `${at + 1}. ${question}\n   ${answers[at] ?? ""}`).join("\n");
}
