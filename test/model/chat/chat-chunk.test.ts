import { expect, test } from "bun:test";
import { OpenAICompatibleChatLanguageModel } from "@ai-sdk/openai-compatible";
import fc from "fast-check";
import { checkedChunk } from "../../../src/model/chat/chat-chunk.ts";
import { chatModel } from "../../../src/model/chat-model.ts";

interface ZodLike {
  readonly safeParse: (value: unknown) => { readonly success: boolean };
}

/** The schema that the SDK itself would use; the field is private, so this fails when an update renames it. */
const given = ["m", { provider: "p", url: () => "", headers: () => ({}) }] as const;
const own = new OpenAICompatibleChatLanguageModel(...given) as unknown as { readonly chunkSchema: ZodLike };

const odd = fc.oneof(fc.constantFrom(null, undefined, "", "text", 0, 7, true, []), fc.constant({}));
const record = (fields: Record<string, fc.Arbitrary<unknown>>) =>
  fc.oneof({ weight: 12, arbitrary: fc.record(fields, { requiredKeys: [] }) }, { weight: 1, arbitrary: odd });
const text = fc.oneof({ weight: 8, arbitrary: fc.constantFrom("", "abc") }, { weight: 1, arbitrary: odd });
const number = fc.oneof({ weight: 8, arbitrary: fc.nat(99) }, { weight: 1, arbitrary: odd });
const list = (of: fc.Arbitrary<unknown>) =>
  fc.oneof({ weight: 12, arbitrary: fc.array(of, { maxLength: 2 }) }, { weight: 1, arbitrary: odd });
const call = record({ index: number, id: text, function: record({ name: text, arguments: text }) });
const delta = record({
  content: text,
  reasoning_content: text,
  reasoning: text,
  refusal: text,
  tool_calls: list(call),
});
const details = record({ cached_tokens: number });
const usage = record({ prompt_tokens: number, completion_tokens: number, prompt_tokens_details: details });
const chunk = record({
  id: fc.constant("x"),
  created: number,
  choices: list(record({ delta, finish_reason: text })),
  usage,
});

test("[MD-7] a chunk that the SDK's own schema refuses is refused, and one that it takes is taken", () => {
  expect(typeof own.chunkSchema.safeParse).toBe("function");
  fc.assert(
    fc.property(chunk, (value) => {
      expect(checkedChunk(value) !== null).toBe(own.chunkSchema.safeParse(value).success);
    }),
    { numRuns: 3_000 },
  );
});

test("[MD-7] error: null and a refusal that is no text do not stop a reply", () => {
  const value = { error: null, choices: [{ delta: { content: "hi", refusal: [] } }] };
  expect(checkedChunk(value)).toEqual({ choices: [{ delta: { content: "hi", refusal: null } }] });
});

test("[MD-7] the model made without the SDK's constructor has the fields that the constructor sets", () => {
  const ours = { ...chatModel(OpenAICompatibleChatLanguageModel, ...given) };
  const { chunkSchema: _, failedResponseHandler: __, ...plain } = own as object as Record<string, unknown>;
  expect(Object.keys(ours).sort()).toEqual(Object.keys(own).sort());
  expect(ours).toMatchObject(plain);
});
