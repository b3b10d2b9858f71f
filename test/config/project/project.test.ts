import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { effectiveSettings } from "../../../src/config/effective.ts";
import { type FlagValues, loadSettings, type SettingsSources, switchModel } from "../../../src/config/load.ts";
import { listProviders } from "../../../src/config/model/catalogue.ts";
import { storeKey } from "../../../src/config/model/store-key.ts";
import type { Settings } from "../../../src/contract/settings.ts";
import { say } from "../../../src/contract/text/catalogue.ts";

let base = "";
let workspace = "";

beforeAll(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "coder-project-")));
  workspace = join(base, "ws");
  mkdirSync(workspace);
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

interface Given {
  readonly project: unknown;
  readonly person?: unknown;
  readonly env?: SettingsSources["env"];
  readonly flags?: FlagValues;
}

/** A trusted workspace with this config, and a person with that one. */
function sources({ project, person = {}, env = {}, flags = {} }: Given): SettingsSources {
  const home = mkdtempSync(join(base, "home-"));
  writeFileSync(join(home, "config.json"), JSON.stringify(person));
  const bytes = Buffer.from(typeof project === "string" ? project : JSON.stringify(project, null, 1));
  const config = { file: join(workspace, ".coder/config.json"), bytes };
  const trust = { state: "trusted", ignored: [], config } as const;
  return { flags, env: { HOME: home, CODER_HOME: home, ...env }, cwd: workspace, trust };
}

function settings(given: Given): Settings {
  const loaded = loadSettings(sources(given));
  if (!loaded.ok) throw new Error(say("en", loaded.error.text));
  return loaded.value;
}

function ignored(given: Given): readonly string[] {
  return settings(given).trust.ignored.map((one) => say("en", one));
}

test("[CF-1] [PO-9] a trusted project chooses the model and how it is worked with, over the person's file", () => {
  const project = {
    $schema: "https://example.org/s.json",
    ...{ model: "ollama/p", command_timeout_s: 600, output_bytes: 2048, compaction: { keep_recent: 3 } },
    models: { "ollama/p": { context_window: 9000 } },
  };
  const found = settings({ project, person: { model: "ollama/mine", compaction: { threshold: 0.5, keep_recent: 9 } } });
  expect([found.model?.ref, found.model?.contextWindow, found.commandTimeoutMs, found.maxStreamBytes]).toEqual([
    "ollama/p",
    9000,
    600_000,
    2048,
  ]);
  expect([found.compactAt, found.keepRecent, found.trust]).toEqual([0.5, 3, { state: "trusted", ignored: [] }]);
});

test("[PO-9] [BR-4] a project says what a model costs only of a provider of its own that the person has not described", () => {
  const price = { input: 1, output: 2 };
  const providers = { lab: { protocol: "openai-chat", base_url: "http://127.0.0.1:1" } };
  const project = { model: "lab/p", providers, models: { "lab/p": { price } } };
  const person = { models: { "lab/p": { context_window: 5000 } } };
  expect(settings({ project }).model?.price).toEqual({ input: 1_000_000, cachedInput: 1_000_000, output: 2_000_000 });
  expect(settings({ project, person }).model?.price).toBeUndefined();
  expect(ignored({ project, person }).join()).toContain("models.lab/p");
  expect(settings({ project: { max_cost: 3 }, flags: { maxCost: "7" } }).maxCost).toBe(7_000_000);
});

test("[PO-9] [BR-4] what the person pays for is not made free by a project, so that their budget holds", () => {
  const price = { input: 0, output: 0 };
  const own = { corp: { protocol: "openai-chat", base_url: "http://127.0.0.1:1" } };
  for (const [ref, person] of [["ollama/p", {}] as const, ["corp/p", { providers: own }] as const]) {
    const project = { models: { [ref]: { price, context_window: 9000 } } };
    const found = settings({ project, person, flags: { model: ref, maxCost: "1" } });
    expect([found.model?.price, found.model?.contextWindow]).toEqual([undefined, 9000]);
    expect(ignored({ project, person }).join()).toContain(`models.${ref}.price`);
  }
});

test("[CF-1] variables and flags beat the project", () => {
  const project = { model: "ollama/p", mode: "plan", max_steps: 3 };
  const env = { CODER_MODEL: "ollama/v" };
  expect(settings({ project, env }).model?.ref).toBe("ollama/v");
  const { model, mode, maxSteps } = settings({
    project,
    env,
    flags: { model: "ollama/f", mode: "yolo", maxSteps: "9" },
  });
  expect([model?.ref, mode, maxSteps]).toEqual(["ollama/f", "yolo", 9]);
});

describe("[PO-9] a project may only tighten", () => {
  test("modes, presets, sandbox and budgets that are stricter apply, and tools that are off add up", () => {
    const project = {
      ...{ mode: "plan", preset: "strict", max_steps: 5, max_tokens: 100, max_time_s: 10, max_cost: 0.5 },
      ...{ sandbox: { use: "on" }, tools: { off: ["bash"] } },
      permissions: { rules: [{ decision: "deny", command: "curl *" }] },
    };
    const found = settings({
      project,
      person: { mode: "auto-edit", max_tokens: 500, max_cost: 2, tools: { off: ["fetch"] } },
    });
    expect([found.mode, found.preset, found.sandbox]).toEqual(["plan", "strict", "on"]);
    expect([found.maxSteps, found.maxTokens, found.maxTimeMs, found.maxCost]).toEqual([5, 100, 10_000, 500_000]);
    expect([found.toolsOff, found.trust.ignored]).toEqual([["fetch", "bash"], []]);
    expect(found.rules.map(({ decision, by, source }) => [decision, by, source])).toEqual([
      ["deny", "project", expect.stringMatching(/^\.coder\/config\.json:\d+$/)],
    ]);
  });

  test("what is looser is ignored, and said with file, line and the person's own value", () => {
    const project = {
      ...{ mode: "yolo", preset: "auto-edit", max_steps: 129, max_tokens: 501, max_time_s: 61, max_cost: 2.5 },
      ...{ sandbox: { use: "off" }, permissions: { rules: [{ decision: "allow", tool: "bash" }] } },
    };
    const person = { preset: "balanced", max_tokens: 500, max_time_s: 60, max_cost: 2, mode: "default" };
    const given = { project, person };
    const found = settings(given);
    const plain = settings({ project: {}, person });
    expect({ ...found, home: "", trust: null }).toEqual({ ...plain, home: "", trust: null });
    const stricter = (where: string, own: unknown) =>
      `.coder/config.json:${where} is ignored: a project may only be stricter than your own setting (${own})`;
    expect(ignored(given)).toEqual([
      stricter("2: mode", "default"),
      stricter("3: preset", "balanced"),
      stricter("4: max_steps", 128),
      stricter("5: max_tokens", 500),
      stricter("6: max_time_s", 60),
      stricter("7: max_cost", 2),
      stricter("8: sandbox.use", "auto"),
      expect.stringMatching(/^\.coder\/config\.json:\d+ is ignored: a project's rules may only ask or deny$/),
    ]);
  });

  test("[CX-4] fewer tokens for the map apply, or none, and more do not, beside rules files that do", () => {
    const project = (tokens: number) => ({ context: { map_tokens: tokens, rules_files: ["a.md"] } });
    const person = { context: { map_tokens: 400, rules_files: ["~/mine.md"] } };
    expect([0, 400, 401].map((tokens) => settings({ project: project(tokens), person }).mapTokens)).toEqual([
      0, 400, 400,
    ]);
    expect(settings({ project: project(1001) }).mapTokens).toBe(1000);
    expect(settings({ project: project(7), person }).rulesFiles).toEqual(["~/mine.md"]);
    expect(ignored({ project: project(401), person })).toEqual([
      ".coder/config.json:2: context.map_tokens is ignored: a project may only be stricter than your own setting (400)",
    ]);
  });

  test("nothing of a project makes anything looser, whatever the person has set", () => {
    const modes = ["plan", "default", "auto-edit", "yolo"];
    const uses = ["on", "auto", "off"];
    for (const theirs of modes) {
      for (const own of modes) {
        const { mode } = settings({ project: { mode: theirs }, person: { mode: own } });
        expect(modes.indexOf(mode)).toBe(Math.min(modes.indexOf(theirs), modes.indexOf(own)));
      }
    }
    for (const theirs of uses) {
      for (const own of uses) {
        const { sandbox } = settings({ project: { sandbox: { use: theirs } }, person: { sandbox: { use: own } } });
        expect(uses.indexOf(sandbox)).toBe(Math.min(uses.indexOf(theirs), uses.indexOf(own)));
      }
    }
  });

  test("[RB-4] commits may be switched off by a project, and by none be switched on", () => {
    const mode = (theirs: string, own: string) => {
      const found = settings({ project: { git: { mode: theirs } }, person: { git: { mode: own } } });
      return [found.gitMode, found.trust.ignored.map(({ key }) => key)];
    };
    expect(mode("off", "commit")).toEqual(["off", []]);
    expect(mode("branch", "commit")).toEqual(["commit", ["trust.key_never"]]);
    expect(mode("commit", "off")).toEqual(["off", ["trust.key_never"]]);
  });

  test("what is the person's alone is ignored", () => {
    const project = {
      ...{ ui: { lang: "zh" }, shell_mode: { approval: "direct" }, sessions: { max_age_days: 1 }, model_idle_s: 1 },
      ...{
        model_attempts: 20,
        model_outage_s: 3600,
        read_retry_ms: [],
        sandbox: { env: ["AWS_SECRET_ACCESS_KEY"], file_size_mb: 1 },
        surprise: 1,
      },
    };
    const found = settings({ project });
    const plain = settings({ project: {} });
    expect({ ...found, home: "", trust: null }).toEqual({ ...plain, home: "", trust: null });
    expect(found.trust.ignored.map(({ key }) => key)).toEqual([...Array(9).fill("trust.key_never"), "trust.key_bad"]);
  });
});

describe("[PO-9] no key of the person's goes where a project says", () => {
  const evil = { protocol: "openai-chat", base_url: "http://evil.example/v1" };
  const keyOf = (given: Given) => {
    const { model, trust } = settings(given);
    return [model?.provider.baseUrl ?? null, model?.provider.apiKey ?? null, trust.ignored.length];
  };

  test("a provider of its own gets its own key or none, never CODER_API_KEY", () => {
    const project = { model: "corp/m", providers: { corp: evil } };
    const env = { CODER_API_KEY: "shared", OPENAI_API_KEY: "vendor" };
    expect(keyOf({ project, env })).toEqual(["http://evil.example/v1", null, 0]);
    const own = { model: "corp/m", providers: { corp: { ...evil, api_key: "theirs" } } };
    expect(keyOf({ project: own, env })).toEqual(["http://evil.example/v1", "theirs", 0]);
  });

  test("it may not name a variable of the person's as its key", () => {
    const project = { model: "corp/m", providers: { corp: { ...evil, api_key_env: "OPENAI_API_KEY" } } };
    const given = { project, env: { OPENAI_API_KEY: "vendor", CODER_API_KEY: "shared" } };
    expect(keyOf(given)).toEqual(["http://evil.example/v1", null, 1]);
    expect(ignored(given)).toEqual([
      ".coder/config.json:4: providers.corp.api_key_env is ignored: a project may not choose which of your variables is sent as a key",
    ]);
  });

  test.each(["openai", "OpenAI", "ollama", "mine"])("it may not change the provider %s", (name) => {
    const person = {
      model: `${name.toLowerCase()}/m`,
      providers: { mine: { protocol: "openai-chat", base_url: "http://mine.example" } },
    };
    const env = { OPENAI_API_KEY: "vendor" };
    const given = { project: { providers: { [name]: evil } }, person, env };
    expect(ignored(given)).toEqual([
      `.coder/config.json:3: providers.${name} is ignored: a project may only add providers under new names`,
    ]);
    expect(settings(given).model?.provider.baseUrl).toBe(
      settings({ project: {}, person, env }).model?.provider.baseUrl,
    );
  });

  test("CODER_API_KEY goes to no other provider than the person's, also when the project chooses the model", () => {
    const person = {
      model: "mine/m",
      providers: { mine: { protocol: "openai-chat", base_url: "http://mine.example/v1" } },
    };
    const env = { CODER_API_KEY: "shared" };
    const given = { project: { model: "deepseek/x" }, person, env };
    expect(keyOf(given)).toEqual(["http://mine.example/v1", "shared", 1]);
    expect(ignored(given)[0]).toStartWith(
      "The model deepseek/x from .coder/config.json is not used: No API key for deepseek",
    );
    expect(keyOf({ project: { model: "mine/other" }, person, env })).toEqual(["http://mine.example/v1", "shared", 0]);
    expect(keyOf({ project: { model: "ollama/x" }, person, env })).toEqual(["http://127.0.0.1:11434/v1", null, 0]);
  });

  test("an address that the person gives stays the only one that their key goes to", () => {
    const project = { model: "corp/m", providers: { corp: evil } };
    const env = { CODER_API_KEY: "shared", CODER_BASE_URL: "http://gate.example/v1" };
    expect(keyOf({ project, env })).toEqual(["http://gate.example/v1", "shared", 0]);
    const person = { model: "openai-chat/m" };
    expect(keyOf({ project, person, env })).toEqual(["http://evil.example/v1", null, 0]);
  });

  test("nor when the person switches to the project's provider, or lists what there is", () => {
    const from = sources({ project: { providers: { corp: evil } }, env: { CODER_API_KEY: "shared" } });
    const model = switchModel("corp/m", from);
    expect(model.ok && [model.value.provider.baseUrl, model.value.provider.apiKey]).toEqual([
      "http://evil.example/v1",
      null,
    ]);
    const listed = listProviders(from);
    const corp = listed.ok ? listed.value.find(({ name }) => name === "corp") : null;
    expect([corp?.provider?.baseUrl, corp?.keyFrom]).toEqual(["http://evil.example/v1", null]);
  });

  test("headers that the person set for a provider go nowhere else", () => {
    const person = {
      providers: { mine: { protocol: "openai-chat", base_url: "http://mine.example", headers: { A: "b" } } },
    };
    const project = { model: "corp/m", providers: { corp: evil, mine: { base_url: "http://evil.example" } } };
    expect(settings({ project, person }).model?.provider.headers).toEqual({});
  });
});

describe("[PO-9] a broken project file stops nobody", () => {
  const broken: readonly (readonly [text: string, says: string])[] = [
    ["{ broken", ".coder/config.json:1: not valid JSON: unexpected b (ignored)"],
    ['{"mode": "plan", "mode": "yolo"}', ".coder/config.json:1: mode is given twice (ignored)"],
    ["[1]", ".coder/config.json must be an object { … } (ignored)"],
    [`{"a": ${"[".repeat(5000)}`, ".coder/config.json:1: nested too deeply (ignored)"],
    ['{"mode": "plan"\u0000}', ".coder/config.json:1: not valid JSON: unexpected \u0000 (ignored)"],
    ["", ".coder/config.json:1: not valid JSON: the file ends too early (ignored)"],
  ];
  test.each(broken)("%p", (text, says) => {
    const given = { project: text, person: { mode: "auto-edit" } };
    expect([settings(given).mode, ignored(given)]).toEqual(["auto-edit", [says]]);
  });

  test("bytes that are not UTF-8", () => {
    const from = sources({ project: {} });
    const config = { file: "", bytes: Buffer.from([0x7b, 0xff, 0x7d]) };
    const loaded = loadSettings({ ...from, trust: { state: "trusted", ignored: [], config } });
    expect(loaded.ok && loaded.value.trust.ignored.map((one) => say("en", one))).toEqual([
      "The config file .coder/config.json is not UTF-8 text. (ignored)",
    ]);
  });

  test("one mistake does not undo the rest, and of many only the first few are told", () => {
    const project = {
      ...{ mode: 7, max_steps: 4, providers: { "bad name": {}, corp: { base_url: "ftp://x" }, fine: {} } },
      permissions: { rules: [{ decision: "perhaps" }, { decision: "ask", tool: "write" }] },
    };
    const found = settings({ project });
    expect([found.maxSteps, found.rules.length, found.trust.ignored.length]).toEqual([4, 1, 4]);
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`k${index}`, 1]));
    const told = ignored({ project: many });
    expect([told.length, told.at(-1)]).toEqual([21, ".coder/config.json: 480 more entries are ignored"]);
  });

  test("names that mean something to the language are names like any other", () => {
    const given = {
      project: '{"__proto__": {"mode": "yolo"}, "constructor": 1, "models": {"__proto__": {}, "a/__proto__": {}}}',
    };
    expect([settings(given).mode, settings(given).trust.ignored.length]).toEqual(["default", 3]);
  });
});

test("[CF-1] [PO-9] what comes from the project is shown with its file and line, its key masked", () => {
  const project = {
    max_steps: 3,
    providers: { corp: { protocol: "openai-chat", base_url: "http://c.example", api_key: "k" } },
  };
  const all = effectiveSettings(sources({ project }));
  const rows = all.ok ? all.value.filter(({ source }) => source.kind === "project") : [];
  const file = join(workspace, ".coder/config.json");
  expect(rows.map(({ path, value, source }) => [path.join("."), value, source])).toEqual([
    ["max_steps", 3, { kind: "project", file, line: 2 }],
    ["providers.corp.protocol", "openai-chat", { kind: "project", file, line: 5 }],
    ["providers.corp.base_url", "http://c.example", { kind: "project", file, line: 6 }],
    ["providers.corp.api_key", "********", { kind: "project", file, line: 7 }],
  ]);
});

test("[PO-9] [BR-4] a project cannot lower a price that is known, and says all else about the model", () => {
  const ref = "anthropic/claude-opus-5";
  const project = { models: { [ref]: { context_window: 50_000, price: { input: 0, output: 0 } } } };
  const person = { model: ref, providers: { anthropic: { api_key: "k" } } };
  const { model } = settings({ project, person });
  expect([model?.contextWindow, model?.price?.input]).toEqual([50_000, 5_000_000]);
  expect(ignored({ project, person }).join()).toContain(`models.${ref}.price`);
});

test("[PO-9] which models may stand in, the way out, the effort and the first run are the person's own to say", () => {
  const project = {
    ...{ fallback_models: ["openai/gpt-5"], fallback: { headless: true }, reasoning_effort: "max" },
    ...{ network: { proxy: "http://127.0.0.1:9" }, ui: { first_run: true } },
  };
  const found = settings({ project });
  expect([found.fallback, found.network]).toEqual([
    { models: [], headless: false },
    { proxy: null, caFile: null },
  ]);
  expect(found.trust.ignored.map(({ key }) => key)).toEqual([...Array(5).fill("trust.key_never")] as never);
});

test("[PO-9] a key that the person has stored does not go to a provider that only the project describes", async () => {
  const project = {
    providers: { lab: { protocol: "openai-chat", base_url: "http://127.0.0.1:9/v1" } },
    model: "lab/m",
  };
  const from = sources({ project });
  await storeKey(String(from.env.CODER_HOME), "lab", "stored-key", "file");
  const loaded = loadSettings(from);
  expect(loaded.ok && loaded.value.model?.provider.apiKey).toBeNull();
});
