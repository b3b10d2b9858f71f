import { expect, test } from "bun:test";
import { OpenAICompatibleChatLanguageModel } from "@ai-sdk/openai-compatible";
import fc from "fast-check";
import type { ChatChunk, ChatDelta } from "../../../src/model/chat/chat-chunk.ts";
import { joinedChunks } from "../../../src/model/chat-join.ts";

const word = fc.constantFrom("", "a", "b", "你", "\n");
const call = fc.record(
  {
    index: fc.nat(2),
    id: fc.constantFrom("c0", "c1", null),
    type: fc.constant("function"),
    function: fc.record({ name: fc.constantFrom("read", "grep", null), arguments: word }, { requiredKeys: [] }),
    extra_content: fc.constantFrom(null, { google: { thought_signature: "s" } }),
  },
  { requiredKeys: ["index", "function"] },
);
const content = fc.oneof(
  { weight: 6, arbitrary: word },
  { weight: 1, arbitrary: fc.constant([{ type: "text", text: "p" }]) },
);
const delta = fc.record(
  {
    content,
    reasoning_content: word,
    reasoning: word,
    refusal: fc.constantFrom("", "no", null),
    tool_calls: fc.array(call, { maxLength: 2 }),
  },
  { requiredKeys: [] },
);
const choice = fc.record(
  { delta: fc.option(delta), finish_reason: fc.constantFrom("stop", "tool_calls", null) },
  { requiredKeys: [] },
);
const chunk = fc.record(
  {
    id: fc.constant("x"),
    choices: fc.array(choice, { maxLength: 1 }),
    usage: fc.option(fc.record({ prompt_tokens: fc.nat(9), completion_tokens: fc.nat(9) })),
  },
  { requiredKeys: ["choices"] },
);

/** What the SDK makes of them, with neighbouring pieces of one kind put together: how they were cut says nothing. */
async function told(chunks: readonly unknown[]): Promise<unknown> {
  const body = chunks.map((one) => `data: ${JSON.stringify(one)}\n\n`).join("");
  const answer = () => Promise.resolve(new Response(body, { headers: { "content-type": "text/event-stream" } }));
  const model = new OpenAICompatibleChatLanguageModel("m", {
    provider: "p",
    url: () => "http://localhost/",
    headers: () => ({}),
    fetch: Object.assign(answer, { preconnect: fetch.preconnect }),
  });
  const parts: Record<string, unknown>[] = [];
  const { stream } = await model.doStream({ prompt: [] });
  const reader = stream.getReader();
  // The SDK throws at calls that never began, and forgets what nobody has read yet.
  const read = () =>
    reader.read().catch((error: unknown) => ({ done: false, value: { type: "thrown", error } }) as const);
  for (let got = await read(); !got.done && got.value !== undefined; got = await read()) {
    const part = got.value;
    if (part.type === "thrown") return String(part.error);
    // Nobody reads it.
    if (part.type === "response-metadata") continue;
    const next = { ...part } as Record<string, unknown>;
    const last = parts.at(-1);
    const isMore = last?.type === next.type && last?.id === next.id && typeof next.delta === "string";
    if (isMore && last !== undefined) last.delta = `${String(last.delta)}${String(next.delta)}`;
    else if (next.type !== "tool-input-delta" || next.delta !== "") parts.push(next);
  }
  return JSON.parse(
    JSON.stringify(parts, (key, value) => (key === "toolCallId" || key === "id" ? named(value) : value)),
  );
}

/** The SDK makes up ids where none came. */
function named(id: unknown): unknown {
  return typeof id === "string" && id.length > 12 ? "made up" : id;
}

test("[MD-7] chunks joined because they arrived together tell the same as one by one", async () => {
  let joined = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(chunk, { maxLength: 7 }), async (chunks) => {
      const fewer = joinedChunks(chunks as readonly ChatChunk[]);
      joined += chunks.length - fewer.length;
      expect(await told(fewer)).toEqual(await told(chunks));
    }),
    { numRuns: 600 },
  );
  expect(joined).toBeGreaterThan(300);
});

test("[MD-7] an ordinary reply with a call that arrives at once is one chunk", () => {
  const of = (delta: ChatDelta, finish: string | null = null): ChatChunk => ({
    choices: [{ delta, finish_reason: finish }],
  });
  const more = (text: string) => of({ tool_calls: [{ index: 0, function: { arguments: text } }] });
  const chunks: readonly ChatChunk[] = [
    of({ role: "assistant", content: "" }),
    of({ content: "Let me " }),
    of({ content: "look." }),
    of({ tool_calls: [{ index: 0, id: "c", function: { name: "read", arguments: "" } }] }),
    more('{"path":'),
    more('"a"}'),
    of({}, "tool_calls"),
    { choices: [], usage: { prompt_tokens: 3 } },
  ];
  const call = { index: 0, id: "c", function: { name: "read", arguments: '{"path":"a"}' } };
  expect(joinedChunks(chunks)).toEqual([
    {
      choices: [{ delta: { content: "Let me look.", tool_calls: [call] }, finish_reason: "tool_calls" }],
      usage: { prompt_tokens: 3 },
    },
  ]);
});
