// Input that was sent but not delivered. IN-5: returned input goes back to the prompt.
import type { Event, EventOf, Recorded } from "../../../contract/event.ts";
import type { SessionState } from "../../../machine/state.ts";

type Queue = SessionState["queue"];

export class Undelivered {
  private readonly back: (text: string) => void;
  private texts = new Map<string, string>();
  last = "";

  constructor(back: (text: string) => void) {
    this.back = back;
  }

  begin(queue: Queue, past: readonly Recorded[]): void {
    this.texts = new Map(queue.map((input) => [input.inputId, typed(input)]));
    this.last = "";
    for (const { event } of past) if (event.type === "input.admitted") this.last = typed(event) || this.last;
  }

  drop(inputId: string): void {
    this.texts.delete(inputId);
  }

  hear(event: Event): void {
    if (event.type === "input.admitted") {
      this.texts.set(event.inputId, typed(event));
      this.last = typed(event) || this.last;
    }
    if (event.type === "task.started") this.texts.delete(event.inputId);
    if (event.type !== "input.delivered" && event.type !== "input.returned") return;
    const texts = event.inputIds.flatMap((id) => this.texts.get(id) || []);
    for (const id of event.inputIds) this.texts.delete(id);
    if (event.type === "input.returned" && texts.length > 0) this.back(texts.join("\n\n"));
  }
}

/** The input as typed; "": a call that a command made. */
function typed({ kind, text, ...more }: Pick<EventOf<"input.admitted">, "kind" | "text" | "typed">): string {
  if (kind === "tool") return "";
  return kind === "shell" ? `!${text}` : (more.typed ?? text);
}
