// How each agent is pointed at the fake model, and what its tools are called. Each gets a home of its own, a key that is none, and no
// update checks or telemetry; everything else stays as it comes. To measure another agent, add an entry here and in versions.ts.
import type { Call } from "./fake-model.ts";

export interface Profile {
  /** Relative to the folder into which it was installed; `null`: not a package. */
  readonly program: string | null;
  readonly env: (url: string) => Readonly<Record<string, string>>;
  /** Files of its home. */
  readonly files?: (url: string, workspace: string) => Readonly<Record<string, string>>;
  readonly run: (prompt: string) => readonly string[];
  readonly read: Call;
  readonly shell?: (command: string) => Call;
  readonly screen?: {
    readonly args: readonly string[];
    /** Shows once the input box is painted. */
    readonly ready: RegExp;
  };
}

export type PeerName = "bare loop" | "coder" | "pi" | "codex" | "claude";

export const profiles: Readonly<Record<PeerName, Profile>> = {
  "bare loop": {
    program: null,
    env: (url) => ({ MOCK_URL: url }),
    run: (prompt) => [prompt],
    read: { name: "read", args: { path: "f{{n}}.txt" } },
  },
  coder: {
    program: null,
    env: (url) => ({ CODER_MODEL: "openai-chat/fake", CODER_BASE_URL: `${url}/v1`, CODER_API_KEY: "x" }),
    run: (prompt) => ["run", "--mode", "yolo", "--trust", "--max-steps", "5000", prompt],
    read: { name: "read", args: { path: "f{{n}}.txt" } },
    shell: (command) => ({ name: "bash", args: { command, timeout_s: 600 } }),
    screen: { args: ["--mode", "yolo", "--trust"], ready: /❯|› |> / },
  },
  pi: {
    program: "node_modules/.bin/pi",
    env: () => ({ PI_OFFLINE: "1" }),
    files: (url) => ({
      ".pi/agent/models.json": JSON.stringify({
        providers: {
          fake: {
            baseUrl: `${url}/v1`,
            api: "openai-completions",
            apiKey: "x",
            models: [
              {
                id: "fake",
                name: "fake",
                contextWindow: 1_000_000,
                maxTokens: 8000,
                input: ["text"],
                cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
              },
            ],
          },
        },
      }),
    }),
    run: (prompt) => ["--provider", "fake", "--model", "fake", "-p", prompt],
    read: { name: "read", args: { path: "f{{n}}.txt" } },
    shell: (command) => ({ name: "bash", args: { command } }),
    screen: { args: ["--provider", "fake", "--model", "fake"], ready: /0\.0%\/1\.0M/ },
  },
  codex: {
    program: "node_modules/.bin/codex",
    env: () => ({ FAKE_KEY: "x" }),
    files: (url, workspace) => ({
      ".codex/config.toml": `model_provider = "fake"
check_for_update_on_startup = false
[model_providers.fake]
name = "fake"
base_url = "${url}/v1"
wire_api = "responses"
env_key = "FAKE_KEY"
[projects."${workspace}"]
trust_level = "trusted"
[analytics]
enabled = false
`,
    }),
    run: (prompt) => ["exec", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox", prompt],
    read: { name: "exec", input: "const r = await tools.exec_command({cmd: 'cat f{{n}}.txt'}); text(r.output);" },
    shell: (command) => ({
      name: "exec",
      input: `const r = await tools.exec_command({cmd: ${JSON.stringify(command)}, yield_time_ms: 30000}); text(r.output);`,
    }),
    screen: { args: ["--dangerously-bypass-approvals-and-sandbox"], ready: /Ask Codex to do anything/ },
  },
  claude: {
    program: "node_modules/.bin/claude",
    env: (url) => ({
      ANTHROPIC_API_KEY: "key-for-the-fake-model",
      ANTHROPIC_BASE_URL: url,
      DISABLE_AUTOUPDATER: "1",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    }),
    files: (_, workspace) => ({
      ".claude.json": JSON.stringify({
        hasCompletedOnboarding: true,
        theme: "dark",
        customApiKeyResponses: { approved: ["key-for-the-fake-model", "y-for-the-fake-model"], rejected: [] },
        projects: { [workspace]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true } },
      }),
    }),
    run: (prompt) => ["-p", prompt, "--allowedTools", "Read,Bash"],
    read: { name: "Read", args: { file_path: "{{cwd}}/f{{n}}.txt" } },
    shell: (command) => ({ name: "Bash", args: { command, description: "bench", timeout: 600_000 } }),
    screen: { args: ["--permission-mode", "default", "--allowedTools", "Read,Bash"], ready: /❯/ },
  },
};
