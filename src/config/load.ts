import { realpathSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { fail, ok, type Result } from "../contract/error.ts";
import type { Effort, ModelChoice, Settings, TrustSettings, WorkflowSettings } from "../contract/settings.ts";
import { type Lang, type Phrase, phrase } from "../contract/text/catalogue.ts";
import type { UiSettings } from "../contract/ui.ts";
import { errnoOf } from "../platform/files/failure.ts";
import { defaults } from "./defaults.ts";
import type { ConfigValues } from "./file/setting-schema.ts";
import { storedKey } from "./model/keys.ts";
import { chooseModel, type ModelSources } from "./model/providers.ts";
import { microDollars } from "./models/lookup.ts";
import { personRules, projectRules } from "./permission/permission.ts";
import { firstFew } from "./project/project.ts";
import type { ProjectFile } from "./project/trust.ts";
import { promptOf } from "./system-prompt.ts";
import { homeOf, type Layers, loadLayers } from "./values.ts";

/** As given on the command line, not validated. */
export interface FlagValues {
  readonly mode?: string | undefined;
  readonly model?: string | undefined;
  readonly baseUrl?: string | undefined;
  readonly cwd?: string | undefined;
  readonly addDir?: readonly string[] | undefined;
  readonly lang?: string | undefined;
  readonly systemPromptFile?: string | undefined;
  readonly appendSystemPrompt?: string | undefined;
  readonly maxSteps?: string | undefined;
  readonly maxTokens?: string | undefined;
  readonly maxCost?: string | undefined;
  readonly maxTime?: string | undefined;
  readonly config?: string | undefined;
  readonly verbose?: boolean | undefined;
  readonly allow?: readonly string[] | undefined;
  readonly deny?: readonly string[] | undefined;
  readonly sandbox?: boolean | undefined;
  readonly noSandbox?: boolean | undefined;
  readonly fallback?: boolean | undefined;
}

export interface SettingsSources {
  readonly flags: FlagValues;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** `false`: `model` stays `null`, so that commands without a model need no key. */
  readonly withModel?: boolean;
  /** Without it, nothing that the workspace configures takes effect. */
  readonly trust?: Trust;
}

/** `config`: the file of a trusted workspace, with exactly the trusted bytes. */
export interface Trust extends TrustSettings {
  readonly config: ProjectFile | null;
}

/** Layers: defaults < the user's config < a trusted workspace's < environment < flags. */
export function loadSettings(sources: SettingsSources): Result<Settings> {
  const { flags, env, cwd } = sources;
  const home = homeOf(env, cwd);
  const layers = loadLayers(sources);
  if (!layers.ok) return layers;
  const { values } = layers.value;
  const fallback = fallbackOf(flags, values);
  if (!fallback.ok) return fallback;
  const workspace = workspaceOf(sources);
  if (!workspace.ok) return workspace;
  const addDirs: string[] = [];
  for (const dir of flags.addDir ?? []) {
    const real = realFolder(resolve(cwd, dir), "--add-dir");
    if (!real.ok) return real;
    addDirs.push(real.value);
  }
  const prompt = promptOf(flags, cwd);
  if (!prompt.ok) return prompt;
  const lang = langOf(flags, env, values);
  if (!lang.ok) return lang;
  const model: Result<Chosen> =
    sources.withModel === false ? ok({ model: null, ignored: [] }) : startModel(sources, layers.value);
  if (!model.ok) return model;
  const own = personRules(sources);
  if (!own.ok) return own;
  const project = sources.trust?.config ? projectRules(sources.trust.config) : { rules: [], ignored: [] };
  const rules = [...own.value, ...project.rules];
  const places = { home, workspace: workspace.value, addDirs: [...new Set(addDirs)], prompt: prompt.value, rules };
  const network = networkOf(values, home);
  const rest = {
    ...{ lang: lang.value, model: model.value.model, verbose: flags.verbose ?? false },
    ...{ fallback: fallback.value, network },
  };
  const ignored = [...model.value.ignored, ...layers.value.ignored, ...project.ignored];
  const notices = [...(sources.trust?.ignored ?? []), ...firstFew(ignored)];
  const trust = { state: sources.trust?.state ?? "untrusted", ignored: notices };
  const chosenBy = choosersOf(flags, layers.value);
  return ok(
    deepFreeze({ ...places, ...rest, sandbox: sandboxOf(flags, values), ...fromValues(values), chosenBy, trust }),
  );
}

function choosersOf(flags: FlagValues, { values, person }: Layers): Settings["chosenBy"] {
  const by = <T>(applied: T, own: T) => (applied === own ? "person" : "project");
  return {
    mode: flags.mode === undefined ? by(values.mode, person.mode) : "flag",
    preset: by(values.preset, person.preset),
  };
}

interface Chosen {
  readonly model: ModelChoice | null;
  readonly ignored: readonly Phrase[];
}

/** Ignores an unusable model of a project's: a repository must not keep the user from working. */
function startModel(sources: SettingsSources, layers: Layers): Result<Chosen> {
  const { values, person } = layers;
  const choose = (ref: string | undefined): Result<ModelChoice | null> =>
    ref === undefined ? ok(null) : chooseModel(ref, modelSources(ref, sources, layers, ref === person.model));
  const first = choose(values.model);
  if (first.ok || values.model === person.model) return first.ok ? ok({ model: first.value, ignored: [] }) : first;
  const own = choose(person.model);
  if (!own.ok) return own;
  const about = { model: values.model ?? "", file: ".coder/config.json", problem: first.error.text };
  return ok({ model: own.value, ignored: [phrase("trust.model_unusable", about)] });
}

/**
 * Switches the model in a running session. Re-reads the config, so that changes since the start count. `effort` overrides the configured
 * one.
 */
export function switchModel(ref: string, sources: SettingsSources, effort?: Effort): Result<ModelChoice> {
  const layers = loadLayers(sources);
  if (!layers.ok) return layers;
  const from = modelSources(ref, sources, layers.value, true);
  const model = chooseModel(ref, effort === undefined ? from : { ...from, effort });
  return model.ok ? ok(deepFreeze(model.value)) : model;
}

/** The builtin model is no fallback: it would do something other than the task. */
function fallbackOf({ fallback }: FlagValues, values: ConfigValues): Result<Settings["fallback"]> {
  const models = values.fallback_models ?? [];
  const builtin = models.find((ref) => providerOf(ref) === "builtin");
  if (builtin !== undefined) return fail("E_CONFIG", phrase("models.fallback_builtin", { model: builtin }));
  return ok({ models, headless: fallback ?? values.fallback?.headless ?? false });
}

/** Relative paths are relative to CODER_HOME. */
export function networkOf({ network }: ConfigValues, home: string): Settings["network"] {
  const file = network?.ca_file;
  return { proxy: network?.proxy ?? null, caFile: file === undefined ? null : resolve(home, file) };
}

function fromValues(values: ConfigValues) {
  return {
    timezone: values.ui?.timezone ?? null,
    ui: uiOf(values.ui ?? {}),
    mode: values.mode ?? defaults.mode,
    preset: values.preset ?? null,
    maxSteps: values.max_steps ?? defaults.max_steps,
    maxParallel: values.agents?.max_parallel ?? defaults.agents.max_parallel,
    maxTokens: values.max_tokens ?? null,
    maxCost: values.max_cost === undefined ? null : microDollars(values.max_cost),
    maxTimeMs: values.max_time_s === undefined ? null : ms(values.max_time_s),
    commandTimeoutMs: ms(values.command_timeout_s ?? defaults.command_timeout_s),
    maxStreamBytes: values.output_bytes ?? defaults.output_bytes,
    compactAt: values.compaction?.threshold ?? defaults.compaction.threshold,
    keepRecent: values.compaction?.keep_recent ?? defaults.compaction.keep_recent,
    autoCompact: !(values.compaction?.off ?? defaults.compaction.off),
    rulesFiles: values.context?.rules_files ?? defaults.context.rules_files,
    mapTokens: values.context?.map_tokens ?? defaults.context.map_tokens,
    modelIdleMs: ms(values.model_idle_s ?? defaults.model_idle_s),
    modelAttempts: values.model_attempts ?? defaults.model_attempts,
    modelOutageMs: ms(values.model_outage_s ?? defaults.model_outage_s),
    readRetryMs: values.read_retry_ms ?? defaults.read_retry_ms,
    shellApproval: values.shell_mode?.approval ?? defaults.shell_mode.approval,
    retention: {
      maxAgeDays: values.sessions?.max_age_days ?? null,
      maxSizeMb: values.sessions?.max_size_mb ?? null,
    },
    passEnv: values.sandbox?.env ?? defaults.sandbox.env,
    fileSizeMb: values.sandbox?.file_size_mb ?? defaults.sandbox.file_size_mb,
    toolsOff: values.tools?.off ?? defaults.tools.off,
    workflow: workflowOf(values.workflow ?? {}),
    gitMode: values.git?.mode ?? defaults.git.mode,
  } as const;
}

function uiOf({ theme, keys = {}, notify, statusline, vim }: NonNullable<ConfigValues["ui"]>): UiSettings {
  const lists = Object.entries(keys).map(([action, key]) => [action, typeof key === "string" ? [key] : key] as const);
  const { ui } = defaults;
  return {
    ...{ theme: theme ?? ui.theme, keys: Object.fromEntries(lists), notify: notify ?? ui.notify },
    ...{ statusline: { ...ui.statusline, ...statusline }, vim: vim ?? ui.vim },
  };
}

function workflowOf(given: NonNullable<ConfigValues["workflow"]>): WorkflowSettings {
  const values = { ...defaults.workflow, ...given };
  return {
    autoVerify: values.auto_verify_after_edit,
    verifyCommands: values.verify_commands,
    verifyAllowed: values.verify_allowed,
    maxVerifyAttempts: values.max_verify_attempts,
    verifyTimeoutMs: ms(values.verify_timeout_s),
    onVerifyFailure: values.on_verify_failure,
    verifyBaseline: values.verify_baseline,
    requireTodo: values.require_todo_for_complex,
    maxDiagnostics: values.max_diagnostics,
    complex: { ...defaults.workflow.complex, ...values.complex },
  };
}

function sandboxOf({ sandbox, noSandbox }: FlagValues, values: ConfigValues): Settings["sandbox"] {
  if (noSandbox) return "off";
  return sandbox ? "on" : (values.sandbox?.use ?? defaults.sandbox.use);
}

function ms(seconds: number): number {
  return Math.round(seconds * 1000);
}

export function workspaceOf({ flags, cwd }: SettingsSources): Result<string> {
  return realFolder(resolve(cwd, flags.cwd ?? "."), flags.cwd === undefined ? null : "--cwd");
}

/** `where`: the flag that named it; `null` = the working directory. */
function realFolder(path: string, where: string | null): Result<string> {
  try {
    const real = realpathSync.native(path);
    if (statSync(real).isDirectory()) return ok(real);
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
  }
  // Bun decodes invalid UTF-8 to this character, and such a path cannot be opened.
  if (path.includes("\ufffd"))
    return fail("E_CONFIG", phrase("config.path_not_utf8", { path }), {
      advice: phrase("config.path_not_utf8.advice"),
    });
  if (where === null)
    return fail("E_CONFIG", phrase("config.here_not_folder", { path }), {
      advice: phrase("config.here_not_folder.advice"),
    });
  return fail("E_CONFIG", phrase("config.not_folder", { where, path }));
}

/** The user's choice wins over the system's: LANG is set nearly everywhere and would make `ui.lang` useless. */
function langOf(flags: FlagValues, env: SettingsSources["env"], values: ConfigValues): Result<Lang> {
  const override = langSource(flags, env);
  if (!override.ok) return override;
  if (override.value?.kind === "flag") return ok(override.value.lang);
  return ok(values.ui?.lang ?? override.value?.lang ?? "en");
}

/** The language of messages before or without settings, even if the config is broken. */
export function spokenLang(sources: SettingsSources): Lang {
  const layers = loadLayers(sources);
  const lang = langOf(sources.flags, sources.env, layers.ok ? layers.value.values : {});
  return lang.ok ? lang.value : "en";
}

interface LangSource {
  readonly kind: "flag" | "env";
  readonly name: string;
  readonly lang: Lang;
}

/** The language from the flag or the environment; `null` = neither sets one. */
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

/**
 * The base URL from flag or environment, and the key that comes with it, apply only to the provider chosen at the start. CODER_API_KEY
 * goes only to a provider that the user chose: a project could name one to capture it.
 */
export function modelSources(ref: string, sources: SettingsSources, layers: Layers, isTheirs: boolean): ModelSources {
  const { flags, env } = sources;
  const given: ModelSources["baseUrl"] =
    flags.baseUrl !== undefined
      ? { url: flags.baseUrl, where: "--base-url" }
      : env.CODER_BASE_URL
        ? { url: env.CODER_BASE_URL, where: "CODER_BASE_URL" }
        : null;
  const { values, person, foreign } = layers;
  const isSame = person.model !== undefined && providerOf(person.model) === providerOf(ref);
  const isFirst = person.model === undefined || isSame;
  const isChosen = !foreign.includes(providerOf(ref)) && (isTheirs || isSame);
  const takesKey = given === null ? isChosen : isFirst;
  const { providers, models } = values;
  return {
    env,
    providers,
    models,
    baseUrl: isFirst ? given : null,
    sharedKey: takesKey ? env.CODER_API_KEY || null : null,
    storedKey: (name) => (foreign.includes(name) ? null : storedKey(homeOf(env, sources.cwd), name)),
    effort: values.reasoning_effort ?? null,
  };
}

function providerOf(ref: string): string {
  return ref.slice(0, ref.indexOf("/"));
}

function deepFreeze<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  // Does not call getters: they do work that may never be needed.
  for (const key of Object.keys(value)) deepFreeze(Object.getOwnPropertyDescriptor(value, key)?.value);
  return Object.freeze(value);
}
