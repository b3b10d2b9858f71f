import { accessSync, constants } from "node:fs";
import { loadSettings, type SettingsSources } from "../../config/load.ts";
import { loadValues } from "../../config/values.ts";
import type { ModelChoice } from "../../contract/settings.ts";
import { phrase } from "../../contract/text/catalogue.ts";
import { errnoOf } from "../../platform/files/failure.ts";
import { type Finding, fine, problem, problemOf, warning } from "./doctor.ts";

/** Shorter than the limit per probe, so that the report shows the reason and not the delay. */
const ONLINE_MS = 1_800;

export function modelProbe(sources: SettingsSources): readonly Finding[] {
  const settings = loadSettings(sources);
  if (!settings.ok) return [problemOf(settings.error)];
  const { model, maxCost } = settings.value;
  if (!model) return [warning(phrase("session.no_model"), phrase("doctor.no_model.advice"))];
  const about = { model: model.ref, url: model.provider.baseUrl };
  const from = keySource(model, sources);
  return [
    fine(from === null ? phrase("doctor.model", about) : phrase("doctor.model_key", { ...about, from })),
    ...(model.takesTools === false ? [unusable("doctor.no_tools", model)] : []),
    ...(maxCost !== null && !model.price ? [unusable("doctor.no_price", model)] : []),
  ];
}

function unusable(key: "doctor.no_tools" | "doctor.no_price", { ref }: ModelChoice): Finding {
  return problem(phrase(key, { model: ref }), phrase(`${key}.advice`));
}

/** The name of the source, never the key. */
function keySource({ provider }: ModelChoice, sources: SettingsSources): string | null {
  if (provider.apiKey === null) return null;
  const names = ["CODER_API_KEY", ...provider.apiKeyEnv];
  const variable = names.find((name) => sources.env[name] === provider.apiKey);
  if (variable !== undefined) return variable;
  const values = loadValues(sources);
  if (!values.ok) return null;
  return values.value.providers?.[provider.name]?.api_key === provider.apiKey ? "config.json" : "keys.json";
}

/** `--online`: makes one short request. */
export async function serverProbe(sources: SettingsSources): Promise<readonly Finding[]> {
  const settings = loadSettings(sources);
  const model = settings.ok ? settings.value.model : null;
  if (!model) return [];
  const { listModels } = await import("../../model/list-models.ts");
  const { provider, name } = model;
  const listed = await listModels(provider, ONLINE_MS, settings.ok ? settings.value.network : undefined);
  if (!listed.ok) return [problem(listed.error.text, phrase("doctor.server_unsure.advice"))];
  const { host } = new URL(provider.baseUrl);
  if (listed.value.length === 0 || listed.value.includes(name)) {
    return [fine(phrase("doctor.server", { host, n: listed.value.length }))];
  }
  const text = phrase("doctor.server_lacks", { host, model: name });
  return [warning(text, phrase("doctor.server_lacks.advice", { provider: provider.name }))];
}

const PROXIES = ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"].flatMap((name) => [name, name.toLowerCase()]);
const FILES = ["NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE"];

/** Names only: a proxy URL often contains a password. */
export function networkProbe(env: SettingsSources["env"]): readonly Finding[] {
  const names = [...PROXIES, ...FILES].filter((name) => env[name]);
  const first =
    names.length === 0 ? phrase("doctor.no_network") : phrase("doctor.network", { names: names.join(", ") });
  const unreadable = FILES.flatMap((name): Finding[] => {
    const file = env[name];
    const code = file ? denied(file) : null;
    if (!file || code === null) return [];
    return [problem(phrase("doctor.ca_unreadable", { name, file, code }), phrase("doctor.ca_unreadable.advice"))];
  });
  return [fine(first), ...unreadable];
}

function denied(file: string): string | null {
  try {
    accessSync(file, constants.R_OK);
    return null;
  } catch (error) {
    const code = errnoOf(error);
    if (code === undefined) throw error;
    return code;
  }
}
