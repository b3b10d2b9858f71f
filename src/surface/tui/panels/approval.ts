// Asks whether a call may run. Enter alone never answers.
import { isKeyRepeat } from "@earendil-works/pi-tui/dist/keys.js";
import { spelledOut } from "../../../contract/show/visible.ts";
import type { Answer, OpenApproval, ProposedFile } from "../../../engine/port.ts";
import type { EditText } from "../app/deps.ts";
import { newlineKey } from "../app/keys.ts";
import { type Look, words } from "../terminal/look.ts";
import type { Frame } from "../terminal/screen.ts";
import { ApprovalEdit } from "./approval-edit.ts";
import { ApprovalText, alwaysLabel, isEverywhere } from "./approval-text.ts";
import { cardFrame, type Hint, innerRoom, innerWidth, wrapped } from "./card.ts";
import { Choices, choice } from "./choices.ts";
import { askedLine, LineField } from "./field.ts";
import { MustSee } from "./must-see.ts";
import { AnswerPanel, type Panel } from "./panel.ts";
import { isKey, letter } from "./press.ts";

export interface ApprovalDeps {
  readonly approval: OpenApproval;
  /** The unified diff of the changes; `null`: none, or unknown. Never rejects. */
  readonly preview: Promise<string | null>;
  /** The text that the call would write, and the user's editor. */
  readonly proposed: () => Promise<ProposedFile | null>;
  readonly editText: EditText;
  readonly where?: string;
  readonly homes?: readonly string[];
  readonly answer: (answer: Answer) => void;
  readonly cancel: () => void;
  readonly open: (panel: Panel) => () => void;
  readonly redraw: () => void;
}

interface Confirming {
  readonly kind: "always" | "typed";
  readonly choices: Choices<"a" | "t" | "d" | "n">;
}

type ApprovalView =
  | { readonly kind: "choosing"; readonly choices: Choices<"y" | "s" | "a" | "d" | "n"> }
  | { readonly kind: "refusing"; readonly field: LineField }
  | Confirming
  | { readonly kind: "editing"; readonly edit: ApprovalEdit };

const back: Hint = ["Esc", "tui.key.back"];
const all: Hint = ["v", "tui.key.all"];
const hintsOf: Readonly<Record<Exclude<ApprovalView["kind"], "editing">, readonly Hint[]>> = {
  choosing: [["e", "tui.key.edit"], all, ["Esc", "tui.key.cancel"]],
  refusing: [["Enter", "tui.key.refuse"], back],
  always: [all, back],
  typed: [all, back],
};

export class ApprovalPanel extends AnswerPanel<ApprovalDeps> {
  private readonly text: ApprovalText;
  private doing: ApprovalView;
  private readonly mustSee: MustSee;
  /** The change is being opened in the user's editor, or is open there. */
  private isAway = false;
  private problem = "";
  /** Not everything that "always" would store is on the screen. */
  private isCut = false;

  constructor(look: Look, deps: ApprovalDeps) {
    super(look, deps);
    this.text = new ApprovalText(look, deps.approval, deps.where ?? null, deps.homes ?? []);
    this.mustSee = new MustSee(look, this.text, deps.open);
    this.doing = this.choosing();
    void deps.preview.then((diff) => {
      if (diff === null || diff === "" || this.isOver) return;
      this.text.setDiff(diff);
      this.mustSee.restart();
      deps.redraw();
    });
  }

  get asking(): string {
    const { doing, text, mustSee } = this;
    return [doing.kind === "always" || doing.kind === "typed", text.title, mustSee.isWarned].join();
  }

  frame(width: number, room: number): Frame {
    const { doing } = this;
    const keys = this.hints();
    const { rows, hints } = "choices" in doing ? doing.choices.fit(keys, width, room) : { rows: [], hints: keys };
    const left = innerRoom(this.look, hints, width, room) - rows.length;
    const { title, lines, cursor } = this.body(innerWidth(width), left);
    const card = { title, side: this.text.tool, body: [...lines, ...rows], cursor, hints, isUrgent: true };
    return cardFrame(this.look, card, width, room);
  }

  handle(key: string): boolean {
    const { doing } = this;
    const isTyping = doing.kind === "refusing" || doing.kind === "editing";
    // A key that is held down was pressed before the question.
    if (this.isOver || this.isAway || (!isTyping && isKeyRepeat(key))) return false;
    const isBack = isKey(key, "escape");
    if (doing.kind === "choosing") return isBack ? this.over(this.deps.cancel) : this.choose(doing.choices, key);
    if (isBack) this.become(this.choosing());
    else if ("choices" in doing) return this.confirm(doing, key);
    else if (doing.kind === "editing") this.edit(doing.edit, key);
    else if (isKey(key, "enter")) this.answer({ answer: "no", words: doing.field.text.trim() });
    else doing.field.handle(key);
    return true;
  }

  private hints(): readonly Hint[] {
    const { kind } = this.doing;
    if (kind === "editing") return [["Enter", "tui.key.edited"], [newlineKey(), "tui.key.newline"], back];
    return hintsOf[kind];
  }

  private choosing(): ApprovalView {
    const { look } = this;
    const { always, scopes } = this.deps.approval;
    const isHosts = always?.every((rule) => /^(?:fetch|network)\(/.test(rule));
    const label = alwaysLabel(look, always ?? []);
    const choices = new Choices<"y" | "s" | "a" | "d" | "n">(look, [
      choice(look, "y", "tui.choice.yes", "tui.key.yes"),
      ...(scopes.includes("step") ? [choice(look, "s", "tui.choice.step", "tui.key.step")] : []),
      ...(always === null
        ? []
        : [{ sign: "a", label, short: isHosts ? "tui.key.always_host" : "tui.key.always" } as const]),
      ...(scopes.includes("typed") ? [choice(look, "d", "tui.choice.typed", "tui.key.typed")] : []),
      choice(look, "n", "tui.choice.no", "tui.key.no"),
    ]);
    return { kind: "choosing", choices };
  }

  /** The first is marked: to get here, a choice was made. */
  private confirming(kind: "always" | "typed"): Confirming {
    const { look } = this;
    const isForTask = kind === "always" && this.deps.approval.scopes.includes("task");
    const choices = new Choices<"a" | "t" | "d" | "n">(
      look,
      [
        kind === "always"
          ? choice(look, "a", "tui.choice.always_sure", "tui.key.always_sure")
          : choice(look, "d", "tui.choice.typed_sure", "tui.key.typed_sure"),
        ...(isForTask ? [choice(look, "t", "tui.choice.task", "tui.key.task")] : []),
        choice(look, "n", "tui.choice.back", "tui.key.back"),
      ],
      0,
    );
    return { kind, choices };
  }

  private body(width: number, room: number): Frame & { readonly title: string } {
    const { doing, look } = this;
    switch (doing.kind) {
      case "choosing":
        return { title: this.text.title, lines: this.asked(width, room), cursor: null };
      case "refusing": {
        const asked = askedLine(words(look, "tui.approval.why_not"), doing.field, width, room);
        return { title: words(look, "tui.approval.no"), ...asked };
      }
      case "always":
      case "typed": {
        const all = doing.kind === "always" ? this.alwaysLines(width) : this.typedLines(width);
        this.isCut = all.length > room;
        return { title: words(look, `tui.approval.${doing.kind}`), lines: this.cut(all, room), cursor: null };
      }
      case "editing": {
        const title = words(look, this.deps.approval.isChange ? "tui.approval.edit_change" : "tui.approval.edit");
        return { title, ...doing.edit.frame(width, room) };
      }
    }
  }

  private asked(width: number, room: number): readonly string[] {
    const problem = this.problem === "" ? [] : wrapped(this.look.theme.bad(this.problem), width);
    const above = problem.slice(0, Math.max(0, room - 2));
    return [...above, ...this.mustSee.lines(width, room - above.length)];
  }

  private alwaysLines(width: number): readonly string[] {
    const key = isEverywhere(this.deps.approval.always ?? [])
      ? "tui.approval.always_everywhere"
      : "tui.approval.always_ask";
    const unseen = this.mustSee.isWarned
      ? wrapped(this.look.theme.warn(words(this.look, "tui.approval.unseen_always")), width)
      : this.mustSee.warning(width);
    return [...unseen, ...wrapped(words(this.look, key), width), ...this.text.rules(width)];
  }

  private typedLines(width: number): readonly string[] {
    return [...this.mustSee.warning(width), ...wrapped(words(this.look, "tui.approval.typed_ask"), width)];
  }

  private choose(choices: Choices<"y" | "s" | "a" | "d" | "n">, key: string): boolean {
    const sign = choices.press(key);
    if (sign === "y" || sign === "s") {
      if (this.mustSee.isGiven()) this.answer({ answer: "yes", ...(sign === "s" ? { scope: "step" } : {}) });
    } else if (sign === "n") this.doing = { kind: "refusing", field: new LineField() };
    else if (sign === "a" || sign === "d") this.become(this.confirming(sign === "a" ? "always" : "typed"));
    else if (letter(key) === "e") this.beginEdit();
    else if (letter(key) === "v") this.mustSee.showAll();
    else return sign === "";
    return true;
  }

  private become(doing: ApprovalView): void {
    // The warning was about the other answer.
    const isOther = ({ kind }: ApprovalView): boolean => kind === "always" || kind === "typed";
    if (isOther(doing) || isOther(this.doing)) this.mustSee.isWarned = false;
    this.doing = doing;
  }

  private confirm({ choices }: Confirming, key: string): boolean {
    const sign = choices.press(key);
    if (sign === "n") this.become(this.choosing());
    else if (sign) {
      if (!this.mustSee.isGiven(this.isCut)) return true;
      this.answer(sign === "a" ? { answer: "always" } : { answer: "yes", scope: sign === "t" ? "task" : "typed" });
    } else if (letter(key) === "v") this.mustSee.showAll();
    else return sign === "";
    return true;
  }

  private beginEdit(): void {
    const here = (): void => {
      this.doing = { kind: "editing", edit: new ApprovalEdit(this.look, this.deps.approval) };
    };
    if (this.deps.approval.isChange) void this.editFile(here);
    else here();
  }

  /** `here`: edits the arguments, where the change is not the text of one file. */
  private async editFile(here: () => void): Promise<void> {
    this.isAway = true;
    this.problem = "";
    const file = await this.deps.proposed();
    if (file === null) here();
    else {
      const tell = (problem: string): void => {
        this.problem = spelledOut(problem);
      };
      const text = await this.deps.editText(file.text, tell, file.path);
      if (text !== null && text !== file.text) this.answer({ answer: "edit", file: { ...file, text } });
      else if (text !== null) this.problem = words(this.look, "tui.edit.unchanged");
    }
    this.isAway = false;
    this.deps.redraw();
  }

  private edit(edit: ApprovalEdit, key: string): void {
    const input = edit.handle(key);
    if (input !== undefined) this.answer({ answer: "edit", input });
  }

  private answer(answer: Omit<Answer, "by">): void {
    this.over(() => this.deps.answer({ ...answer, by: "person" }));
  }

  private cut(lines: readonly string[], room: number): readonly string[] {
    if (lines.length <= room) return lines;
    const left = lines.length - room + 1;
    return [...lines.slice(0, Math.max(0, room - 1)), this.look.theme.warn(words(this.look, "tui.more", { n: left }))];
  }
}
