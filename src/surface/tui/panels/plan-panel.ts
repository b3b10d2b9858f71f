import { isKeyRepeat } from "@earendil-works/pi-tui/dist/keys.js";
import { describe } from "../../../command/text/answer.ts";
import { coverHead, coverLines } from "../../../command/text/cover.ts";
import type { Result } from "../../../contract/error.ts";
import type { Listed } from "../../../contract/grant.ts";
import type { Plan } from "../../../contract/plan.ts";
import { plain } from "../../../contract/show/visible.ts";
import type { Answer } from "../../../engine/port.ts";
import { planLines } from "../../../machine/plan/lines.ts";
import type { EditText } from "../app/deps.ts";
import { type Look, words } from "../terminal/look.ts";
import type { Frame } from "../terminal/screen.ts";
import { cardFrame, type Hint, innerRoom, innerWidth, wrapped } from "./card.ts";
import { Choices, choice } from "./choices.ts";
import { barred, barredHead } from "./exact.ts";
import { askedLine, LineField } from "./field.ts";
import { MustSee, type MustSeeText } from "./must-see.ts";
import { AnswerPanel, type Panel } from "./panel.ts";
import { isKey, letter } from "./press.ts";

export interface PlanDeps {
  readonly plan: Plan;
  readonly listed: readonly Listed[];
  readonly answer: (answer: Omit<Answer, "by">) => void;
  readonly cancel: () => void;
  readonly open: (panel: Panel) => () => void;
  readonly redraw: () => void;
  readonly editText: EditText;
  readonly edited: (json: string) => Promise<Result<Plan>>;
}

const keys: readonly Hint[] = [
  ["e", "tui.key.edit"],
  ["v", "tui.key.all"],
  ["Esc", "tui.key.cancel"],
];
const refusing: readonly Hint[] = [
  ["Enter", "tui.key.refuse"],
  ["Esc", "tui.key.back"],
];

export class PlanPanel extends AnswerPanel<PlanDeps> {
  private readonly mustSee: MustSee;
  private readonly choices: Choices<"y" | "s" | "n">;
  private words: LineField | null = null;
  private draft: string;
  private isEditing = false;
  private problem = "";

  constructor(look: Look, deps: PlanDeps) {
    super(look, deps);
    this.draft = `${JSON.stringify(deps.plan, null, 2)}\n`;
    // Without listed calls, approving step by step would be the same yes.
    const steps = deps.listed.length > 0 ? [choice(look, "s", "tui.choice.plan_steps", "tui.key.plan_steps")] : [];
    this.choices = new Choices<"y" | "s" | "n">(look, [
      choice(look, "y", "tui.choice.plan_yes", "tui.key.plan_yes"),
      ...steps,
      choice(look, "n", "tui.choice.plan_no", "tui.key.no"),
    ]);
    this.mustSee = new MustSee(look, textOf(look, deps), deps.open);
  }

  get asking(): string {
    return String(this.mustSee.isWarned);
  }

  frame(width: number, room: number): Frame {
    const inner = innerWidth(width);
    const title = words(this.look, "tui.plan.title");
    if (this.words) {
      const left = innerRoom(this.look, refusing, width, room);
      const { lines, cursor } = askedLine(words(this.look, "tui.plan.why_not"), this.words, inner, left);
      return cardFrame(this.look, { title, body: lines, cursor, hints: refusing, isUrgent: true }, width, room);
    }
    const { rows, hints } = this.choices.fit(keys, width, room);
    const left = innerRoom(this.look, hints, width, room) - rows.length;
    const problem = this.problem === "" ? [] : wrapped(this.look.theme.bad(this.problem), inner);
    const { plan, listed } = this.deps;
    const cover = wrapped(coverHead(plan, listed, this.look.lang), inner);
    const ours = [...problem, ...cover].slice(0, Math.max(0, left - 1));
    const body = [...ours, ...this.mustSee.lines(inner, left - ours.length), ...rows];
    return cardFrame(this.look, { title, body, hints, isUrgent: true }, width, room);
  }

  handle(key: string): boolean {
    if (this.isOver || this.isEditing) return false;
    if (this.words) return this.refuse(this.words, key);
    // A key that is held down was pressed before the question.
    if (isKeyRepeat(key)) return false;
    if (isKey(key, "escape")) return this.over(this.deps.cancel);
    const sign = this.choices.press(key);
    if (sign === "n") this.words = new LineField();
    else if (sign) {
      if (this.mustSee.isGiven()) this.agree(sign === "y" ? "plan" : "step");
    } else if (letter(key) === "v") this.mustSee.showAll();
    else if (letter(key) === "e") void this.edit();
    else return sign === "";
    return true;
  }

  private agree(scope: "plan" | "step"): void {
    this.over(() => this.deps.answer(scope === "plan" ? { answer: "yes" } : { answer: "yes", scope }));
  }

  private refuse(field: LineField, key: string): boolean {
    if (isKey(key, "escape")) this.words = null;
    else if (isKey(key, "enter")) this.over(() => this.deps.answer({ answer: "no", words: field.text.trim() }));
    else field.handle(key);
    return true;
  }

  /** Invalid text is kept for the next attempt. */
  private async edit(): Promise<void> {
    this.isEditing = true;
    this.problem = "";
    const text = await this.deps.editText(this.draft, (problem) => {
      this.problem = plain(problem);
    });
    if (text !== null && text !== this.draft) await this.take(text);
    this.isEditing = false;
    this.deps.redraw();
  }

  private async take(text: string): Promise<void> {
    this.draft = text;
    const edited = await this.deps.edited(text);
    if (edited.ok) this.over(() => this.deps.answer({ answer: "edit", plan: edited.value }));
    else this.problem = plain(describe(this.look.lang, edited.error));
  }
}

/** Everything in it comes from the model, so it stands behind a bar. */
function textOf({ lang }: Look, { plan, listed }: PlanDeps): MustSeeText {
  const text = [...planLines(plan, lang), ...coverLines(plan, listed, lang)].join("\n");
  return {
    head: (width, room) => {
      const all = barredHead(text, width, room);
      if (all.left === 0) return { ...all, cutAt: 0 };
      const head = barredHead(text, width, Math.max(0, room - 1));
      return { ...head, cutAt: head.rows.length };
    },
    detail: () => ({
      title: plan.title.split("\n")[0] ?? "",
      lines: (width) => barred(text, width),
    }),
  };
}
