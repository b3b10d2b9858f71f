import { ok, type Result } from "../../contract/error.ts";
import type { ModelChoice, Price, Provider } from "../../contract/settings.ts";
import type { ConfigValues } from "../file/setting-schema.ts";
import { modelSources, type SettingsSources } from "../load.ts";
import { catalogued, cataloguedRefs } from "../models/lookup.ts";
import { type Layers, loadLayers } from "../values.ts";
import { builtinRef } from "./builtin.ts";
import { chooseModel, type ModelSources, providerNames } from "./providers.ts";

export interface ListedModel {
  readonly ref: string;
  readonly contextWindow: number;
  readonly maxOutput: number | null;
  readonly takesImages: boolean;
  /** `null` = unknown. */
  readonly takesTools: boolean | null;
  readonly takesEffort: boolean;
  readonly price: Price | null;
  /** Page and date of the catalogue entry; `null` = not in the catalogue. */
  readonly source: { readonly page: string; readonly date: string } | null;
}

export interface ListedProvider {
  readonly name: string;
  /** `null` = no base URL known; one must be given. */
  readonly provider: Provider | null;
  /** A variable, or a config file; `null` = no key. */
  readonly keyFrom: string | null;
  readonly models: readonly ListedModel[];
}

/**
 * All providers with their known models. A base URL from flag or environment goes to the provider `named`, else to the configured
 * model's, as in a run.
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
  // A placeholder key keeps a missing one from hiding the rest.
  const probe: ModelSources = { ...own, env: {}, sharedKey: "any", storedKey: () => null };
  const first = chooseModel(builtinRef.startsWith(`${name}/`) ? builtinRef : `${name}/any`, probe);
  const provider = first.ok ? first.value.provider : null;
  const models = refsOf(name, values).flatMap((ref): ListedModel[] => {
    const chosen = chooseModel(ref, { ...probe, effort: "medium" });
    return chosen.ok ? [about(chosen.value)] : [];
  });
  const keyFrom = keyOf(name, own);
  return {
    name,
    provider: provider && { ...provider, apiKey: keyFrom?.key ?? null },
    keyFrom: keyFrom?.from ?? null,
    models,
  };
}

function about({ ref, contextWindow, takesImages, takesTools, maxOutput, effort, price }: ModelChoice): ListedModel {
  const row = catalogued(ref);
  return {
    ...{ ref, contextWindow, takesImages },
    maxOutput: maxOutput ?? row?.output ?? null,
    takesTools: takesTools ?? null,
    takesEffort: effort !== undefined,
    price: price ?? null,
    source: row && { page: row.source[0], date: row.source[1] },
  };
}

function refsOf(name: string, values: ConfigValues): readonly string[] {
  const own = values.providers && Object.hasOwn(values.providers, name) ? values.providers[name] : undefined;
  const refs = [...Object.keys(values.models ?? {}), ...(values.model === undefined ? [] : [values.model])];
  const named = (own?.models ?? []).map((model) => `${name}/${model}`);
  const all = [...named, ...refs, ...cataloguedRefs(), builtinRef];
  return [...new Set(all.filter((ref) => ref.startsWith(`${name}/`)))];
}

interface Key {
  readonly from: string;
  readonly key: string;
}

function keyOf(name: string, own: ModelSources): Key | null {
  const chosen = chooseModel(`${name}/any`, own);
  if (!chosen.ok || chosen.value.provider.apiKey === null) return null;
  const { apiKey: key, apiKeyEnv } = chosen.value.provider;
  const variable = key === own.sharedKey ? "CODER_API_KEY" : apiKeyEnv.find((one) => own.env[one] === key);
  const from = variable ?? (own.providers?.[name]?.api_key === key ? "config.json" : "keys.json");
  return { from, key };
}
