import { realpathSync } from "node:fs";
import { resolve } from "node:path";
import type { SettingsSources } from "../../config/load.ts";
import { firstWords } from "./table.ts";
import { TOPICS } from "./topics.ts";

/** The shell completes these itself. */
export const FILES = ":files";
export const FOLDERS = ":folders";

export type WordSource =
  | typeof FILES
  | typeof FOLDERS
  | { readonly kind: "choices"; readonly of: readonly string[] }
  | { readonly kind: "sessions" | "models" | "providers" | "keys" | "tools" | "names" }
  | { readonly kind: "values"; readonly key: string };

type Candidates = readonly (readonly [word: string, about: string])[];

const MOST = 50;

/** `before`: the words typed so far, which may name a directory or config file. */
export async function candidatesFor(
  source: Exclude<WordSource, typeof FILES | typeof FOLDERS>,
  before: readonly string[],
): Promise<Candidates> {
  const sources = sourcesFrom(before);
  switch (source.kind) {
    case "choices":
      return plain(source.of);
    case "sessions":
      return sessions(sources);
    case "models":
      return models(sources);
    case "providers": {
      const { listProviders } = await import("../../config/model/catalogue.ts");
      const listed = listProviders(sources);
      return listed.ok ? listed.value.map(({ name, provider }) => [name, provider?.baseUrl ?? ""] as const) : [];
    }
    case "keys":
      return keys(sources);
    case "values":
      return values(source.key);
    case "tools":
      return plain([...(await import("../../tool/registry.ts")).loadTools([]).keys()]);
    case "names":
      return plain([...firstWords(), ...Object.keys(TOPICS)]);
  }
}

function plain(words: readonly string[]): Candidates {
  return words.map((word) => [word, ""] as const);
}

function sourcesFrom(before: readonly string[]): SettingsSources {
  const given = (flag: string) => (before.includes(flag) ? before[before.lastIndexOf(flag) + 1] : undefined);
  return { flags: { cwd: given("--cwd"), config: given("--config") }, env: process.env, cwd: process.cwd() };
}

async function sessions({ flags, env, cwd }: SettingsSources): Promise<Candidates> {
  const { recentSessions } = await import("../../store/look.ts");
  const { homeOf } = await import("../../config/values.ts");
  return recentSessions(homeOf(env, cwd), realpathSync(resolve(cwd, flags.cwd ?? ".")), MOST);
}

/** Known and used models, then bare provider prefixes for models that only the server knows. */
async function models(sources: SettingsSources): Promise<Candidates> {
  const { listProviders } = await import("../../config/model/catalogue.ts");
  const listed = listProviders(sources);
  const providers = listed.ok ? listed.value : [];
  const named = providers.flatMap((one) => one.models.map(({ ref }) => ref));
  const words = [...named, ...(await used(sources)), ...providers.map(({ name }) => `${name}/`)];
  return plain([...new Set(words)]);
}

async function used({ env, cwd }: SettingsSources): Promise<readonly string[]> {
  const { usedModels } = await import("../../store/look.ts");
  const { homeOf } = await import("../../config/values.ts");
  try {
    return usedModels(homeOf(env, cwd), MOST);
  } catch {
    return [];
  }
}

async function keys(sources: SettingsSources): Promise<Candidates> {
  const { effectiveSettings, fixedKeys } = await import("../../config/effective.ts");
  const found = effectiveSettings(sources);
  if (!found.ok) return plain(fixedKeys().map((path) => path.join(".")));
  return found.value.map(({ path, value }) => [path.join("."), JSON.stringify(value)] as const);
}

async function values(key: string): Promise<Candidates> {
  const { findKey } = await import("../../config/file/setting-path.ts");
  const found = findKey(key);
  return found.ok && found.value.rule.kind === "choice" ? plain(found.value.rule.of) : [];
}
