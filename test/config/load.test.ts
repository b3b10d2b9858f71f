import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type FlagValues, loadSettings, type SettingsSources, switchModel } from "../../src/config/load.ts";
import type { Result } from "../../src/contract/error.ts";
import type { Settings } from "../../src/contract/settings.ts";
import { machineZone } from "../../src/contract/show/zoned-time.ts";
import { say } from "../../src/contract/text/catalogue.ts";

let base = "";
let workspace = "";
let home = "";

beforeAll(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "coder-config-")));
  workspace = join(base, "工作区");
  home = join(base, "home");
  mkdirSync(workspace);
  mkdirSync(home);
});

afterAll(() => rmSync(base, { recursive: true, force: true }));

type Env = SettingsSources["env"];

function load(flags: FlagValues = {}, env: Env = {}, more: Partial<SettingsSources> = {}): Result<Settings> {
  return loadSettings({ flags, env: { HOME: home, ...env }, cwd: workspace, ...more });
}

function settings(...args: Parameters<typeof load>): Settings {
  const loaded = load(...args);
  if (!loaded.ok) throw new Error(say("en", loaded.error.text));
  return loaded.value;
}

function problem(...args: Parameters<typeof load>): string {
  const loaded = load(...args);
  return loaded.ok ? "no problem" : `${loaded.error.code} ${say("en", loaded.error.text)}`;
}

/** A home of its own with this config file. */
function homeWith(config: unknown): Env {
  const folder = mkdtempSync(join(base, "home-"));
  writeFileSync(join(folder, "config.json"), typeof config === "string" ? config : JSON.stringify(config));
  return { CODER_HOME: folder };
}

test("[CF-3] without file, variables and flags the defaults apply", () => {
  expect(settings()).toEqual({
    home: join(home, ".coder"),
    workspace,
    addDirs: [],
    prompt: null,
    lang: "en",
    timezone: null,
    ui: {
      ...{ theme: "terminal", keys: {}, notify: "auto", vim: false },
      statusline: {
        fields: ["mode", "preset", "model", "context", "cost", "jobs", "sandbox", "trust", "branch"],
      },
    },
    mode: "default",
    preset: null,
    chosenBy: { mode: "person", preset: "person" },
    rules: [],
    model: null,
    fallback: { models: [], headless: false },
    network: { proxy: null, caFile: null },
    maxSteps: 128,
    maxParallel: 4,
    maxTokens: null,
    maxCost: null,
    maxTimeMs: null,
    commandTimeoutMs: 120_000,
    maxStreamBytes: 1_048_576,
    compactAt: 0.8,
    keepRecent: 12,
    autoCompact: true,
    rulesFiles: [],
    mapTokens: 1000,
    modelIdleMs: 300_000,
    modelAttempts: 10_000,
    modelOutageMs: 300_000,
    readRetryMs: [200, 500, 1000],
    shellApproval: "pipeline",
    retention: { maxAgeDays: null, maxSizeMb: null },
    sandbox: "auto",
    passEnv: [],
    fileSizeMb: 8192,
    workflow: {
      ...{ autoVerify: true, verifyCommands: [], verifyAllowed: [], maxVerifyAttempts: 2, verifyTimeoutMs: 600_000 },
      ...{ onVerifyFailure: "keep", verifyBaseline: true, requireTodo: true, maxDiagnostics: 20 },
      complex: { chars: 80, separators: 2, words: 14, goals: 2 },
    },
    gitMode: "off",
    toolsOff: [],
    trust: { state: "untrusted", ignored: [] },
    verbose: false,
  });
});

test("[CF-1] every key of the user's file takes effect", () => {
  const price = { input: 0.1, output: 2.5, cached_input: 0.000001 };
  const env = homeWith({
    ...{ mode: "plan", preset: "strict", max_steps: 3, max_tokens: 4, max_time_s: 1.1, command_timeout_s: 0.25 },
    max_cost: 0.29,
    ...{
      output_bytes: 2048,
      agents: { max_parallel: 2 },
      compaction: { threshold: 0.5, keep_recent: 2, off: true },
      model_idle_s: 7,
      model_attempts: 1,
      model_outage_s: 2,
    },
    ...{ read_retry_ms: [], shell_mode: { approval: "direct" }, tools: { off: ["bash", "fetch"] } },
    sessions: { max_age_days: 30, max_size_mb: 500 },
    workflow: {
      ...{ auto_verify_after_edit: false, verify_commands: ["cargo test"], verify_allowed: ["make test"] },
      ...{ max_verify_attempts: 5, verify_timeout_s: 9, on_verify_failure: "rollback" },
      ...{ require_todo_for_complex: false, max_diagnostics: 0, verify_baseline: true },
      complex: { chars: 1, separators: 3, words: 4, goals: 5 },
    },
    permissions: { rules: [{ decision: "ask", tool: "bash" }] },
    git: { mode: "branch" },
    context: { rules_files: ["r.md"], map_tokens: 300 },
    ...{ fallback_models: ["corp/b"], fallback: { headless: true } },
    network: { proxy: "http://proxy.invalid:3128", ca_file: "ca.pem" },
    ui: {
      ...{ lang: "zh", timezone: "UTC", theme: "light", notify: "bell", vim: true },
      statusline: { command: "echo hi", fields: ["model"] },
      keys: { send: "ctrl+s", suspend: [], "editor.yank": ["alt+y"] },
    },
    ...{ model: "corp/m", models: { "corp/m": { context_window: 5000, price } } },
    providers: { corp: { protocol: "openai-chat", base_url: "http://127.0.0.1:9/v1/" } },
  });
  expect(settings({}, env)).toEqual({
    ...{
      home: String(env.CODER_HOME),
      workspace,
      addDirs: [],
      prompt: null,
      lang: "zh",
      timezone: "UTC",
      ui: {
        ...{ theme: "light", notify: "bell", vim: true, statusline: { command: "echo hi", fields: ["model"] } },
        keys: { send: ["ctrl+s"], suspend: [], "editor.yank": ["alt+y"] },
      },
      mode: "plan",
      preset: "strict",
      chosenBy: { mode: "person", preset: "person" },
    },
    model: {
      ref: "corp/m",
      name: "m",
      provider: {
        ...{ name: "corp", protocol: "openai-chat", baseUrl: "http://127.0.0.1:9/v1", apiKey: null },
        ...{ apiKeyEnv: [], needsKey: false, headers: {} },
      },
      contextWindow: 5000,
      takesImages: false,
      price: { input: 100_000, output: 2_500_000, cachedInput: 1 },
    },
    fallback: { models: ["corp/b"], headless: true },
    network: { proxy: "http://proxy.invalid:3128", caFile: join(String(env.CODER_HOME), "ca.pem") },
    ...{
      maxSteps: 3,
      maxParallel: 2,
      maxTokens: 4,
      maxCost: 290_000,
      maxTimeMs: 1100,
      commandTimeoutMs: 250,
      maxStreamBytes: 2048,
      compactAt: 0.5,
    },
    ...{
      keepRecent: 2,
      ...{ autoCompact: false, rulesFiles: ["r.md"], mapTokens: 300 },
      modelIdleMs: 7000,
      modelAttempts: 1,
      modelOutageMs: 2000,
      readRetryMs: [],
      shellApproval: "direct",
    },
    ...{ toolsOff: ["bash", "fetch"], retention: { maxAgeDays: 30, maxSizeMb: 500 }, verbose: false },
    workflow: {
      ...{ autoVerify: false, verifyCommands: ["cargo test"], verifyAllowed: ["make test"], maxVerifyAttempts: 5 },
      ...{
        verifyTimeoutMs: 9000,
        onVerifyFailure: "rollback",
        requireTodo: false,
        maxDiagnostics: 0,
        verifyBaseline: true,
      },
      complex: { chars: 1, separators: 3, words: 4, goals: 5 },
    },
    ...{
      gitMode: "branch",
      sandbox: "auto",
      passEnv: [],
      fileSizeMb: 8192,
      trust: { state: "untrusted", ignored: [] },
    },
    rules: [{ decision: "ask", tool: "bash", source: `${env.CODER_HOME}/config.json:1`, by: "person" }],
  });
});

test("[IN-3] shell_mode.approval is pipeline unless the user's file says direct", () => {
  const env = homeWith({ shell_mode: { approval: "direct" } });
  expect([settings().shellApproval, settings({}, env).shellApproval]).toEqual(["pipeline", "direct"]);
});

test("[CF-1] environment beats the file, flags beat both", () => {
  const env = homeWith({ model: "ollama/file", mode: "plan", max_steps: 1, max_tokens: 1, max_time_s: 1 });
  const withVariable = { ...env, CODER_MODEL: "ollama/variable" };
  const flags = { model: "ollama/flag", mode: "yolo", maxSteps: "2", maxTokens: "3", maxTime: "0.5", verbose: true };
  const { model, mode, maxSteps, maxTokens, maxTimeMs, verbose } = settings(flags, withVariable);
  expect([settings({}, env).model?.ref, settings({}, withVariable).model?.ref, model?.ref]).toEqual([
    "ollama/file",
    "ollama/variable",
    "ollama/flag",
  ]);
  expect([mode, maxSteps, maxTokens, maxTimeMs, verbose]).toEqual(["yolo", 2, 3, 500, true]);
});

test("settings are frozen to the last leaf", () => {
  const env = homeWith({
    model: "corp/m",
    providers: { corp: { protocol: "openai-chat", base_url: "http://h", headers: { A: "b" } } },
  });
  const loaded = settings({}, env);
  const parts = [loaded, loaded.addDirs, loaded.readRetryMs, loaded.model, loaded.model?.provider.headers];
  expect(parts.map((part) => Object.isFrozen(part))).toEqual(parts.map(() => true));
});

test("[PO-9] a config file in the workspace takes no effect, valid, hostile or broken", () => {
  const hostile = {
    mode: "yolo",
    preset: "yolo",
    shell_mode: { approval: "direct" },
    model: "openai/x",
    providers: { openai: { base_url: "http://evil.example/v1" } },
  };
  const before = settings();
  mkdirSync(join(workspace, ".coder"));
  try {
    for (const text of [JSON.stringify(hostile), "{ broken"]) {
      writeFileSync(join(workspace, ".coder/config.json"), text);
      expect(settings()).toEqual(before);
    }
  } finally {
    rmSync(join(workspace, ".coder"), { recursive: true });
  }
});

test("[CLI-5] CODER_HOME takes the place of ~/.coder, and empty variables count as unset", () => {
  expect([
    settings({}, { CODER_HOME: join(base, "elsewhere") }).home,
    settings({}, { CODER_HOME: "" }).home,
    settings({}, { CODER_MODEL: "", CODER_BASE_URL: "", CODER_API_KEY: "" }).model,
  ]).toEqual([join(base, "elsewhere"), join(home, ".coder"), null]);
});

test("[CLI-2] --config names another file, which must then exist", () => {
  const file = join(base, "other.json");
  writeFileSync(file, '{ "max_steps": 9 }');
  const env = homeWith({ max_steps: 5 });
  expect([settings({ config: file }, env).maxSteps, settings({ config: "../other.json" }, env).maxSteps]).toEqual([
    9, 9,
  ]);
  expect(problem({ config: join(base, "none.json") })).toBe(
    `E_CONFIG The config file ${join(base, "none.json")} cannot be read (ENOENT).`,
  );
});

test("[CF-2] a config file that is there but cannot be read is an error", () => {
  const folder = mkdtempSync(join(base, "home-"));
  mkdirSync(join(folder, "config.json"));
  const file = join(folder, "config.json");
  expect(problem({}, { CODER_HOME: folder })).toBe(`E_CONFIG The config file ${file} cannot be read (EISDIR).`);
});

test("a config file of more than 1 MiB is refused", () => {
  const env = homeWith(`{}${" ".repeat(1_048_576)}`);
  expect(problem({}, env)).toContain("is too large for a config file");
});

test("[CF-2] an error in the user's file names it with the line", () => {
  const env = homeWith('{\n  // 注释\n  "mode": "yolo",\n  "max_stepz": 1\n}');
  expect(problem({}, env)).toBe(
    `E_CONFIG ${env.CODER_HOME}/config.json:4: max_stepz is not a known key; did you mean max_steps?`,
  );
});

test("[CLI-2] --cwd is the workspace, as its real path; it and --add-dir must be folders", () => {
  mkdirSync(join(base, "real"));
  symlinkSync(join(base, "real"), join(base, "link"));
  writeFileSync(join(base, "file"), "");
  const loaded = settings({ cwd: "../link", addDir: ["../link", join(base, "real"), home] });
  expect([loaded.workspace, loaded.addDirs]).toEqual([join(base, "real"), [join(base, "real"), home]]);
  expect([problem({ cwd: "nowhere" }), problem({ cwd: "../file" }), problem({ addDir: ["nowhere"] })]).toEqual([
    `E_CONFIG --cwd: ${join(workspace, "nowhere")} is not a folder or does not exist`,
    `E_CONFIG --cwd: ${join(base, "file")} is not a folder or does not exist`,
    `E_CONFIG --add-dir: ${join(workspace, "nowhere")} is not a folder or does not exist`,
  ]);
});

const badFlags: readonly (readonly [flags: FlagValues, env: Env, says: string])[] = [
  [{ mode: "fast" }, {}, "--mode must be one of: plan, default, auto-edit, yolo"],
  [{ mode: "yollo" }, {}, "--mode must be one of: plan, default, auto-edit, yolo"],
  [{ maxSteps: "0" }, {}, "--max-steps must be a whole number from 1 to 100000"],
  [{ maxSteps: "-1" }, {}, "--max-steps must be a whole number from 1 to 100000"],
  [{ maxSteps: "1e3" }, {}, "--max-steps must be a whole number from 1 to 100000"],
  [{ maxSteps: "" }, {}, "--max-steps must be a whole number from 1 to 100000"],
  [{ maxTokens: "many" }, {}, "--max-tokens must be a whole number from 1 to 1000000000"],
  ...["0", "-1", "free", "1e3", "", ".5", "$5", "0.0000001", "1000001", "9".repeat(40)].map(
    (maxCost) => [{ maxCost }, {}, "--max-cost must be a number from 0.000001 to 1000000"] as const,
  ),
  [{ maxTime: "1h" }, {}, "--max-time must be a number from 0.001 to 604800"],
  [{ lang: "fr" }, {}, "--lang must be one of: en, zh"],
  [{ model: "gpt-5" }, {}, "--model: write the model as provider/name, for example openai/gpt-5"],
  [{}, { CODER_MODEL: "gpt-5" }, "CODER_MODEL: write the model as provider/name, for example openai/gpt-5"],
  [{ model: "ollama/x", baseUrl: "ftp://h" }, {}, "--base-url must be a URL that starts with http:// or https://"],
  [{ model: "ollama/x" }, { CODER_BASE_URL: "h" }, "CODER_BASE_URL must be a URL that starts with http:// or https://"],
];

test.each(badFlags)("[CF-2] the flags %j with %j are refused by name", (flags, env, says) => {
  expect(problem(flags, env)).toBe(`E_CONFIG ${says}`);
});

test("[SU-4] the language comes from --lang, then ui.lang, then LC_ALL, LC_MESSAGES and LANG", () => {
  const zh = { LANG: "zh_CN.UTF-8" };
  const english = homeWith({ ui: { lang: "en" } });
  expect([
    settings({}, zh).lang,
    settings({}, { ...zh, LC_ALL: "C" }).lang,
    settings({}, { LC_MESSAGES: "zh_TW", LANG: "en_US.UTF-8" }).lang,
    settings({}, { LC_ALL: "", LANG: "ZH" }).lang,
    settings({}, { LANG: "de_DE" }).lang,
    settings({}, { ...zh, ...english }).lang,
    settings({ lang: "zh-CN" }, english).lang,
    settings({ lang: "EN" }, zh).lang,
  ]).toEqual(["zh", "en", "zh", "zh", "en", "en", "zh", "en"]);
});

test("what needs no model loads without its key, and with bad values still not at all", () => {
  const env = homeWith({ model: "openai/gpt-5" });
  expect([
    problem({}, env),
    settings({}, env, { withModel: false }).model,
    problem({ maxSteps: "x" }, env, { withModel: false }),
  ]).toEqual([
    "E_CONFIG No API key for openai; looked in: CODER_API_KEY, OPENAI_API_KEY",
    null,
    "E_CONFIG --max-steps must be a whole number from 1 to 100000",
  ]);
});

function switched(ref: string, flags: FlagValues, env: Env): readonly (string | null)[] {
  const model = switchModel(ref, { flags, env: { HOME: home, ...env }, cwd: workspace });
  return model.ok ? [model.value.provider.baseUrl, model.value.provider.apiKey] : [say("en", model.error.text)];
}

test("[CLI-6] another model of the first provider keeps the given address and key, one of another provider gets neither", () => {
  const flags = { model: "openai-chat/a", baseUrl: "http://127.0.0.1:5/v1" };
  const env = { CODER_API_KEY: "shared", OPENAI_API_KEY: "vendor" };
  expect([
    switched("openai-chat/b", flags, env),
    switched("openai/gpt-5", flags, env),
    switched("deepseek/x", flags, env),
    switched("openai/gpt-5", {}, env),
  ]).toEqual([
    ["http://127.0.0.1:5/v1", "shared"],
    ["https://api.openai.com/v1", "vendor"],
    ["No API key for deepseek; looked in: CODER_API_KEY, DEEPSEEK_API_KEY"],
    ["https://api.openai.com/v1", "shared"],
  ]);
});

test("[CLI-6] --base-url and --model openai-chat/name work without any config file", () => {
  expect(settings({ model: "openai-chat/any/model:7b", baseUrl: "http://127.0.0.1:8080/v1/" }).model).toEqual({
    ref: "openai-chat/any/model:7b",
    name: "any/model:7b",
    provider: {
      ...{ name: "openai-chat", protocol: "openai-chat", baseUrl: "http://127.0.0.1:8080/v1", apiKey: null },
      ...{ apiKeyEnv: [], needsKey: false, headers: {} },
    },
    contextWindow: 128_000,
    takesImages: false,
  });
});

test("[CF-2] a model that is no AI cannot stand in for one: it is refused by name", () => {
  const env = homeWith({ fallback_models: ["openai/gpt-5", "builtin/mechanic"] });
  expect(problem({}, env)).toBe("E_CONFIG fallback_models: builtin/mechanic cannot be a fallback; remove it");
});

test("[CF-1] --fallback is the person's word for this run", () => {
  expect(settings({ fallback: true }, homeWith({ fallback_models: ["corp/b"] })).fallback).toEqual({
    models: ["corp/b"],
    headless: true,
  });
});

test("[PS-3] the time zone is the machine's; where that is UTC or not known, Asia/Shanghai", () => {
  for (const unset of ["UTC", "Etc/UTC", "GMT", "Etc/GMT+0", "Zulu", "Etc/Unknown", ""])
    expect(machineZone(unset)).toBe("Asia/Shanghai");
  for (const set of ["Europe/Berlin", "Europe/London", "Africa/Abidjan", "Etc/GMT+5", "Asia/Tokyo"])
    expect(machineZone(set)).toBe(set);
});
