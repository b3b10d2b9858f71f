// Keys that the user entered: in `keys.json`, readable by its owner only, or in the system's keychain.

import { join } from "node:path";
import { fail, ok, type Result } from "../../contract/error.ts";
import { isRecord, parsedJson } from "../../contract/json.ts";
import { phrase } from "../../contract/text/catalogue.ts";
import { readKeychain } from "../../platform/keychain.ts";
import type { SettingsSources } from "../load.ts";
import { loadValues, readConfigBytes } from "../values.ts";
import { keyVariables } from "./providers.ts";

/** `true` = stored in the keychain. */
export type StoredKeys = Readonly<Record<string, string | true>>;

export function keysFile(home: string): string {
  return join(home, "keys.json");
}

/** The stored key; an unreadable file counts as none (`doctor` reports it). */
export function storedKey(home: string, provider: string): string | null {
  const stored = readKeys(home);
  const entry = stored.ok && Object.hasOwn(stored.value, provider) ? stored.value[provider] : undefined;
  if (entry === true) return readKeychain(provider, [process.cwd()]);
  return entry ?? null;
}

/** Secrets in the file, for redaction. */
export function storedSecrets(home: string): readonly string[] {
  const stored = readKeys(home);
  return stored.ok ? Object.values(stored.value).filter((entry) => entry !== true) : [];
}

const secretHeader = /auth|key|token|secret|cookie|password/i;

interface ConfiguredSecrets {
  readonly values: readonly string[];
  readonly variables: readonly string[];
}

/** The secrets of all providers, because the model may change at any time. */
export function configuredSecrets(sources: SettingsSources): ConfiguredSecrets {
  const config = loadValues(sources);
  const providers = config.ok ? config.value.providers : undefined;
  const variables = keyVariables(providers);
  const written = Object.values(providers ?? {}).flatMap(({ api_key: key = "", headers = {} }) => [
    key,
    ...Object.entries(headers).flatMap(([header, value]) => (secretHeader.test(header) ? [value] : [])),
  ]);
  return { values: [...written, ...variables.map((name) => sources.env[name] ?? "")], variables };
}

export function readKeys(home: string): Result<StoredKeys> {
  const file = keysFile(home);
  const bytes = readConfigBytes(file, false);
  if (!bytes.ok || bytes.value === null) return bytes.ok ? ok({}) : bytes;
  const stored = parsed(bytes.value.toString("utf8"));
  return stored === null ? fail("E_CONFIG", phrase("setup.keys_unreadable", { file })) : ok(stored);
}

function parsed(text: string): StoredKeys | null {
  const value = parsedJson(text);
  const isKey = (entry: unknown): boolean => entry === true || (typeof entry === "string" && entry !== "");
  return isRecord(value) && Object.values(value).every(isKey) ? (value as StoredKeys) : null;
}
