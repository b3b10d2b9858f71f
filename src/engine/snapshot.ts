import { commandOf, type Entry } from "../context/entry.ts";
import type { History } from "../context/history.ts";
import type { Result } from "../contract/error.ts";
import type { EventType } from "../contract/event.ts";
import type { Phrase } from "../contract/text/catalogue.ts";
import type { SessionState } from "../machine/state.ts";
import { clean } from "./clean.ts";

/** Between two snapshots within a task pass at least this long and 20 times what the last one cost. */
const MIN_GAP_MS = 1_000;
const COST_FACTOR = 20;

const WRITE_ON: ReadonlySet<string> = new Set(["input.admitted", "model.replied", "tool.settled", "plan.settled"]);

/** Writes the JSON snapshot (PS-2) coalesced, so that its cost does not grow with every step. Best effort. */
export class Snapshots {
  /** A resume found nothing to do and a snapshot that a kill had left behind: it is made good when the session closes. */
  isOld = false;
  private nextAt = 0;
  private hasWarned = false;
  private readonly write: (text: string) => Result<void>;
  private readonly render: () => string;
  private readonly warn: (text: Phrase) => void;

  constructor(write: (text: string) => Result<void>, render: () => string, warn: (text: Phrase) => void) {
    this.write = write;
    this.render = render;
    this.warn = warn;
  }

  /** At the end of a task always; after an input, reply or result now and then. The first waits: most tasks are short. */
  follow(type: EventType): void {
    const now = performance.now();
    if (this.nextAt === 0) this.nextAt = now + MIN_GAP_MS;
    if (type === "task.ended" || (WRITE_ON.has(type) && now >= this.nextAt)) this.flush();
  }

  flush(): void {
    const started = performance.now();
    const result = this.write(this.render());
    const ended = performance.now();
    this.isOld = false;
    this.nextAt = ended + Math.max(MIN_GAP_MS, COST_FACTOR * (ended - started));
    if (result.ok || this.hasWarned) return;
    // A failure is told once per session and stops nothing.
    this.hasWarned = true;
    this.warn(result.error.text);
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
  return `${clean(JSON.stringify(body, null, 1))}\n`;
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
