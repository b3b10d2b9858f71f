// What is made of facts alone: blame, the profile for macOS, the environment, and how far a command may reach.
import { expect, test } from "bun:test";
import { keyVariables } from "../../../src/config/model/providers.ts";
import { scrubbed, withhold } from "../../../src/platform/environment.ts";
import { isWithin } from "../../../src/platform/files/path.ts";
import { sandboxBlamed } from "../../../src/platform/sandbox/blame/blame.ts";
import { sandboxHint } from "../../../src/platform/sandbox/blame/hint.ts";
import { confinementFor } from "../../../src/platform/sandbox/confine.ts";
import { layOut } from "../../../src/platform/sandbox/linux/mounts.ts";
import { seatbeltProfile } from "../../../src/platform/sandbox/seatbelt.ts";

const facts = {
  workspace: "/home/me/ws",
  addDirs: ["/srv/more"],
  home: "/home/me",
  coderHome: "/home/me/.coder",
  network: false,
  readOnly: false,
  env: { NETRC: "/opt/keys/netrc" },
};
const confine = confinementFor(facts);
const nothing = { secrets: [], view: { shown: [], hidden: [] } };
const failed = { exitCode: 1, stdout: "", stderr: "", timedOut: false, cancelled: false, hidden: [] };

const blames: readonly (readonly [key: string | null, outcome: Partial<Parameters<typeof sandboxBlamed>[0]>])[] = [
  ["sandbox.blame_read_only", { stderr: "touch: cannot touch '/etc/x': Read-only file system" }],
  ["sandbox.blame_read_only", { stderr: "Error: EROFS: read-only file system, mkdir '/home/me/.cache'" }],
  ["sandbox.blame_network", { stderr: "curl: (6) Could not resolve host: example.com", exitCode: 6 }],
  ["sandbox.blame_network", { stderr: "npm error getaddrinfo EAI_AGAIN registry.example" }],
  ["sandbox.blame_network", { stderr: "go: module lookup disabled by GOPROXY=off" }],
  ["sandbox.blame_hidden", { stderr: "cat: /opt/keys/netrc: Permission denied" }],
  ["sandbox.blame_secret", { stderr: "cat: .env: Permission denied", hidden: ["/home/me/ws/.env"] }],
  ["sandbox.blame_secret", { stderr: "open('a/b.pem'): EACCES", hidden: ["/home/me/ws/a/b.pem"] }],
  [
    "sandbox.blame_secret",
    { stderr: "rm: cannot remove './x/.env': Device or resource busy", hidden: ["/home/me/ws/x/.env"] },
  ],
  [null, { stderr: "cat: .env.test: Permission denied", hidden: ["/home/me/ws/.env"] }],
  [null, { stderr: "cat: web.env: Permission denied", hidden: ["/home/me/ws/.env"] }],
  [null, { stderr: "cat: other/.env: Permission denied", hidden: ["/home/me/ws/.env"] }],
  [null, { stderr: "loaded .env", hidden: ["/home/me/ws/.env"] }],
  ["sandbox.blame_protected", { stderr: "error: could not write config file .git/config: Device or resource busy" }],
  ["sandbox.blame_protected", { stderr: "mkdir: cannot create directory '.coder/x': Permission denied" }],
  ["sandbox.blame_call", { exitCode: 159 }],
  ["sandbox.blame_rights", { stderr: "strace: ptrace(PTRACE_TRACEME, ...): Operation not permitted" }],
  ["sandbox.blame_rights", { stderr: "unshare: unshare failed: Operation not permitted" }],
  ["sandbox.blame_rights", { stderr: 'sudo: The "no new privileges" flag is set, which prevents sudo from running' }],
  ["sandbox.blame_service", { stderr: "connect: unix:///var/run/lock: cannot connect" }],
  [null, { stderr: "Cannot connect to the Docker daemon at unix:///var/run/none.sock. Is the docker daemon running?" }],
  ["sandbox.blame_processes", { stderr: "bash: fork: retry: Resource temporarily unavailable" }],
  [null, { stderr: "Read-only file system", exitCode: 0 }],
  [null, { stderr: "Read-only file system", exitCode: 124, timedOut: true }],
  [null, { stderr: "Read-only file system", exitCode: null, cancelled: true }],
  [null, { stderr: "bash: ./run.sh: Permission denied", exitCode: 126 }],
  [null, { stderr: "cat: .gitignore: Permission denied" }],
  [null, { stderr: "AssertionError: expected 1 to be 2" }],
  [null, { stderr: `Read-only file system\n${"ordinary output\n".repeat(1_000)}` }],
  [null, { stderr: "connect ECONNREFUSED 127.0.0.1:5432" }],
];

test("[PO-8] a failure is put down to the sandbox only where it was the cause", () => {
  for (const [key, outcome] of blames) {
    const blamed = sandboxBlamed({ ...failed, ...outcome }, confine);
    expect([outcome.stderr?.slice(0, 80), blamed?.text.key ?? null]).toEqual([outcome.stderr?.slice(0, 80), key]);
  }
});

const hints: readonly (readonly [key: string | null, outcome: Partial<Parameters<typeof sandboxBlamed>[0]>])[] = [
  ["sandbox.hint_loopback", { stderr: "connect ECONNREFUSED 127.0.0.1:5432" }],
  ["sandbox.hint_loopback", { stderr: "curl: (7) Failed to connect to localhost port 9 after 0 ms: Couldn't connect" }],
  ["sandbox.hint_loopback", { stderr: 'connection to server at "localhost" (::1), port 1 failed: Connection refused' }],
  ["sandbox.hint_loopback", { exitCode: 7 }],
  [null, { stderr: "connect ECONNREFUSED 10.0.0.1:5432" }],
  ["sandbox.hint_processes", { stderr: "bash: line 1: kill: (123) - No such process" }],
  ["sandbox.hint_ports", { stderr: "Error: listen EACCES: permission denied 0.0.0.0:80" }],
  ["sandbox.hint_ports", { stderr: "listen tcp :443: bind: permission denied" }],
  ["sandbox.hint_ports", { stderr: "nginx: [emerg] bind() to 0.0.0.0:80 failed (13: Permission denied)" }],
  [
    "sandbox.hint_ports",
    { stderr: "    self.socket.bind(self.server_address)\nPermissionError: [Errno 13] Permission denied" },
  ],
  [
    "sandbox.hint_ports",
    { stderr: "[Errno 13] error while attempting to bind on address ('0.0.0.0', 80): permission denied" },
  ],
  ["sandbox.hint_ports", { stderr: "Permission denied - bind(2) for 127.0.0.1:80 (Errno::EACCES)" }],
  ["sandbox.hint_ports", { stderr: "java.net.BindException: Permission denied" }],
  [null, { stderr: "Error: listen EADDRINUSE: address already in use 0.0.0.0:8080" }],
  ["sandbox.hint_memory", { stderr: "MemoryError" }],
  [null, { stderr: "MemoryError", exitCode: 0 }],
  [null, { stderr: "AssertionError: expected 1 to be 2" }],
];

test("[PO-8] where the sandbox may be the cause the model is told, and nothing is decided by it", () => {
  for (const [key, outcome] of hints) {
    const about = { ...failed, ...outcome };
    const found: string | null = sandboxHint(about, confine)?.key ?? null;
    expect([outcome.stderr, found]).toEqual([outcome.stderr, key]);
    expect(sandboxBlamed(about, confine)).toBeNull();
  }
  const refused = { ...failed, stderr: "connect ECONNREFUSED 127.0.0.1:5432" };
  expect(sandboxHint(refused, { ...confine, network: true })).toBeNull();
});

test("[PO-8] with the network on, a name that is not found is nobody's fault but its own", () => {
  const outcome = { ...failed, stderr: "Could not resolve host: nowhere.example" };
  expect(sandboxBlamed(outcome, { ...confine, network: true })).toBeNull();
});

test("[PO-8] only chosen folders are writable, and none that would hand over the machine", () => {
  expect(confine.writable).toEqual(["/home/me/ws", "/srv/more"]);
  expect(confinementFor({ ...facts, readOnly: true })).toMatchObject({ writable: [], guarded: [], caches: null });
  for (const workspace of ["/", "/home", "/etc", "/usr", facts.coderHome]) {
    expect(confinementFor({ ...facts, workspace, addDirs: [] }).writable).toEqual([]);
  }
  expect(confine.hide).toContain("/home/me/.coder");
});

test("[PO-8] the home folder is veiled, wherever it lies, unless the person works in the whole of it", () => {
  const isVeiled = (home: string, workspace: string): boolean => {
    const { veils } = confinementFor({ ...facts, home, workspace, addDirs: [] });
    return veils.some((veil) => isWithin(home, veil));
  };
  const homes = ["/home/me", "/root", "/srv/people/me", "/elsewhere/me"];
  for (const home of homes) {
    for (const workspace of ["/work", "/", "/etc", `${home}/ws`, `${home}/.claude/worktrees/a`])
      expect([home, workspace, isVeiled(home, workspace)]).toEqual([home, workspace, true]);
  }
  expect(isVeiled("/elsewhere/me", "/elsewhere/me")).toBe(false);
  expect(isVeiled("/elsewhere/me", "/elsewhere")).toBe(false);
  expect(confinementFor({ ...facts, home: "/", workspace: "/work" }).veils).not.toContain("/");
});

test("[PO-8] a workspace in whose place something else would stand is shown as it is, to be read", () => {
  const inTemp = confinementFor({ ...facts, workspace: "/tmp", addDirs: [] });
  expect(inTemp.writable).toEqual([]);
  expect(inTemp.environment.TMPDIR).toBe("/dev/shm");
  expect(layOut(inTemp, false, nothing).mounts.filter(({ path }) => path === "/tmp")).toEqual([
    { path: "/tmp", kind: "read" },
  ]);
  expect(layOut(confine, false, nothing).mounts).toContainEqual({ path: "/tmp", kind: "write", source: confine.temp });
});

test("[PO-8] each workspace has caches of its own", () => {
  const other = confinementFor({ ...facts, workspace: "/home/me/other" });
  expect(confine.caches).toMatch(/^\/home\/me\/\.coder\/cache\/[0-9a-f]{16}$/);
  expect(other.caches).not.toBe(confine.caches);
  expect(confine.environment).toMatchObject({
    TMPDIR: "/tmp",
    npm_config_cache: `${confine.caches}/npm`,
    GOPROXY: "file:///home/me/go/pkg/mod/cache/download,off",
    CARGO_NET_OFFLINE: "true",
  });
});

test("[PO-8] the profile for macOS says the same, in an order in which the last word wins", () => {
  const profile = seatbeltProfile({
    ...confine,
    writable: ['/ws "quoted"'],
    guarded: ["/ws"],
    hide: ["/home/me/.ssh"],
  });
  const order = [
    "(allow default)",
    "(deny file-write*)",
    '(allow file-write*\n  (subpath "/ws \\"quoted\\"")',
    '(deny file-write*\n  (literal "/ws/.git/hooks")',
    '(deny file-read* file-write*\n  (subpath "/home/me/.ssh"))',
    "(deny network*)",
  ].map((piece) => profile.indexOf(piece));
  expect(order.every((at) => at >= 0)).toBe(true);
  expect(order).toEqual(order.toSorted((a, b) => a - b));
  expect(seatbeltProfile({ ...confine, network: true })).not.toContain("(deny network*)");
  expect([...profile].filter((char) => char === "(").length).toBe([...profile].filter((char) => char === ")").length);
});

test("[PO-8] every provider's key is kept from every command, the configured ones too, chosen or not", () => {
  const names = keyVariables({ mine: { api_key_env: "MINE" }, other: { api_key_env: "OTHER" } });
  expect(names.length).toBeGreaterThan(12);
  expect(names).toEqual(expect.arrayContaining(["CODER_API_KEY", "MINE", "OTHER", "ANTHROPIC_API_KEY"]));
  withhold((name) => names.includes(name));
  const env = Object.fromEntries(names.map((name) => [name, "x"]));
  expect(scrubbed({ ...env, PATH: "/bin" }, false)).toEqual({ PATH: "/bin" });
  expect(scrubbed(env, false, ["OPENAI_API_KEY", "CODER_API_KEY"])).toEqual({ OPENAI_API_KEY: "x" });
});

const dropped = [
  ...["GITHUB_TOKEN", "GH_TOKEN", "NPM_TOKEN", "AWS_SECRET_ACCESS_KEY", "AWS_PROFILE", "DB_PASSWORD", "PGPASSWORD"],
  ...["STRIPE_SECRET_KEY", "SESSION_SECRET", "JWT_SECRET", "MY_API_KEY", "SENTRY_DSN", "SSH_AUTH_SOCK", "DOCKER_HOST"],
  ...["KUBECONFIG", "DBUS_SESSION_BUS_ADDRESS", "DISPLAY", "XDG_RUNTIME_DIR", "LD_PRELOAD", "NODE_OPTIONS", "BASH_ENV"],
  ...["BASHOPTS", "SHELLOPTS", "GLOBIGNORE", "POSIXLY_CORRECT", "BASH_FUNC_ls%%"],
  ...["PERL5OPT", "GIT_SSH_COMMAND", "GIT_CONFIG_COUNT", "GIT_CONFIG_KEY_0", "BASH_FUNC_ls%%", "SLACK_WEBHOOK_URL"],
  ...["GOOGLE_APPLICATION_CREDENTIALS", "npm_config_//example/:_authToken", "VAULT_ADDR", "api_key", "Password"],
];
const kept = [
  ...["PATH", "HOME", "LANG", "LC_ALL", "USER", "SHELL", "TERM", "TZ", "CI", "JAVA_HOME", "GOPATH", "CARGO_HOME"],
  ...[
    "NVM_DIR",
    "VIRTUAL_ENV",
    "PYTHONPATH",
    "NODE_ENV",
    "EDITOR",
    "KEYBOARD",
    "MONKEY",
    "PASSENGER",
    "TOKENIZERS_PARALLELISM",
  ],
  ...["HTTP_PROXY", "RUSTFLAGS", "MAKEFLAGS", "PKG_CONFIG_PATH", "LD_LIBRARY_PATH", "COLUMNS", "XDG_CONFIG_HOME"],
];

test("[PO-8] [SA-secrets] by its name, what is a secret, a door or a loader goes, and what is a setting stays", () => {
  const env = Object.fromEntries([...dropped, ...kept].map((name) => [name, "x"]));
  expect(Object.keys(scrubbed(env, true)).sort()).toEqual(kept.toSorted());
  expect(scrubbed({ ...env }, false)).toEqual(env);
});

test("[PO-8] [SA-secrets] a password inside a value is one under any name", () => {
  const env = { URL: "postgres://me:pw@host/db", PEM: "-----BEGIN RSA PRIVATE KEY-----", PLAIN: "https://host:80/a@b" };
  expect(scrubbed(env, true)).toEqual({ PLAIN: "https://host:80/a@b" });
  expect(scrubbed(env, false)).toEqual({ PLAIN: "https://host:80/a@b" });
  expect(scrubbed(env, true, ["URL"])).toEqual({ URL: env.URL, PLAIN: env.PLAIN });
});
