// Where keys, logins and other people's data lie: nothing of it is shown to a confined command.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { secretVariables } from "../../contract/secret-places.ts";

/** Below the person's home. */
const atHome: readonly string[] = [
  // Keys and agents.
  ...[".ssh", ".gnupg", ".pki", ".password-store", ".1password", ".putty", ".age", ".config/age", ".config/sops"],
  ...[".local/share/keyrings", ".local/share/kwalletd", ".config/op", ".config/keybase", ".secrets"],
  // Clouds, clusters and registries.
  ...[".aws", ".azure", ".oci", ".bluemix", ".config/gcloud", ".gcloud", ".boto", ".s3cfg", ".config/rclone"],
  ...[".kube", ".docker", ".config/containers/auth.json", ".config/doctl", ".config/stripe", ".config/heroku", ".fly"],
  ...[".terraform.d", ".terraformrc", ".vault-token", ".databrickscfg", ".snowsql", ".config/helm"],
  ...[".netrc", ".git-credentials", ".config/git/credentials", ".config/gh", ".config/glab-cli", ".config/hub"],
  ...[".npmrc", ".yarnrc.yml", ".pypirc", ".gem/credentials", ".config/composer/auth.json"],
  ...[".cargo/credentials", ".cargo/credentials.toml", ".m2/settings-security.xml", ".nuget/NuGet"],
  ...[".composer/auth.json", ".kaggle", ".cache/huggingface/token", ".huggingface", ".wakatime.cfg"],
  // Databases.
  ...[".pgpass", ".my.cnf", ".mylogin.cnf", ".config/psql", ".mongorc.js", ".dbshell"],
  // What was typed before.
  ...[".bash_history", ".zsh_history", ".zhistory", ".local/share/fish", ".python_history", ".node_repl_history"],
  ...[".psql_history", ".mysql_history", ".sqlite_history", ".rediscli_history", ".lesshst", ".viminfo", ".histfile"],
  // Browsers and mail: sessions of everything else.
  ...[".mozilla", ".thunderbird", ".config/google-chrome", ".config/chromium", ".config/BraveSoftware"],
  ...[".config/microsoft-edge", ".config/Slack", ".config/discord", ".config/Signal", ".var/app"],
  ...[".Xauthority", ".ICEauthority", "Library/Keychains", "Library/Cookies"],
  ...["Library/Application Support/Google/Chrome", "Library/Application Support/Firefox"],
  // Money.
  ...[".bitcoin", ".ethereum", ".electrum", ".config/solana"],
  // Other agents: their logins and what was said to them.
  ...[".claude", ".claude.json", ".codex", ".gemini", ".config/github-copilot", ".config/opencode"],
  ".local/share/opencode",
];

/** Readable for root, which a confined command is when we are. */
const ofTheMachine: readonly string[] = [
  ...["/etc/shadow", "/etc/shadow-", "/etc/ssl/private", "/etc/sudoers.d"],
  ...["/etc/wireguard", "/etc/kubernetes", "/etc/NetworkManager/system-connections", "/etc/krb5.keytab"],
  ...["/etc/wpa_supplicant", "/etc/ppp", "/etc/openvpn", "/var/lib/docker", "/var/lib/containerd", "/var/lib/kubelet"],
  ...["/var/backups"],
  ...["rsa", "ecdsa", "ed25519", "dsa"].map((kind) => `/etc/ssh/ssh_host_${kind}_key`),
];

/** An empty folder, or a list of users without any password, needs no mount, and each costs time. */
export function holdsSomething(path: string): boolean {
  try {
    if (path === "/etc/shadow-") return readFileSync(path, "utf8").includes(":$");
    return !statSync(path).isDirectory() || readdirSync(path).length > 0;
  } catch {
    // Not there, or not for us; then for a confined command neither.
    return false;
  }
}

type Env = Readonly<Record<string, string | undefined>>;

export function secretPlaces(home: string, env: Env): readonly string[] {
  const named = secretVariables.flatMap((name) => (env[name] ?? "").split(":"));
  const docker = /^unix:\/\/(\/.*)$/.exec(env.DOCKER_HOST ?? "")?.[1] ?? "";
  // A value like `/` would hide everything.
  const absolute = [...named, docker].filter((path) => /^\/[^/]+\/./.test(path));
  const machine = process.getuid?.() === 0 ? ofTheMachine.filter(holdsSomething) : [];
  return [...atHome.map((path) => join(home, path)), ...machine, ...absolute];
}
