import { expect, test } from "bun:test";
import { parseConfig } from "../../../src/config/file/file.ts";
import { configRules, type Rule } from "../../../src/config/file/setting-schema.ts";
import { say } from "../../../src/contract/text/catalogue.ts";

const file = "/home/u/.coder/config.json";

function load(text: string): unknown {
  const parsed = parseConfig(new TextEncoder().encode(text), file);
  return parsed.ok ? parsed.value : `${parsed.error.code} ${say("en", parsed.error.text)}`;
}

const full = {
  $schema: "https://example.org/schema.json",
  model: "openai/gpt-5",
  mode: "auto-edit",
  preset: "balanced",
  max_steps: 10,
  max_tokens: 1000,
  max_cost: 0.25,
  max_time_s: 1.5,
  command_timeout_s: 3,
  output_bytes: 4096,
  agents: { max_parallel: 2 },
  compaction: { threshold: 0.5, keep_recent: 4, off: true },
  context: { rules_files: ["~/rules.md"], map_tokens: 0 },
  model_idle_s: 5,
  model_attempts: 2,
  model_outage_s: 60,
  read_retry_ms: [1, 2],
  shell_mode: { approval: "direct" },
  sandbox: { use: "on", env: ["MY_TOKEN"], file_size_mb: 100 },
  permissions: { rules: [{ decision: "deny", command: "git push *", reason: "by hand" }] },
  workflow: {
    ...{ auto_verify_after_edit: true, verify_commands: ["", "pytest -q"], verify_allowed: ["make test"] },
    ...{ max_verify_attempts: 3, verify_timeout_s: 60, on_verify_failure: "rollback" },
    ...{
      require_todo_for_complex: false,
      max_diagnostics: 3,
      complex: { chars: 90, separators: 3, words: 9, goals: 3 },
    },
  },
  sessions: { max_age_days: 30, max_size_mb: 500 },
  git: { mode: "commit" },
  tools: { off: ["bash"] },
  reasoning_effort: "high",
  fallback_models: ["corp/n"],
  fallback: { headless: true },
  network: { proxy: "http://proxy.corp:3128", ca_file: "/etc/corp/ca.pem" },
  ui: {
    ...{ lang: "zh", timezone: "Europe/Berlin", first_run: false, theme: "dark", notify: "osc9", vim: true },
    statusline: { command: "~/bin/status", fields: ["mode", "folder"] },
    keys: { send: "ctrl+s", leave: ["ctrl+q", "f10"], suspend: [], "editor.undo": "ctrl+-" },
  },
  providers: {
    corp: {
      protocol: "openai-chat",
      base_url: "https://llm.corp/v1",
      api_key: "k",
      headers: { "X-Team": "a b" },
      models: ["m"],
    },
    other: { protocol: "anthropic", base_url: "http://127.0.0.1:1/v1", api_key_env: "CORP_KEY" },
    odd: {
      quirks: {
        ...{
          text_tool_calls: true,
          call_ids: "nine",
          roles: "strict",
          reasoning_back: "always",
          stream_options: false,
        },
        ...{ parallel_calls: false, cache_key: true, metadata: false, reasoning_summary: true },
      },
    },
  },
  models: {
    "corp/m": { context_window: 32000, max_output: 8000, images: true, tools: false, reasoning: "budget" },
    "corp/n": { price: { input: 1.25, output: 10, cached_input: 0.125 } },
    "corp/free": { price: { input: 0, output: 0 } },
  },
};

test("[CF-1] every key with a good value is taken over unchanged", () => {
  expect(load(JSON.stringify(full))).toEqual(full);
});

test("the file of the test above uses every key there is", () => {
  expect(Object.keys(full).sort()).toEqual(Object.keys(configRules.keys).sort());
});

const range = (kind: string, min: number, max: number) => `must be a ${kind} from ${min} to ${max}`;
const steps = range("whole number", 1, 100000);
const seconds = range("number", 0.001, 604800);
const textOnly = "must be one line of text, not empty";
const model = ": write the model as provider/name, for example openai/gpt-5";
const url = "must be a URL that starts with http:// or https://";
const noKey = " must be a key such as ctrl+g, shift+tab or f2; letters, digits and symbols need ctrl, alt or super";
const object = "must be an object { … }";
const list = "must be a list [ … ]";
const modes = "must be one of: plan, default, auto-edit, yolo";

/** Key, bad value, what is said after the key. */
const bad: readonly (readonly [key: string, value: unknown, says: string])[] = [
  ["$schema", 1, ` ${textOnly}`],
  ["model", "gpt-5", model],
  ["model", "/gpt-5", model],
  ["model", "openai/", model],
  ["model", "openai/a b", model],
  ["model", 5, ` ${textOnly}`],
  ["model", null, ` ${textOnly}`],
  ["mode", "fast", ` ${modes}`],
  ["mode", "autoedit", ` ${modes}; did you mean auto-edit?`],
  ["mode", true, ` ${modes}`],
  ["preset", "stric", " must be one of: strict, balanced, auto-edit, yolo; did you mean strict?"],
  ["max_steps", 0, ` ${steps}`],
  ["max_steps", 1.5, ` ${steps}`],
  ["max_steps", "10", ` ${steps}`],
  ["max_steps", 1e300, ` ${steps}`],
  ["max_steps", [1], ` ${steps}`],
  ["max_steps", {}, ` ${steps}`],
  ["max_tokens", -1, ` ${range("whole number", 1, 1000000000)}`],
  ["max_cost", 0, ` ${range("number", 0.000001, 1000000)}`],
  ["max_cost", -1, ` ${range("number", 0.000001, 1000000)}`],
  ["max_cost", 1e300, ` ${range("number", 0.000001, 1000000)}`],
  ["max_cost", "1", ` ${range("number", 0.000001, 1000000)}`],
  ["reasoning_effort", "hi", " must be one of: minimal, low, medium, high, xhigh, max; did you mean high?"],
  ["fallback_models", "corp/m", ` ${list}`],
  ["fallback_models[0]", ["gpt-5"], model],
  ["fallback.headless", 1, " must be true or false"],
  ["network.proxy", "proxy:3128", ` ${url}`],
  ["network.proxy", "http://me:pw@proxy", " must not contain a user name or password; give the key separately"],
  ["network.ca_file", "", ` ${textOnly}`],
  ["ui.first_run", "no", " must be true or false"],
  ["max_time_s", 0, ` ${seconds}`],
  ["command_timeout_s", 1e9, ` ${seconds}`],
  ["output_bytes", 2 ** 21, ` ${range("whole number", 1024, 1048576)}`],
  ["context", [], ` ${object}`],
  ["context.rules_files", "a.md", ` ${list}`],
  ["context.rules_files[0]", [7], ` ${textOnly}`],
  ["context.map_tokens", 20_001, ` ${range("whole number", 0, 20_000)}`],
  ["compaction.off", "yes", " must be true or false"],
  ["compaction", 0.8, ` ${object}`],
  ["compaction.threshold", 80, ` ${range("number", 0.1, 1)}`],
  ["agents.max_parallel", 17, ` ${range("whole number", 1, 16)}`],
  ["compaction.keep_recent", 0, ` ${range("whole number", 1, 1000)}`],
  ["model_idle_s", null, ` ${seconds}`],
  ["model_outage_s", 86_401, ` ${range("number", 0.001, 86_400)}`],
  ["model_attempts", 10_001, ` ${range("whole number", 1, 10_000)}`],
  ["read_retry_ms", 200, ` ${list}`],
  ["read_retry_ms", Array.from({ length: 11 }, () => 1), " may have at most 10 entries"],
  ["read_retry_ms[1]", [1, -1], ` ${range("whole number", 0, 60000)}`],
  ["shell_mode", "direct", ` ${object}`],
  ["sessions.max_age_days", 0, " must be a whole number from 1 to 36500"],
  ["sessions.max_size_mb", 1.5, " must be a whole number from 1 to 1000000"],
  ["shell_mode.approval", "never", " must be one of: pipeline, direct"],
  ["permissions.rules", {}, ` ${list}`],
  ["sandbox", true, ` ${object}`],
  ["sandbox.use", "always", " must be one of: auto, on, off"],
  ["sandbox.env", "TOKEN", ` ${list}`],
  ["sandbox.file_size_mb", 0, " must be a whole number from 1 to 100000000"],
  ["sandbox.env[0]", ["A-B"], " must be the name of an environment variable"],
  ["git.mode", "push", " must be one of: off, branch, commit"],
  ["tools.off", "bash", ` ${list}`],
  ["tools.off[0]", ["bsh"], " must be one of: "],
  ["ui.lang", "fr", " must be one of: en, zh"],
  ["ui.timezone", "Mars/Base", " is not a known time zone; example: Asia/Shanghai"],
  ["ui.timezone", "", " is not a known time zone; example: Asia/Shanghai"],
  ["ui.theme", "darkk", " must be one of: terminal, dark, light; did you mean dark?"],
  ["ui.statusline.command", "", ` ${textOnly}`],
  [
    "ui.statusline.fields[0]",
    ["modle"],
    " must be one of: mode, preset, model, context, cost, jobs, sandbox, trust, branch, folder, session; did you mean model?",
  ],
  ["ui.vim", "yes", " must be true or false"],
  ["ui.notify", true, " must be one of: auto, bell, osc9, osc777, off"],
  ["ui.keys", [], ` ${object}`],
  ...[
    "a",
    "shift+a",
    "7",
    "space",
    "+",
    "ctrl++",
    "ctrl+",
    "strg+g",
    "Ctrl+G",
    "ctrl g",
    "f13",
    "pageup",
    "ctrl+中",
    "",
  ].map((key) => ["ui.keys.send", key, noKey] as const),
  ["ui.keys.send", 5, ` ${textOnly}`],
  ["ui.keys.send", { key: "ctrl+g" }, ` ${textOnly}`],
  ["providers", [], ` ${object}`],
  ["providers.a/b", {}, ": a provider name may contain only letters, digits, dots, - and _"],
  ["providers.corp", "x", ` ${object}`],
  ["providers.corp.protocol", "openai", " must be one of: "],
  ["providers.corp.base_url", "llm.corp", ` ${url}`],
  ["providers.corp.base_url", "file:///etc/passwd", ` ${url}`],
  ["providers.corp.base_url", "https://u:p@llm", " must not contain a user name or password; give the key separately"],
  ["providers.corp.base_url", "https://llm/?a=1", " must be an address without ? or #"],
  ["providers.corp.api_key", "a\nb", ": a key may contain only printable characters, no spaces"],
  ["providers.corp.api_key", "", ": a key may contain only printable characters, no spaces"],
  ["providers.corp.api_key_env", "A-B", " must be the name of an environment variable"],
  ["providers.corp.headers", "X: 1", ` ${object}`],
  ["providers.corp.headers.X Y", "1", " is not a valid HTTP header"],
  ["providers.corp.headers.X", "a\r\nb", " is not a valid HTTP header"],
  ["providers.corp.models", "m", ` ${list}`],
  ["providers.corp.models[0]", [""], ` ${textOnly}`],
  ["models.gpt", {}, model],
  ["providers.corp.quirks", [], ` ${object}`],
  ...["text_tool_calls", "stream_options", "parallel_calls", "cache_key", "metadata", "reasoning_summary"].map(
    (key) => [`providers.corp.quirks.${key}`, "yes", " must be true or false"] as const,
  ),
  ["providers.corp.quirks.call_ids", "ten", " must be one of: any, nine"],
  ["providers.corp.quirks.roles", "strikt", " must be one of: any, alternate, strict; did you mean strict?"],
  ["providers.corp.quirks.reasoning_back", true, " must be one of: never, tool_loop, always"],
  ["models.a/b.context_window", 10, ` ${range("whole number", 1000, 100000000)}`],
  ["models.a/b.max_output", 0, ` ${range("whole number", 1, 10000000)}`],
  ["models.a/b.images", 1, " must be true or false"],
  ["models.a/b.tools", "no", " must be true or false"],
  ["models.a/b.reasoning", "efort", " must be one of: none, effort, budget; did you mean effort?"],
  ["models.a/b.price", 3, ` ${object}`],
  ["models.a/b.price", { input: 3 }, " lacks the key output"],
  ["models.a/b.price", { output: 3 }, " lacks the key input"],
  ["models.a/b.price", { input: 3, output: -1 }, `.output ${range("number", 0, 100000)}`],
  ["models.a/b.price", { input: 3, output: 1, cached_input: "0" }, `.cached_input ${range("number", 0, 100000)}`],
  ["workflow.auto_verify_after_edit", "no", " must be true or false"],
  ["workflow.verify_commands", "pytest -q", ` ${list}`],
  ["workflow.verify_allowed[0]", [""], ` ${textOnly}`],
  ["workflow.max_verify_attempts", -1, ` ${range("whole number", 0, 20)}`],
  ["workflow.verify_timeout_s", 0, ` ${seconds}`],
  ["workflow.on_verify_failure", "rolback", " must be one of: keep, ask, rollback; did you mean rollback?"],
  ["workflow.require_todo_for_complex", 1, " must be true or false"],
  ["workflow.verify_baseline", "yes", " must be true or false"],
  ["workflow.max_diagnostics", 1001, ` ${range("whole number", 0, 1000)}`],
  ["workflow.complex.chars", 0, ` ${range("whole number", 1, 100000)}`],
  ["workflow.complex.separators", "2", ` ${range("whole number", 1, 1000)}`],
  ["workflow.complex.words", 1.5, ` ${range("whole number", 1, 10000)}`],
  ["workflow.complex.goals", 101, ` ${range("whole number", 1, 100)}`],
];

/** `a.b[0]` with the value of `a.b`, nested, on lines of its own. */
function nested(key: string, value: unknown): { text: string; line: number } {
  const keys = key.replace(/\[\d+\]$/, "").split(".");
  const opening = keys.map((name) => `{ ${JSON.stringify(name)}:`).join("\n");
  return { text: `// 说明\n${opening} ${JSON.stringify(value)} ${"}".repeat(keys.length)}`, line: keys.length + 1 };
}

test.each(bad)("[CF-2] %s = %j is refused with file, line and key", (key, value, says) => {
  const { text, line } = nested(key, value);
  const said = load(text);
  expect(String(said).slice(0, `E_CONFIG ${file}:${line}: ${key}${says}`.length)).toBe(
    `E_CONFIG ${file}:${line}: ${key}${says}`,
  );
});

function leaves(rule: Rule, path: string): string[] {
  if (rule.kind === "section") {
    return Object.entries(rule.keys).flatMap(([key, inner]) => leaves(inner, path === "" ? key : `${path}.${key}`));
  }
  return [path];
}

test("[CF-2] every key of the rules has a bad value in the list above", () => {
  const tried = new Set(bad.map(([key]) => key.replace(/\[\d+\]$/, "")));
  const isTried = (leaf: string) => [...tried].some((key) => key === leaf || key.startsWith(`${leaf}.`));
  expect(leaves(configRules, "").filter((leaf) => !isTried(leaf))).toEqual([]);
});

test("[CF-2] an unknown key is named with its line and the nearest valid one", () => {
  expect([
    load('{\n  // 最大步数\n  "max_step": 3\n}'),
    load('{"ui": {\n\n"language": "zh"}}'),
    load('{"compaction": {"treshold": 1}}'),
    load('{"wattage": 1}'),
    load('{"ui": {"keys": {\n"sned": "ctrl+s"}}}'),
    load('{"ui": {"keys": {\n"editor.undoo": "ctrl+s"}}}'),
    load('{"ui": {"keys": {\n"constructor": "ctrl+s"}}}'),
    load('{"__proto__": {"mode": "yolo"}}'),
    load('{"constructor": 1}'),
  ]).toEqual([
    `E_CONFIG ${file}:3: max_step is not a known key; did you mean max_steps?`,
    `E_CONFIG ${file}:3: ui.language is not a known key; the keys here are: lang, timezone, first_run, theme, notify, statusline, vim, keys`,
    `E_CONFIG ${file}:1: compaction.treshold is not a known key; did you mean threshold?`,
    expect.stringContaining(`${file}:1: wattage is not a known key; the keys here are: $schema, model, mode, `),
    `E_CONFIG ${file}:2: ui.keys.sned is not a known key; did you mean send?`,
    `E_CONFIG ${file}:2: ui.keys.editor.undoo is not a known key; did you mean editor.undo?`,
    expect.stringContaining(`${file}:2: ui.keys.constructor is not a known key; the keys here are: send, queue, `),
    expect.stringContaining(`${file}:1: __proto__ is not a known key`),
    expect.stringContaining(`${file}:1: constructor is not a known key`),
  ]);
});

test("[CF-2] what is no JSON object at all is refused with the line", () => {
  expect([
    load("[]"),
    load('{\n"max_steps": 3,\n"mode" "yolo"\n}'),
    load('{"mode": "plan",\n"mode": "yolo"}'),
    load('{"mode": '),
  ]).toEqual([
    `E_CONFIG ${file} must be an object { … }`,
    `E_CONFIG ${file}:3: not valid JSON: unexpected "`,
    `E_CONFIG ${file}:2: mode is given twice`,
    `E_CONFIG ${file}:1: not valid JSON: the file ends too early`,
  ]);
});

test("a file that is not UTF-8 is refused", () => {
  const parsed = parseConfig(new Uint8Array([0x7b, 0xff, 0x7d]), file);
  expect(!parsed.ok && parsed.error).toEqual({ code: "E_CONFIG", text: { key: "config.not_utf8", args: { file } } });
});

test("[CF-2] an error about a key or a header never repeats its value", () => {
  const secret = "sk-secret 0123";
  const texts = [
    { providers: { a: { api_key: secret } } },
    { providers: { a: { headers: { X: `${secret}\n` } } } },
    { providers: { a: { base_url: `https://${encodeURIComponent(secret)}@host` } } },
  ].map((config) => String(load(JSON.stringify(config))));
  expect(texts.map((text) => [text.startsWith("E_CONFIG"), text.includes("secret")])).toEqual(
    texts.map(() => [true, false]),
  );
});

test("[CF-2] a key that two actions are given is refused with both; the editor's may share theirs", () => {
  const parse = (keys: unknown) => parseConfig(Buffer.from(JSON.stringify({ ui: { keys } }, null, 1)), "f");
  const refused = parse({ send: "ctrl+x", "editor.undo": "ctrl+x", editor: ["f2", "ctrl+x"] });
  expect(refused.ok ? null : say("en", refused.error.text)).toBe(
    "f:6: ui.keys.editor: ctrl+x is already assigned to ui.keys.send; each key can do only one thing",
  );
  const both = { end: "ctrl+d", "editor.deleteCharForward": "ctrl+d", help: ["f1", "f1"], todos: [], details: [] };
  expect(parse(both)).toEqual({ ok: true, value: { ui: { keys: both } } });
});
