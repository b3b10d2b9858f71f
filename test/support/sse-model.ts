// A server that answers every model request with the events it is given, and keeps what it was asked.
import type { ModelPort } from "../../src/contract/delta.ts";
import type { ModelChoice, Protocol, Quirks } from "../../src/contract/settings.ts";
import { openModel } from "../../src/model/open.ts";
import { choiceAt } from "./model-calls.ts";

export interface SseModel extends Disposable {
  readonly port: ModelPort;
  readonly choice: ModelChoice;
  readonly requests: { readonly path: string; readonly headers: Headers; readonly body: Record<string, unknown> }[];
}

interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Text is sent as it is; values as one event each. */
  readonly events: string | readonly unknown[];
}

export async function startSseModel(
  protocol: Protocol,
  answer: Answer,
  more: { readonly name?: string; readonly quirks?: Partial<Quirks>; readonly choice?: Partial<ModelChoice> } = {},
): Promise<SseModel> {
  const requests: SseModel["requests"] = [];
  const body = typeof answer.events === "string" ? answer.events : answer.events.map(sse).join("");
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const { pathname, search } = new URL(request.url);
      const sent = (await request.json()) as Record<string, unknown>;
      requests.push({ path: `${pathname}${search}`, headers: request.headers, body: sent });
      const headers = { "content-type": "text/event-stream", ...answer.headers };
      return new Response(body, { status: answer.status ?? 200, headers });
    },
  });
  const provider = { protocol, apiKey: "my-own-key", ...(more.quirks ? { quirks: more.quirks } : {}) };
  const choice = { ...choiceAt(`${server.url.href}v1`, provider), name: more.name ?? "tiny", ...more.choice };
  const port = await openModel(choice, { idleMs: 5_000 });
  return { port, choice, requests, [Symbol.dispose]: () => void server.stop(true) };
}

export function sse(value: unknown): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}
