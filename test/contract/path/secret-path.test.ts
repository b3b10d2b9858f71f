import { expect, test } from "bun:test";
import { isSecretAtHome, isSecretOutside, isSecretPath } from "../../../src/contract/path/secret-path.ts";
import { homeSecrets, machineSecrets, secretFolders } from "../../../src/contract/path/secret-places.ts";

const homes = ["/home/u", "/var/home/u", "/root", "/Users/u"];

test("[PO-7] [SA-secrets] every place of the list is one for policy, itself and below it, in any home folder", () => {
  const places = [...homeSecrets, ...secretFolders].flatMap((place) => homes.map((home) => `${home}/${place}`));
  const missed = [...places, ...machineSecrets]
    .flatMap((path) => [path, `${path}/x`])
    .filter((path) => !isSecretOutside(path));
  expect(missed).toEqual([]);
});

test("[PO-7] [SA-secrets] what is one only in a home folder is none in a project", () => {
  const folders = new Set(secretFolders);
  const common = homeSecrets.filter((place) => !isSecretPath(`ws/${place}`) && !folders.has(place));
  expect(common).toContain(".docker");
  expect(common).toContain(".claude");
  expect(common.filter((place) => isSecretOutside(`/home/u/ws/${place}/x`))).toEqual([]);
  expect(common.filter((place) => !isSecretAtHome(place) || !isSecretAtHome(`${place}/x`))).toEqual([]);
});

test("[PO-7] [SA-secrets] logins of build tools are found in their own folders, and their other files are not", () => {
  const secret = [
    ...[".m2/settings.xml", ".m2/settings-security.xml", ".gradle/gradle.properties", ".cargo/credentials"],
    ...[".cargo/credentials.toml", ".ivy2/.credentials", ".sbt/1.0/credentials.sbt", ".nuget/NuGet/NuGet.Config"],
    ...[".gem/credentials", ".hex/hex.config", ".pub-cache/credentials.json", ".conan2/credentials.json", ".npmrc"],
    ...[".cache/huggingface/token", ".bundle/config", ".config/pip/pip.conf", ".condarc", ".zhistory"],
  ];
  const harmless = [
    ...[
      ".m2/repository/a/b.pom",
      ".gradle/caches/x.bin",
      ".cargo/registry/index",
      ".cargo/config.toml",
      ".bundle/cache",
    ],
    ...[".nuget/packages/a/a.nuspec", ".cache/huggingface/hub/x", ".gitconfig", ".bashrc", ".config/git/config"],
  ];
  expect(secret.filter((path) => !isSecretAtHome(path))).toEqual([]);
  expect(harmless.filter((path) => isSecretAtHome(path))).toEqual([]);
});

test("[PO-7] [SA-secrets] a name keeps its meaning with an environment in it, in a template's folder, and as an editor saves it", () => {
  const secret = [
    ...["secrets.prod.yaml", "config/secrets-local.toml", "app.secrets.staging.json", "credentials.production.json"],
    ...[".envs/.production/.postgres", ".envs/.local/.django", ".secret.local", ".runtimeconfig.json"],
    ...[".ansible_vault_pass", "my-vault-password.txt", "#.env#", "#id_rsa#", "#secrets.json#"],
  ];
  const harmless = [
    ...["secrets.prod.ts", "credentials.test.ts", "secrets.example.yaml", "secret-local.md", ".envs/py311/bin/python"],
    ...["#notes#", "vault-passenger.md", "credentials.productions"],
  ];
  expect(secret.filter((path) => !isSecretPath(path))).toEqual([]);
  expect(harmless.filter((path) => isSecretPath(path))).toEqual([]);
});
