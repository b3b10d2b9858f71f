// The plan as JSON in the person's editor. What was typed is kept until it fits.
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
  /** What could not be taken, and the plan that it was made of. */
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
    // Whoever works on it is told.
    if (task) await port.runInput(task.text, task.options);
  }
}
