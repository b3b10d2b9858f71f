import { type ErrorInfo, fail, type Result } from "../../contract/error.ts";
import type { Scope } from "../../contract/grant.ts";
import { phrase } from "../../contract/text/catalogue.ts";
import type { Answer, EnginePort } from "../../engine/port.ts";
import type { Show } from "./show.ts";

/** The JSON objects that a client may send, one per line. */
const clientForms = `{"type":"input","text":"…","delivery":"steer"|"queue"}, {"type":"approve","id":"r1/1/1","answer":"yes"|"no"|"always"|"edit","words":"…","input":{…},"plan":{…},"scope":"call"|"step"|"plan"|"task"|"typed"}, {"type":"answer","text":"…"}, {"type":"fallback","answer":"yes"|"no"}, {"type":"retry"}, {"type":"cancel"}`;

const MAX_LINE = 16 * 1024 * 1024;

/** The lines of a byte stream; a UTF-8 sequence split across chunks is joined. */
export async function* linesOf(stream: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of stream) {
    rest += decoder.decode(chunk, { stream: true });
    const lines = rest.split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
    if (rest.length > MAX_LINE) {
      yield rest;
      rest = "";
    }
  }
  rest += decoder.decode();
  if (rest !== "") yield rest;
}

interface ClientLine {
  readonly text: string;
  readonly number: number;
  /** The JSON Schema that answers must match, if there is one. */
  readonly schema: unknown;
}

/** Carries out one line. Invalid input is reported and changes nothing. */
export async function onClientLine(
  port: EnginePort,
  show: Show,
  { text, number, schema }: ClientLine,
): Promise<{ readonly quit: boolean }> {
  if (text.trim() === "") return { quit: false };
  const message = parse(text);
  if (!message) return bad(show, number);
  switch (message.type) {
    case "input": {
      const { text: input, delivery } = message;
      if (typeof input !== "string" || (delivery !== undefined && delivery !== "steer" && delivery !== "queue"))
        return bad(show, number);
      const admission = await port.runInput(input, delivery ? { delivery, schema } : { schema });
      if (admission.kind === "refused") show.error(admission.error);
      if (admission.kind === "command") show.command(admission.result);
      return { quit: admission.kind === "command" && admission.result.quit === true };
    }
    case "approve": {
      const answer = answerOf(message);
      const id = message.id ?? message.call;
      if (!answer || typeof id !== "string") return bad(show, number);
      if (message.plan === undefined) return told(show, port.answer(id, answer));
      const plan = await port.editedPlan(JSON.stringify(message.plan));
      return told(show, plan.ok ? port.answer(id, { ...answer, plan: plan.value }) : plan);
    }
    case "answer": {
      if (typeof message.text !== "string") return bad(show, number);
      const open = port.question();
      const isAsked = open?.kind === "clarification" || open?.kind === "question";
      const none = fail("E_INVALID_ARGS", phrase("clarify.not_open"), { advice: phrase("clarify.not_open.advice") });
      const said = { answer: "yes", words: message.text, by: "client" } as const;
      return told(show, isAsked && message.text.trim() !== "" ? port.answer(open.id, said) : none);
    }
    case "fallback": {
      if (message.answer !== "yes" && message.answer !== "no") return bad(show, number);
      const open = port.question();
      const none = fail("E_INVALID_ARGS", phrase("models.fallback.not_open"), {
        advice: phrase("approval.not_open.advice"),
      });
      const said = { answer: message.answer, by: "client" } as const;
      return told(show, open?.kind === "fallback" ? port.answer(open.id, said) : none);
    }
    case "retry":
      return told(show, port.retryNow());
    case "cancel":
      port.cancel("client");
      return { quit: false };
    default:
      return bad(show, number);
  }
}

function told(show: Show, taken: Result<void>): { readonly quit: boolean } {
  if (!taken.ok) show.error(taken.error);
  return { quit: false };
}

const scopes: readonly unknown[] = ["call", "step", "plan", "task", "typed"] satisfies readonly Scope[];

function isScope(value: unknown): value is Scope {
  return scopes.includes(value);
}

function answerOf(message: Readonly<Record<string, unknown>>): Answer | null {
  const { answer, words, input, scope } = message;
  if (answer !== "yes" && answer !== "no" && answer !== "always" && answer !== "edit") return null;
  if (words !== undefined && typeof words !== "string") return null;
  if (answer === "edit" && input === undefined && message.plan === undefined) return null;
  if (scope !== undefined && !isScope(scope)) return null;
  return {
    answer,
    by: "client",
    ...(scope === undefined ? {} : { scope }),
    ...(words === undefined ? {} : { words }),
    ...(input === undefined ? {} : { input }),
  };
}

function parse(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

function bad(show: Show, number: number): { readonly quit: boolean } {
  const error: ErrorInfo = {
    code: "E_INVALID_ARGS",
    text: phrase("cli.bad_line", { line: number }),
    advice: phrase("cli.bad_line.advice", { forms: clientForms }),
  };
  show.error(error);
  return { quit: false };
}
