// What the engine asks, as panels: one at a time, the same one for as long as the question is open.
import type { ErrorInfo, Result } from "../../../contract/error.ts";
import type { Plan } from "../../../contract/plan.ts";
import type { Question } from "../../../contract/task.ts";
import {
  type EnginePort,
  type OpenApproval,
  openQuestions,
  proposedPlan,
  type SessionState,
} from "../../../engine/port.ts";
import type { Panel } from "../panels/panel.ts";
import { type Look, words } from "../terminal/look.ts";
import type { Stage } from "./stage.ts";

interface AskingDeps {
  readonly port: EnginePort;
  readonly look: Look;
  readonly stage: Stage;
  readonly homes: readonly string[];
  readonly cancel: () => void;
  readonly editText: (text: string, tell: (problem: string) => void) => Promise<string | null>;
  /** An answer was not taken. */
  readonly refused: (error: ErrorInfo) => void;
  readonly fault: (error: unknown) => void;
  readonly onAsked: () => void;
  /** As if it was typed. */
  readonly send: (text: string) => void;
  readonly hint: (text: string) => void;
  readonly editPlan: () => void;
}

type PlanThatWaits = Extract<SessionState["task"], { phase: "AWAITING_CONFIRMATION" }>;

interface Open {
  /** The same for as long as it is the same question. */
  readonly key: string;
  readonly make: () => Promise<Panel>;
}

export class QuestionPanels {
  private readonly deps: AskingDeps;
  private asked: Open | null = null;
  /** The task whose plan the person has said something about, or that was over before they came. */
  private chosen = "";
  private close: () => void = () => {};

  constructor(deps: AskingDeps) {
    this.deps = deps;
  }

  get isOpen(): boolean {
    return this.asked !== null;
  }

  /** After everything that is published. `isAnswerable`: `false` where no answer would be taken any more. */
  follow(isAnswerable = true): void {
    const open = isAnswerable ? this.open() : null;
    if (open?.key === this.asked?.key) return;
    this.forget();
    if (!open) return;
    this.asked = open;
    this.deps.onAsked();
    const isNow = (): boolean => this.asked === open;
    open
      .make()
      .then((panel) => {
        // Answered, or followed by another, while it was being made.
        if (isNow()) this.close = this.deps.stage.open(panel);
      })
      .catch(this.deps.fault);
  }

  private open(): Open | null {
    const { port } = this.deps;
    const { task, run } = port.state();
    const offer = port.fallback();
    if (offer) return { key: `fallback ${offer.from} ${offer.to}`, make: () => this.fallback(offer) };
    const approval = run.phase === "awaiting_human" ? port.approval() : null;
    if (approval) {
      const make = (): Promise<Panel> =>
        approval.tool === "question" ? this.questionCall(approval) : this.approval(approval);
      return { key: `call ${approval.callId} ${approval.shown}`, make };
    }
    if (task.phase === "AWAITING_CONFIRMATION")
      return { key: `plan ${JSON.stringify(task.plan)} ${task.task.refusals}`, make: () => this.plan(task) };
    const ready = proposedPlan(port.state());
    if (ready && this.chosen !== ready.plan_id)
      return { key: `ready ${JSON.stringify(ready)}`, make: () => this.ready(ready) };
    const questions = openQuestions(task);
    if (questions.length === 0) return null;
    const send = (text: string): void => this.taken(port.clarify(text));
    return { key: `questions ${JSON.stringify(questions)}`, make: () => this.questions(questions, send) };
  }

  private async approval(approval: OpenApproval): Promise<Panel> {
    const { ApprovalPanel } = await import("../panels/approval.ts");
    const { port, look, stage, cancel, homes } = this.deps;
    return new ApprovalPanel(look, {
      ...{ approval, cancel, open: stage.open, redraw: stage.redraw, where: port.settings.workspace, homes },
      // Without it the panel shows the arguments themselves.
      preview: port.preview(approval.callId, "forPerson").catch(() => null),
      answer: (answer) => this.taken(port.answer(approval.callId, answer)),
    });
  }

  private questionCall({ callId, input }: OpenApproval): Promise<Panel> {
    const { port } = this.deps;
    const send = (words: string): void => this.taken(port.answer(callId, { answer: "yes", words, by: "person" }));
    return this.questions(questionsIn(input), send);
  }

  private async questions(questions: readonly Question[], send: (text: string) => void): Promise<Panel> {
    const { QuestionPanel } = await import("../panels/question.ts");
    const { look, stage, cancel } = this.deps;
    return new QuestionPanel(look, { questions, send, cancel, redraw: stage.redraw });
  }

  private async plan({ plan, listed = [] }: PlanThatWaits): Promise<Panel> {
    const { PlanPanel } = await import("../panels/plan.ts");
    const { port, look, stage, cancel, editText } = this.deps;
    return new PlanPanel(look, {
      ...{ plan, listed, cancel, open: stage.open, redraw: stage.redraw, editText },
      answer: (answer) => this.taken(port.answerPlan(answer)),
      edited: (json) => port.editedPlan(json),
    });
  }

  /** What is there already is not asked about. */
  begin(): void {
    this.chosen = this.deps.port.state().plan?.plan_id ?? "";
  }

  private async ready(plan: Plan): Promise<Panel> {
    const { ChoicePanel } = await import("../panels/ask.ts");
    const { look, send, hint, editPlan } = this.deps;
    const told = (text: string) => (): void => hint(text);
    const run = (mode: string) => (): void => send(`/plan run ${mode}`);
    const choices: readonly (readonly [name: string, act: () => void])[] = [
      ...(["default", "auto-edit", "yolo"] as const).map(
        (mode) => [words(look, `tui.ready.${mode}`), run(mode)] as const,
      ),
      [words(look, "tui.ready.edit"), editPlan],
      [words(look, "tui.ready.changes"), told(words(look, "tui.ready.say"))],
      [words(look, "tui.ready.keep"), told(words(look, "tui.ready.kept"))],
    ];
    const level = words(look, `plan.level.${plan.risk_level}`);
    const question = words(look, "tui.ready.ask", { n: plan.steps.length, level });
    const options = choices.map(([name]) => name);
    return new ChoicePanel(
      look,
      { title: words(look, "tui.ready.title"), question, esc: "tui.key.keep" },
      options,
      (at) => {
        const act = choices[at ?? choices.length - 1]?.[1];
        // Whoever edits it has not chosen yet.
        if (act !== editPlan) this.chosen = plan.plan_id;
        this.forget();
        act?.();
        if (act !== editPlan) this.follow();
      },
    );
  }

  private async fallback(offer: NonNullable<ReturnType<EnginePort["fallback"]>>): Promise<Panel> {
    const { FallbackPanel } = await import("../panels/fallback.ts");
    const { port, look, cancel } = this.deps;
    return new FallbackPanel(look, { offer, cancel, answer: (isYes) => this.taken(port.answerFallback(isYes)) });
  }

  /** A refused answer leaves the question open, and its panel is made anew. */
  private taken(result: Result<void>): void {
    if (result.ok) return;
    this.deps.refused(result.error);
    this.forget();
    this.follow();
  }

  private forget(): void {
    this.close();
    this.close = () => {};
    this.asked = null;
  }
}

/** What the `question` tool was called with. */
function questionsIn(input: unknown): readonly Question[] {
  const { questions } = input as { readonly questions?: unknown };
  if (!Array.isArray(questions)) return [];
  return questions.map((one: { readonly question?: unknown; readonly options?: unknown }) => ({
    question: String(one.question),
    options: Array.isArray(one.options) ? one.options.map(String) : [],
  }));
}
