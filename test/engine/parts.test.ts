import { expect, test } from "bun:test";
import { Bench } from "../support/engine.ts";
import { sse } from "../support/sse-model.ts";

// Constructed from Anthropic's public documentation of the messages API.
const start = { type: "message_start", message: { id: "m", model: "x", usage: { input_tokens: 9, output_tokens: 1 } } };
const block = (index: number, content_block: object, ...deltas: readonly object[]) => [
  { type: "content_block_start", index, content_block },
  ...deltas.map((delta) => ({ type: "content_block_delta", index, delta })),
  { type: "content_block_stop", index },
];
const ending = (stop_reason: string) => [
  { type: "message_delta", delta: { stop_reason }, usage: { output_tokens: 5 } },
  { type: "message_stop" },
];
const looking = [
  start,
  ...block(
    0,
    { type: "thinking", thinking: "" },
    { type: "thinking_delta", thinking: "Look." },
    { type: "signature_delta", signature: "signed" },
  ),
  ...block(
    1,
    { type: "tool_use", id: "toolu_1", name: "read", input: {} },
    { type: "input_json_delta", partial_json: '{"path":"a.txt"}' },
  ),
  ...ending("tool_use"),
];
const done = [
  start,
  ...block(0, { type: "text", text: "" }, { type: "text_delta", text: "Seen." }),
  ...ending("end_turn"),
];

type Sent = {
  readonly model: string;
  readonly messages: readonly { readonly content: readonly { readonly type: string }[] }[];
};

test("[MD-1] thinking is stored with its signature, goes back to the model that wrote it, and to no other", async () => {
  const sent: Sent[] = [];
  using server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      sent.push((await request.json()) as Sent);
      const events = sent.length === 1 ? looking : done;
      return new Response(events.map(sse).join(""), { headers: { "content-type": "text/event-stream" } });
    },
  });
  await using bench = new Bench([]);
  bench.file("a.txt", "content\n");
  const seat = bench.open({ model: "anthropic/one", baseUrl: `${server.url.href}v1` });
  await seat.run("look");
  expect(
    seat.all("model.replied").map(({ reply: { text, thinking, parts, by } }) => ({ text, thinking, parts, by })),
  ).toEqual([
    {
      text: "",
      thinking: "Look.",
      parts: [
        { kind: "thinking", length: 5, meta: { anthropic: { signature: "signed" } } },
        { kind: "call", ordinal: 0 },
      ],
      by: "anthropic/one",
    },
    { text: "Seen.", thinking: "", parts: undefined, by: undefined },
  ]);
  await seat.run("/model anthropic/two");
  await seat.run("again");
  const kinds = sent.map(({ model, messages }) => [model, messages[1]?.content.map(({ type }) => type)]);
  expect(kinds).toEqual([
    ["one", undefined],
    ["one", ["thinking", "tool_use"]],
    ["two", ["tool_use"]],
  ]);
  expect(sent[1]?.messages[1]?.content[0]).toEqual({ type: "thinking", thinking: "Look.", signature: "signed" } as {
    type: string;
  });
});
