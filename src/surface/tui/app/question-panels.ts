// Panels for the engine's questions: one at a time, and the same one as long as a question is open.
import type { ErrorInfo, Result } from "../../../contract/error.ts";
import type { Plan } from "../../../contract/plan.ts";
import type { Answer, EnginePort, OpenQuestion } from "../../../engine/port.ts";
import { proposedPlan } from "../../../machine/plan/proposed.ts";
import type { Panel } from "../panels/panel.ts";
import { type Look, words } from "../terminal/look.ts";
import type { EditText } from "./deps.ts";
import type { Layout } from "./layout.ts";

interface QuestionPanelsDeps {
  readonly port: EnginePort;
  readonly look: Look;
  readonly stage: Layout;
  readonly homes: readonly string[];
  readonly cancel: () => void;
  readonly editText: EditText;
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
  private readonly deps: QuestionPanelsDeps;
  private asked: Open | null = null;
  /** The plan that the user has decided on, or that was there before this session was shown. */
  private chosen = "";
  private close: () => void = () => {};

  constructor(deps: QuestionPanelsDeps) {
    this.deps = deps;
  }

  get isOpen(): boolean {
    return this.asked !== null;
  }

  /** Whether the user is asked for a permission or for words; `null`: neither. */
  get asks(): "permission" | "question" | null {
    if (this.asked === null) return null;
    const kind = this.deps.port.question()?.kind;
    return kind === "approval" || kind === "check" || kind === "plan" ? "permission" : "question";
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

  private async panelOf(open: OpenQuestion): Promise<Panel> {
    const { port, look, stage, cancel, homes, editText } = this.deps;
    const answer = (given: Omit<Answer, "by">): void => this.check(port.answer(open.id, { ...given, by: "person" }));
    switch (open.kind) {
      case "fallback": {
        const { FallbackPanel } = await import("../panels/fallback.ts");
        const decide = (isYes: boolean): void => answer({ answer: isYes ? "yes" : "no" });
        return new FallbackPanel(look, { offer: open.offer, cancel, answer: decide });
      }
      case "plan": {
        const { PlanPanel } = await import("../panels/plan-panel.ts");
        return new PlanPanel(look, {
          ...{ plan: open.plan, listed: open.listed, open: stage.open, redraw: stage.redraw },
          ...{ cancel, editText, answer, edited: (json) => port.editedPlan(json) },
        });
      }
      case "clarification":
      case "question": {
        const { QuestionPanel } = await import("../panels/question.ts");
        const send = (words: string): void => answer({ answer: "yes", words });
        return new QuestionPanel(look, { questions: open.questions, send, cancel, redraw: stage.redraw });
      }
      default: {
        const { ApprovalPanel } = await import("../panels/approval.ts");
        const { approval } = open;
        // Without a preview, the panel shows the arguments.
        const preview = port.preview(approval.callId, "forPerson").catch(() => null);
        return new ApprovalPanel(look, {
          ...{ approval, preview, answer, cancel, open: stage.open, redraw: stage.redraw },
          ...{ where: port.settings.workspace, homes, editText },
          proposed: () => port.proposed(approval.callId).catch(() => null),
        });
      }
    }
  }

  /** A plan that exists already is not asked about. */
  begin(): void {
    this.chosen = this.deps.port.state().plan?.plan_id ?? "";
  }

  private async ready(plan: Plan): Promise<Panel> {
    const { ChoicePanel } = await import("../panels/ask.ts");
    const { look, send, hint, editPlan } = this.deps;
    const tell = (text: string) => (): void => hint(text);
    const run = (mode: string) => (): void => send(`/plan run ${mode}`);
    const choices: readonly (readonly [name: string, act: () => void])[] = [
      ...(["default", "auto-edit", "yolo"] as const).map(
        (mode) => [words(look, `tui.ready.${mode}`), run(mode)] as const,
      ),
      [words(look, "tui.ready.edit"), editPlan],
      [words(look, "tui.ready.changes"), tell(words(look, "tui.ready.say"))],
      [words(look, "tui.ready.keep"), tell(words(look, "tui.ready.kept"))],
    ];
    const level = words(look, `plan.level.${plan.risk_level}`);
    const question = words(look, "tui.ready.ask", { n: plan.steps.length, level });
    const done = (at: number | null): void => {
      const act = choices[at ?? choices.length - 1]?.[1];
      // Editing the plan decides nothing yet.
      if (act !== editPlan) this.chosen = plan.plan_id;
      this.forget();
      act?.();
      if (act !== editPlan) this.follow();
    };
    const asked = { title: words(look, "tui.ready.title"), question, esc: "tui.key.keep" } as const;
    const options = choices.map(([name]) => name);
    return new ChoicePanel(look, asked, options, done);
  }

  /** A refused answer leaves the question open, so its panel is created again. */
  private check(result: Result<void>): void {
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
