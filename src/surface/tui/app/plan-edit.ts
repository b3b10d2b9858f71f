// The plan as JSON in the user's editor. Invalid text is kept for the next attempt.
import { takeEdited } from "../../../command/show/plan.ts";
import type { CommandResult, EnginePort } from "../../../engine/port.ts";

interface PlanEditDeps {
  readonly port: EnginePort;
  readonly editText: (text: string, tell: (problem: string) => void) => Promise<string | null>;
  readonly hint: (text: string) => void;
  readonly answered: (result: CommandResult) => void;
}

export class PlanEdit {
  private readonly deps: PlanEditDeps;
  /** Text that was rejected, and the plan it was based on. */
  private draft: { readonly of: string; readonly text: string } | null = null;

  constructor(deps: PlanEditDeps) {
    this.deps = deps;
  }

  async edit(): Promise<void> {
    const { port, editText, hint, answered } = this.deps;
    const of = `${JSON.stringify(port.plan(), null, 2)}\n`;
    const given = this.draft?.of === of ? this.draft.text : of;
    const text = await editText(given, hint);
    if (text === null || (text === given && this.draft === null)) return;
    const { task, ...result } = await takeEdited(port, text);
    this.draft = result.ok ? null : { of, text };
    answered(result);
    // Steers the model, which has only seen the old plan.
    if (task) await port.runInput(task.text, task.options);
  }
}
