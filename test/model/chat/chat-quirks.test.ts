import { expect, test } from "bun:test";
import type { ModelMessage } from "../../../src/contract/message.ts";
import type { Quirks } from "../../../src/contract/settings.ts";
import { deltasOf, replyOf, requestOf } from "../../support/model-calls.ts";
import { startSseModel } from "../../support/sse-model.ts";

const events = [{ choices: [{ index: 0, delta: { content: "ok" }, finish_reason: "stop" }] }];
const go: ModelMessage = { role: "user", text: "go" };
const step = (n: number, text = ""): ModelMessage => ({
  role: "assistant",
  text,
  thinking: `thought ${n}`,
  by: "local/tiny",
  parts: [
    { kind: "thinking", length: 9 },
    { kind: "text", length: text.length },
    { kind: "call", ordinal: 0 },
  ],
  calls: [{ id: `r1_${n}_1`, tool: "read", input: { n } }],
});
const result = (n: number): ModelMessage => ({ role: "tool", id: `r1_${n}_1`, tool: "read", text: `result ${n}` });

/** The messages of the last of these requests, without the system text. */
async function sent(
  quirks: Partial<Quirks>,
  ...histories: readonly (readonly ModelMessage[])[]
): Promise<readonly unknown[]> {
  using model = await startSseModel("openai-chat", { events }, { quirks });
  for (const messages of histories)
    await deltasOf(model.port, requestOf({ messages, imageBytes: () => new Uint8Array([1, 2, 3]) }));
  return (model.requests.at(-1)!.body.messages as unknown[]).slice(1);
}

const called = (n: number, more: object = {}, id = `r1_${n}_1`) => ({
  role: "assistant",
  content: null,
  ...more,
  tool_calls: [{ id, type: "function", function: { name: "read", arguments: `{"n":${n}}` } }],
});
const answered = (n: number, id = `r1_${n}_1`) => ({ role: "tool", tool_call_id: id, content: `result ${n}` });

test("reasoning goes back never, since the person's last message, or always, as the profile says", async () => {
  const history = [go, step(1), result(1), { role: "user", text: "more" } as const, step(2), result(2)];
  const backs = { never: [false, false], tool_loop: [false, true], always: [true, true] } as const;
  for (const [reasoningBack, [first, second]] of Object.entries(backs)) {
    const quirks = { reasoningBack } as Partial<Quirks>;
    const thought = (n: number, isSent: boolean) => (isSent ? { reasoning_content: `thought ${n}` } : {});
    // The first request already wrote the first step, with its reasoning.
    expect(await sent(quirks, history.slice(0, 3), history)).toEqual([
      { role: "user", content: "go" },
      called(1, thought(1, first)),
      answered(1),
      { role: "user", content: "more" },
      called(2, thought(2, second)),
      answered(2),
    ]);
  }
});

test("reasoning of another model does not go back; where reasoning is wanted, its calls have a blank in its place", async () => {
  const other = { ...step(1), by: "local/other" } as ModelMessage;
  const unthought: ModelMessage = {
    role: "assistant",
    text: "",
    calls: [{ id: "r1_2_1", tool: "read", input: { n: 2 } }],
  };
  const history = [
    go,
    other,
    result(1),
    unthought,
    result(2),
    { role: "assistant", text: "done", calls: [] } as const,
    go,
  ];
  for (const [reasoningBack, more] of [
    ["always", { reasoning_content: " " }],
    ["never", {}],
  ] as const) {
    expect(await sent({ reasoningBack }, history)).toEqual([
      { role: "user", content: "go" },
      called(1, more),
      answered(1),
      called(2, more),
      answered(2),
      { role: "assistant", content: "done" },
      { role: "user", content: "go" },
    ]);
  }
});

test("[MD-1] Google's signature of a call goes back over chat too, to the model that sent it", async () => {
  const extra_content = { google: { thought_signature: "c2ln" } };
  const call = { index: 0, id: "a", type: "function", function: { name: "read", arguments: '{"n":1}' }, extra_content };
  const replied = [{ choices: [{ index: 0, delta: { tool_calls: [call] }, finish_reason: "tool_calls" }] }];
  using model = await startSseModel("openai-chat", { events: replied });
  const { parts, calls } = replyOf(await deltasOf(model.port));
  const said = calls.map(({ tool }) => ({ id: "r1_1_1", tool, input: { n: 1 } }));
  for (const [by, more] of [["local/tiny", { extra_content }] as const, ["local/other", {}] as const]) {
    const history: readonly ModelMessage[] = [
      go,
      { role: "assistant", text: "", ...(parts ? { parts, by } : {}), calls: said },
      result(1),
    ];
    const { tool_calls } = (await sent({}, history))[1] as { tool_calls: readonly unknown[] };
    expect(tool_calls).toEqual([
      { id: "r1_1_1", type: "function", function: { name: "read", arguments: '{"n":1}' }, ...more },
    ]);
  }
});

test("where call ids must be nine letters or digits, call and result get the same one, the same every time", async () => {
  const [, call, answer] = (await sent({ callIds: "nine" }, [go, step(1), result(1)])) as [
    unknown,
    { tool_calls: [{ id: string }] },
    { tool_call_id: string },
  ];
  expect([call.tool_calls[0].id, /^[a-z0-9]{9}$/.test(answer.tool_call_id)]).toEqual([answer.tool_call_id, true]);
});

test("where the sides must alternate, neighbours are joined, and a word stands between a result and the person", async () => {
  const history = [
    go,
    { role: "user", text: "note" } as const,
    step(1),
    result(1),
    { role: "user", text: "steer" } as const,
  ];
  const start = [{ role: "user", content: "go\n\nnote" }, called(1), answered(1)];
  const steer = { role: "user", content: "steer" };
  expect(await sent({ roles: "alternate" }, history)).toEqual([...start, steer]);
  expect(await sent({ roles: "strict" }, history)).toEqual([
    ...start,
    { role: "assistant", content: "Understood." },
    steer,
  ]);
});

test("images follow all results of their step as a message of the person, in every later request again", async () => {
  const images = [{ hash: "aa", mediaType: "image/png", bytes: 3, width: 1, height: 1 }] as const;
  const two: ModelMessage = {
    role: "assistant",
    text: "",
    calls: [
      { id: "a", tool: "read", input: {} },
      { id: "b", tool: "read", input: {} },
    ],
  };
  const first = [
    go,
    two,
    { role: "tool", id: "a", tool: "read", text: "A", images },
    { role: "tool", id: "b", tool: "read", text: "B" },
  ] as const;
  const call = (id: string) => ({ id, type: "function", function: { name: "read", arguments: "{}" } });
  const seen = [
    { role: "user", content: "go" },
    { role: "assistant", content: null, tool_calls: [call("a"), call("b")] },
    { role: "tool", tool_call_id: "a", content: "A" },
    { role: "tool", tool_call_id: "b", content: "B" },
    {
      role: "user",
      content: [
        { type: "text", text: "[coder] The images of the results above, in order." },
        { type: "image_url", image_url: { url: "data:image/png;base64,AQID" } },
      ],
    },
  ];
  expect(await sent({}, first)).toEqual(seen);
  expect(await sent({}, first, [...first, step(1), result(1)])).toEqual([...seen, called(1), answered(1)]);
});

test("fields that a server takes or does not take are sent or left out", async () => {
  const quirks = { streamOptions: false, parallelCalls: false, cacheKey: true };
  const tools = [{ name: "read", description: "Reads.", schema: { type: "object", properties: {} } }];
  using model = await startSseModel("openai-chat", { events }, { quirks, choice: { maxOutput: 77 } });
  await deltasOf(model.port, requestOf({ tools }));
  const { messages: _, tools: __, ...fields } = model.requests[0]!.body;
  expect(fields).toEqual({
    model: "tiny",
    stream: true,
    max_tokens: 77,
    parallel_tool_calls: false,
    prompt_cache_key: "abcd-efgh",
  });
});

test("an id of a strange form, which ours never have, still reaches call and result alike", async () => {
  const odd = "r1.x/1 ü".repeat(20);
  const call: ModelMessage = { role: "assistant", text: "", calls: [{ id: odd, tool: "read", input: {} }] };
  const wire = (await sent({}, [go, call, { role: "tool", id: odd, tool: "read", text: "A" }])) as [
    unknown,
    { tool_calls: [{ id: string }] },
    { tool_call_id: string },
  ];
  expect([/^[\w-]{1,64}$/.test(wire[1].tool_calls[0].id), wire[2].tool_call_id]).toEqual([
    true,
    wire[1].tool_calls[0].id,
  ]);
});
