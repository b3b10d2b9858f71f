import { noteText } from "../../context/note.ts";
import type { Result } from "../../contract/error.ts";
import type { EventType } from "../../contract/event.ts";
import type { Phrase } from "../../contract/text/catalogue.ts";
import { commandOf, type Entry, hasAllResults, type KeptResult } from "../../machine/history/entry.ts";
import type { History } from "../../machine/history/history.ts";
import type { SessionState } from "../../machine/state.ts";
import { clean, secretsKnown } from "../call/redact.ts";

/** Minimum gap between snapshots within a task: this, or 20 times the cost of the last one. */
const MIN_GAP_MS = 1_000;
const COST_FACTOR = 20;

const WRITE_ON: ReadonlySet<string> = new Set(["input.admitted", "model.replied", "tool.settled", "plan.settled"]);

/** Writes the JSON snapshot (PS-2), rate-limited so that its cost does not grow with every step. Best effort. */
export class Snapshots {
  /** A resume found an outdated snapshot, left by a kill: it is rewritten when the session closes. */
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

  /** At the end of a task; within one, rate-limited. The first snapshot waits too, since most tasks are short. */
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
    this.hasWarned = true;
    this.warn(result.error.text);
  }
}

/** Limit of the file; what does not fit is counted in it. A restored session needs far less. */
const MAX_BYTES = 6_000_000;
/** The part reserved for the user's words from before the entries that fit. */
const MAX_SAID_BYTES = 2_000_000;

/** Depends on state and history alone: `coder replay` renders it again from the log and compares. */
export function renderSnapshot(state: SessionState, history: History, seq: number): string {
  const { id, workspace, model, mode, todos, usage, view } = state;
  const { entries, leftOut } = newest(history);
  const head = {
    format: 1,
    id,
    seq,
    workspace,
    model,
    mode,
    phase: state.task.phase,
    todos,
    usage,
    ...(leftOut > 0 ? { left_out: { entries: leftOut, note: LEFT_OUT } } : {}),
    ...(view.summary ? { summary: view.summary.text } : {}),
  };
  const list = entries.length === 0 ? "[]" : `[\n  ${entries.join(",\n  ")}\n ]`;
  return `${clean(JSON.stringify(head, null, 1)).slice(0, -2)},\n "entries": ${list}\n}\n`;
}

const LEFT_OUT =
  "Older entries are not in this file, and of old ones only the beginning: left_out beside a result counts the characters that are missing. The log in the database has all of it (coder export).";

/** The newest entries that fit and, from before them, the user's words. */
function newest({ entries }: History): { readonly entries: readonly string[]; readonly leftOut: number } {
  const kept: string[] = [];
  let room = MAX_BYTES - MAX_SAID_BYTES;
  let roomForWords = MAX_SAID_BYTES;
  let isFull = false;
  for (let at = entries.length - 1; at >= 0; at--) {
    const entry = entries[at];
    if (!entry) continue;
    const isSaid = entry.kind === "user" || entry.kind === "steer";
    if (isFull && !isSaid) continue;
    const { text, bytes } = written(entry);
    isFull ||= bytes > room;
    if (!isFull) room -= bytes;
    else if (isSaid && bytes <= roomForWords) roomForWords -= bytes;
    else continue;
    kept.push(text);
  }
  return { entries: kept.reverse(), leftOut: entries.length - kept.length };
}

interface WrittenEntry {
  readonly text: string;
  readonly bytes: number;
  readonly secrets: number;
}

/** Each entry is rendered and cleaned once: this was most of the cost of a snapshot. */
const known = new WeakMap<Entry, WrittenEntry>();

function written(entry: Entry): WrittenEntry {
  const before = known.get(entry);
  if (before?.secrets === secretsKnown()) return before;
  const text = clean(JSON.stringify(plain(entry), null, 1)).replaceAll("\n", "\n  ");
  const fresh = { text, bytes: Buffer.byteLength(text) + 4, secrets: secretsKnown() };
  if (hasAllResults(entry)) known.set(entry, fresh);
  return fresh;
}

function plain(entry: Entry): unknown {
  if (entry.kind === "step") {
    const calls = entry.calls.map(({ id, tool, input }) => ({ id, tool, input, ...resultOf(entry.results.get(id)) }));
    return { kind: "assistant", text: entry.text, calls };
  }
  if (entry.kind === "command") {
    const result = entry.results.get(entry.call.id);
    // A restored snapshot is what the model reads.
    const shown = result && entry.isUnsent ? { ...result, output: "" } : result;
    return { kind: "command", command: commandOf(entry.call), ...resultOf(shown) };
  }
  return { kind: entry.kind, text: entry.kind === "note" ? noteText(entry.note) : entry.text };
}

function resultOf(result: KeptResult | undefined) {
  if (!result) return { result: null, status: "open" };
  const { output, status, chars = output.length } = result;
  return { result: output, status, ...(chars > output.length ? { left_out: chars - output.length } : {}) };
}
