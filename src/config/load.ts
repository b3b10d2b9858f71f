import { readFileSync, realpathSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { fail, ok, type Result } from "../contract/error.ts";
import type { ModelChoice, Settings } from "../contract/settings.ts";
import type { Lang } from "../contract/text/catalogue.ts";
import { phrase } from "../contract/text/catalogue.ts";
import { errnoOf } from "../platform/files/failure.ts";
import { checkText } from "./check.ts";
import { parseConfig } from "./file.ts";
import { chooseModel, type ModelSources } from "./providers.ts";
import { type ConfigKey, type ConfigValues, configRules } from "./rules.ts";

/** As they come from the command line: not yet checked. */
export interface FlagValues {
  readonly mode?: string | undefined;
  readonly model?: string | undefined;
  readonly baseUrl?: string | undefined;
  readonly cwd?: string | undefined;
  readonly addDir?: readonly string[] | undefined;
  readonly lang?: string | undefined;
  readonly maxSteps?: string | undefined;
  readonly maxTokens?: string | undefined;
  /** Seconds. */
  readonly maxTime?: string | undefined;
  readonly config?: string | undefined;
  readonly verbose?: boolean | undefined;
}

export interface SettingsSources {
  readonly flags: FlagValues;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** `false`: the model is left `null`, so that what needs none works without a key. */
  readonly withModel?: boolean;
}

/** defaults < the user's config file < environment < flags, checked, frozen. */
export function loadSettings(sources: SettingsSources): Result<Settings> {
  const { flags, env, cwd } = sources;
  const home = homeOf(env, cwd);
  const values = loadValues(sources, home);
  if (!values.ok) return values;
  const workspace = realFolder(resolve(cwd, flags.cwd ?? "."), "--cwd");
  if (!workspace.ok) return workspace;
  const addDirs: string[] = [];
  for (const dir of flags.addDir ?? []) {
    const real = realFolder(resolve(cwd, dir), "--add-dir");
    if (!real.ok) return real;
    addDirs.push(real.value);
  }
  const lang = langOf(flags, env, values.value);
  if (!lang.ok) return lang;
  const ref = sources.withModel === false ? undefined : values.value.model;
  const model = ref === undefined ? ok(null) : chooseModel(ref, modelSources(ref, sources, values.value));
  if (!model.ok) return model;
  const places = { home, workspace: workspace.value, addDirs: [...new Set(addDirs)] };
  const rest = { lang: lang.value, model: model.value, verbose: flags.verbose ?? false };
  return ok(deepFreeze({ ...places, ...rest, ...fromValues(values.value) }));
}

/** Another model in a running session. The config file is read anew, so that what was added since counts. */
export function switchModel(ref: string, sources: SettingsSources): Result<ModelChoice> {
  const values = loadValues(sources, homeOf(sources.env, sources.cwd));
  if (!values.ok) return values;
  const model = chooseModel(ref, modelSources(ref, sources, values.value));
  return model.ok ? ok(deepFreeze(model.value)) : model;
}

function fromValues(values: ConfigValues) {
  return {
    timezone: values.ui?.timezone ?? "Asia/Shanghai",
    mode: values.mode ?? "default",
    preset: values.preset ?? null,
    maxSteps: values.max_steps ?? 128,
    maxTokens: values.max_tokens ?? null,
    maxTimeMs: values.max_time_s === undefined ? null : ms(values.max_time_s),
    commandTimeoutMs: ms(values.command_timeout_s ?? 120),
    maxStreamBytes: values.output_bytes ?? 1_048_576,
    compactAt: values.compaction?.threshold ?? 0.8,
    keepRecent: values.compaction?.keep_recent ?? 12,
    modelIdleMs: ms(values.model_idle_s ?? 120),
    modelAttempts: values.model_attempts ?? 5,
    readRetryMs: values.read_retry_ms ?? [200, 500, 1000],
    shellApproval: values.shell_mode?.approval ?? "pipeline",
    toolsOff: values.tools?.off ?? [],
  } as const;
}

function ms(seconds: number): number {
  return Math.round(seconds * 1000);
}

function homeOf(env: SettingsSources["env"], cwd: string): string {
  return env.CODER_HOME ? resolve(cwd, env.CODER_HOME) : join(env.HOME || homedir(), ".coder");
}

/** The user's file with variables and flags laid over it. A workspace's own file is not read (PO-9). */
function loadValues({ flags, env, cwd }: SettingsSources, home: string): Result<ConfigValues> {
  const file = flags.config === undefined ? join(home, "config.json") : resolve(cwd, flags.config);
  const read = readConfig(file, flags.config !== undefined);
  if (!read.ok) return read;
  const over: readonly (readonly [where: string, key: ConfigKey, raw: string | undefined])[] = [
    ["CODER_MODEL", "model", env.CODER_MODEL || undefined],
    ["--model", "model", flags.model],
    ["--mode", "mode", flags.mode],
    ["--max-steps", "max_steps", flags.maxSteps],
    ["--max-tokens", "max_tokens", flags.maxTokens],
    ["--max-time", "max_time_s", flags.maxTime],
  ];
  const values: Record<string, unknown> = { ...read.value };
  for (const [where, key, raw] of over) {
    if (raw === undefined) continue;
    const checked = checkText(raw, configRules.keys[key], where);
    if ("problem" in checked) return fail("E_CONFIG", checked.problem);
    values[key] = checked.value;
  }
  return ok(values as ConfigValues);
}

// A config file is written by hand; anything larger is some other file.
const maxConfigBytes = 1_048_576;

function readConfig(file: string, mustExist: boolean): Result<ConfigValues> {
  let bytes: Buffer;
  try {
    // A named pipe would be waited for without end.
    if (statSync(file).isFIFO()) return fail("E_CONFIG", phrase("config.unreadable", { file, code: "FIFO" }));
    bytes = readFileSync(file);
  } catch (error) {
    const code = errnoOf(error);
    if (code === "ENOENT" && !mustExist) return ok({});
    if (code === undefined) throw error;
    return fail("E_CONFIG", phrase("config.unreadable", { file, code }));
  }
  return bytes.length > maxConfigBytes
    ? fail("E_CONFIG", phrase("config.too_big", { file, max: maxConfigBytes }))
    : parseConfig(bytes, file);
}

function realFolder(path: string, where: string): Result<string> {
  try {
    const real = realpathSync.native(path);
    if (statSync(real).isDirectory()) return ok(real);
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
  }
  return fail("E_CONFIG", phrase("config.not_folder", { where, path }));
}

/** The person's own choice before the system's: LANG is set nearly everywhere, and would make `ui.lang` useless. */
function langOf(flags: FlagValues, env: SettingsSources["env"], values: ConfigValues): Result<Lang> {
  if (flags.lang !== undefined) {
    const [start] = flags.lang.toLowerCase().split(/[-_.]/);
    return start === "en" || start === "zh"
      ? ok(start)
      : fail("E_CONFIG", phrase("config.bad_choice", { where: "--lang", choices: "en, zh" }));
  }
  const system = env.LC_ALL || env.LC_MESSAGES || env.LANG || "";
  return ok(values.ui?.lang ?? (system.toLowerCase().startsWith("zh") ? "zh" : "en"));
}

/** The given address, and the key given with it, belong to the provider chosen at the start and to no other. */
function modelSources(ref: string, { flags, env }: SettingsSources, values: ConfigValues): ModelSources {
  const given: ModelSources["baseUrl"] =
    flags.baseUrl !== undefined
      ? { url: flags.baseUrl, where: "--base-url" }
      : env.CODER_BASE_URL
        ? { url: env.CODER_BASE_URL, where: "CODER_BASE_URL" }
        : null;
  const isFirstProvider = values.model === undefined || providerOf(values.model) === providerOf(ref);
  const sharedKey = given === null || isFirstProvider ? env.CODER_API_KEY || null : null;
  const { providers, models } = values;
  return { env, providers, models, baseUrl: isFirstProvider ? given : null, sharedKey };
}

function providerOf(ref: string): string {
  return ref.slice(0, ref.indexOf("/"));
}

function deepFreeze<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  for (const inner of Object.values(value)) deepFreeze(inner);
  return Object.freeze(value);
}
