// Events and bodies are constructed from Anthropic's public documentation of the messages API, not recorded.
import { expect, test } from "bun:test";
import type { ModelMessage } from "../../../src/contract/message.ts";
import { bodiesOf, deltasOf, replyOf, requestOf } from "../../support/model-calls.ts";
import { type SseModel, startSseModel } from "../../support/sse-model.ts";

const start = {
  type: "message_start",
  message: {
    id: "msg_1",
    model: "claude",
    content: [],
    usage: { input_tokens: 10, cache_read_input_tokens: 80, cache_creation_input_tokens: 5 },
  },
};
const open = (index: number, content_block: unknown) => ({ type: "content_block_start", index, content_block });
const piece = (index: number, delta: unknown) => ({ type: "content_block_delta", index, delta });
const close = (index: number) => ({ type: "content_block_stop", index });
const ending = (stop_reason: string) => [
  { type: "message_delta", delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 7 } },
  { type: "message_stop" },
];
const text = (index: number, words: string) => [
  open(index, { type: "text", text: "" }),
  piece(index, { type: "text_delta", text: words }),
  close(index),
];
const done = [start, ...text(0, "ok"), ...ending("end_turn")];

const claude = (
  events: string | readonly unknown[],
  more: Parameters<typeof startSseModel>[2] = {},
): Promise<SseModel> => startSseModel("anthropic", { events }, more);
const tools = [
  { name: "read", description: "Reads.", schema: { type: "object", properties: {} } },
  { name: "list", description: "Lists.", schema: { type: "object", properties: {} } },
];
const cached = { cache_control: { type: "ephemeral" } };

test("[MD-1] thinking with its signature, redacted thinking, text and calls arrive as parts in their order", async () => {
  using model = await claude([
    start,
    open(0, { type: "thinking", thinking: "", signature: "" }),
    piece(0, { type: "thinking_delta", thinking: "Hm." }),
    piece(0, { type: "signature_delta", signature: "sig-1" }),
    close(0),
    open(1, { type: "redacted_thinking", data: "opaque" }),
    close(1),
    { type: "ping" },
    ...text(2, "I read."),
    open(3, { type: "tool_use", id: "toolu_1", name: "read", input: {} }),
    piece(3, { type: "input_json_delta", partial_json: '{"path"' }),
    piece(3, { type: "input_json_delta", partial_json: ':"a"}' }),
    close(3),
    ...ending("tool_use"),
  ]);
  expect(bodiesOf(await deltasOf(model.port, requestOf({ tools })))).toEqual([
    { kind: "start" },
    { kind: "thinking", text: "Hm.", block: 0 },
    { kind: "thinking", text: "", block: 0, meta: { anthropic: { signature: "sig-1" } } },
    { kind: "thinking", text: "", block: 1, meta: { anthropic: { redactedData: "opaque" } } },
    { kind: "text", text: "I read.", block: 2 },
    { kind: "tool_call_start", ordinal: 0, providerId: "toolu_1", tool: "read" },
    { kind: "tool_call_args", ordinal: 0, text: '{"path"' },
    { kind: "tool_call_args", ordinal: 0, text: ':"a"}' },
    { kind: "tool_call_end", ordinal: 0 },
    { kind: "usage", usage: { input: 95, output: 7, cachedInput: 80, writtenInput: 5, reasoning: 0 } },
    { kind: "done", finish: "tool_calls" },
  ]);
});

test("[MD-1] the request is whole: path, key, version, limit, tools, system text with its cache mark, ids in headers", async () => {
  using model = await claude(done);
  expect(replyOf(await deltasOf(model.port, requestOf({ tools }))).text).toBe("ok");
  const { path, headers, body } = model.requests[0]!;
  expect(path).toBe("/v1/messages");
  const names = ["x-api-key", "anthropic-version", "anthropic-beta", "authorization", "x-session-id", "x-coder-call"];
  expect(names.map((name) => headers.get(name))).toEqual(["my-own-key", "2023-06-01", null, null, "abcd-efgh", "r1/1"]);
  expect(body).toEqual({
    model: "tiny",
    stream: true,
    // A fifth of the window of 32,000.
    max_tokens: 6_400,
    metadata: { user_id: "abcd-efgh" },
    system: [{ type: "text", text: "You are a test.", ...cached }],
    messages: [{ role: "user", content: [{ type: "text", text: "go", ...cached }] }],
    tools: tools.map(({ name, description, schema }) => ({ name, description, input_schema: schema })),
  });
});

const own: ModelMessage = {
  role: "assistant",
  text: "I read.",
  thinking: "Hm.",
  by: "local/tiny",
  parts: [
    { kind: "thinking", length: 3, meta: { anthropic: { signature: "sig-1" } } },
    { kind: "thinking", length: 0, meta: { anthropic: { redactedData: "opaque" } } },
    { kind: "text", length: 7 },
    { kind: "call", ordinal: 0 },
    { kind: "call", ordinal: 1 },
  ],
  calls: [
    { id: "r1_1_1", tool: "read", input: { path: "a" } },
    { id: "r1_1_2", tool: "list", input: {} },
  ],
};
const results: readonly ModelMessage[] = [
  { role: "tool", id: "r1_1_1", tool: "read", text: "A" },
  { role: "tool", id: "r1_1_2", tool: "list", text: "" },
];

test("[MD-1] thinking goes back signed, in order, to the model that wrote it, and results stand in one message before the person's", async () => {
  using model = await claude(done);
  const messages = [
    { role: "user", text: "go" } as const,
    own,
    ...results,
    { role: "user", text: "and now?" } as const,
  ];
  await deltasOf(model.port, requestOf({ messages, tools }));
  expect(model.requests[0]!.body.messages).toEqual([
    { role: "user", content: [{ type: "text", text: "go", ...cached }] },
    {
      role: "assistant",
      content: [
        { type: "thinking", thinking: "Hm.", signature: "sig-1" },
        { type: "redacted_thinking", data: "opaque" },
        { type: "text", text: "I read." },
        { type: "tool_use", id: "r1_1_1", name: "read", input: { path: "a" } },
        { type: "tool_use", id: "r1_1_2", name: "list", input: {} },
      ],
    },
    {
      role: "user",
      content: [
        { type: "tool_result", tool_use_id: "r1_1_1", content: "A" },
        { type: "tool_result", tool_use_id: "r1_1_2", content: "(no output)" },
        { type: "text", text: "and now?", ...cached },
      ],
    },
  ]);
});

test("[MD-1] another model is shown neither thinking nor signatures", async () => {
  using model = await claude(done);
  await deltasOf(
    model.port,
    requestOf({ messages: [{ role: "user", text: "go" }, { ...own, by: "local/other" }, ...results], tools }),
  );
  const [, assistant] = model.requests[0]!.body.messages as { content: unknown }[];
  expect(assistant?.content).toEqual([
    { type: "text", text: "I read." },
    { type: "tool_use", id: "r1_1_1", name: "read", input: { path: "a" } },
    { type: "tool_use", id: "r1_1_2", name: "list", input: {} },
  ]);
});

test("[CX-1] a longer history begins with the same bytes, marks aside, and never has more than four marks", async () => {
  using model = await claude(done);
  const history: ModelMessage[] = [{ role: "user", text: "go" }];
  for (let step = 1; step <= 4; step++) {
    await deltasOf(model.port, requestOf({ messages: history, tools }));
    const id = `r1_${step}_1`;
    history.push({ role: "assistant", text: "", calls: [{ id, tool: "read", input: { step } }] });
    history.push({ role: "tool", id, tool: "read", text: `result ${step}` });
  }
  const bodies = model.requests.map(({ body }) => JSON.stringify({ system: body.system, messages: body.messages }));
  const marks = bodies.map((body) => body.split('"cache_control"').length - 1);
  expect(marks).toEqual([2, 3, 3, 3]);
  const bare = bodies.map((body) => body.replaceAll(',"cache_control":{"type":"ephemeral"}', "").slice(0, -2));
  expect(bare.map((body, at) => at === 0 || body.startsWith(bare[at - 1]!))).toEqual([true, true, true, true]);
});

test("an image goes into its result; a model that takes none is told so in a line", async () => {
  const png = { hash: "aa", mediaType: "image/png", bytes: 3, width: 1, height: 1 } as const;
  const messages: readonly ModelMessage[] = [
    { role: "user", text: "look" },
    { role: "assistant", text: "", calls: [{ id: "r1_1_1", tool: "read", input: {} }] },
    { role: "tool", id: "r1_1_1", tool: "read", text: "a picture", images: [png, { ...png, hash: "gone" }] },
  ];
  const imageBytes = (hash: string) => (hash === "aa" ? new Uint8Array([1, 2, 3]) : null);
  const contents: unknown[] = [];
  for (const takesImages of [true, false]) {
    using model = await claude(done, { choice: { takesImages } });
    await deltasOf(model.port, requestOf({ messages, imageBytes, tools }));
    contents.push((model.requests[0]!.body.messages as { content: { content: unknown }[] }[])[2]?.content[0]?.content);
  }
  expect(contents).toEqual([
    [
      { type: "text", text: "a picture\n[coder] An image is no longer there." },
      { type: "image", source: { type: "base64", media_type: "image/png", data: "AQID" } },
    ],
    "a picture\n[coder] This model takes no images: they are left out.",
  ]);
});

const ends: readonly (readonly [reason: string, finish: string])[] = [
  ["end_turn", "stop"],
  ["stop_sequence", "stop"],
  ["max_tokens", "length"],
  ["model_context_window_exceeded", "length"],
  ["refusal", "refused"],
  ["pause_turn", "other"],
  ["something_new", "other"],
];
test.each(ends)("[MD-1] the stop reason %s is the end %s", async (reason, finish) => {
  using model = await claude([start, ...text(0, "x"), ...ending(reason)]);
  expect(replyOf(await deltasOf(model.port)).finish).toBe(finish as "stop");
});

test("[MD-7] unknown events, blocks and pieces are passed over, also in front", async () => {
  using model = await claude([
    { type: "mood", level: 3 },
    start,
    open(0, { type: "hologram", data: 1 }),
    piece(0, { type: "text_delta", text: "not shown" }),
    close(0),
    open(1, { type: "text", text: "early " }),
    piece(1, { type: "scent_delta", scent: "rose" }),
    piece(1, { type: "text_delta", text: "late" }),
    close(1),
    ...ending("end_turn"),
    { type: "mood", level: 4 },
  ]);
  const { text: said, finish, failure } = replyOf(await deltasOf(model.port));
  expect({ said, finish, failure }).toEqual({ said: "early late", finish: "stop", failure: null });
});

test("calls without ids, or with all the same, are calls of their own", async () => {
  const call = (index: number, id: unknown) => [
    open(index, { type: "tool_use", id, name: "read", input: {} }),
    piece(index, { type: "input_json_delta", partial_json: `{"n":${index}}` }),
    close(index),
  ];
  using model = await claude([
    start,
    ...call(0, "same"),
    ...call(1, "same"),
    ...call(2, undefined),
    ...ending("tool_use"),
  ]);
  expect(replyOf(await deltasOf(model.port, requestOf({ tools }))).calls).toEqual([
    { ordinal: 0, providerId: "same", tool: "read", args: '{"n":0}' },
    { ordinal: 1, providerId: null, tool: "read", args: '{"n":1}' },
    { ordinal: 2, providerId: null, tool: "read", args: '{"n":2}' },
  ]);
});

test("the person's limit of a reply and one call at a time are asked for", async () => {
  using model = await claude(done, { quirks: { parallelCalls: false, metadata: false }, choice: { maxOutput: 99 } });
  await deltasOf(model.port, requestOf({ tools, system: "" }));
  const { max_tokens, metadata, tool_choice, tools: sent, system } = model.requests[0]!.body;
  expect({ max_tokens, metadata, tool_choice, system, marked: JSON.stringify(sent).includes("cache_control") }).toEqual(
    {
      max_tokens: 99,
      metadata: undefined,
      tool_choice: { type: "auto", disable_parallel_tool_use: true },
      system: undefined,
      marked: true,
    },
  );
});
