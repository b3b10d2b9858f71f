import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { fail, ok, type Result } from "../contract/error.ts";
import { type Phrase, phrase } from "../contract/text/catalogue.ts";
import { errnoOf } from "../platform/files/failure.ts";
import { checkText } from "./file/check.ts";
import { parseConfig } from "./file/file.ts";
import { type ConfigKey, type ConfigValues, configRules } from "./file/setting-schema.ts";
import type { FlagValues, SettingsSources } from "./load.ts";
import { projectValues, withProject } from "./project/project.ts";

type Env = SettingsSources["env"];

export function homeOf(env: Env, cwd: string): string {
  return env.CODER_HOME ? resolve(cwd, env.CODER_HOME) : join(env.HOME || homedir(), ".coder");
}

/** The user's file, or the one named by `--config`. */
export function configFile({ flags, env, cwd }: SettingsSources): string {
  return flags.config === undefined ? join(homeOf(env, cwd), "config.json") : resolve(cwd, flags.config);
}

/** A setting from a variable or a flag, not yet validated. */
export interface Overlay {
  readonly kind: "env" | "flag";
  readonly name: string;
  readonly key: ConfigKey;
  readonly raw: string;
}

/** Later ones win. */
export function overlaysOf(flags: FlagValues, env: Env): readonly Overlay[] {
  const rows: readonly (readonly [kind: Overlay["kind"], name: string, key: ConfigKey, raw: string | undefined])[] = [
    ["env", "CODER_MODEL", "model", env.CODER_MODEL || undefined],
    ["flag", "--model", "model", flags.model],
    ["flag", "--mode", "mode", flags.mode],
    ["flag", "--max-steps", "max_steps", flags.maxSteps],
    ["flag", "--max-tokens", "max_tokens", flags.maxTokens],
    ["flag", "--max-cost", "max_cost", flags.maxCost],
    ["flag", "--max-time", "max_time_s", flags.maxTime],
  ];
  return rows.flatMap(([kind, name, key, raw]) => (raw === undefined ? [] : [{ kind, name, key, raw }]));
}

export function overlayValue({ name, key, raw }: Overlay): Result<unknown> {
  const checked = checkText(raw, configRules.keys[key], name);
  return "problem" in checked ? fail("E_CONFIG", checked.problem) : ok(checked.value);
}

export interface Layers {
  readonly values: ConfigValues;
  readonly person: ConfigValues;
  /** Providers that only the project defines: the user's keys never go to them. */
  readonly foreign: readonly string[];
  readonly ignored: readonly Phrase[];
}

/** Merges the user's file, a trusted project's (PO-9), variables and flags. */
export function loadLayers(sources: SettingsSources): Result<Layers> {
  const read = readConfig(configFile(sources), sources.flags.config !== undefined);
  if (!read.ok) return read;
  const given: Record<string, unknown> = {};
  for (const overlay of overlaysOf(sources.flags, sources.env)) {
    const value = overlayValue(overlay);
    if (!value.ok) return value;
    given[overlay.key] = value.value;
  }
  const person: ConfigValues = { ...read.value, ...given };
  const project = sources.trust?.config;
  if (!project) return ok({ values: person, person, foreign: [], ignored: [] });
  const { applied, ignored } = projectValues(project, read.value);
  const names = applied.flatMap(({ path: [key, name] }) => (key === "providers" && name !== undefined ? [name] : []));
  const values: ConfigValues = { ...withProject(read.value, applied), ...given };
  return ok({ values, person, foreign: [...new Set(names)], ignored });
}

export function loadValues(sources: SettingsSources): Result<ConfigValues> {
  const layers = loadLayers(sources);
  return layers.ok ? ok(layers.value.values) : layers;
}

export function readConfig(file: string, mustExist: boolean): Result<ConfigValues> {
  const bytes = readConfigBytes(file, mustExist);
  if (!bytes.ok) return bytes;
  return bytes.value === null ? ok({}) : parseConfig(bytes.value, file);
}

// A config file is written by hand; anything larger is some other file.
const maxConfigBytes = 1_048_576;

/** `null` = missing but optional. Does not block on a pipe and bounds the size. */
export function readConfigBytes(file: string, mustExist: boolean): Result<Buffer | null> {
  try {
    const fd = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const stat = fstatSync(fd);
      if (!stat.isFile()) return unreadable(file, stat.isDirectory() ? "EISDIR" : stat.isFIFO() ? "FIFO" : "ENODEV");
      const bytes = stat.size > maxConfigBytes ? null : readFileSync(fd);
      return bytes === null || bytes.length > maxConfigBytes
        ? fail("E_CONFIG", phrase("config.too_big", { file, max: maxConfigBytes }))
        : ok(bytes);
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    const code = errnoOf(error);
    if (code === "ENOENT" && !mustExist) return ok(null);
    if (code === undefined) throw error;
    return unreadable(file, code);
  }
}

function unreadable(file: string, code: string) {
  return fail("E_CONFIG", phrase("config.unreadable", { file, code }));
}
