// The model of a soak: answers each task by its kind, and keeps nothing of what it was asked.
import { renderReply, type Step } from "../../test/support/scripted-reply.ts";
import { kinds } from "./kinds.ts";

export interface SoakModel {
  readonly url: string;
  /** Names of tools, once there was a request. */
  readonly offers: () => ReadonlySet<string>;
  readonly stop: () => void;
}

interface Request {
  readonly model: string;
  readonly messages: readonly { readonly role: string; readonly content?: unknown }[];
  readonly tools?: readonly { readonly function: { readonly name: string } }[];
}

export const promptOf = (kind: string, n: number): string => `soak task ${kind} ${n}`;

export function startModel(): SoakModel {
  let offers: ReadonlySet<string> = new Set();
  let refused = "";
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 0,
    async fetch(request) {
      const body = (await request.json()) as Request;
      offers = new Set(body.tools?.map((tool) => tool.function.name));
      const { kind, n, step } = placeOf(body);
      const found = kinds.find(({ name }) => name === kind);
      const reply = found?.steps(n, jobOf(body))[step];
      if (found === undefined || reply === undefined)
        return Response.json({ error: { message: "no such step" } }, { status: 400 });
      const prompt = promptOf(kind, n);
      if (found.isRefusedFirst && refused !== prompt) {
        refused = prompt;
        return Response.json({ error: { message: "busy" } }, { status: 429, headers: { "retry-after": "0" } });
      }
      return answer(reply, body.model, `${n}_${step}`);
    },
  });
  return { url: `${server.url.href}v1`, offers: () => offers, stop: () => void server.stop(true) };
}

/** The last task's message, and how many replies came after it. */
function placeOf({ messages }: Request): { kind: string; n: number; step: number } {
  for (let at = messages.length - 1, step = 0; at >= 0; at--) {
    const message = messages[at];
    if (message?.role === "assistant") step++;
    const task = /^soak task (\S+) (\d+)/.exec(message?.role === "user" ? String(message.content) : "");
    if (task) return { kind: task[1] ?? "", n: Number(task[2]), step };
  }
  return { kind: "", n: 0, step: 0 };
}

function jobOf({ messages }: Request): string {
  const started = messages.findLast(({ content }) => /background job/.test(String(content)));
  return /background job (\w+)/.exec(String(started?.content))?.[1] ?? "";
}

function answer(step: Step, model: string, unique: string): Response {
  const chunks = renderReply(step, model, unique);
  const headers = { "content-type": "text/event-stream" };
  if (step.stallAfter === undefined) return new Response(chunks.join(""), { headers });
  const shown = chunks.slice(0, step.stallAfter).join("");
  const silent = new ReadableStream({ start: (controller) => controller.enqueue(new TextEncoder().encode(shown)) });
  return new Response(silent, { headers });
}
