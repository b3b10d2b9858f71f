import { afterAll, expect, test } from "bun:test";
import type { ModelPort } from "../../../src/contract/delta.ts";
import type { ModelMessage } from "../../../src/contract/message.ts";
import { openModel } from "../../../src/model/open.ts";
import { bodiesOf, choiceAt, deltasOf, replyOf, requestOf } from "../../support/model-calls.ts";
import type { Step } from "../../support/scripted-reply.ts";
import { type ScriptedServer, startScriptedServer } from "../../support/scripted-server.ts";

const servers: ScriptedServer[] = [];
afterAll(() => {
  for (const server of servers) server.stop();
});

async function modelThat(...steps: readonly Step[]): Promise<{ port: ModelPort; server: ScriptedServer }> {
  const server = startScriptedServer(steps);
  servers.push(server);
  return { server, port: await openModel(choiceAt(server.url), { idleMs: 5_000 }) };
}

/** A stream of these chunks' JSON, each an event. */
const events = (...chunks: readonly unknown[]): Step => ({
  body: chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join(""),
});
const content = (delta: unknown, finish: string | null = null): unknown => ({
  choices: [{ index: 0, delta, finish_reason: finish }],
});
const call = (index: number | undefined, id: string | undefined, name: string | undefined, args: string): unknown => ({
  ...(index === undefined ? {} : { index }),
  ...(id === undefined ? {} : { id }),
  type: "function",
  function: { ...(name === undefined ? {} : { name }), arguments: args },
});

test("[MD-1] a reply becomes start, its parts, usage and done, numbered from 0 without a gap", async () => {
  const { port } = await modelThat({
    thinking: "think",
    text: "héllo",
    chunkChars: 3,
    calls: [
      { tool: "read", input: { path: "a" }, id: "id-1" },
      { tool: "list", input: {}, id: "id-2" },
    ],
    usage: { input: 100, output: 20, cached: 60, reasoning: 5 },
  });
  const request = requestOf({ runId: "r7", modelCallIndex: 4, attempt: 2 });
  expect(bodiesOf(await deltasOf(port, request), request)).toEqual([
    { kind: "start" },
    { kind: "thinking", text: "think" },
    { kind: "text", text: "héllo" },
    { kind: "tool_call_start", ordinal: 0, providerId: "id-1", tool: "read" },
    { kind: "tool_call_args", ordinal: 0, text: '{"path":"a"}' },
    { kind: "tool_call_start", ordinal: 1, providerId: "id-2", tool: "list" },
    { kind: "tool_call_args", ordinal: 1, text: "{}" },
    { kind: "tool_call_end", ordinal: 0 },
    { kind: "tool_call_end", ordinal: 1 },
    { kind: "usage", usage: { input: 100, output: 20, cachedInput: 60, reasoning: 5 } },
    { kind: "done", finish: "tool_calls" },
  ]);
});

test("[MD-7] an empty reply is a clean end, without usage when none was reported", async () => {
  const { port } = await modelThat({});
  expect(bodiesOf(await deltasOf(port))).toEqual([{ kind: "start" }, { kind: "done", finish: "stop" }]);
});

test("[MD-7] calls with missing or repeated provider ids stay apart", async () => {
  const { port } = await modelThat({
    calls: [
      { tool: "read", input: { path: "a" }, id: "same" },
      { tool: "read", input: { path: "b" }, id: "same" },
      { tool: "read", input: { path: "c" }, id: null },
    ],
  });
  expect(replyOf(await deltasOf(port)).calls).toEqual([
    { ordinal: 0, providerId: "same", tool: "read", args: '{"path":"a"}' },
    { ordinal: 1, providerId: null, tool: "read", args: '{"path":"b"}' },
    { ordinal: 2, providerId: null, tool: "read", args: '{"path":"c"}' },
  ]);
});

test("[MD-7] a call that starts again under the same index is a second call", async () => {
  const { port } = await modelThat(
    events(
      content({ tool_calls: [call(0, "a", "read", '{"path":"a"}')] }),
      content({ tool_calls: [call(0, "b", "read", '{"path":')] }),
      content({ tool_calls: [call(0, "b", undefined, '"b"}')] }),
      content({}, "tool_calls"),
    ),
  );
  expect(replyOf(await deltasOf(port)).calls).toEqual([
    { ordinal: 0, providerId: "a", tool: "read", args: '{"path":"a"}' },
    { ordinal: 1, providerId: "b", tool: "read", args: '{"path":"b"}' },
  ]);
});

test("[MD-7] arguments of two calls that arrive in turns are put together by index", async () => {
  const { port } = await modelThat(
    events(
      content({ tool_calls: [call(1, "b", "list", "")] }),
      content({ tool_calls: [call(0, "a", "read", '{"x"')] }),
      content({ tool_calls: [call(1, undefined, undefined, '{"y"')] }),
      content({ tool_calls: [call(0, undefined, undefined, ":1}")] }),
      content({ tool_calls: [call(1, undefined, undefined, ":2}")] }),
      content({}, "tool_calls"),
    ),
  );
  expect(replyOf(await deltasOf(port)).calls).toEqual([
    { ordinal: 0, providerId: "b", tool: "list", args: '{"y":2}' },
    { ordinal: 1, providerId: "a", tool: "read", args: '{"x":1}' },
  ]);
});

test("[MD-7] events of unknown kinds, comments and unknown fields are ignored, before and after the end", async () => {
  const known = events(content({ content: "hi", mood: "good" }), content({}, "stop")).body!;
  const unknown = 'event: mood\ndata: {"object":"mood","level":3}\n\n: comment\n\nid: 7\nretry: 9\n\n';
  const { port } = await modelThat({ body: `${unknown}${known}${unknown}data: [DONE]\n\n` });
  expect(bodiesOf(await deltasOf(port))).toEqual([
    { kind: "start" },
    { kind: "text", text: "hi" },
    { kind: "done", finish: "stop" },
  ]);
});

const finishes: readonly (readonly [wire: string, ours: string, withCalls: string])[] = [
  ["stop", "stop", "tool_calls"],
  ["length", "length", "length"],
  ["content_filter", "refused", "refused"],
  ["tool_calls", "other", "tool_calls"],
  ["eos", "other", "tool_calls"],
];
for (const [wire, ours, withCalls] of finishes) {
  test(`[MD-1] the wire's finish reason ${wire} is ${ours} without calls and ${withCalls} with calls`, async () => {
    const calls = [{ tool: "read", input: {} }];
    const plain = await modelThat({ text: "x", finish: wire });
    const calling = await modelThat({ finish: wire, calls });
    const ends = [await deltasOf(plain.port), await deltasOf(calling.port)].map((deltas) => replyOf(deltas).finish);
    expect(ends).toEqual([ours, withCalls] as typeof ends);
  });
}

test("a refusal sent in its own field is shown as text and ends as refused", async () => {
  const { port } = await modelThat(events(content({ refusal: "No." }), content({}, "stop")));
  const { text, finish } = replyOf(await deltasOf(port));
  expect({ text, finish }).toEqual({ text: "No.", finish: "refused" });
});

test("[CX-5] nonsense in reported usage counts as nothing, cache hits of another spelling count", async () => {
  const usage = { prompt_tokens: -5, completion_tokens: 7.4, prompt_cache_hit_tokens: 12 };
  const { port } = await modelThat(events(content({ content: "x" }, "stop"), { choices: [], usage }));
  expect(replyOf(await deltasOf(port)).usage).toEqual({ input: 0, output: 7, cachedInput: 12, reasoning: 0 });
});

test("[MD-1] the request holds system, history and tools in the wire's form, and its metadata in headers only", async () => {
  const { port, server } = await modelThat({}, { text: "ok" });
  const messages: readonly ModelMessage[] = [
    { role: "user", text: 'say "messages":[]' },
    { role: "assistant", text: "", calls: [{ id: "r1_1_0", tool: "read", input: { path: "ü" } }] },
    { role: "tool", id: "r1_1_0", tool: "read", text: "half a pair: \ud83d" },
  ];
  const schema = { type: "object", properties: { path: { type: "string" } }, messages: [] };
  const tools = [{ name: "read", description: "Reads.", schema }];
  expect(replyOf(await deltasOf(port, requestOf({ messages, tools }))).text).toBe("ok");
  const [seen] = server.requests;
  expect(seen?.body).toEqual({
    model: "tiny",
    stream: true,
    stream_options: { include_usage: true },
    messages: [
      { role: "system", content: "You are a test." },
      { role: "user", content: 'say "messages":[]' },
      {
        role: "assistant",
        content: null,
        tool_calls: [{ id: "r1_1_0", type: "function", function: { name: "read", arguments: '{"path":"ü"}' } }],
      },
      { role: "tool", tool_call_id: "r1_1_0", content: "half a pair: \ufffd" },
    ],
    tools: [{ type: "function", function: { name: "read", description: "Reads.", parameters: schema } }],
  });
  const { "x-session-id": session, "x-coder-call": called, authorization } = seen?.headers ?? {};
  expect({ session, called, authorization }).toEqual({
    session: "abcd-efgh",
    called: "r1/1",
    authorization: undefined,
  });
});

test("a history is sent the same way whether its messages are new or were sent before, under any system text", async () => {
  const { port, server } = await modelThat({ text: "a" }, { text: "b" });
  const history: ModelMessage[] = [{ role: "user", text: "go" }];
  await deltasOf(port, requestOf({ messages: history }));
  await deltasOf(port, requestOf({ messages: [...history] }));
  await deltasOf(port, requestOf({ messages: [{ role: "user", text: "go" }] }));
  history.push({ role: "assistant", text: "a", calls: [] }, { role: "user", text: "on" });
  await deltasOf(port, requestOf({ messages: history, system: "Another." }));
  await deltasOf(port, requestOf({ messages: history, system: "" }));
  const sent = server.requests.map(({ body }) => body.messages);
  const [go, a, on] = [
    { role: "user", content: "go" },
    { role: "assistant", content: "a" },
    { role: "user", content: "on" },
  ];
  const system = { role: "system", content: "You are a test." };
  expect(sent).toEqual([
    [system, go],
    [system, go],
    [system, go],
    [{ role: "system", content: "Another." }, go, a, on],
    [go, a, on],
  ] as typeof sent);
});

test("[CLI-6] key and headers of the provider are sent, and a query in the base URL stays behind the path", async () => {
  const seen: { url: string; headers: Headers }[] = [];
  using server = Bun.serve({
    port: 0,
    fetch(request) {
      seen.push({ url: request.url, headers: request.headers });
      return new Response(events(content({ content: "x" }, "stop")).body);
    },
  });
  const provider = { apiKey: "sk-test-123", headers: { "x-title": "t" } };
  const port = await openModel(choiceAt(`${server.url.href}v1/?api-version=9`, provider), { idleMs: 5_000 });
  expect(replyOf(await deltasOf(port)).text).toBe("x");
  expect(seen.map(({ url, headers }) => [url, headers.get("authorization"), headers.get("x-title")])).toEqual([
    [`${server.url.href}v1/chat/completions?api-version=9`, "Bearer sk-test-123", "t"],
  ]);
});

test("two calls at once on one port do not mix", async () => {
  const server = startScriptedServer([
    { when: "one", steps: [{ text: "first", chunkChars: 1, chunkDelayMs: 1 }] },
    { when: "two", steps: [{ text: "second", chunkChars: 1, chunkDelayMs: 1 }] },
  ]);
  servers.push(server);
  const port = await openModel(choiceAt(server.url), { idleMs: 5_000 });
  const ask = async (text: string) =>
    replyOf(await deltasOf(port, requestOf({ messages: [{ role: "user", text }] }))).text;
  expect(await Promise.all([ask("one"), ask("two"), ask("one")])).toEqual(["first", "second", "first"]);
});
