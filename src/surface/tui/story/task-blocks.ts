// Facts about the running task, from its events alone: a past log has nothing else.
import { isCommitByMode } from "../../../command/text/commit-notice.ts";
import type { ErrorInfo } from "../../../contract/error.ts";
import type { Event, EventOf, InputKind } from "../../../contract/event.ts";
import { type CallResult, noUsage, type Usage } from "../../../contract/message.ts";
import type { TaskSummary } from "../../../contract/task.ts";
import type { Phrase } from "../../../contract/text/catalogue.ts";
import type { SessionState } from "../../../machine/state.ts";
import type { EndedTask } from "../blocks/outcome.ts";

export class TaskBlocks {
  readonly kind: InputKind;
  readonly isByMode: boolean;
  readonly isForm: boolean;
  lastText = "";
  private readonly began: number;
  private readonly edits = new Map<string, number>();
  private usage: Usage = noUsage;
  private cost: number | null = 0;
  private summary: TaskSummary | null = null;
  private error: ErrorInfo | null = null;
  private note: Phrase | null = null;

  constructor(input: Pick<EventOf<"input.admitted">, "kind" | "call" | "schema"> | undefined, began: number) {
    this.kind = input?.kind ?? "task";
    this.isByMode = isCommitByMode(input?.call);
    this.isForm = input?.schema !== undefined;
    this.began = began;
  }

  hear(event: Event, state: SessionState | null): void {
    if (event.type === "model.replied") this.pay(event.reply.usage, event.reply.cost);
    if (event.type === "context.overflowed" || event.type === "context.compacted") {
      if (event.notes) this.pay(event.notes.usage, event.notes.cost);
    }
    if (event.type === "model.replied") [this.error, this.lastText] = [null, event.reply.text];
    if (event.type === "model.failed") this.error = event.fault === "cancelled" ? null : event.error;
    if (event.type === "tool.settled") this.edited(event.result);
    if (event.type === "task.summarized") this.summary = event.summary;
    if (state?.task.phase === "SUMMARIZING") {
      this.error = state.task.end.error;
      this.note = state.task.end.note;
    }
  }

  ended({ at, taskId }: EventOf<"task.ended">): EndedTask | null {
    const { kind, summary, usage, cost, edits, note } = this;
    if (summary === null) return null;
    // An error counts only if it ended the task.
    const isFailure = summary.stop_reason !== "COMPLETED" && summary.stop_reason !== "CANCELLED";
    return {
      taskId,
      kind,
      summary,
      ms: at - this.began,
      usage,
      cost,
      edits,
      error: isFailure ? this.error : null,
      note,
    };
  }

  private edited({ changes = [] }: CallResult): void {
    for (const path of new Set(changes.map((change) => change.path)))
      this.edits.set(path, (this.edits.get(path) ?? 0) + 1);
  }

  private pay(more: Usage, cost: number | undefined): void {
    const { input, output, cachedInput, reasoning } = this.usage;
    this.usage = {
      ...{ input: input + more.input, output: output + more.output },
      ...{ cachedInput: cachedInput + more.cachedInput, reasoning: reasoning + more.reasoning },
    };
    this.cost = this.cost === null || cost === undefined ? null : this.cost + cost;
  }
}
