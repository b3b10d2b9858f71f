import type { ModelPort, ModelRequest } from "../contract/delta.ts";
import type { ErrorInfo } from "../contract/error.ts";
import type { Usage } from "../contract/message.ts";
import { accumulate, emptyReply, snapshot } from "./reply/accumulate.ts";

export interface TryOut {
  readonly error: ErrorInfo | null;
  readonly isCalled: boolean;
  readonly firstMs: number | null;
  readonly ms: number;
  readonly usage: Usage | null;
  readonly text: string;
}

const word = "ready";
const request: ModelRequest = {
  sessionId: "tryout",
  runId: "r0",
  modelCallIndex: 1,
  attempt: 1,
  system: "You are being tested. Answer only by calling the tool.",
  messages: [{ role: "user", text: `Call the tool report once, with state set to "${word}".` }],
  tools: [
    {
      name: "report",
      description: "Reports a state.",
      schema: {
        type: "object",
        properties: { state: { type: "string" } },
        required: ["state"],
        additionalProperties: false,
      },
    },
  ],
  imageBytes: () => null,
};

/** One real request: tests whether and how fast the model answers, and above all whether it can call a tool. */
export async function tryOut(port: ModelPort, signal: AbortSignal): Promise<TryOut> {
  const started = performance.now();
  const partial = emptyReply(request.runId, request.modelCallIndex, request.attempt);
  let firstMs: number | null = null;
  let error: ErrorInfo | null = null;
  for await (const delta of port.stream(request, signal)) {
    accumulate(partial, delta);
    if (delta.kind === "error") error = delta.error;
    else if (delta.kind !== "start") firstMs ??= performance.now() - started;
  }
  const { calls, usage, text } = snapshot(partial);
  const isCalled = calls.some(({ tool, args }) => tool === "report" && args.includes(word));
  return { error, isCalled, firstMs, ms: performance.now() - started, usage, text: text.slice(0, 200) };
}
