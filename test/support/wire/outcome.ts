// What came out of one model call, and whether it is what had to come out.
import type { MessageDelta, ModelFault } from "../../../src/contract/delta.ts";
import type { AssistantReply, Usage } from "../../../src/contract/message.ts";
import { say, type TextKey } from "../../../src/contract/text/catalogue.ts";
import { replyOf } from "../model-calls.ts";

export interface Message {
  readonly text: string;
  readonly thinking: string;
  readonly calls: readonly { readonly id: string | null; readonly tool: string; readonly args: string }[];
  readonly usage: Usage | null;
  readonly finish: AssistantReply["finish"];
}

export type Expected =
  | { readonly message: Message }
  | {
      readonly fault: ModelFault["kind"];
      readonly says: TextKey;
      /** `null` when absent. */
      readonly retryAfterMs?: number | null;
      /** What had arrived must be a beginning of this. */
      readonly beginningOf?: Message;
    };

/** The api key of every call: it must never come back in an error. It looks like no key, so that only its value gives it away. */
export const secret = "plain.words.that.nobody.may.see";

/** What is wrong with the deltas of one call whose reply should have been `expected`; empty = nothing. */
export function problemsIn(deltas: readonly MessageDelta[], expected: Expected): readonly string[] {
  return [...frameProblems(deltas), ...callProblems(deltas), ...leaks(deltas), ...outcomeProblems(deltas, expected)];
}

function frameProblems(deltas: readonly MessageDelta[]): readonly string[] {
  const kinds = deltas.map(({ kind }) => kind);
  const problems: string[] = [];
  if (kinds[0] !== "start" || kinds.lastIndexOf("start") !== 0) problems.push("not exactly one start, first");
  const end = kinds.findIndex((kind) => kind === "done" || kind === "error");
  if (end === -1 || end !== kinds.length - 1) problems.push("not exactly one done or error, last");
  if (deltas.some(({ seq }, at) => at > 0 && seq <= deltas[at - 1]!.seq)) problems.push("seq does not rise");
  const isOurs = (delta: MessageDelta): boolean =>
    delta.runId === "r1" && delta.modelCallIndex === 1 && delta.attempt === 1;
  if (!deltas.every(isOurs)) problems.push("a delta of another call");
  return problems;
}

/** Calls are numbered in order, opened once, closed once, and get their arguments in between. */
function callProblems(deltas: readonly MessageDelta[]): readonly string[] {
  const isOpen: boolean[] = [];
  const problems = new Set<string>();
  for (const delta of deltas) {
    if (delta.kind === "tool_call_start") {
      if (delta.ordinal !== isOpen.length) problems.add(`call ${delta.ordinal} opened as number ${isOpen.length}`);
      isOpen[delta.ordinal] = true;
    } else if (delta.kind === "tool_call_args" && isOpen[delta.ordinal] !== true) {
      problems.add(`arguments of call ${delta.ordinal}, which is not open`);
    } else if (delta.kind === "tool_call_end") {
      if (isOpen[delta.ordinal] !== true) problems.add(`end of call ${delta.ordinal}, which is not open`);
      isOpen[delta.ordinal] = false;
    } else if (delta.kind === "usage") {
      const isSane = Object.values(delta.usage).every((n) => Number.isSafeInteger(n) && n >= 0);
      if (!isSane) problems.add(`usage ${JSON.stringify(delta.usage)}`);
    }
  }
  if (deltas.at(-1)?.kind === "done" && isOpen.includes(true)) problems.add("done with a call still open");
  return [...problems];
}

function leaks(deltas: readonly MessageDelta[]): readonly string[] {
  const last = deltas.at(-1);
  if (last?.kind !== "error") return [];
  const { text, advice } = last.error;
  const told = [text, ...(advice ? [advice] : [])].flatMap((phrase) => [say("en", phrase), say("zh", phrase)]);
  const problems =
    JSON.stringify(last).includes(secret) || told.join().includes(secret) ? ["the key is in the error"] : [];
  return told.some((line) => line.length > 1_000) ? [...problems, "an error text over 1,000 characters"] : problems;
}

function outcomeProblems(deltas: readonly MessageDelta[], expected: Expected): readonly string[] {
  const { text, thinking, calls, usage, finish, failure } = replyOf(deltas);
  const arrived: Message = {
    text,
    thinking,
    calls: calls.map(({ providerId, tool, args }) => ({ id: providerId, tool, args })),
    usage,
    finish: finish ?? "other",
  };
  if ("message" in expected) {
    if (failure !== null) return [`failed: ${failure.fault.kind}, ${say("en", failure.error.text).slice(0, 200)}`];
    return difference(arrived, expected.message);
  }
  if (failure === null) return [`no ${expected.fault} error, but ${shown(arrived)}`];
  const found = { kind: failure.fault.kind, key: failure.error.text.key, after: failure.fault.retryAfterMs };
  const wanted = { kind: expected.fault, key: expected.says, after: expected.retryAfterMs ?? null };
  const problems = Bun.deepEquals(found, wanted) ? [] : [`${JSON.stringify(found)}, not ${JSON.stringify(wanted)}`];
  const whole = expected.beginningOf;
  const isBeginning = whole === undefined || begins(arrived, whole);
  return isBeginning ? problems : [...problems, `${shown(arrived)} is no beginning of ${shown(whole)}`];
}

function difference(found: Message, wanted: Message): readonly string[] {
  const isSame = Bun.deepEquals(canonical(found), canonical(wanted));
  return isSame ? [] : [`${shown(found)}, not ${shown(wanted)}`];
}

function begins(found: Message, whole: Message): boolean {
  return (
    whole.text.startsWith(found.text) &&
    whole.thinking.startsWith(found.thinking) &&
    found.calls.every((call, at) => {
      const full = whole.calls[at];
      return full?.tool === call.tool && (full.args.startsWith(call.args) || sameJson(full.args, call.args));
    })
  );
}

function sameJson(one: string, other: string): boolean {
  return Bun.deepEquals(jsonOr(one), jsonOr(other));
}

/** Arguments by their meaning: a protocol that sends them as values does not keep their spelling. */
function canonical(message: Message): unknown {
  return { ...message, calls: message.calls.map((call) => ({ ...call, args: jsonOr(call.args) })) };
}

function jsonOr(text: string): unknown {
  try {
    return { json: JSON.parse(text) as unknown };
  } catch {
    return text; // Not JSON: compared as it is.
  }
}

function shown(message: Message): string {
  const text = JSON.stringify(message);
  return text.length <= 600 ? text : `${text.slice(0, 600)}…`;
}
