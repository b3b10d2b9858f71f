// A model that answers as a function says: for conversations that are compacted, in which no step can be told by its place.
import { renderReply, type Step } from "./scripted-reply.ts";
import { historyProblem, type WireMessage } from "./strict-history.ts";

export interface Asked {
  /** As they were sent. */
  readonly bytes: string;
  readonly messages: readonly WireMessage[];
  readonly tools: number;
  /** A request without tools: for notes on the conversation. */
  readonly isForNotes: boolean;
  readonly problem: string | null;
}

export interface AnsweringServer extends Disposable {
  readonly url: string;
  readonly asked: readonly Asked[];
}

/** `step`: how many requests with tools came before. A request that a strict provider would refuse is refused. */
export function startAnsweringServer(answer: (asked: Asked, step: number) => Step | Promise<Step>): AnsweringServer {
  const all: Asked[] = [];
  let steps = 0;
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 0,
    async fetch(request) {
      const bytes = await request.text();
      const {
        messages,
        tools = [],
        model,
      } = JSON.parse(bytes) as {
        messages: readonly WireMessage[];
        tools?: readonly unknown[];
        model: string;
      };
      const problem = historyProblem(messages);
      const asked = { bytes, messages, tools: tools.length, isForNotes: tools.length === 0, problem };
      all.push(asked);
      if (problem !== null) return Response.json({ error: { message: problem } }, { status: 400 });
      const step = await answer(asked, asked.isForNotes ? steps : steps++);
      if (step.status !== undefined || step.body !== undefined)
        return new Response(step.body ?? "{}", { status: step.status ?? 200, headers: step.headers ?? {} });
      const headers = { "content-type": "text/event-stream" };
      return new Response(renderReply(step, model, String(all.length)).join(""), { headers });
    },
  });
  return { url: `${server.url.href}v1`, asked: all, [Symbol.dispose]: () => void server.stop(true) };
}
