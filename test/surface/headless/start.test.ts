import { expect, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Cli } from "../../support/cli.ts";

test("[PO-9] [SA-startup-children] a task without commands starts no program in a hostile repository, whatever lies in it", async () => {
  using cli = new Cli([{ calls: [{ tool: "read", input: { path: "a.txt" } }] }, { text: "done" }]);
  cli.file("a.txt", "text\n");
  cli.file("package.json", '{"packageManager":"yarn@9.9.9","scripts":{"prepare":"touch pwned"}}');
  cli.file(".yarnrc.yml", "yarnPath: ./evil.cjs\n");
  cli.file(".tool-versions", "nodejs 1\n");
  Bun.spawnSync(["git", "init", "-q"], { cwd: cli.workspace });
  Bun.spawnSync(["git", "config", "core.fsmonitor", "touch pwned"], { cwd: cli.workspace });
  const stubs = join(cli.root, "stubs");
  const log = join(cli.root, "started");
  mkdirSync(stubs);
  // Not bwrap: while a slow model thinks, our own sandbox is tried out for the first command.
  for (const name of ["git", "node", "npm", "yarn", "pnpm", "sh", "bash", "python3", "rg", "ls", "tsc"]) {
    writeFileSync(join(stubs, name), `#!/bin/sh\necho ${name} >> ${log}\n`);
    chmodSync(join(stubs, name), 0o755);
  }
  const ran = await cli.run(["run", ...cli.model, "go"], { env: { PATH: `${stubs}:${process.env.PATH}` } });
  expect([ran.code, ran.out]).toEqual([0, "done\n"]);
  expect(existsSync(log) ? readFileSync(log, "utf8") : "nothing").toBe("nothing");
  expect(existsSync(join(cli.workspace, "pwned"))).toBe(false);
});
