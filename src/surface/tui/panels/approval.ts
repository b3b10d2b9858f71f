// Asks whether a call may run. Only y, n, a and e answer; Enter alone never does.
import { isKeyRepeat } from "@earendil-works/pi-tui/dist/keys.js";
import { spelledOut, visible } from "../../../contract/show/visible.ts";
import type { Answer, OpenApproval } from "../../../engine/port.ts";
import { newlineKey } from "../app/keys.ts";
import { type Look, words } from "../terminal/look.ts";
import type { Frame } from "../terminal/screen.ts";
import { ApprovalText, commandIn } from "./approval-text.ts";
import { cardFrame, type Hint, innerRoom, innerWidth, under, wrapped } from "./card.ts";
import { askedLine, LineField, TextField } from "./field.ts";
import { MustSee } from "./must-see.ts";
import { AnswerPanel, type Panel } from "./panel.ts";
import { isKey, letter } from "./press.ts";

export interface ApprovalDeps {
  readonly approval: OpenApproval;
  /** The unified diff of the changes; `null`: none, or unknown. Never rejects. */
  readonly preview: Promise<string | null>;
  readonly where?: string;
  readonly homes?: readonly string[];
  readonly answer: (answer: Answer) => void;
  readonly cancel: () => void;
  readonly open: (panel: Panel) => () => void;
  readonly redraw: () => void;
}

type ApprovalView =
  | { readonly kind: "choosing" }
  | { readonly kind: "refusing"; readonly field: LineField }
  | { readonly kind: "always" }
  | { readonly kind: "typed" }
  | { readonly kind: "editing"; readonly edit: ApprovalEdit };

const choosing: ApprovalView = { kind: "choosing" };

const back: Hint = ["Esc", "tui.key.back"];
const all: Hint = ["v", "tui.key.all"];
const hintsOf: Readonly<Record<Exclude<ApprovalView["kind"], "editing">, readonly Hint[]>> = {
  choosing: [["e", "tui.key.edit"], all, ["Esc", "tui.key.cancel"]],
  refusing: [["Enter", "tui.key.refuse"], back],
  always: [["a/Enter", "tui.key.always_sure"], all, back],
  typed: [["d/Enter", "tui.key.typed_sure"], all, back],
};

export class ApprovalPanel extends AnswerPanel<ApprovalDeps> {
  private readonly text: ApprovalText;
  private doing: ApprovalView = choosing;
  private readonly mustSee: MustSee;
  /** Not everything that "always" would store is on the screen. */
  private isCut = false;

  constructor(look: Look, deps: ApprovalDeps) {
    super(look, deps);
    this.text = new ApprovalText(look, deps.approval, deps.where ?? null, deps.homes ?? []);
    this.mustSee = new MustSee(look, this.text, deps.open);
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
    const hints = this.hints();
    const { title, lines, cursor } = this.body(innerWidth(width), innerRoom(this.look, hints, width, room));
    const card = { title, side: this.text.tool, body: lines, cursor, hints, isUrgent: true };
    return cardFrame(this.look, card, width, room);
  }

  handle(key: string): boolean {
    const { doing } = this;
    const isTyping = doing.kind === "refusing" || doing.kind === "editing";
    // A key that is held down was pressed before the question.
    if (this.isOver || (!isTyping && isKeyRepeat(key))) return false;
    const isBack = isKey(key, "escape");
    if (doing.kind === "choosing") return isBack ? this.over(this.deps.cancel) : this.choose(letter(key));
    if (isBack) this.become(choosing);
    else if (doing.kind === "always" || doing.kind === "typed") return this.confirm(doing.kind, key);
    else if (doing.kind === "editing") this.edit(doing.edit, key);
    else if (isKey(key, "enter")) this.answer({ answer: "no", words: doing.field.text.trim() });
    else doing.field.handle(key);
    return true;
  }

  private hints(): readonly Hint[] {
    const { kind } = this.doing;
    if (kind === "editing") return [["Enter", "tui.key.edited"], [newlineKey(), "tui.key.newline"], back];
    const { scopes } = this.deps.approval;
    if (kind === "always" && scopes.includes("task")) return hintsOf.always.toSpliced(1, 0, ["t", "tui.key.task"]);
    if (kind !== "choosing") return hintsOf[kind];
    const { always: rules } = this.deps.approval;
    const isHosts = rules?.every((rule) => /^(?:fetch|network)\(/.test(rule));
    const always: readonly Hint[] = rules === null ? [] : [["a", isHosts ? "tui.key.always_host" : "tui.key.always"]];
    const step: readonly Hint[] = scopes.includes("step") ? [["s", "tui.key.step"]] : [];
    const typed: readonly Hint[] = scopes.includes("typed") ? [["d", "tui.key.typed"]] : [];
    return [["y", "tui.key.yes"], ["n", "tui.key.no"], ...step, ...always, ...typed, ...hintsOf.choosing];
  }

  private body(width: number, room: number): Frame & { readonly title: string } {
    const { doing, look } = this;
    switch (doing.kind) {
      case "choosing":
        return { title: this.text.title, lines: this.mustSee.lines(width, room), cursor: null };
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

  private alwaysLines(width: number): readonly string[] {
    const key = isEverywhere(this.deps.approval.always) ? "tui.approval.always_everywhere" : "tui.approval.always_ask";
    const unseen = this.mustSee.isWarned
      ? wrapped(this.look.theme.warn(words(this.look, "tui.approval.unseen_always")), width)
      : this.mustSee.warning(width);
    return [...unseen, ...wrapped(words(this.look, key), width), ...this.text.rules(width)];
  }

  private typedLines(width: number): readonly string[] {
    return [...this.mustSee.warning(width), ...wrapped(words(this.look, "tui.approval.typed_ask"), width)];
  }

  private choose(sign: string): boolean {
    const { approval } = this.deps;
    if (sign === "y") {
      if (this.mustSee.isGiven()) this.answer({ answer: "yes" });
    } else if (sign === "s" && approval.scopes.includes("step")) {
      if (this.mustSee.isGiven()) this.answer({ answer: "yes", scope: "step" });
    } else if (sign === "n") this.doing = { kind: "refusing", field: new LineField() };
    else if (sign === "a" && approval.always !== null) this.become({ kind: "always" });
    else if (sign === "d" && approval.scopes.includes("typed")) this.become({ kind: "typed" });
    else if (sign === "e") this.doing = { kind: "editing", edit: new ApprovalEdit(this.look, approval) };
    else if (sign === "v") this.mustSee.showAll();
    else return false;
    return true;
  }

  private become(doing: ApprovalView): void {
    // The warning was about the other answer.
    const isOther = ({ kind }: ApprovalView): boolean => kind === "always" || kind === "typed";
    if (isOther(doing) || isOther(this.doing)) this.mustSee.isWarned = false;
    this.doing = doing;
  }

  private confirm(kind: "always" | "typed", key: string): boolean {
    const own = kind === "always" ? "a" : "d";
    const sign = isKey(key, "enter") ? own : letter(key);
    const isForTask = kind === "always" && sign === "t" && this.deps.approval.scopes.includes("task");
    if (sign === "v") this.mustSee.showAll();
    else if (sign !== own && !isForTask) return false;
    else if (this.mustSee.isGiven(this.isCut)) {
      const scope = isForTask ? "task" : "typed";
      this.answer(kind === "always" && !isForTask ? { answer: "always" } : { answer: "yes", scope });
    }
    return true;
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

/** The command of a check goes into the user's settings, which hold everywhere; rules hold in this workspace. */
function isEverywhere(rules: readonly string[] | null): boolean {
  return rules?.some((rule) => rule.startsWith("workflow.")) ?? false;
}

/** Edits the arguments of a call: a command as plain text, everything else as JSON. */
class ApprovalEdit {
  private readonly look: Look;
  private readonly input: unknown;
  private readonly begin: string;
  private readonly isCommand: boolean;
  private readonly field: TextField;
  private problem = "";

  constructor(look: Look, { input }: OpenApproval) {
    this.look = look;
    this.input = input;
    const command = commandIn(input);
    // A field hides tabs and control characters, so a command with any of these is edited as JSON.
    this.isCommand = command !== null && escaped(command) === command && command.trim() === command;
    this.begin = this.isCommand ? (command ?? "") : escaped(JSON.stringify(input, null, 2));
    this.field = new TextField(this.begin);
  }

  /** The new arguments once they are sent; `undefined` until then. */
  handle(key: string): unknown {
    if (!isKey(key, "enter")) {
      this.problem = "";
      this.field.handle(key);
      return undefined;
    }
    const { text } = this.field;
    if (text === this.begin) this.problem = words(this.look, "tui.edit.same");
    else if (text.trim() === "") this.problem = words(this.look, "tui.edit.empty");
    else if (this.isCommand) return { ...(this.input as object), command: text };
    else return this.parsed(text);
    return undefined;
  }

  frame(width: number, room: number): Frame {
    const { theme } = this.look;
    const problem = this.problem === "" ? [] : wrapped(theme.bad(this.problem), width).slice(0, Math.max(0, room - 1));
    const { lines, cursor } = this.field.frame(width, Math.max(1, room - problem.length));
    return { lines: [...problem, ...lines], cursor: under(cursor, problem.length, 0) };
  }

  private parsed(text: string): unknown {
    try {
      const value: unknown = JSON.parse(text);
      if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
      this.problem = words(this.look, "tui.edit.no_object");
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      this.problem = words(this.look, "tui.edit.no_json", { problem: spelledOut(error.message) });
    }
    return undefined;
  }
}

/** JSON keeps the meaning of the escapes. */
function escaped(text: string): string {
  return text
    .split("\n")
    .map((line) => visible(line))
    .join("\n");
}
