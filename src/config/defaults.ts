import type { ConfigValues } from "./file/setting-schema.ts";

/** CF-3: keys without a default are unset. */
export const defaults = {
  mode: "default",
  max_steps: 128,
  agents: { max_parallel: 4 },
  command_timeout_s: 120,
  output_bytes: 1_048_576,
  compaction: { threshold: 0.8, keep_recent: 12, off: false },
  context: { rules_files: [], map_tokens: 1000 },
  model_idle_s: 300,
  model_attempts: 10_000,
  model_outage_s: 300,
  read_retry_ms: [200, 500, 1000],
  shell_mode: { approval: "pipeline" },
  sandbox: { use: "auto", env: [], file_size_mb: 8192 },
  workflow: {
    auto_verify_after_edit: true,
    verify_commands: [],
    verify_allowed: [],
    max_verify_attempts: 2,
    verify_timeout_s: 600,
    on_verify_failure: "keep",
    verify_baseline: true,
    require_todo_for_complex: true,
    max_diagnostics: 20,
    complex: { chars: 80, separators: 2, words: 14, goals: 2 },
  },
  git: { mode: "off" },
  tools: { off: [] },
  ui: {
    theme: "terminal",
    notify: "auto",
    statusline: {
      fields: ["mode", "preset", "model", "context", "cost", "jobs", "sandbox", "trust", "branch"],
    },
    vim: false,
  },
} as const satisfies ConfigValues;
