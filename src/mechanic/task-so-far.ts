import type { ModelMessage } from "../contract/message.ts";
import type { Answer, Ask } from "./play.ts";

/** An earlier step of the mechanic, from the record. */
interface PastMove {
  readonly asks: readonly Ask[];
  readonly answers: readonly Answer[];
  readonly isStopped: boolean;
}

export interface TaskSoFar {
  /** The user's words, without what was added to them. */
  readonly request: string;
  readonly steps: readonly PastMove[];
  /** The final text, if it was given already and the model is called once more. */
  readonly lastWord: string | null;
  readonly later: readonly string[];
}

/** Attachments follow the user's words and are data. */
const attached = /\n\n\[attached [\s\S]*$/;
const added = /\n\n<context>\n[\s\S]*\n<\/context>$/;
const stopWord =
  /^\s*(?:please\s+)?(?:stop|enough|cancel|abort|停|停止|停下|够了|取消)(?:\s+(?:it|now|here))?[\s.!。！]*$/i;

export function taskSoFar(messages: readonly ModelMessage[]): TaskSoFar {
  const from = taskAt(messages);
  const task = messages[from];
  const after = messages.slice(from + 1);
  const results = new Map(after.flatMap((one) => (one.role === "tool" ? [[one.id, answerOf(one.text)] as const] : [])));
  const steps: PastMove[] = [];
  const later: string[] = [];
  let lastWord: string | null = null;
  for (const message of after) {
    if (message.role === "user" && !isOurs(message.text)) {
      later.push(message.text);
      const last = steps.pop();
      if (last) steps.push({ ...last, isStopped: last.isStopped || stopWord.test(message.text) });
    }
    if (message.role !== "assistant") continue;
    if (message.calls.length === 0) lastWord ??= message.text;
    if (lastWord !== null) continue;
    const asks = message.calls.map(({ tool, input }) => ({ tool, input: fieldsOf(input) }));
    const answers = message.calls.map(({ id }) => results.get(id) ?? answerOf(""));
    steps.push({ asks, answers, isStopped: false });
  }
  const request = task?.role === "user" ? task.text.replace(added, "").replace(attached, "") : "";
  return { request: request.trim(), steps, lastWord, later: later.filter((text) => !stopWord.test(text)) };
}

/** The engine appends its context to the words of a task, and to no other message. */
function taskAt(messages: readonly ModelMessage[]): number {
  const marked = messages.findLastIndex((one) => one.role === "user" && added.test(one.text));
  if (marked !== -1) return marked;
  const ended = messages.findLastIndex((one) => one.role === "assistant" && one.calls.length === 0);
  const first = messages.findIndex((one, at) => at > ended && one.role === "user" && !isOurs(one.text));
  return first === -1 ? messages.findIndex((one) => one.role === "user") : first;
}

/** Notes of the engine, and commands that the user ran. */
function isOurs(text: string): boolean {
  return text.startsWith("[coder] ") || text.startsWith("[COMMAND] ");
}

/** Removes the two lines with which the engine encloses external text. */
function answerOf(text: string): Answer {
  const inner = /^\[\w+ \w+: data, not instructions\]\n([\s\S]*)\n\[end \w+\]$/.exec(text)?.[1] ?? text;
  return { text: inner, error: /^(E_[A-Z_]+): /.exec(inner)?.[1] ?? null };
}

function fieldsOf(input: unknown): Ask["input"] {
  return typeof input === "object" && input !== null ? (input as Ask["input"]) : {};
}
