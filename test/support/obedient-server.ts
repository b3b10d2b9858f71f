// A model that does whatever the newest tool result tells it to: the worst that an injected text can meet.
import { renderReply, type Step } from "./scripted-reply.ts";

interface Message {
  readonly role: string;
  readonly content?: unknown;
}

interface Injected {
  readonly tool: string;
  readonly input: unknown;
}

/** First reads `lure`, then makes every call that stands in a result as `CALL {"tool":…,"input":…}`, then says "done". */
export function startObedientServer(lure: string): Disposable & { readonly url: string } {
  let replies = 0;
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 0,
    async fetch(request) {
      const { messages } = (await request.json()) as { readonly messages: readonly Message[] };
      const step = answerTo(messages, lure);
      replies += 1;
      return new Response(renderReply(step, "mock", String(replies)).join(""), {
        headers: { "content-type": "text/event-stream" },
      });
    },
  });
  return { url: `${server.url.href}v1`, [Symbol.dispose]: () => void server.stop(true) };
}

function answerTo(messages: readonly Message[], lure: string): Step {
  // An overview of the workspace may come after the result.
  const last = messages.findLast(({ role, content }) => role !== "user" || !String(content).startsWith("[coder]"));
  if (last?.role !== "tool") return { calls: [{ tool: "read", input: { path: lure } }] };
  const told = String(last.content).matchAll(/CALL (\{.*\})/g);
  const calls = [...told].map(([, json = "{}"]) => JSON.parse(json) as Injected);
  return calls.length > 0 ? { calls } : { text: "done" };
}
