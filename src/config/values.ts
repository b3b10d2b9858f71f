import { readFileSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { fail, ok, type Result } from "../contract/error.ts";
import { phrase } from "../contract/text/catalogue.ts";
import { errnoOf } from "../platform/files/failure.ts";
import { checkText } from "./check.ts";
import { parseConfig } from "./file.ts";
import type { FlagValues, SettingsSources } from "./load.ts";
import { type ConfigKey, type ConfigValues, configRules } from "./rules.ts";

type Env = SettingsSources["env"];

export function homeOf(env: Env, cwd: string): string {
  return env.CODER_HOME ? resolve(cwd, env.CODER_HOME) : join(env.HOME || homedir(), ".coder");
}

/** The config file that counts: the user's own, or the one named by `--config`. */
export function configFile({ flags, env, cwd }: SettingsSources): string {
  return flags.config === undefined ? join(homeOf(env, cwd), "config.json") : resolve(cwd, flags.config);
}

/** What a variable or a flag says about one key, as text. */
export interface Overlay {
  readonly kind: "env" | "flag";
  readonly name: string;
  readonly key: ConfigKey;
  readonly raw: string;
}

/** In rising order: a later one wins. */
export function overlaysOf(flags: FlagValues, env: Env): readonly Overlay[] {
  const rows: readonly (readonly [kind: Overlay["kind"], name: string, key: ConfigKey, raw: string | undefined])[] = [
    ["env", "CODER_MODEL", "model", env.CODER_MODEL || undefined],
    ["flag", "--model", "model", flags.model],
    ["flag", "--mode", "mode", flags.mode],
    ["flag", "--max-steps", "max_steps", flags.maxSteps],
    ["flag", "--max-tokens", "max_tokens", flags.maxTokens],
    ["flag", "--max-time", "max_time_s", flags.maxTime],
  ];
  return rows.flatMap(([kind, name, key, raw]) => (raw === undefined ? [] : [{ kind, name, key, raw }]));
}

export function overlayValue({ name, key, raw }: Overlay): Result<unknown> {
  const checked = checkText(raw, configRules.keys[key], name);
  return "problem" in checked ? fail("E_CONFIG", checked.problem) : ok(checked.value);
}

/** The user's file with variables and flags laid over it. A workspace's own file is not read (PO-9). */
export function loadValues(sources: SettingsSources): Result<ConfigValues> {
  const read = readConfig(configFile(sources), sources.flags.config !== undefined);
  if (!read.ok) return read;
  const values: Record<string, unknown> = { ...read.value };
  for (const overlay of overlaysOf(sources.flags, sources.env)) {
    const value = overlayValue(overlay);
    if (!value.ok) return value;
    values[overlay.key] = value.value;
  }
  return ok(values as ConfigValues);
}

function readConfig(file: string, mustExist: boolean): Result<ConfigValues> {
  const bytes = readConfigBytes(file, mustExist);
  if (!bytes.ok) return bytes;
  return bytes.value === null ? ok({}) : parseConfig(bytes.value, file);
}

// A config file is written by hand; anything larger is some other file.
const maxConfigBytes = 1_048_576;

/** `null`: there is none, and none has to be. */
export function readConfigBytes(file: string, mustExist: boolean): Result<Buffer | null> {
  let bytes: Buffer;
  try {
    // A named pipe would be waited for without end.
    if (statSync(file).isFIFO()) return fail("E_CONFIG", phrase("config.unreadable", { file, code: "FIFO" }));
    bytes = readFileSync(file);
  } catch (error) {
    const code = errnoOf(error);
    if (code === "ENOENT" && !mustExist) return ok(null);
    if (code === undefined) throw error;
    return fail("E_CONFIG", phrase("config.unreadable", { file, code }));
  }
  return bytes.length > maxConfigBytes
    ? fail("E_CONFIG", phrase("config.too_big", { file, max: maxConfigBytes }))
    : ok(bytes);
}
