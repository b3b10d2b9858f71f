import type { OpenAICompatibleChatLanguageModel } from "@ai-sdk/openai-compatible";

/** Chunks are checked at the gate. The symbol is how the SDK's packages recognise one another's schemas. */
const checkedBefore = {
  [Symbol.for("vercel.ai.schema")]: true,
  jsonSchema: {},
  validate: (value: unknown) => ({ success: true, value }) as const,
};

type Sdk = typeof OpenAICompatibleChatLanguageModel;

/**
 * The SDK's chat model without its constructor, which takes 2 ms to build zod schemas that we do not need.
 * The SDK is pinned, and a test compares these fields with those that the constructor sets.
 */
export function chatModel(sdk: Sdk, ...[modelId, config]: ConstructorParameters<Sdk>): InstanceType<Sdk> {
  const fields = {
    specificationVersion: "v4",
    modelId,
    config,
    chunkSchema: checkedBefore,
    failedResponseHandler: failed,
    supportsStructuredOutputs: false,
  };
  return Object.assign(Object.create(sdk.prototype) as InstanceType<Sdk>, fields);
}

/** What `fault.ts` reads of an answer that is an error. */
async function failed({ response }: { readonly response: Response }): Promise<{ readonly value: Error }> {
  const { status: statusCode, headers } = response;
  const facts = { statusCode, responseBody: await response.text(), responseHeaders: Object.fromEntries(headers) };
  return { value: Object.assign(new Error(response.statusText), facts) };
}
