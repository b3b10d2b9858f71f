// Events and bodies are constructed from OpenAI's public documentation of the responses API, not recorded.
import { expect, test } from "bun:test";
import type { ModelMessage } from "../../../src/contract/message.ts";
import { bodiesOf, deltasOf, replyOf, requestOf } from "../../support/model-calls.ts";
import { type SseModel, startSseModel } from "../../support/sse-model.ts";

let number = 0;
const event = (type: string, rest: object) => ({ type, sequence_number: number++, ...rest });
const message = (output_index: number, words: string, phase?: string) => {
  const item = { id: `msg_${output_index}`, type: "message", role: "assistant", ...(phase ? { phase } : {}) };
  const place = { item_id: item.id, output_index, content_index: 0 };
  return [
    event("response.output_item.added", { output_index, item: { ...item, content: [] } }),
    event("response.output_text.delta", { ...place, delta: words }),
    event("response.output_text.done", { ...place, text: words }),
    event("response.output_item.done", {
      output_index,
      item: { ...item, content: [{ type: "output_text", text: words }] },
    }),
  ];
};
const completed = (rest: object = {}) =>
  event("response.completed", { response: { id: "resp_1", status: "completed", output: [], usage: null, ...rest } });
const usage = {
  input_tokens: 90,
  input_tokens_details: { cached_tokens: 64 },
  output_tokens: 20,
  output_tokens_details: { reasoning_tokens: 12 },
  total_tokens: 110,
};
const done = [...message(0, "ok"), completed()];

const gpt = (events: string | readonly unknown[], more: Parameters<typeof startSseModel>[2] = {}): Promise<SseModel> =>
  startSseModel("openai-responses", { events }, { name: "gpt-5", choice: { ref: "openai/gpt-5" }, ...more });
const tools = [{ name: "read", description: "Reads.", schema: { type: "object", properties: {} } }];

const reasoning = { id: "rs_1", type: "reasoning", summary: [] };
const thoughts = [
  event("response.created", { response: { id: "resp_1" } }),
  event("response.output_item.added", { output_index: 0, item: { ...reasoning, encrypted_content: "half" } }),
  event("response.reasoning_summary_part.added", { item_id: "rs_1", output_index: 0, summary_index: 0 }),
  event("response.reasoning_summary_text.delta", { item_id: "rs_1", output_index: 0, summary_index: 0, delta: "One." }),
  event("response.reasoning_summary_part.done", { item_id: "rs_1", output_index: 0, summary_index: 0 }),
  event("response.reasoning_summary_part.added", { item_id: "rs_1", output_index: 0, summary_index: 1 }),
  event("response.reasoning_summary_text.delta", { item_id: "rs_1", output_index: 0, summary_index: 1, delta: "Two." }),
  event("response.reasoning_summary_part.done", { item_id: "rs_1", output_index: 0, summary_index: 1 }),
  event("response.output_item.done", { output_index: 0, item: { ...reasoning, encrypted_content: "whole" } }),
];
const called = { id: "fc_1", type: "function_call", call_id: "call_1", name: "read", arguments: '{"path":"a"}' };
const calling = [
  event("response.output_item.added", { output_index: 2, item: { ...called, arguments: "" } }),
  event("response.function_call_arguments.delta", { item_id: "fc_1", output_index: 2, delta: '{"path":"a"}' }),
  event("response.function_call_arguments.done", { item_id: "fc_1", output_index: 2, arguments: '{"path":"a"}' }),
  event("response.output_item.done", { output_index: 2, item: { ...called, status: "completed" } }),
];

test("[MD-1] reasoning with what goes back encrypted, text with its phase and calls arrive as parts in their order", async () => {
  using model = await gpt([...thoughts, ...message(1, "I read.", "commentary"), ...calling, completed({ usage })]);
  const deltas = await deltasOf(model.port, requestOf({ tools }));
  expect(bodiesOf(deltas).filter(({ kind }) => kind !== "text" && kind !== "thinking")).toEqual([
    { kind: "start" },
    { kind: "tool_call_start", ordinal: 0, providerId: "call_1", tool: "read" },
    { kind: "tool_call_args", ordinal: 0, text: '{"path":"a"}' },
    { kind: "tool_call_end", ordinal: 0 },
    { kind: "usage", usage: { input: 90, output: 20, cachedInput: 64, reasoning: 12 } },
    { kind: "done", finish: "tool_calls" },
  ]);
  const { text, thinking, parts } = replyOf(deltas);
  expect({ text, thinking, parts }).toEqual({
    text: "I read.",
    thinking: "One.Two.",
    parts: [
      { kind: "thinking", length: 4, meta: { openai: { itemId: "rs_1", reasoningEncryptedContent: "half" } } },
      { kind: "thinking", length: 4, meta: { openai: { itemId: "rs_1", reasoningEncryptedContent: "whole" } } },
      { kind: "text", length: 7, meta: { openai: { phase: "commentary" } } },
      { kind: "call", ordinal: 0 },
    ],
  });
});

test("[MD-1] the request is whole: nothing kept on the server, reasoning encrypted, cache key, ids as metadata", async () => {
  using model = await gpt(done, { quirks: { reasoningSummary: true } });
  expect(replyOf(await deltasOf(model.port, requestOf({ tools }))).text).toBe("ok");
  const { path, headers, body } = model.requests[0]!;
  expect([path, headers.get("authorization"), headers.get("x-coder-call")]).toEqual([
    "/v1/responses",
    "Bearer my-own-key",
    "r1/1",
  ]);
  expect(body).toEqual({
    model: "gpt-5",
    stream: true,
    store: false,
    include: ["reasoning.encrypted_content"],
    reasoning: { summary: "auto" },
    prompt_cache_key: "abcd-efgh",
    metadata: { session_id: "abcd-efgh", run_id: "r1", model_call_index: "1" },
    input: [
      { role: "developer", content: "You are a test." },
      { role: "user", content: [{ type: "input_text", text: "go" }] },
    ],
    tools: [{ type: "function", name: "read", description: "Reads.", parameters: tools[0]?.schema, strict: false }],
  });
});

const own = (encrypted: boolean): ModelMessage => ({
  role: "assistant",
  text: "I read.",
  thinking: "One.Two.",
  by: "openai/gpt-5",
  parts: [
    { kind: "thinking", length: 4, meta: { openai: { itemId: "rs_1" } } },
    {
      kind: "thinking",
      length: 4,
      meta: { openai: { itemId: "rs_1", ...(encrypted ? { reasoningEncryptedContent: "whole" } : {}) } },
    },
    { kind: "text", length: 7, meta: { openai: { phase: "commentary" } } },
    { kind: "call", ordinal: 0 },
  ],
  calls: [{ id: "r1_1_1", tool: "read", input: { path: "a" } }],
});
const result: ModelMessage = { role: "tool", id: "r1_1_1", tool: "read", text: "A" };
const go: ModelMessage = { role: "user", text: "go" };
const replayed = [
  { role: "assistant", content: "I read.", phase: "commentary" },
  { type: "function_call", call_id: "r1_1_1", name: "read", arguments: '{"path":"a"}' },
  { type: "function_call_output", call_id: "r1_1_1", output: "A" },
];

test("[MD-1] reasoning goes back as one item, encrypted, before what followed it; unencrypted it stays here", async () => {
  const inputs: unknown[] = [];
  for (const encrypted of [true, false]) {
    using model = await gpt(done);
    await deltasOf(model.port, requestOf({ messages: [go, own(encrypted), result], tools }));
    inputs.push((model.requests[0]!.body.input as unknown[]).slice(2));
  }
  const summary = ["One.", "Two."].map((text) => ({ type: "summary_text", text }));
  expect(inputs).toEqual([
    [{ type: "reasoning", id: "rs_1", encrypted_content: "whole", summary }, ...replayed],
    replayed,
  ]);
});

test("[MD-1] a model that sent encrypted reasoning is asked for more of it, whatever its name", async () => {
  using model = await gpt(done, { name: "tiny" });
  await deltasOf(model.port, requestOf({ messages: [go] }));
  await deltasOf(model.port, requestOf({ messages: [go, own(true), result] }));
  expect(model.requests.map(({ body }) => body.include)).toEqual([undefined, ["reasoning.encrypted_content"]]);
});

test("[MD-1] another model is shown neither reasoning nor phases", async () => {
  using model = await gpt(done);
  await deltasOf(
    model.port,
    requestOf({ messages: [go, { ...own(true), by: "openai/gpt-4o" } as ModelMessage, result], tools }),
  );
  expect((model.requests[0]!.body.input as unknown[]).slice(2)).toEqual([
    { role: "assistant", content: "I read." },
    ...replayed.slice(1),
  ]);
});

test("an image goes into its result as a data URL", async () => {
  using model = await gpt(done);
  const images = [{ hash: "aa", mediaType: "image/png", bytes: 3, width: 1, height: 1 }] as const;
  const call: ModelMessage = { role: "assistant", text: "", calls: [{ id: "r1_1_1", tool: "read", input: {} }] };
  const imageBytes = () => new Uint8Array([1, 2, 3]);
  await deltasOf(
    model.port,
    requestOf({ messages: [go, call, { ...result, images } as ModelMessage], imageBytes, tools }),
  );
  expect((model.requests[0]!.body.input as { output?: unknown }[]).at(-1)?.output).toEqual([
    { type: "input_text", text: "A" },
    { type: "input_image", image_url: "data:image/png;base64,AQID" },
  ]);
});

test("[MD-1] a refusal, a filtered and a cut reply end as what they are", async () => {
  const place = { item_id: "msg_0", output_index: 0, content_index: 0 };
  const refusal = event("response.refusal.delta", { ...place, delta: "No." });
  const incomplete = (reason: string) =>
    event("response.incomplete", {
      response: { id: "r", status: "incomplete", incomplete_details: { reason }, usage: null },
    });
  const ends: unknown[] = [];
  for (const events of [
    [refusal, completed()],
    [...message(0, "x"), incomplete("content_filter")],
    [...message(0, "x"), incomplete("max_output_tokens")],
    [...message(0, "x"), incomplete("something_new")],
  ]) {
    using model = await gpt(events);
    const { text, finish } = replyOf(await deltasOf(model.port));
    ends.push([text, finish]);
  }
  expect(ends).toEqual([
    ["No.", "refused"],
    ["x", "refused"],
    ["x", "length"],
    ["x", "other"],
  ]);
});

test("[MD-2] an event that came before is dropped by its number; numbers that mean nothing are not looked at", async () => {
  const sent = [...message(0, "ab"), completed()];
  const twice = sent.flatMap((one) => [one, one]);
  const unnumbered = [...message(0, "ab"), completed()].map((one) => ({ ...one, sequence_number: 0 }));
  const texts: unknown[] = [];
  for (const events of [twice, unnumbered]) {
    using model = await gpt(events);
    texts.push(replyOf(await deltasOf(model.port)).text);
  }
  expect(texts).toEqual(["ab", "ab"]);
});

test("[MD-7] pieces that do not add up to their item are refused instead of believed", async () => {
  const [added, delta, , finished] = message(0, "abc");
  using model = await gpt([added, { ...delta, delta: "ac" }, finished, completed()]);
  expect(replyOf(await deltasOf(model.port)).failure?.error.text.key).toBe("model.unreadable");
});

test("[MD-7] a server that sends whole items only, or bare reasoning, is understood", async () => {
  const item = { id: "m", type: "message", content: [{ type: "output_text", text: "whole" }] };
  using model = await gpt([
    event("response.reasoning_text.delta", { item_id: "rs", output_index: 0, content_index: 0, delta: "raw thought" }),
    event("response.output_item.done", { output_index: 1, item }),
    event("response.output_item.done", { output_index: 2, item: { ...called, status: "completed" } }),
    completed(),
  ]);
  const { text, thinking, calls, finish } = replyOf(await deltasOf(model.port, requestOf({ tools })));
  expect({ text, thinking, calls, finish }).toEqual({
    text: "whole",
    thinking: "raw thought",
    calls: [{ ordinal: 0, providerId: "call_1", tool: "read", args: '{"path":"a"}' }],
    finish: "tool_calls",
  });
});

test("one call at a time and a limit of the reply are asked for, and extras left out where they are not taken", async () => {
  const quirks = { parallelCalls: false, cacheKey: false, metadata: false };
  using model = await gpt(done, { name: "tiny", quirks, choice: { maxOutput: 50 } });
  await deltasOf(model.port);
  expect(model.requests[0]!.body).toEqual({
    model: "tiny",
    stream: true,
    store: false,
    parallel_tool_calls: false,
    max_output_tokens: 50,
    input: [
      { role: "system", content: "You are a test." },
      { role: "user", content: [{ type: "input_text", text: "go" }] },
    ],
  });
});
