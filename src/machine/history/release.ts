// Releases history that no request shows any more. The log keeps everything; memory keeps what is needed again.
import type { Entry, KeptResult, Note } from "./entry.ts";

/** A summary never uses more of an output than this. */
const KEEP_OUTPUT = 1_500;
const KEEP_TEXT = 300;
const KEEP_FIELD = 200;

export function outputsOf(entry: Entry): number {
  if (entry.kind !== "step" && entry.kind !== "command") return 0;
  let chars = 0;
  for (const { output } of entry.results.values()) chars += output.length;
  return chars;
}

/** A new object, because rendered messages are cached per entry. The fold shares its result map: open calls still settle there. */
export function withoutOutputs(entry: Entry): Entry {
  if (entry.kind !== "step" && entry.kind !== "command") return entry;
  const results = entry.results as Map<string, KeptResult>;
  for (const [id, result] of results) results.set(id, shortResult(result, KEEP_OUTPUT));
  return { ...entry };
}

export function onlyItsTrace(entry: Entry): Entry {
  switch (entry.kind) {
    case "user": {
      const { attachments: _, ...rest } = entry;
      return rest;
    }
    case "steer":
      return { kind: "steer", text: entry.text };
    case "note":
      return { kind: "note", note: shortNote(entry.note) };
    case "overview":
      return { kind: "overview", text: copied(entry.text, KEEP_TEXT) };
    case "command":
      return { ...entry, call: shortCall(entry.call), results: shortResults(entry.results) };
    case "step": {
      const calls = entry.calls.map(shortCall);
      return {
        kind: "step",
        text: copied(entry.text, KEEP_TEXT),
        own: null,
        calls,
        results: shortResults(entry.results),
      };
    }
  }
}

function shortNote(note: Note): Note {
  if (typeof note === "string") return copied(note, KEEP_TEXT);
  if ("rules" in note) return { rules: copied(note.rules, KEEP_TEXT) };
  return "cut" in note ? { cut: { ...note.cut, text: copied(note.cut.text, KEEP_TEXT) } } : note;
}

function shortResults(results: ReadonlyMap<string, KeptResult>): Map<string, KeptResult> {
  return new Map([...results].map(([id, { changes: _, ...result }]) => [id, shortResult(result, KEEP_TEXT)]));
}

function shortResult(result: KeptResult, most: number): KeptResult {
  const { data, seen: _, ...rest } = result;
  const chars = result.chars ?? result.output.length;
  const isSmall = data === undefined || (JSON.stringify(data)?.length ?? 0) <= KEEP_FIELD;
  return {
    ...rest,
    ...(isSmall && data !== undefined ? { data } : {}),
    ...(chars > most ? { output: copied(result.output, most), chars } : {}),
  };
}

type Call = Extract<Entry, { kind: "command" }>["call"];

function shortCall(call: Call): Call {
  const { input } = call;
  if ((JSON.stringify(input)?.length ?? 0) <= KEEP_FIELD) return call;
  const fields = typeof input === "object" && input !== null ? Object.entries(input) : [];
  const kept = fields.map(([name, value]) => {
    const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
    return [name, text.length <= KEEP_FIELD ? value : `${copied(text, KEEP_FIELD)} [… ${text.length} characters]`];
  });
  return { ...call, input: Object.fromEntries(kept) as unknown };
}

/** Copies the beginning: a plain slice would keep the whole string in memory. */
function copied(text: string, most: number): string {
  return text.length <= most ? text : (JSON.parse(JSON.stringify(text.slice(0, most))) as string);
}
