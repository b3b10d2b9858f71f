// Keeps our own secrets from commands and from every text that is stored, shown or sent.
import { configuredSecrets, storedSecrets } from "../../config/model/keys.ts";
import type { Result } from "../../contract/error.ts";
import type { ModelChoice, Settings } from "../../contract/settings.ts";
import { knowSecrets } from "../../engine/call/redact.ts";
import { secretValues, withhold } from "../../platform/environment.ts";
import { isSecretVariable } from "../../policy/secret/variable.ts";
import type { Flags } from "../cli/flags.ts";

/** Withholds the keys of all providers, and variables that look like secrets, from commands. The values are read on demand. */
export function keepSecrets({ model, home }: Settings, flags: Flags): () => readonly string[] {
  const configured = configuredSecrets({ flags, env: process.env, cwd: process.cwd() });
  keepVariables(configured.variables);
  withhold(isSecretVariable);
  return () => {
    const { apiKey = null, headers = {} } = model?.provider ?? {};
    const others = [...configured.values, ...storedSecrets(home), ...secretValues(process.env)];
    return [apiKey ?? "", ...Object.values(headers), ...others];
  };
}

/** The key of a model chosen later may come from a keychain not read before. */
export function keepChosen(choice: Result<ModelChoice>): Result<ModelChoice> {
  if (!choice.ok) return choice;
  const { apiKey, apiKeyEnv } = choice.value.provider;
  keepVariables(apiKeyEnv);
  if (apiKey !== null) knowSecrets(() => [apiKey]);
  return choice;
}

let isKnown = false;

/** For commands without an engine, before anything leaves the store. */
export function knowOurs(): void {
  if (isKnown) return;
  isKnown = true;
  withhold(isSecretVariable);
  knowSecrets(() => secretValues(process.env));
}

function keepVariables(names: readonly string[]): void {
  withhold((name) => names.includes(name));
}
