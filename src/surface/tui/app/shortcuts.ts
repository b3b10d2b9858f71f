import { takeEdited } from "../../../command/show/plan.ts";
import { modeCycle } from "../../../contract/task.ts";
import { say } from "../../../contract/text/catalogue.ts";
import type { CommandResult } from "../../../engine/port.ts";
import { typed } from "../panels/press.ts";
import type { Prompt } from "../prompt/prompt.ts";
import { type Look, words } from "../terminal/look.ts";
import type { EditText, Started } from "./deps.ts";
import type { Keys } from "./keys.ts";
import type { Layout } from "./layout.ts";
import type { Views } from "./views.ts";

interface ShortcutsDeps {
  readonly look: Look;
  readonly stage: Layout;
  readonly keys: Keys;
  readonly prompt: Prompt;
  readonly views: Views;
  readonly hint: (text: string) => void;
  readonly fault: (error: unknown) => void;
  readonly edited: (result: CommandResult) => void;
}

export class Shortcuts {
  private readonly started: Started;
  private readonly deps: ShortcutsDeps;
  private readonly over = new AbortController();
  /** Text that was rejected, and the plan it was based on. */
  private planDraft: { readonly of: string; readonly text: string } | null = null;

  constructor(started: Started, deps: ShortcutsDeps) {
    this.started = started;
    this.deps = deps;
  }

  act(key: string): boolean {
    const { keys, views, fault } = this.deps;
    const { port } = this.started;
    if (keys.is(key, "mode")) this.nextMode();
    else if (keys.is(key, "details")) views.transcript();
    else if (keys.is(key, "todos")) views.todos();
    else if (keys.is(key, "jobs")) this.jobs();
    else if (keys.is(key, "background") && port.background()?.canMove) this.moveToBackground();
    else if (keys.is(key, "help") || this.asksForKeys(key)) views.help("keys");
    else if (keys.is(key, "unqueue") && port.state().queue.length > 0) views.queue();
    else if (keys.is(key, "editor")) void this.editPrompt().catch(fault);
    else if (keys.is(key, "image")) void this.pasteImage().catch(fault);
    else return false;
    return true;
  }

  private asksForKeys(key: string): boolean {
    const { prompt } = this.deps;
    return /^[?？]$/.test(typed(key)) && prompt.isEmpty && !prompt.isMenuOpen;
  }

  readonly editText: EditText = async (text, tell, name) => {
    let edited: string | null = null;
    await this.deps.stage.lend((terminal) =>
      terminal.lend(async () => {
        const failed = (problem: string, hasDied: boolean): void => {
          if (hasDied) terminal.mend();
          tell(problem);
        };
        const options = { signal: this.over.signal, ...(name === undefined ? {} : { name }) };
        edited = await this.started.editText(text, failed, options);
      }),
    );
    return edited;
  };

  async editFile(file: string): Promise<void> {
    let problem = "";
    await this.deps.stage.lend((terminal) =>
      terminal.lend(() =>
        this.started.editFile(
          file,
          (told, hasDied) => {
            if (hasDied) terminal.mend();
            problem = told;
          },
          this.over.signal,
        ),
      ),
    );
    if (problem !== "") this.deps.hint(problem);
  }

  /** Ends an open editor: it has the terminal that must be given back. */
  end(): void {
    this.over.abort();
  }

  /** Opens the plan as JSON in the user's editor. Invalid text is kept for the next attempt. */
  async editPlan(): Promise<void> {
    const { port } = this.started;
    const of = `${JSON.stringify(port.plan(), null, 2)}\n`;
    const draft = this.planDraft?.of === of ? this.planDraft.text : of;
    const text = await this.editText(draft, this.deps.hint);
    if (text === null || (text === draft && this.planDraft === null)) return;
    const { task, ...result } = await takeEdited(port, text);
    this.planDraft = result.ok ? null : { of, text };
    this.deps.edited(result);
    // Steers the model, which has only seen the old plan.
    if (task) await port.runInput(task.text, task.options);
  }

  private jobs(): void {
    const { views, hint, look } = this.deps;
    if (!views.jobs()) hint(words(look, "tui.jobs.none"));
  }

  private moveToBackground(): void {
    const { hint, look } = this.deps;
    const moved = this.started.port.background()?.moveToBackground();
    if (moved && !moved.ok) hint(say(look.lang, moved.error.text));
  }

  private nextMode(): void {
    const { port } = this.started;
    const now = modeCycle.indexOf(port.state().mode);
    port.setMode(modeCycle[(now + 1) % modeCycle.length] ?? "default");
  }

  private async pasteImage(): Promise<void> {
    const { prompt, hint, look, stage } = this.deps;
    const path = await this.started.pasteImage();
    if (path === null) hint(words(look, "tui.no_image"));
    else prompt.insert(`@${path} `);
    stage.redraw();
  }

  private async editPrompt(): Promise<void> {
    const { prompt, hint, stage } = this.deps;
    let problem = "";
    const text = await this.editText(prompt.text, (reason) => {
      problem = reason;
    });
    if (text !== null) prompt.setText(text);
    if (problem !== "") hint(problem);
    stage.redraw();
  }
}
