import { ok, type Result } from "../contract/error.ts";
import type { Provider } from "../contract/settings.ts";
import { modelSources, type SettingsSources } from "./load.ts";
import { chooseModel, type ModelSources, providerNames } from "./providers.ts";
import type { ConfigValues } from "./rules.ts";
import { type Layers, loadLayers } from "./values.ts";

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

/**
 * Every provider that could be chosen, with the models the person has named for it. An address that is given belongs to the
 * one that is `named`, or else to that of the model, as in a run.
 */
export function listProviders(sources: SettingsSources, named?: string): Result<readonly ListedProvider[]> {
  const layers = loadLayers(sources);
  if (!layers.ok) return layers;
  const { values, person } = layers.value;
  const chosen: Layers =
    named === undefined ? layers.value : { ...layers.value, person: { ...person, model: `${named}/any` } };
  return ok(
    providerNames(values.providers).map((name) => {
      const own = modelSources(`${name}/any`, sources, chosen, true);
      return listed(name, values, chosen.person.model === undefined ? { ...own, baseUrl: null } : own);
    }),
  );
}

function listed(name: string, values: ConfigValues, own: ModelSources): ListedProvider {
  // Chosen with a key that stands for any, so that a missing one does not hide the rest.
  const probe: ModelSources = { ...own, env: {}, sharedKey: "any" };
  const first = chooseModel(`${name}/any`, probe);
  const provider = first.ok ? first.value.provider : null;
  const models = refsOf(name, values).flatMap((ref): ListedModel[] => {
    const chosen = chooseModel(ref, probe);
    if (!chosen.ok) return [];
    const { contextWindow, takesImages } = chosen.value;
    return [{ ref, contextWindow, takesImages }];
  });
  const keyFrom = keyOf(name, own);
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

/** The one a run would use. */
function keyOf(name: string, own: ModelSources): Key | null {
  const chosen = chooseModel(`${name}/any`, own);
  if (!chosen.ok || chosen.value.provider.apiKey === null) return null;
  const { apiKey: key, apiKeyEnv } = chosen.value.provider;
  const variable = key === own.sharedKey ? "CODER_API_KEY" : apiKeyEnv.find((one) => own.env[one] === key);
  return { from: variable ?? "config.json", key };
}
