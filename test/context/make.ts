import type { SummarySource } from "../../src/context/summary/summary.ts";
import type { Event, EventBody } from "../../src/contract/event.ts";
import { callId } from "../../src/contract/ids.ts";
import type { AssistantReply, CallResult, FileChange } from "../../src/contract/message.ts";
import { type History, HistoryFold } from "../../src/machine/history/history.ts";

const usage = { input: 0, output: 0, cachedInput: 0, reasoning: 0 };
export const whole = { pruneBefore: 0, trimBefore: 0 };
export const nothing: SummarySource = { todos: [], plan: null, written: "", focus: "" };

export interface MadeStep {
  readonly out: string;
  readonly text?: string;
  readonly status?: CallResult["status"];
  readonly changes?: readonly FileChange[];
}

/** A conversation in the events that make it. */
export class Made {
  readonly history = new HistoryFold();
  private inputs = 0;
  private tasks = 0;
  private steps = 0;

  apply(body: EventBody): this {
    this.history.apply({ v: 1, at: 0, ...body } as Event);
    return this;
  }

  task(text: string): this {
    const inputId = `i${this.inputs++}`;
    const taskId = `t${this.tasks++}`;
    this.steps = 0;
    const limits = { maxSteps: 9, maxTokens: null, maxAttempts: 1 };
    return this.apply({ type: "input.admitted", inputId, kind: "task", delivery: "now", text })
      .apply({ type: "task.started", taskId, runId: this.run, inputId, limits })
      .apply({ type: "context.built", taskId, hints: "time: now" });
  }

  steer(text: string): this {
    const inputId = `i${this.inputs++}`;
    return this.apply({ type: "input.admitted", inputId, kind: "task", delivery: "steer", text }).apply({
      type: "input.delivered",
      runId: this.run,
      inputIds: [inputId],
    });
  }

  step({ out, text = "", status = "done", changes }: MadeStep): this {
    const index = ++this.steps;
    const id = callId(this.run, index, 1);
    const own = { id, providerId: null, tool: "read", input: { path: String(index) }, key: "k" };
    const call = { ...own, access: "read", afterCrash: "repeat" } as const;
    const reply: AssistantReply = { text, thinking: "", calls: [call], usage, finish: "tool_calls" };
    return this.apply({ type: "model.replied", runId: this.run, index, attempt: 1, reply }).apply({
      type: "tool.settled",
      runId: this.run,
      callId: id,
      result: { status, output: out, key: "o", ms: 0, ...(changes ? { changes } : {}) },
    });
  }

  private get run(): string {
    return `r${this.tasks}`;
  }
}

export function historyOf(steps: readonly MadeStep[], tasks: readonly string[] = ["do it"]): History {
  const made = new Made();
  for (const task of tasks) {
    made.task(task);
    for (const step of steps) made.step(step);
  }
  return made.history;
}
