// Panels for the engine's questions: one at a time, and the same one as long as a question is open.
import type { ErrorInfo, Result } from "../../../contract/error.ts";
import type { Plan } from "../../../contract/plan.ts";
import type { Question } from "../../../contract/task.ts";
import type { Answer, EnginePort, OpenApproval, OpenFallback, OpenQuestion } from "../../../engine/port.ts";
import { proposedPlan } from "../../../machine/plan/proposed.ts";
import type { Panel } from "../panels/panel.ts";
import { type Look, words } from "../terminal/look.ts";
import type { Layout } from "./layout.ts";

interface AskingDeps {
  readonly port: EnginePort;
  readonly look: Look;
  readonly stage: Layout;
  readonly homes: readonly string[];
  readonly cancel: () => void;
  readonly editText: (text: string, tell: (problem: string) => void) => Promise<string | null>;
  readonly refused: (error: ErrorInfo) => void;
  readonly fault: (error: unknown) => void;
  readonly onAsked: () => void;
  readonly send: (text: string) => void;
  readonly hint: (text: string) => void;
  readonly editPlan: () => void;
}

interface Open {
  readonly key: string;
  readonly make: () => Promise<Panel>;
}

export class QuestionPanels {
  private readonly deps: AskingDeps;
  private asked: Open | null = null;
  /** The plan that the user has decided on, or that was there before this session was shown. */
  private chosen = "";
  private close: () => void = () => {};

  constructor(deps: AskingDeps) {
    this.deps = deps;
  }

  get isOpen(): boolean {
    return this.asked !== null;
  }

  /** Called after everything published. `isAnswerable` is `false` when an answer would be refused. */
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
        // The question may have been answered or replaced while the panel was loading.
        if (isNow()) this.close = this.deps.stage.open(panel);
      })
      .catch(this.deps.fault);
  }

  private open(): Open | null {
    const { port } = this.deps;
    const open = port.question();
    if (open) return { key: `${open.id} ${contentOf(open)}`, make: () => this.panelOf(open) };
    const ready = proposedPlan(port.state());
    if (!ready || this.chosen === ready.plan_id) return null;
    return { key: `ready ${JSON.stringify(ready)}`, make: () => this.ready(ready) };
  }

  private panelOf(open: OpenQuestion): Promise<Panel> {
    const answer = (given: Omit<Answer, "by">): void =>
      this.taken(this.deps.port.answer(open.id, { ...given, by: "person" }));
    switch (open.kind) {
      case "fallback":
        return this.fallback(open.offer, (isYes) => answer({ answer: isYes ? "yes" : "no" }));
      case "plan":
        return this.plan(open, answer);
      case "clarification":
      case "question":
        return this.questions(open.questions, (words) => answer({ answer: "yes", words }));
      default:
        return this.approval(open.approval, answer);
    }
  }

  private async approval(approval: OpenApproval, answer: (answer: Answer) => void): Promise<Panel> {
    const { ApprovalPanel } = await import("../panels/approval.ts");
    const { port, look, stage, cancel, homes } = this.deps;
    return new ApprovalPanel(look, {
      ...{ approval, cancel, open: stage.open, redraw: stage.redraw, where: port.settings.workspace, homes },
      // Without a preview, the panel shows the arguments.
      preview: port.preview(approval.callId, "forPerson").catch(() => null),
      answer,
    });
  }

  private async questions(questions: readonly Question[], send: (text: string) => void): Promise<Panel> {
    const { QuestionPanel } = await import("../panels/question.ts");
    const { look, stage, cancel } = this.deps;
    return new QuestionPanel(look, { questions, send, cancel, redraw: stage.redraw });
  }

  private async plan(
    { plan, listed }: Extract<OpenQuestion, { kind: "plan" }>,
    answer: (answer: Omit<Answer, "by">) => void,
  ): Promise<Panel> {
    const { PlanPanel } = await import("../panels/plan-panel.ts");
    const { port, look, stage, cancel, editText } = this.deps;
    return new PlanPanel(look, {
      ...{ plan, listed, cancel, open: stage.open, redraw: stage.redraw, editText },
      answer,
      edited: (json) => port.editedPlan(json),
    });
  }

  /** A plan that exists already is not asked about. */
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
        // Editing the plan decides nothing yet.
        if (act !== editPlan) this.chosen = plan.plan_id;
        this.forget();
        act?.();
        if (act !== editPlan) this.follow();
      },
    );
  }

  private async fallback(offer: OpenFallback, answer: (isYes: boolean) => void): Promise<Panel> {
    const { FallbackPanel } = await import("../panels/fallback.ts");
    const { look, cancel } = this.deps;
    return new FallbackPanel(look, { offer, cancel, answer });
  }

  /** A refused answer leaves the question open, so its panel is created again. */
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

/** An edited call and a changed plan are asked about again under their old id. */
function contentOf(open: OpenQuestion): string {
  if ("approval" in open) return open.approval.shown;
  return JSON.stringify(open.kind === "plan" ? open.plan : open.kind === "clarification" ? open.questions : null);
}
