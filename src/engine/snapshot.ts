import { commandOf, type Entry, type History } from "../context/history.ts";
import type { Result } from "../contract/error.ts";
import type { SessionState } from "../machine/state.ts";
import { redact } from "../policy/redact.ts";

/** Between two snapshots within a task pass at least this long and 20 times what the last one cost. */
const MIN_GAP_MS = 1_000;
const COST_FACTOR = 20;

/** Writes the JSON snapshot (PS-2) coalesced, so that its cost does not grow with every step. Best effort. */
export class Snapshots {
  private nextAt = 0;
  private readonly write: (text: string) => Result<void>;
  private readonly render: () => string;

  constructor(write: (text: string) => Result<void>, render: () => string) {
    this.write = write;
    this.render = render;
  }

  /** After an input, reply, result or todo change: at most now and then. The first waits, since most tasks are short. */
  note(now: number): Result<void> | null {
    if (this.nextAt === 0) this.nextAt = now + MIN_GAP_MS;
    return now >= this.nextAt ? this.flush(now) : null;
  }

  flush(now: number): Result<void> {
    const started = performance.now();
    const result = this.write(this.render());
    this.nextAt = now + Math.max(MIN_GAP_MS, COST_FACTOR * (performance.now() - started));
    return result;
  }
}

/** A function of state and history alone: `coder replay` renders it again from the log and compares. */
export function renderSnapshot(state: SessionState, history: History, seq: number): string {
  const { id, workspace, model, mode, todos, usage } = state;
  const body = {
    format: 1,
    id,
    seq,
    workspace,
    model,
    mode,
    phase: state.task.phase,
    todos,
    usage,
    entries: history.entries.map(plain),
  };
  return `${redact(JSON.stringify(body, null, 1)).text}\n`;
}

function plain(entry: Entry): unknown {
  if (entry.kind === "step") {
    const calls = entry.calls.map((call) => ({
      id: call.id,
      tool: call.tool,
      input: call.input,
      result: entry.results.get(call.id)?.output ?? null,
      status: entry.results.get(call.id)?.status ?? "open",
    }));
    return { kind: "assistant", text: entry.text, calls };
  }
  if (entry.kind === "command") {
    const result = entry.results.get(entry.call.id);
    return {
      kind: "command",
      command: commandOf(entry.call),
      result: result?.output ?? null,
      status: result?.status ?? "open",
    };
  }
  return { kind: entry.kind, text: entry.text };
}
