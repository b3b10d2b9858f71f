// Calls of a model port as the tests make them.
import type { DeltaBody, MessageDelta, ModelPort, ModelRequest } from "../../src/contract/delta.ts";
import type { ModelChoice, Provider } from "../../src/contract/settings.ts";
import { accumulate, emptyReply, type ReplySnapshot, snapshot } from "../../src/model/reply/accumulate.ts";

export function choiceAt(url: string, provider: Partial<Provider> = {}): ModelChoice {
  return {
    ref: "local/tiny",
    name: "tiny",
    contextWindow: 32_000,
    takesImages: true,
    provider: {
      name: "local",
      protocol: "openai-chat",
      baseUrl: url,
      apiKey: null,
      apiKeyEnv: ["LOCAL_API_KEY"],
      needsKey: false,
      headers: {},
      ...provider,
    },
  };
}

export function requestOf(more: Partial<ModelRequest> = {}): ModelRequest {
  return {
    sessionId: "abcd-efgh",
    runId: "r1",
    modelCallIndex: 1,
    attempt: 1,
    system: "You are a test.",
    messages: [{ role: "user", text: "go" }],
    tools: [],
    imageBytes: () => null,
    ...more,
  };
}

/** All deltas of one call, in order. */
export async function deltasOf(
  port: ModelPort,
  request: ModelRequest = requestOf(),
  signal: AbortSignal = new AbortController().signal,
): Promise<readonly MessageDelta[]> {
  const deltas: MessageDelta[] = [];
  for await (const delta of port.stream(request, signal)) deltas.push(delta);
  return deltas;
}

/** The bodies alone, after making sure that the frame around them is right. */
export function bodiesOf(deltas: readonly MessageDelta[], request: ModelRequest = requestOf()): readonly DeltaBody[] {
  const { runId, modelCallIndex, attempt } = request;
  return deltas.map((delta, at) => {
    const { runId: run, modelCallIndex: index, attempt: tried, seq, ...body } = delta;
    const frame = { run, index, tried, seq };
    const expected = { run: runId, index: modelCallIndex, tried: attempt, seq: at };
    if (!Bun.deepEquals(frame, expected)) throw new Error(`delta ${at} has the frame ${JSON.stringify(frame)}`);
    return body;
  });
}

export function replyOf(deltas: readonly MessageDelta[], request: ModelRequest = requestOf()): ReplySnapshot {
  const reply = emptyReply(request.runId, request.modelCallIndex, request.attempt);
  for (const delta of deltas) accumulate(reply, delta);
  return snapshot(reply);
}
