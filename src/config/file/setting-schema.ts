import type { Decision } from "../../contract/event.ts";
import { efforts, type Protocol } from "../../contract/settings.ts";
import { gitModes, modes, presets } from "../../contract/task.ts";
import { langs } from "../../contract/text/catalogue.ts";
import { editorActions, keyActions, notifyWays, statusFields, themes } from "../../contract/ui.ts";

export type Form =
  | ("any" | "maybe" | "model" | "provider" | "url" | "secret" | "env_name" | "header_name" | "header" | "timezone")
  | "key";

export type Rule =
  | { readonly kind: "text"; readonly form: Form }
  | { readonly kind: "flag" }
  | { readonly kind: "whole" | "number"; readonly min: number; readonly max: number }
  | { readonly kind: "choice"; readonly of: readonly string[] }
  | { readonly kind: "list"; readonly of: Rule; readonly max: number }
  | { readonly kind: "some"; readonly of: Rule; readonly max: number }
  /** `keys`: the format of the names, or all names. */
  | { readonly kind: "map"; readonly keys: Form | readonly string[]; readonly of: Rule }
  | {
      readonly kind: "section";
      readonly keys: Readonly<Record<string, Rule>>;
      readonly needs?: readonly string[];
    };

type ValueOf<R> = R extends { kind: "text" }
  ? string
  : R extends { kind: "flag" }
    ? boolean
    : R extends { kind: "whole" | "number" }
      ? number
      : R extends { kind: "choice"; of: readonly (infer Choice)[] }
        ? Choice
        : R extends { kind: "list"; of: infer Item }
          ? readonly ValueOf<Item>[]
          : R extends { kind: "some"; of: infer Item }
            ? ValueOf<Item> | readonly ValueOf<Item>[]
            : R extends { kind: "map"; of: infer Item }
              ? Readonly<Record<string, ValueOf<Item>>>
              : R extends { kind: "section"; keys: infer Keys }
                ? { readonly [Key in keyof Keys]?: ValueOf<Keys[Key]> }
                : never;

const text = <F extends Form>(form: F) => ({ kind: "text", form }) as const;
const flag = { kind: "flag" } as const;
const whole = (min: number, max: number) => ({ kind: "whole", min, max }) as const;
const number = (min: number, max: number) => ({ kind: "number", min, max }) as const;
const choice = <const C extends string>(of: readonly C[]) => ({ kind: "choice", of }) as const;
const list = <R extends Rule>(of: R, max: number) => ({ kind: "list", of, max }) as const;
const some = <R extends Rule>(of: R, max: number) => ({ kind: "some", of, max }) as const;
const map = <R extends Rule>(keys: Form | readonly string[], of: R) => ({ kind: "map", keys, of }) as const;
const section = <K extends Readonly<Record<string, Rule>>>(keys: K) => ({ kind: "section", keys }) as const;

const protocols: readonly Protocol[] = ["openai-chat", "openai-responses", "anthropic", "google"];
// Listed, because switching off a misspelt tool would have no effect.
const toolNames = [
  ...["read", "list", "glob", "grep", "write", "edit", "patch", "bash", "todoread", "todowrite"],
  ...["plan", "question", "task", "fetch", "skill", "diagnostics"],
];
export const ruleTools: readonly string[] = [...toolNames, "job", "sandbox", "network"];
// Timers take at most 2^31 ms.
const weekSeconds = 604_800;

/** Overrides of a provider's `Quirks`. */
const quirks = section({
  text_tool_calls: flag,
  call_ids: choice(["any", "nine"]),
  roles: choice(["any", "alternate", "strict"]),
  reasoning_back: choice(["never", "tool_loop", "always"]),
  stream_options: flag,
  parallel_calls: flag,
  cache_key: flag,
  metadata: flag,
  reasoning_summary: flag,
});

const dollars = number(0, 100_000);
/** In US dollars per million tokens. */
const price = {
  ...section({ input: dollars, output: dollars, cached_input: dollars }),
  needs: ["input", "output"],
} as const;

const decisions: readonly Decision[] = ["allow", "ask", "deny"];
const examples = list(text("any"), 100);
/** PO-3; parsed in `permission.ts`. */
export const permissionRule = {
  ...section({
    decision: choice(decisions),
    tool: choice(ruleTools),
    command: text("any"),
    path: text("any"),
    host: text("any"),
    reason: text("any"),
    examples: section({ matches: examples, others: examples }),
  }),
  needs: ["decision"],
} as const;

export const configRules = section({
  $schema: text("any"),
  model: text("model"),
  mode: choice(modes),
  preset: choice(presets),
  max_steps: whole(1, 100_000),
  agents: section({ max_parallel: whole(1, 16) }),
  max_tokens: whole(1, 1_000_000_000),
  max_cost: number(0.000_001, 1_000_000),
  max_time_s: number(0.001, weekSeconds),
  command_timeout_s: number(0.001, weekSeconds),
  output_bytes: whole(1024, 1_048_576),
  compaction: section({ threshold: number(0.1, 1), keep_recent: whole(1, 1000), off: flag }),
  context: section({ rules_files: list(text("any"), 20), map_tokens: whole(0, 20_000) }),
  model_idle_s: number(0.001, weekSeconds),
  // Enough for a day of retries.
  model_attempts: whole(1, 10_000),
  model_outage_s: number(0.001, 86_400),
  reasoning_effort: choice(efforts),
  fallback_models: list(text("model"), 10),
  fallback: section({ headless: flag }),
  network: section({ proxy: text("url"), ca_file: text("any") }),
  read_retry_ms: list(whole(0, 60_000), 10),
  shell_mode: section({ approval: choice(["pipeline", "direct"]) }),
  sandbox: section({
    use: choice(["auto", "on", "off"]),
    env: list(text("env_name"), 100),
    file_size_mb: whole(1, 100_000_000),
  }),
  permissions: section({ rules: list(permissionRule, 1000) }),
  sessions: section({ max_age_days: whole(1, 36_500), max_size_mb: whole(1, 1_000_000) }),
  workflow: section({
    auto_verify_after_edit: flag,
    verify_commands: list(text("maybe"), 20),
    verify_allowed: list(text("any"), 100),
    max_verify_attempts: whole(0, 20),
    verify_timeout_s: number(0.001, weekSeconds),
    on_verify_failure: choice(["keep", "ask", "rollback"]),
    verify_baseline: flag,
    require_todo_for_complex: flag,
    max_diagnostics: whole(0, 1000),
    complex: section({
      chars: whole(1, 100_000),
      separators: whole(1, 1000),
      words: whole(1, 10_000),
      goals: whole(1, 100),
    }),
  }),
  git: section({ mode: choice(gitModes) }),
  tools: section({ off: list(choice(toolNames), 100) }),
  ui: section({
    lang: choice(langs),
    timezone: text("timezone"),
    first_run: flag,
    theme: choice(themes),
    notify: choice(notifyWays),
    statusline: section({ command: text("any"), fields: list(choice(statusFields), statusFields.length) }),
    vim: flag,
    keys: map([...keyActions, ...editorActions.map((one) => `editor.${one}`)], some(text("key"), 10)),
  }),
  providers: map(
    "provider",
    section({
      protocol: choice(protocols),
      base_url: text("url"),
      api_key: text("secret"),
      api_key_env: text("env_name"),
      headers: map("header_name", text("header")),
      models: list(text("any"), 1000),
      quirks,
    }),
  ),
  models: map(
    "model",
    section({
      context_window: whole(1000, 100_000_000),
      max_output: whole(1, 10_000_000),
      images: flag,
      tools: flag,
      reasoning: choice(["none", "effort", "budget"]),
      price,
    }),
  ),
});

export type ConfigValues = ValueOf<typeof configRules>;
export type ConfigKey = keyof typeof configRules.keys;
