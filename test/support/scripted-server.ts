// A model with prepared answers, over real HTTP. In tests: `startScriptedServer(script)`; as a process:
// `bun test/support/scripted-server.ts --script file.json [--port N]` prints its base URL and runs until it is ended.
import { clientHasRead } from "./client-read.ts";
import { renderReply, type Step, splitBytes, withoutFaults } from "./scripted-reply.ts";
import { historyProblem, type WireMessage } from "./strict-history.ts";

/**
 * Which step answers is read from the request alone, so a client that was killed and asks again gets the same answer:
 * the task by the last user message, the step by the number of assistant messages after it.
 * - steps: every task is answered with them
 * - lists of steps: the n-th user message gets the n-th list
 * - `{when, steps}`: the first whose `when` is part of the last user message
 * User messages that `coder` itself adds (context, notes, shell commands) are no tasks; what a person says in between is.
 */
export type Script =
  | readonly Step[]
  | readonly (readonly Step[])[]
  | readonly { readonly when: string; readonly steps: readonly Step[] }[];

interface RecordedRequest {
  readonly task: number;
  readonly step: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: ChatRequest;
  /** Why it was refused, when it was. */
  readonly problem: string | null;
}

interface ChatRequest {
  readonly model: string;
  readonly messages: readonly WireMessage[];
  readonly tools?: readonly unknown[];
  readonly [more: string]: unknown;
}

export interface ScriptedServer extends Disposable {
  /** With `/v1`, as a base URL is configured. */
  readonly url: string;
  /** The newest 1,000; empty when recording is off. */
  readonly requests: readonly RecordedRequest[];
  /** Requests whose connection is still open. */
  readonly open: number;
  stop(): void;
}

const maxRecorded = 1_000;

export function startScriptedServer(script: Script, options: { port?: number; record?: boolean } = {}): ScriptedServer {
  const pick = chooser(script);
  const requests: RecordedRequest[] = [];
  const asked = new Map<string, number>();

  const answer = async (request: Request, port: number): Promise<Response> => {
    const body = (await request.json()) as ChatRequest;
    const problem = historyProblem(body.messages);
    const place = placeOf(body.messages ?? []);
    if (options.record !== false) {
      requests.push({ ...place, headers: Object.fromEntries(request.headers), body, problem });
      if (requests.length > maxRecorded) requests.shift();
    }
    if (problem !== null) return refuse(problem);
    const found = pick(place.task, place.text, place.step);
    if (found === undefined) return refuse(`the script has no step ${place.step} for task ${place.task}`);
    const key = `${place.task}/${place.step}`;
    const count = (asked.get(key) ?? 0) + 1;
    if (found.times !== undefined) asked.set(key, count);
    const step = count > (found.times ?? Number.POSITIVE_INFINITY) ? withoutFaults(found) : found;
    return await respond(step, body.model, `${place.task}_${place.step}`, { signal: request.signal, port });
  };

  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: options.port ?? 0,
    idleTimeout: 0,
    async fetch(request, own): Promise<Response> {
      const { pathname } = new URL(request.url);
      if (request.method === "GET" && pathname === "/requests") return Response.json(requests);
      if (request.method !== "POST" || !pathname.endsWith("/chat/completions")) return refuse(`no ${pathname}`, 404);
      return await answer(request, own.requestIP(request)?.port ?? 0);
    },
  });
  const stop = (): void => void server.stop(true);
  return {
    url: `${server.url.href}v1`,
    requests,
    get open() {
      return server.pendingRequests;
    },
    stop,
    [Symbol.dispose]: stop,
  };
}

/** Who waits for an answer. */
interface Asking {
  readonly signal: AbortSignal;
  readonly port: number;
}

function refuse(message: string, status = 400): Response {
  return Response.json({ error: { message, type: "invalid_request_error", code: null } }, { status });
}

/** `task` and `step` count from 0; `text` is that of the task's user message. */
function placeOf(messages: readonly WireMessage[]): { task: number; step: number; text: string } {
  let task = -1;
  let step = 0;
  let text = "";
  for (const { role, content } of messages) {
    if (role === "assistant") step++;
    else if (role === "user" && typeof content === "string" && !/^(<|\[coder\]|\[COMMAND\])/.test(content)) {
      task++;
      step = 0;
      text = content;
    }
  }
  return { task, step, text };
}

function chooser(script: Script): (task: number, text: string, step: number) => Step | undefined {
  const expand = (steps: readonly Step[]): readonly Step[] =>
    steps.flatMap((step) => Array<Step>(step.repeat ?? 1).fill(step));
  if (script.length > 0 && script.every((entry) => Array.isArray(entry))) {
    const tasks = (script as readonly (readonly Step[])[]).map(expand);
    return (task, _, step) => tasks[task]?.[step];
  }
  if (script.length > 0 && script.every((entry) => "steps" in entry)) {
    const tasks = (script as readonly { when: string; steps: readonly Step[] }[]).map(({ when, steps }) => ({
      when,
      steps: expand(steps),
    }));
    return (_, text, step) => tasks.find(({ when }) => text.includes(when))?.steps[step];
  }
  const steps = expand(script as readonly Step[]);
  return (_, __, step) => steps[step];
}

async function respond(step: Step, model: string, unique: string, { signal, port }: Asking): Promise<Response> {
  if (step.delayMs !== undefined) await pause(step.delayMs, signal);
  const status = step.status ?? 200;
  const type = status === 200 ? "text/event-stream" : "application/json";
  const init = { status, headers: { "content-type": type, ...step.headers } };
  const rendered = step.body === undefined ? renderReply(step, model, unique) : [step.body];
  const isPlain = (step.chunkBytes ?? step.chunkDelayMs ?? step.stallAfter ?? step.closeAfter) === undefined;
  if (isPlain) return new Response(rendered.join(""), init);
  const chunks = step.chunkBytes === undefined ? rendered : splitBytes(rendered, step.chunkBytes);
  return new Response(chunked(chunks, step, { signal, port }), init);
}

/** One write per chunk. */
function chunked(chunks: readonly (string | Uint8Array)[], step: Step, { signal, port }: Asking): ReadableStream {
  let at = 0;
  return new ReadableStream({
    async pull(controller) {
      if (at === step.closeAfter) {
        // A broken connection takes along what a busy client has not read yet.
        await pause(100, signal);
        await clientHasRead(port);
        // Without a reason, because Bun prints one.
        return controller.error(undefined);
      }
      if (at === step.stallAfter) {
        // Bun sends the headers with the first bytes only.
        if (at === 0) controller.enqueue(": nothing yet\n\n");
        return await pause(Number.POSITIVE_INFINITY, signal);
      }
      if (at > 0) await pause(step.chunkDelayMs ?? 0, signal);
      const chunk = chunks[at++];
      if (chunk === undefined) controller.close();
      else controller.enqueue(chunk);
    },
  });
}

/** Ends early when the client is gone. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  if (ms === 0) return await new Promise<void>((resolve) => setImmediate(resolve));
  const { promise, resolve } = Promise.withResolvers<void>();
  const wake = (): void => resolve();
  signal.addEventListener("abort", wake, { once: true });
  const timer = Number.isFinite(ms) ? setTimeout(wake, ms) : undefined;
  await promise;
  clearTimeout(timer);
  signal.removeEventListener("abort", wake);
}

if (import.meta.main) {
  const { values } = (await import("node:util")).parseArgs({
    options: { script: { type: "string" }, port: { type: "string" }, "no-record": { type: "boolean" } },
  });
  if (values.script === undefined)
    throw new Error("usage: scripted-server.ts --script file.json [--port N] [--no-record]");
  const script = (await Bun.file(values.script).json()) as Script;
  const server = startScriptedServer(script, { port: Number(values.port ?? 0), record: values["no-record"] !== true });
  process.stdout.write(`${server.url}\n`);
}
