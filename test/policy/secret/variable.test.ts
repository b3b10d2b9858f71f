import { expect, test } from "bun:test";
import { isSecretVariable } from "../../../src/policy/secret/variable.ts";
import { alnum, body, hex, samples } from "./corpus.ts";

test("[SA-secrets] a variable whose value has a vendor's form is one, whatever it is called", () => {
  for (const { kind, make } of samples) {
    const { text } = make(5);
    if (/\s/.test(text)) continue;
    expect([kind, isSecretVariable("THING", text)]).toEqual([kind, true]);
  }
});

test("[SA-secrets] a variable with a value that only a machine makes is one, whatever it is called", () => {
  const values = [body(alnum, 20, 1), body(alnum, 32, 2), body(alnum, 64, 3), body(hex, 32, 4), body(hex, 64, 5)];
  for (const value of values) expect([value, isSecretVariable("THING", value)]).toEqual([value, true]);
});

test("[SA-secrets] such a value is one in quotes, between blanks and beside other words too", () => {
  const value = body(alnum, 32, 2);
  const around = [
    ` ${value}`,
    `${value}\n`,
    `"${value}"`,
    `'${value}'`,
    `me:${value}`,
    `Basic ${value}`,
    `{"k":"${value}"}`,
  ];
  const missed = around.filter((one) => !isSecretVariable("THING", one));
  expect(missed).toEqual([]);
});

test("[SA-secrets] a password is one by its name, and in an address under any name", () => {
  expect(isSecretVariable("DB_PASSWORD", "hunter2")).toBe(true);
  expect(isSecretVariable("STORE", "redis://me:opensesame@host/0")).toBe(true);
});

test("settings, paths, digests and numbers of things are no secrets", () => {
  const plain: Readonly<Record<string, string>> = {
    PATH: "/usr/local/bin:/usr/bin:/opt/node-v22.11.0-linux-x64/bin",
    NIX: "/nix/store/8ab3kq1c9m2dzx4-foo-1.2.3/bin",
    LANG: "en_US.UTF-8",
    TERM_PROGRAM_VERSION: "3.5.0beta12",
    GITHUB_SHA: body(hex, 40, 1),
    NODE_SHA256: body(hex, 64, 2),
    INVOCATION_ID: body(hex, 32, 3),
    WT_SESSION: "0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0",
    IMAGE: `registry.example/app@sha256:${body(hex, 64, 7)}`,
    COMMAND: "jest --config jest.config.js --testPathPattern src/components/MyComponentV2.test.tsx --runInBand",
    FLAGS: "-Wno-deprecated-declarations -DNDEBUG -march=x86-64-v3 -fstack-protector-strong -D_FORTIFY_SOURCE=2",
    WSL: "5.15.167.4-microsoft-standard-WSL2",
    LS_COLORS: "rs=0:di=01;34:ln=01;36:mh=00:pi=40;33",
    HTTP_PROXY: "http://proxy.example:8080",
    npm_package_integrity: `sha512-${body(alnum, 86, 4)}==`,
    npm_config_user_agent: "npm/10.9.0 node/v22.11.0 linux x64 workspaces/false",
    TOKEN: "changeme",
    AWS_REGION: "eu-central-1",
    DOTNET_CLI_TELEMETRY_OPTOUT: "1",
  };
  const taken = Object.entries(plain).filter(([name, value]) => isSecretVariable(name, value));
  expect(taken).toEqual([]);
});
