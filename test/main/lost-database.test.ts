// The database goes away while a session runs: memory must not run ahead of the disk (PS-1).
import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { sh } from "../platform/changes/ground.ts";
import { Cli } from "../support/cli.ts";
import { untilFile } from "../support/shell.ts";
import { until } from "../support/until.ts";

const limit = 120_000;

const losses: readonly (readonly [string, (home: string) => string])[] = [
  ["deleted", (home) => `rm -f '${home}'/coder.db '${home}'/coder.db-wal '${home}'/coder.db-shm`],
  ["deleted alone, without its WAL", (home) => `rm -f '${home}'/coder.db`],
  ["robbed of its WAL", (home) => `rm -f '${home}'/coder.db-wal`],
  ["moved away", (home) => `mkdir '${home}'/away && mv '${home}'/coder.db* '${home}'/away`],
  ["replaced by a copy", (home) => `cd '${home}' && cp coder.db other && mv other coder.db`],
  ["gone with the whole home", (home) => `rm -rf '${home}'`],
];

describe("a database that is", () => {
  for (const [how, loss] of losses) {
    test(
      `[PS-1] ${how} ends the run with exit code 8 before anything else is done`,
      async () => {
        using cli = new Cli([
          { calls: [{ tool: "bash", input: { command: `touch begun; ${untilFile("lost")}` } }] },
          { calls: [{ tool: "bash", input: { command: "touch never" } }] },
          { text: "done" },
        ]);
        const child = cli.start(["run", ...cli.model, "--mode", "yolo", "--output", "json", "wait"]);
        await until("the command runs", () => existsSync(join(cli.workspace, "begun")));
        sh(loss(cli.home), cli.workspace);
        cli.file("lost", "");
        const [code, out, err] = await Promise.all([
          child.exited,
          new Response(child.stdout).text(),
          new Response(child.stderr).text(),
        ]);
        expect([code, JSON.parse(out).error, err]).toMatchObject([8, { code: "E_STORE" }, ""]);
        expect(out).toContain("coder.db");
        expect([cli.server.requests.length, existsSync(join(cli.workspace, "never"))]).toEqual([1, false]);
      },
      limit,
    );
  }
});
