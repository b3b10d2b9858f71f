import { fail, ok, type Result } from "../../contract/error.ts";
import type { ModelChoice } from "../../contract/settings.ts";
import { phrase } from "../../contract/text/catalogue.ts";

const only = "mechanic";
export const builtinRef = `builtin/${only}`;

/** The model that comes with coder: nothing about it can be configured. */
export function builtinChoice(ref: string, name: string): Result<ModelChoice> {
  if (name !== only) return fail("E_CONFIG", phrase("mechanic.unknown_model", { model: ref }));
  const provider = {
    name: "builtin",
    protocol: "builtin",
    baseUrl: "builtin:",
    apiKey: null,
    needsKey: false,
  } as const;
  return ok({
    ...{ ref, name, takesImages: false, takesTools: true },
    provider: { ...provider, apiKeyEnv: [], headers: {} },
    // It plays its task again from the whole record at every step: nothing of that may be left out.
    contextWindow: 100_000_000,
    price: { input: 0, cachedInput: 0, output: 0 },
  });
}
