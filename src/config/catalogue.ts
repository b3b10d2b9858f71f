import { ok, type Result } from "../contract/error.ts";
import type { Provider } from "../contract/settings.ts";
import type { SettingsSources } from "./load.ts";
import { chooseModel, type ModelSources, providerNames } from "./providers.ts";
import type { ConfigValues } from "./rules.ts";
import { loadValues } from "./values.ts";

interface ListedModel {
  readonly ref: string;
  readonly contextWindow: number;
  readonly takesImages: boolean;
}

export interface ListedProvider {
  readonly name: string;
  /** `null`: it has no address of its own, one must be given. */
  readonly provider: Provider | null;
  /** Where its key comes from: a variable's name, or the config file; `null` when there is none. */
  readonly keyFrom: string | null;
  readonly models: readonly ListedModel[];
}

/** Every provider that could be chosen, with the models the person has named for it. */
export function listProviders(sources: SettingsSources): Result<readonly ListedProvider[]> {
  const values = loadValues(sources);
  if (!values.ok) return values;
  return ok(providerNames(values.value.providers).map((name) => listed(name, values.value, sources.env)));
}

function listed(name: string, values: ConfigValues, env: SettingsSources["env"]): ListedProvider {
  // Chosen with a key that stands for any, so that a missing one does not hide the rest.
  const probe: ModelSources = {
    env: {},
    providers: values.providers,
    models: values.models,
    baseUrl: null,
    sharedKey: "any",
  };
  const first = chooseModel(`${name}/any`, probe);
  const provider = first.ok ? first.value.provider : null;
  const models = refsOf(name, values).flatMap((ref): ListedModel[] => {
    const chosen = chooseModel(ref, probe);
    if (!chosen.ok) return [];
    const { contextWindow, takesImages } = chosen.value;
    return [{ ref, contextWindow, takesImages }];
  });
  const keyFrom = keyOf(name, provider, values, env);
  return {
    name,
    provider: provider && { ...provider, apiKey: keyFrom?.key ?? null },
    keyFrom: keyFrom?.from ?? null,
    models,
  };
}

function refsOf(name: string, values: ConfigValues): readonly string[] {
  const own = values.providers && Object.hasOwn(values.providers, name) ? values.providers[name] : undefined;
  const refs = [...Object.keys(values.models ?? {}), ...(values.model === undefined ? [] : [values.model])];
  const named = (own?.models ?? []).map((model) => `${name}/${model}`);
  return [...new Set([...named, ...refs.filter((ref) => ref.startsWith(`${name}/`))])];
}

interface Key {
  readonly from: string;
  readonly key: string;
}

/** In the order in which a run looks for it. */
function keyOf(name: string, provider: Provider | null, values: ConfigValues, env: SettingsSources["env"]): Key | null {
  if (provider && !provider.needsKey) return null;
  if (env.CODER_API_KEY) return { from: "CODER_API_KEY", key: env.CODER_API_KEY };
  const own = values.providers && Object.hasOwn(values.providers, name) ? values.providers[name] : undefined;
  if (own?.api_key !== undefined) return { from: "config.json", key: own.api_key };
  const variable = provider?.apiKeyEnv.find((one) => env[one]);
  return variable === undefined ? null : { from: variable, key: env[variable] ?? "" };
}
