import { expect, test } from "bun:test";
import { isProtectedPath, isSecretPath } from "../../src/policy/paths.ts";

const secret = [
  ...[".env", ".env.local", ".envrc", "a/b/.ENV", "id_rsa", "keys/id_ed25519", "id_work", "id_rsa.bak", "server.pem"],
  ...["tls/site.key", "store.p12", "x.jks", ".netrc", ".npmrc", ".pypirc", ".pgpass", ".git-credentials"],
  ...["credentials", "credentials.json", "credentials.yml.enc", ".credentials.json", "secrets.yaml"],
  ...["client_secret_1.json", "service-account.json", ".docker/config.json", "/home/u/.config/gcloud/x.db"],
  ...[".ssh/config", "/home/u/.aws/config", "a/.gnupg/x", ".kube/config", "./.env", "a//.env", ".\u200cenv"],
];

const harmless = [
  ...["environment.ts", "src/env.ts", "id_generator.ts", "id_map/index.ts", "id_rsa.pub", "key.ts", "keys/readme.md"],
  ...["credentials.ts", "src/secrets.rs", "docs/ssh.md", "monkey", "package.json", ".docker/Dockerfile", "pem.go", ""],
];

test.each(secret)("[PO-7] %p may hold secrets", (path) => {
  expect(isSecretPath(path)).toBe(true);
});

test.each(harmless)("%p is not taken for a secrets file", (path) => {
  expect(isSecretPath(path)).toBe(false);
});

test("files of git and coder are protected at any depth, in any letter case, and only they", () => {
  const paths = [".git", ".git/config", "a/.git/hooks/x", ".GIT/config", ".g\u200cit/config", ".coder/config.json"];
  const others = [".gitignore", ".github/workflows/x.yml", "git/config", "coder/x", ".coderc"];
  expect([paths.filter(isProtectedPath), others.filter(isProtectedPath)]).toEqual([paths, []]);
});
