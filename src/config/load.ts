import { realpathSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { fail, ok, type Result } from "../contract/error.ts";
import type { ModelChoice, Settings } from "../contract/settings.ts";
import type { Lang } from "../contract/text/catalogue.ts";
import { phrase } from "../contract/text/catalogue.ts";
import { errnoOf } from "../platform/files/failure.ts";
import { defaults } from "./defaults.ts";
import { chooseModel, type ModelSources } from "./providers.ts";
import type { ConfigValues } from "./rules.ts";
import { homeOf, loadValues } from "./values.ts";

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
  const values = loadValues(sources);
  if (!values.ok) return values;
  const workspace = workspaceOf(sources);
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
  const values = loadValues(sources);
  if (!values.ok) return values;
  const model = chooseModel(ref, modelSources(ref, sources, values.value));
  return model.ok ? ok(deepFreeze(model.value)) : model;
}

function fromValues(values: ConfigValues) {
  return {
    timezone: values.ui?.timezone ?? defaults.ui.timezone,
    mode: values.mode ?? defaults.mode,
    preset: values.preset ?? null,
    maxSteps: values.max_steps ?? defaults.max_steps,
    maxTokens: values.max_tokens ?? null,
    maxTimeMs: values.max_time_s === undefined ? null : ms(values.max_time_s),
    commandTimeoutMs: ms(values.command_timeout_s ?? defaults.command_timeout_s),
    maxStreamBytes: values.output_bytes ?? defaults.output_bytes,
    compactAt: values.compaction?.threshold ?? defaults.compaction.threshold,
    keepRecent: values.compaction?.keep_recent ?? defaults.compaction.keep_recent,
    modelIdleMs: ms(values.model_idle_s ?? defaults.model_idle_s),
    modelAttempts: values.model_attempts ?? defaults.model_attempts,
    readRetryMs: values.read_retry_ms ?? defaults.read_retry_ms,
    shellApproval: values.shell_mode?.approval ?? defaults.shell_mode.approval,
    retention: {
      maxAgeDays: values.sessions?.max_age_days ?? null,
      maxSizeMb: values.sessions?.max_size_mb ?? null,
    },
    toolsOff: values.tools?.off ?? defaults.tools.off,
  } as const;
}

function ms(seconds: number): number {
  return Math.round(seconds * 1000);
}

export function workspaceOf({ flags, cwd }: SettingsSources): Result<string> {
  return realFolder(resolve(cwd, flags.cwd ?? "."), "--cwd");
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
  const said = langSource(flags, env);
  if (!said.ok) return said;
  if (said.value?.kind === "flag") return ok(said.value.lang);
  return ok(values.ui?.lang ?? said.value?.lang ?? "en");
}

/** For what is said before or without settings, their errors included: a broken file must not silence anybody. */
export function spokenLang(sources: SettingsSources): Lang {
  const values = loadValues(sources);
  const lang = langOf(sources.flags, sources.env, values.ok ? values.value : {});
  return lang.ok ? lang.value : "en";
}

interface LangSource {
  readonly kind: "flag" | "env";
  readonly name: string;
  readonly lang: Lang;
}

/** What flag or system say about the language; `null` when neither says anything. */
export function langSource(flags: FlagValues, env: SettingsSources["env"]): Result<LangSource | null> {
  if (flags.lang !== undefined) {
    const [start] = flags.lang.toLowerCase().split(/[-_.]/);
    return start === "en" || start === "zh"
      ? ok({ kind: "flag", name: "--lang", lang: start })
      : fail("E_CONFIG", phrase("config.bad_choice", { where: "--lang", choices: "en, zh" }));
  }
  const name = ["LC_ALL", "LC_MESSAGES", "LANG"].find((one) => env[one]);
  if (name === undefined) return ok(null);
  return ok({ kind: "env", name, lang: env[name]?.toLowerCase().startsWith("zh") ? "zh" : "en" });
}

/** The given address, and the key given with it, belong to the provider chosen at the start and to no other. */
export function modelSources(ref: string, { flags, env }: SettingsSources, values: ConfigValues): ModelSources {
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
