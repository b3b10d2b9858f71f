import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Cli } from "../../support/cli.ts";

test("[TP-6] [SA-secrets] keys of every configured provider are kept out of results, whichever model runs", async () => {
  using cli = new Cli();
  const base = { protocol: "openai-chat", base_url: cli.server.url };
  const providers = {
    one: { ...base, api_key: "plainword-of-one" },
    two: { ...base, api_key_env: "TWO", headers: { "X-Auth": "plainword-of-header", "X-Title": "plainword-of-title" } },
  };
  mkdirSync(cli.home, { mode: 0o700 });
  writeFileSync(join(cli.home, "config.json"), JSON.stringify({ providers, model: "one/m" }), { mode: 0o600 });
  writeFileSync(join(cli.home, "keys.json"), JSON.stringify({ openai: "plainword-of-file" }), { mode: 0o600 });
  cli.file("note.txt", "plainword-of-one plainword-of-two plainword-of-header plainword-of-title plainword-of-file");
  const { out } = await cli.run(["tool", "read", '{"path":"note.txt"}'], { env: { TWO: "plainword-of-two" } });
  expect(out.match(/plainword-of-\w+/g)).toEqual(["plainword-of-title"]);
});
