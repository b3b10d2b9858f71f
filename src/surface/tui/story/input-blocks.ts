// Inputs of the user, shown when they are delivered and not while they wait.
import type { EventOf } from "../../../contract/event.ts";
import type { Block } from "../blocks/block.ts";
import { saidBlock } from "../blocks/said.ts";
import type { Look } from "../terminal/look.ts";

type AdmittedInput = EventOf<"input.admitted">;

interface InputsDeps {
  readonly look: Look;
  readonly add: (block: Block, before?: Block) => void;
  readonly isTyped: (inputId: string) => boolean;
}

export class InputBlocks {
  private readonly deps: InputsDeps;
  private readonly waiting = new Map<string, AdmittedInput>();

  constructor(deps: InputsDeps) {
    this.deps = deps;
  }

  /** `notice`: the message of the command that made this input. */
  admitted(input: AdmittedInput, notice: Block | null): void {
    this.waiting.set(input.inputId, input);
    // A slash command that makes a call.
    if (input.kind === "tool" && input.text.startsWith("/")) this.tell(input, notice);
  }

  returned(ids: readonly string[]): void {
    for (const id of ids) this.waiting.delete(id);
  }

  delivered(ids: readonly string[]): void {
    for (const id of ids) this.said(id);
  }

  begins(id: string): AdmittedInput | undefined {
    const input = this.waiting.get(id);
    // The call itself is shown instead.
    if (input?.kind === "tool") this.waiting.delete(id);
    else this.said(id);
    return input;
  }

  forget(): void {
    this.waiting.clear();
  }

  private said(id: string): void {
    const input = this.waiting.get(id);
    this.waiting.delete(id);
    if (input) this.tell(input, null);
  }

  private tell(input: AdmittedInput, before: Block | null): void {
    if (!this.deps.isTyped(input.inputId)) this.deps.add(saidBlock(this.deps.look, input), before ?? undefined);
  }
}
