// Questions before there is an engine. Questions and answers go to the scrollback, where they stay readable.
import { plain } from "../../../contract/show/visible.ts";
import type { Questions } from "../app/deps.ts";
import { type Look, words } from "../terminal/look.ts";
import type { Frame } from "../terminal/screen.ts";
import { cardFrame, type Hint, innerRoom, innerWidth, under, wrapped } from "./card.ts";
import { choiceRows, nextChoice } from "./choices.ts";
import { LineField } from "./field.ts";
import type { Panel } from "./panel.ts";
import { isEnter, isKey, letter, pasted, typed } from "./press.ts";
import { Scroll } from "./scroll.ts";

interface AskHost {
  readonly open: (panel: Panel) => () => void;
  readonly commit: (lines: readonly string[]) => void;
  readonly redraw: () => void;
}

type Done<T> = (answer: T | null) => void;

export function askOn(look: Look, host: AskHost, title = words(look, "tui.ask.title")): Questions {
  const line = (question: string, field: Field, shown: (text: string) => string): Promise<string | null> =>
    ask(look, host, { question, make: (done) => new LinePanel(look, { title, question }, field, done), shown });
  return {
    tell: (text) => {
      const lines = plain(text).split("\n");
      host.commit(lines.flatMap((one) => (one === "" ? [""] : wrapped(one, look.width()))));
      host.redraw();
    },
    line: (question) => line(question, new LineField(), (text) => text),
    secret: (question) => line(question, new SecretField(), () => "•••"),
    choose: (question, options) => {
      const make = (done: Done<number>): Panel => new ChoicePanel(look, { title, question }, options, done);
      return ask(look, host, { question, make, shown: (at) => options[at] ?? "" });
    },
  };
}

interface Ask<T> {
  readonly question: string;
  readonly make: (done: Done<T>) => Panel;
  readonly shown: (answer: T) => string;
}

function ask<T>(look: Look, host: AskHost, { question, make, shown }: Ask<T>): Promise<T | null> {
  return new Promise((resolve) => {
    const done = (answer: T | null): void => {
      close();
      const reply = answer === null ? "–" : plain(shown(answer)).replaceAll("\n", " ");
      const asked = plain(question).split("\n");
      host.commit([
        ...asked.flatMap((line) => wrapped(line, look.width())),
        ...wrapped(look.theme.accent(reply), look.width(), "> "),
        "",
      ]);
      resolve(answer);
    };
    const close = host.open(make(done));
    host.redraw();
  });
}

interface AskedText {
  readonly title: string;
  readonly question: string;
  /** The option that is marked at first: by default the first; `null`: none, so that Enter alone chooses nothing. */
  readonly at?: null;
  /** The label of Esc, unless it leaves the application. */
  readonly esc?: Hint[1];
}

interface Field {
  readonly text: string;
  handle(key: string): void;
  frame(width: number): Frame;
}

class SecretField implements Field {
  text = "";

  handle(key: string): void {
    const whole = pasted(key);
    if (whole !== null) this.text += whole.replace(/[\0-\x1f\x7f-\x9f]/g, "");
    else if (isKey(key, "backspace")) this.text = [...this.text].slice(0, -1).join("");
    else if (isKey(key, "ctrl+u")) this.text = "";
    else this.text += typed(key);
  }

  frame(width: number): Frame {
    const bullets = "•".repeat(Math.min([...this.text].length, Math.max(0, width - 1)));
    return { lines: [bullets], cursor: { row: 0, column: bullets.length } };
  }
}

function isLeaving(key: string): boolean {
  return isKey(key, "escape", "ctrl+c");
}

const lineHints: readonly Hint[] = [
  ["Enter", "tui.key.go_on"],
  ["Esc", "tui.key.leave"],
];

class LinePanel implements Panel {
  private readonly look: Look;
  private readonly asked: AskedText;
  private readonly field: Field;
  private readonly done: Done<string>;

  constructor(look: Look, asked: AskedText, field: Field, done: Done<string>) {
    this.look = look;
    this.asked = asked;
    this.field = field;
    this.done = done;
  }

  frame(width: number, room: number): Frame {
    const inner = innerWidth(width);
    const { lines, cursor } = this.field.frame(Math.max(1, inner - 2));
    const asked = wrapped(plain(this.asked.question), inner).slice(0, innerRoom(this.look, lineHints, width, room) - 1);
    const body = [...asked, `${this.look.theme.accent(">")} ${lines[0] ?? ""}`];
    const { title } = this.asked;
    const card = { title, body, cursor: under(cursor, asked.length, 2), hints: lineHints };
    return cardFrame(this.look, card, width, room);
  }

  handle(key: string): boolean {
    if (isKey(key, "enter")) this.done(this.field.text);
    else if (isLeaving(key) || (isKey(key, "ctrl+d") && this.field.text === "")) this.done(null);
    else this.field.handle(key);
    return true;
  }
}

export class ChoicePanel implements Panel {
  readonly isQuestion = true;
  private readonly look: Look;
  private readonly asked: AskedText;
  private readonly options: readonly string[];
  private readonly done: Done<number>;
  private readonly scroll: Scroll;
  private at: number | null;

  constructor(look: Look, asked: AskedText, options: readonly string[], done: Done<number>) {
    this.look = look;
    this.asked = asked;
    this.options = options;
    this.done = done;
    this.scroll = new Scroll(look);
    this.at = asked.at === null ? null : 0;
  }

  frame(width: number, room: number): Frame {
    const inner = innerWidth(width);
    const hints = this.hints();
    const question = wrapped(plain(this.asked.question), inner);
    const labels = this.options.map((option) => plain(option).replaceAll("\n", " "));
    const { rows: options, chosen: span } = choiceRows(this.look, labels, this.at, inner);
    const { length } = question;
    const chosen = { from: (this.at ?? 0) === 0 ? 0 : (span?.from ?? 0) + length, to: (span?.to ?? 0) + length };
    const left = innerRoom(this.look, hints, width, room);
    // All options stay visible, even if the question must scroll.
    const isKept = options.length <= left - 2;
    const body = isKept
      ? [...this.scroll.view(question, left - options.length), ...options]
      : this.scroll.view([...question, ...options], left, chosen);
    return cardFrame(this.look, { title: this.asked.title, body, hints }, width, room);
  }

  handle(key: string): boolean {
    const { length } = this.options;
    const number = Number(letter(key) || "0");
    if (number >= 1 && number <= Math.min(9, length)) this.done(number - 1);
    else if (isEnter(key) && length > 0 && this.at !== null) this.done(this.at);
    else if (isKey(key, "up", "down") && length > 0) this.move(isKey(key, "up") ? -1 : 1);
    else if (isLeaving(key)) this.done(null);
    else return this.scroll.handle(key);
    return true;
  }

  private move(by: 1 | -1): void {
    this.at = nextChoice(this.at, by, this.options.length);
    this.scroll.follow();
  }

  private hints(): readonly Hint[] {
    return [
      [`1–${Math.min(9, this.options.length)} ↑↓ Enter`, "tui.key.choose"],
      ["Esc", this.asked.esc ?? "tui.key.leave"],
    ];
  }
}
