import { fail, ok, type Result } from "../../contract/error.ts";
import type { ModelChoice } from "../../contract/settings.ts";
import { phrase } from "../../contract/text/catalogue.ts";

const only = "mechanic";
export const builtinRef = `builtin/${only}`;

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
    // It replays the whole log at every step, so nothing may be left out.
    contextWindow: 100_000_000,
    price: { input: 0, cachedInput: 0, output: 0 },
  });
}
