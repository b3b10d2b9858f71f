// Chunks and bodies are constructed from Google's public documentation of the Gemini API, not recorded.
import { expect, test } from "bun:test";
import type { ModelMessage } from "../../../src/contract/message.ts";
import { openModel } from "../../../src/model/open.ts";
import { bodiesOf, choiceAt, deltasOf, replyOf, requestOf } from "../../support/model-calls.ts";
import { type SseModel, sse, startSseModel } from "../../support/sse-model.ts";
import { startAttackServer } from "../../support/wire/attack-server.ts";

const chunk = (parts: readonly unknown[], finishReason?: string, rest: object = {}) => ({
  candidates: [{ content: { role: "model", parts }, index: 0, ...(finishReason ? { finishReason } : {}) }],
  ...rest,
});
const usageMetadata = {
  promptTokenCount: 90,
  cachedContentTokenCount: 64,
  candidatesTokenCount: 8,
  thoughtsTokenCount: 12,
  totalTokenCount: 110,
};
const done = [chunk([{ text: "ok" }], "STOP")];
const gemini = (
  events: string | readonly unknown[],
  more: Parameters<typeof startSseModel>[2] = {},
): Promise<SseModel> =>
  startSseModel("google", { events }, { name: "gemini-3-pro", choice: { ref: "google/gemini-3-pro" }, ...more });
const tools = [{ name: "read", description: "Reads.", schema: { type: "object", properties: {} } }];

test("[MD-1] thoughts, text and calls arrive as parts in their order, with their signatures", async () => {
  using model = await gemini([
    chunk([{ text: "Hm.", thought: true }]),
    chunk([{ text: "I " }]),
    chunk([{ text: "read.", thoughtSignature: "t" }]),
    chunk([{ functionCall: { name: "read", args: { path: "a" } }, thoughtSignature: "c" }]),
    chunk([{ functionCall: { id: "f2", name: "read", args: {} } }]),
    chunk([{ text: "", thoughtSignature: "last" }], "STOP", { usageMetadata }),
  ]);
  const meta = (thoughtSignature: string) => ({ meta: { google: { thoughtSignature } } });
  expect(bodiesOf(await deltasOf(model.port, requestOf({ tools })))).toEqual([
    { kind: "start" },
    { kind: "thinking", text: "Hm.", block: 0 },
    { kind: "text", text: "I ", block: 1 },
    { kind: "text", text: "read.", block: 1, ...meta("t") },
    { kind: "tool_call_start", ordinal: 0, providerId: null, tool: "read" },
    { kind: "tool_call_args", ordinal: 0, text: '{"path":"a"}' },
    { kind: "tool_call_end", ordinal: 0, ...meta("c") },
    { kind: "tool_call_start", ordinal: 1, providerId: "f2", tool: "read" },
    { kind: "tool_call_args", ordinal: 1, text: "{}" },
    { kind: "tool_call_end", ordinal: 1 },
    { kind: "text", text: "", block: 2, ...meta("last") },
    { kind: "usage", usage: { input: 90, output: 20, cachedInput: 64, reasoning: 12 } },
    { kind: "done", finish: "tool_calls" },
  ]);
});

test("[MD-1] the request is whole: path, key, system text, tools, thoughts asked for, ids in headers", async () => {
  using model = await gemini(done);
  expect(replyOf(await deltasOf(model.port, requestOf({ tools }))).text).toBe("ok");
  const { path, headers, body } = model.requests[0]!;
  expect(path).toBe("/v1/models/gemini-3-pro:streamGenerateContent?alt=sse");
  const names = ["x-goog-api-key", "authorization", "x-session-id", "x-coder-call"];
  expect(names.map((name) => headers.get(name))).toEqual(["my-own-key", null, "abcd-efgh", "r1/1"]);
  expect(body).toEqual({
    generationConfig: { thinkingConfig: { includeThoughts: true } },
    systemInstruction: { parts: [{ text: "You are a test." }] },
    contents: [{ role: "user", parts: [{ text: "go" }] }],
    tools: [
      { functionDeclarations: [{ name: "read", description: "Reads.", parametersJsonSchema: tools[0]?.schema }] },
    ],
  });
});

const own: ModelMessage = {
  role: "assistant",
  text: "I read.",
  thinking: "Hm.",
  by: "google/gemini-3-pro",
  parts: [
    { kind: "thinking", length: 3 },
    { kind: "text", length: 7, meta: { google: { thoughtSignature: "t" } } },
    { kind: "call", ordinal: 0, meta: { google: { thoughtSignature: "c" } } },
    { kind: "call", ordinal: 1 },
    { kind: "text", length: 0, meta: { google: { thoughtSignature: "last" } } },
  ],
  calls: [
    { id: "r1_1_1", tool: "read", input: { path: "a" } },
    { id: "r1_1_2", tool: "read", input: {} },
  ],
};
const history: readonly ModelMessage[] = [
  { role: "user", text: "go" },
  { role: "user", text: "[coder] a note" },
  own,
  { role: "tool", id: "r1_1_1", tool: "read", text: "A" },
  { role: "tool", id: "r1_1_2", tool: "read", text: "B" },
  { role: "user", text: "and now?" },
];
const answer = (id: string, content: string) => ({
  functionResponse: { id, name: "read", response: { name: "read", content } },
});

test("[MD-1] signatures go back with their parts, results of a step together, and the two sides take turns", async () => {
  using model = await gemini(done);
  await deltasOf(model.port, requestOf({ messages: history, tools }));
  expect(model.requests[0]!.body.contents).toEqual([
    { role: "user", parts: [{ text: "go" }, { text: "[coder] a note" }] },
    {
      role: "model",
      parts: [
        { text: "I read.", thoughtSignature: "t" },
        { functionCall: { id: "r1_1_1", name: "read", args: { path: "a" } }, thoughtSignature: "c" },
        { functionCall: { id: "r1_1_2", name: "read", args: {} } },
        { text: "", thoughtSignature: "last" },
      ],
    },
    { role: "user", parts: [answer("r1_1_1", "A"), answer("r1_1_2", "B"), { text: "and now?" }] },
  ]);
});

test("[MD-1] another model is shown no signature, and an older one asks for no thoughts", async () => {
  using model = await gemini(done, { name: "gemini-2.0-flash", choice: { ref: "google/gemini-2.0-flash" } });
  await deltasOf(model.port, requestOf({ messages: history, tools }));
  const { contents, generationConfig } = model.requests[0]!.body;
  expect(generationConfig).toEqual({});
  expect((contents as unknown[])[1]).toEqual({
    role: "model",
    parts: [
      { text: "I read." },
      { functionCall: { id: "r1_1_1", name: "read", args: { path: "a" } } },
      { functionCall: { id: "r1_1_2", name: "read", args: {} } },
    ],
  });
});

test("an image goes into its result, or behind it where the model is older", async () => {
  const images = [{ hash: "aa", mediaType: "image/png", bytes: 3, width: 1, height: 1 }] as const;
  const messages: readonly ModelMessage[] = [
    { role: "user", text: "look" },
    { role: "assistant", text: "", calls: [{ id: "r1_1_1", tool: "read", input: {} }] },
    { role: "tool", id: "r1_1_1", tool: "read", text: "A", images },
  ];
  const inline = { inlineData: { mimeType: "image/png", data: "AQID" } };
  const sent: unknown[] = [];
  for (const name of ["gemini-3-pro", "gemini-2.5-pro"]) {
    using model = await gemini(done, { name });
    await deltasOf(model.port, requestOf({ messages, imageBytes: () => new Uint8Array([1, 2, 3]), tools }));
    sent.push((model.requests[0]!.body.contents as { parts: unknown }[]).at(-1)?.parts);
  }
  const whole = answer("r1_1_1", "A");
  expect(sent).toEqual([
    [{ functionResponse: { ...whole.functionResponse, parts: [inline] } }],
    [whole, inline, { text: "Tool executed successfully and returned this image as a response" }],
  ]);
});

const ends: readonly (readonly [reason: string, finish: string])[] = [
  ["STOP", "stop"],
  ["MAX_TOKENS", "length"],
  ["CONTINUATION", "length"],
  ["SAFETY", "refused"],
  ["RECITATION", "refused"],
  ["PROHIBITED_CONTENT", "refused"],
  ["OTHER", "other"],
];
test.each(ends)("[MD-1] the finish reason %s is the end %s, after one request", async (reason, finish) => {
  using model = await gemini([
    { candidates: [{ ...chunk([{ text: "x" }], reason).candidates[0], continuationToken: "more" }] },
  ]);
  expect(replyOf(await deltasOf(model.port)).finish).toBe(finish as "stop");
  expect(model.requests.length).toBe(1);
});

test("[MD-1] a blocked request is refused, and a call that the server could not read is an error worth a retry", async () => {
  using blocked = await gemini([{ promptFeedback: { blockReason: "SAFETY" }, usageMetadata: { promptTokenCount: 5 } }]);
  using broken = await gemini([chunk([], "MALFORMED_FUNCTION_CALL")]);
  const failure = replyOf(await deltasOf(broken.port)).failure;
  expect([replyOf(await deltasOf(blocked.port)).finish, failure?.fault.kind, failure?.error.text.args?.detail]).toEqual(
    ["refused", "protocol", "MALFORMED_FUNCTION_CALL"],
  );
});

test("[MD-3] a server that calls every chunk the last is heard to its end, however slow it is", async () => {
  const [first, second, third] = ["Do ", "not ", "stop."].map((text) => sse(chunk([{ text }], "STOP")));
  // Longer than an open connection is waited for once all has been said.
  const writes = [sse(chunk([{ text: "" }], "STOP")), `${first}${second}`, `${third}`];
  await using server = await startAttackServer(() => ({ writes, pauseMs: 1_100 }));
  const port = await openModel(choiceAt(server.url, { protocol: "google" }), { idleMs: 5_000 });
  expect(replyOf(await deltasOf(port)).text).toBe("Do not stop.");
}, 120_000);

test("[MD-4] the wait that Google names in the body of a 429 is honoured, and a refused key is told as one", async () => {
  const exhausted = {
    error: {
      code: 429,
      message: "Quota exceeded.",
      status: "RESOURCE_EXHAUSTED",
      details: [
        { "@type": "type.googleapis.com/google.rpc.QuotaFailure" },
        { "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "34.5s" },
      ],
    },
  };
  const badKey = {
    error: {
      code: 400,
      message: "API key not valid.",
      status: "INVALID_ARGUMENT",
      details: [{ "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason: "API_KEY_INVALID" }],
    },
  };
  const faults: unknown[] = [];
  for (const [status, body] of [
    [429, exhausted],
    [400, badKey],
  ] as const) {
    using model = await startSseModel("google", { status, events: JSON.stringify(body) });
    faults.push(replyOf(await deltasOf(model.port)).failure?.fault);
  }
  expect(faults).toEqual([
    { kind: "busy", retryAfterMs: 34_500 },
    { kind: "auth", retryAfterMs: null },
  ]);
});
