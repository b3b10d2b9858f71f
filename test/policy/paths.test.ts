import { describe, expect, test } from "bun:test";
import { protectedNames } from "../../src/contract/path/protected.ts";
import { isSecretIn, isSecretPath } from "../../src/contract/path/secret-path.ts";
import { isOwnPath, isProtectedPath } from "../../src/policy/paths.ts";

const secret = [
  ...[".env", ".env.local", ".env.production", ".env-ci", ".envrc", "a/b/.ENV", "prod.env", "docker/web.env"],
  ...["id_rsa", "keys/id_ed25519", "id_work", "id_rsa.bak", "/etc/ssh/ssh_host_ed25519_key", "server.pem"],
  ...["tls/site.key", "config/master.key", "AuthKey_1.p8", "store.p12", "x.jks", "team.kdbx", "home.ovpn", "a.keytab"],
  ...[".netrc", "_netrc", ".npmrc", ".pypirc", ".pgpass", ".git-credentials", ".config/git/credentials", ".my.cnf"],
  ...["credentials", "credentials.json", "credentials.yml.enc", ".credentials.json", ".cargo/credentials.toml"],
  ...["gcp-credentials.json", "application_default_credentials.json", ".terraform.d/credentials.tfrc.json"],
  ...["secrets.yaml", "config/secrets.yml", "app.secrets.json", "secret.yaml", ".secrets/db", "prod.secrets.env"],
  ...["client_secret_1.json", "service-account.json", "my-service-account-1.json", "x-firebase-adminsdk-1.json"],
  ...[".docker/config.json", "/home/u/.config/gcloud/x.db", "/home/u/.config/gh/hosts.yml", ".codex/auth.json"],
  ...[".ssh/config", "/home/u/.aws/config", "a/.gnupg/x", ".kube/config", "kubeconfig", "prod.kubeconfig"],
  ...["kubeconfig.yaml", "terraform.tfstate", "infra/terraform.tfstate.backup", "prod.tfvars", "x.auto.tfvars.json"],
  ...["/home/u/.mozilla/firefox/p/logins.json", "/home/u/.config/google-chrome/Default/Cookies", "cookies.txt"],
  ...["/Users/u/Library/Keychains/login.keychain-db", "/Users/u/Library/Application Support/Google/Chrome/x"],
  ...[".bash_history", ".zsh_history", ".psql_history", ".python_history", ".node_repl_history", "fish/fish_history"],
  ...[".vault_pass", "vault_pass.txt", ".vault-token", "group_vars/all/vault.yml", ".github_token", "passwords.csv"],
  ...[".m2/settings.xml", "/home/u/.gradle/gradle.properties", ".s3cfg", ".boto", "kaggle.json", "wallet.dat"],
  ...["/etc/shadow", "/etc/shadow-", "/etc/ssl/private/x.crt", "/run/secrets/db", "/etc/kubernetes/admin.conf"],
  ...["/proc/1/environ", "/proc/self/environ", "/proc/7/task/8/environ", "/proc/self/mem", "/dev/sda1"],
  ...[".dev.vars", ".dev.vars.production", ".envfile", "serviceAccountKey.json", "firebase-service-account-keys.json"],
  ...["clientSecret.json", "token.json", "local.settings.json", "android/key.properties", "deploy_key", "work_ed25519"],
  ...["private.gpg", "my-private-key.asc", ".sentryclirc", ".clasprc.json", ".Renviron", ".vscode/sftp.json"],
  ...[
    "ssh_key",
    "work-ssh-key",
    "env.production",
    "env.local",
    "app.bks",
    "rootkey.csv",
    "u_accessKeys.csv",
    "wg0.conf",
  ],
  ...["oauth_token.json", ".secret", "apikey", "config/prod.secret.exs", "config/secrets.exs", ".dbt/profiles.yml"],
  ...["/etc/ipsec.secrets", "/var/lib/cloud/instance/user-data.txt", "/var/spool/cron/crontabs/root", "/etc/rndc.key"],
  ...["Login Data", "cookies.sqlite", "secrets/db_password.txt"],
  ...["keystore/UTC--2020-01-01T00-00-00.0Z--aa", "mnemonic.txt"],
  ...[
    "./.env",
    "a//.env",
    ".\u200cenv",
    ".env.",
    ".env ",
    ".e\u0300nv/../.env",
    "ID_RSA",
    "\u212aubeconfig",
    ".\u017fsh/x",
  ],
];

const copies = [
  ".env~",
  ".env.bak",
  "prod.env.old",
  "credentials.bak",
  "credentials~",
  "secrets.yml~",
  ".secrets.yml.swp",
];
const secretCopies = [...copies, "key.pem.old", ".npmrc.orig", ".env copy", ".netrc (copy)", "kubeconfig.save"];

const harmless = [
  ...[".env.example~", ".env.example.bak", "key.ts~", "notes.bak", "backup", "credentials.ts.bak"],
  ...[".env.example", ".env.sample", ".env.template", ".env.dist", ".env.local.example", "example.env", "sample.env"],
  ...["environment.ts", "src/env.ts", "env.d.ts", ".environment", ".envoy.yaml", "env/readme.md"],
  ...["id_generator.ts", "id_map/index.ts", "id_map.go", "id_rsa.pub", "key.ts", "keys/readme.md", "keyboard.ts"],
  ...["tokens.css", "tokens.json", "design.tokens.json", "token.ts", "tokenizer.json", "src/token/index.ts"],
  ...[
    "credentials.ts",
    "src/secrets.rs",
    "secrets.go",
    "src/secrets/index.ts",
    "secretary.json",
    "credentials_test.go",
  ],
  ...["docs/ssh.md", "monkey", "package.json", ".docker/Dockerfile", "pem.go", "locales/en/auth.json", "hosts.yml"],
  ...["example.tfvars", "terraform.tfvars.example", "main.tf", "history.md", "shell_history.rs", "HISTORY.md"],
  ...["passwords.php", "locales/en/password.json", "vault.ts", "cookies.ts", "settings.xml", "gradle.properties"],
  ...[".dev.vars.example", "release.asc", "pubring.gpg", "gradle/wrapper/gradle-wrapper.properties", "crypto/rsa"],
  ...["env.ts", "env.example", "ssh_key.go", "login_data.py", "wg.conf", "lib/apikey.ex", "profiles.yml", "token.exs"],
  ...["service-account.ts", "serviceaccount.yaml", "etc/shadow", "proc/1/environ", "/proc/1/status", "/etc/passwd", ""],
];

test.each([...secret, ...secretCopies])("[PO-7] %p may hold secrets", (path) => {
  expect(isSecretPath(path)).toBe(true);
});

test.each(harmless)("[PO-7] %p is not taken for a secrets file", (path) => {
  expect(isSecretPath(path)).toBe(false);
});

describe("[PO-7] protected files", () => {
  const paths = [
    ...[".git", ".git/config", "a/.git/hooks/x", ".git/index", "git~1/config", ".coder/config.json", ".coder"],
    ...[".github/workflows/x.yml", "sub/.vscode/tasks.json", ".husky/pre-commit", ".gitlab-ci.yml", "Jenkinsfile"],
    ...[".gitlab-ci.release.yml", ".github/hooks/x.json", "sub/.mvn/extensions.xml", "a/.bazelrc", "tools/bazel"],
    ...["sub/.hg/sharedpath", "sub/.shadowenv.d/x.lisp", "x/.ocamlinit", "x/.perldb", ".agents/x", "a/.prototools"],
    ...["a/gradle/wrapper/gradle-wrapper.properties", "NuGet.Config", ".luarc.json", "pkgx.yaml"],
    ...[".bashrc", "/home/u/.zshrc", ".config/fish/config.fish", ".envrc", ".mcp.json", ".gitmodules", ".claude/x.md"],
    ...["bunfig.toml", ".pre-commit-config.yaml", "Library/LaunchAgents/x.plist", "sub/sitecustomize.py"],
  ];
  const others = [
    ...[".gitignore", ".gitattributes", ".github/CODEOWNERS", ".github/ISSUE_TEMPLATE/bug.md", "git/config", "coder/x"],
    ...[
      ".coderc",
      "src/hooks/use.ts",
      "vscode/x",
      "config",
      "hooks/pre-commit",
      "jenkinsfile.md",
      "profile",
      "a.bashrc",
    ],
  ];

  test("are those of git, of coder, and those that make a shell, an editor, a hook or a build server run something", () => {
    expect([paths.filter((path) => !isProtectedPath(path)), others.filter(isProtectedPath)]).toEqual([[], []]);
  });

  test("[SA-letter-case] are found in any letter case, with invisible code points and with dots or blanks at the end", () => {
    const forms = [
      ".GIT/config",
      ".g\u200cit/config",
      ".git./config",
      ".git /hooks/x",
      ".CODER/config.json",
      ".BashRC",
    ];
    const odd = [".\u017fsh/x", ".baſhrc", ".Vſcode/x.json", "a\\.git\\config"];
    expect([forms.filter((path) => !isProtectedPath(path)), odd.filter((path) => isProtectedPath(path))]).toEqual([
      [],
      [".baſhrc", ".Vſcode/x.json", "a\\.git\\config"],
    ]);
  });

  test("the list that the sandbox shares is in lower case, without repetition, and each name of it is protected", () => {
    const names = protectedNames.map(({ path }) => path);
    expect(names.filter((path) => path !== path.toLowerCase() || path.startsWith("/") || path.endsWith("/"))).toEqual(
      [],
    );
    expect(new Set(names).size).toBe(names.length);
    const below = protectedNames.map(({ path, kind }) => (kind === "folder" ? `sub/${path}/x` : `sub/${path}`));
    expect(below.filter((path) => !isProtectedPath(path))).toEqual([]);
  });
});

test("[PO-9] [SA-own-settings] what lies in our home is ours in any form of its name, and what only begins alike is not", () => {
  const home = "/home/u/.coder";
  const own = ["/home/u/.coder", "/home/u/.coder/coder.db", "/home/u/.CODER/config.json", "/home/u/.coder./x"];
  const others = ["/home/u/.coderx/config.json", "/home/u", "/home/u/ws/.coder/config.json", "/.coder", ""];
  expect([own.filter((path) => !isOwnPath(path, home)), others.filter((path) => isOwnPath(path, home))]).toEqual([
    [],
    [],
  ]);
  expect(isOwnPath("/home/e\u0301/h/x", "/home/\u00e9/h")).toBe(true);
  expect(isOwnPath("/anything", "")).toBe(false);
});

test("[PO-7] every protected folder is met through its dot or its tilde", () => {
  const folders = protectedNames.filter(({ path, kind }) => kind === "folder" && !path.includes("/"));
  expect(folders.filter(({ path }) => !isProtectedPath(`/ws/${path}/x`))).toEqual([]);
  expect(protectedNames.filter(({ path }) => !isProtectedPath(`/ws/sub/${path}`))).toEqual([]);
});

test("[PO-7] [SA-secrets] below a folder, what the folder is counts as well", () => {
  expect(isSecretPath("etc/shadow")).toBe(false);
  expect(
    ["/", "/etc", "/home/me/.aws"].map((folder) => isSecretIn(folder)(folder === "/" ? "etc/shadow" : "shadow")),
  ).toEqual([true, true, true]);
  expect(isSecretIn("/work")("shadow")).toBe(false);
  expect(isSecretIn("/work")("/etc/shadow")).toBe(true);
});
