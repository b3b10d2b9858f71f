import { expect, test } from "bun:test";
import { CoderError, type ErrorInfo } from "../../src/contract/error.ts";
import type { Provider } from "../../src/contract/settings.ts";
import { openModel } from "../../src/model/open.ts";
import { choiceAt } from "../support/model-calls.ts";

async function refusal(provider: Partial<Provider>): Promise<ErrorInfo> {
  const problem = await openModel(choiceAt("http://127.0.0.1:1/v1", provider), { idleMs: 1_000 }).then(
    () => null,
    (error: unknown) => error,
  );
  if (!(problem instanceof CoderError)) throw new Error(`expected a CoderError, got ${problem}`);
  return problem.info;
}

test("[CLI-5] a missing key is refused before any request, naming the variables it may stand in", async () => {
  expect(await refusal({ needsKey: true })).toEqual({
    code: "E_CONFIG",
    text: { key: "model.no_key", args: { provider: "local" } },
    advice: { key: "advice.model_key", args: { names: "LOCAL_API_KEY / CODER_API_KEY" } },
  });
});

for (const baseUrl of ["", "localhost", "file:///etc/passwd", "ftp://127.0.0.1/v1"]) {
  test(`[CLI-6] a base URL that is no http address is refused: ${JSON.stringify(baseUrl)}`, async () => {
    expect(await refusal({ baseUrl })).toEqual({
      code: "E_CONFIG",
      text: { key: "model.bad_url", args: { provider: "local" } },
    });
  });
}

test("[ER-2] a key or header that HTTP cannot carry is refused by its header's name, without its value", async () => {
  const found = [await refusal({ apiKey: "sk-ключ" }), await refusal({ headers: { "x-org": "a\nb" } })];
  expect(found.map(({ text }) => text)).toEqual([
    { key: "model.bad_header", args: { provider: "local", header: "authorization" } },
    { key: "model.bad_header", args: { provider: "local", header: "x-org" } },
  ]);
});
