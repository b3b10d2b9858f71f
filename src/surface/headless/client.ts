import { fail, type Result } from "../../contract/error.ts";
import type { Scope } from "../../contract/grant.ts";
import { type Fields, isRecord, parsedJson } from "../../contract/json.ts";
import { phrase } from "../../contract/text/catalogue.ts";
import type { Answer, EnginePort } from "../../engine/port.ts";
import type { Show } from "./show.ts";

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
  readonly schema: unknown;
}

/** Carries out one line; `true`: it asks to quit. Invalid input is reported and changes nothing. */
export async function onClientLine(port: EnginePort, show: Show, line: ClientLine): Promise<boolean> {
  const { text, number, schema } = line;
  if (text.trim() === "") return false;
  const message = parse(text);
  switch (message?.type) {
    case "input": {
      const { text: input, delivery } = message;
      if (typeof input !== "string" || (delivery !== undefined && delivery !== "steer" && delivery !== "queue")) break;
      const admission = await port.runInput(input, delivery ? { delivery, schema } : { schema });
      if (admission.kind === "refused") show.error(admission.error);
      if (admission.kind === "command") show.command(admission.result);
      return admission.kind === "command" && admission.result.quit === true;
    }
    case "approve": {
      const answer = answerOf(message);
      const id = message.id ?? message.call;
      if (!answer || typeof id !== "string") break;
      if (message.plan === undefined) return report(show, port.answer(id, answer));
      const plan = await port.editedPlan(JSON.stringify(message.plan));
      return report(show, plan.ok ? port.answer(id, { ...answer, plan: plan.value }) : plan);
    }
    case "answer": {
      const { text: words } = message;
      if (typeof words !== "string") break;
      const open = port.question();
      const isAsked = open?.kind === "clarification" || open?.kind === "question";
      const none = fail("E_INVALID_ARGS", phrase("clarify.not_open"), { advice: phrase("clarify.not_open.advice") });
      const answer = { answer: "yes", words, by: "client" } as const;
      return report(show, isAsked && words.trim() !== "" ? port.answer(open.id, answer) : none);
    }
    case "fallback": {
      const { answer } = message;
      if (answer !== "yes" && answer !== "no") break;
      const open = port.question();
      const advice = phrase("approval.not_open.advice");
      const none = fail("E_INVALID_ARGS", phrase("models.fallback.not_open"), { advice });
      return report(show, open?.kind === "fallback" ? port.answer(open.id, { answer, by: "client" }) : none);
    }
    case "retry":
      return report(show, port.retryNow());
    case "cancel":
      port.cancel("client");
      return false;
  }
  const advice = phrase("cli.bad_line.advice", { forms: clientForms });
  return report(show, fail("E_INVALID_ARGS", phrase("cli.bad_line", { line: number }), { advice }));
}

function report(show: Show, result: Result<void>): false {
  if (!result.ok) show.error(result.error);
  return false;
}

const scopes: readonly Scope[] = ["call", "step", "plan", "task", "typed"];
const answers: readonly Answer["answer"][] = ["yes", "no", "always", "edit"];

function answerOf(message: Readonly<Record<string, unknown>>): Answer | null {
  const { words, input, plan } = message;
  const answer = answers.find((one) => one === message.answer);
  const scope = scopes.find((one) => one === message.scope);
  if (answer === undefined || (scope === undefined && message.scope !== undefined)) return null;
  if (words !== undefined && typeof words !== "string") return null;
  if (answer === "edit" && input === undefined && plan === undefined) return null;
  return {
    ...{ answer, by: "client" },
    ...(scope === undefined ? {} : { scope }),
    ...(words === undefined ? {} : { words }),
    ...(input === undefined ? {} : { input }),
  };
}

function parse(text: string): Fields | null {
  const value = parsedJson(text);
  return isRecord(value) ? value : null;
}
