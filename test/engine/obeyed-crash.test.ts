import { expect, test } from "bun:test";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { Cli, Lines } from "../support/cli.ts";
import { until } from "../support/until.ts";

test("[PO-8] [PS-4] what a command planted before kill -9 is named when the session goes on, and left to the person", async () => {
  const plant = "require('fs').writeFileSync('sub/.envrc', 'evil')";
  const command = `node -e "${plant}"; touch made; exec sleep 300`;
  using cli = new Cli([{ calls: [{ tool: "bash", input: { command } }] }, { text: "I will check" }]);
  mkdirSync(join(cli.workspace, "sub"));
  const flags = [...cli.model, "--mode", "auto-edit", "--allow", "bash", "--output", "stream-json"];
  const first = cli.start(["run", ...flags, "go"]);
  await new Lines(first.stdout).event("process.spawned");
  await until("it is planted", () => existsSync(join(cli.workspace, "made")));
  first.kill("SIGKILL");
  await first.exited;
  const ran = await cli.run(["run", ...flags, "--continue"]);
  const events = ran.out
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line).event)
    .filter((event) => event !== undefined);
  const notice = events.find(({ text }) => text?.key === "sandbox.planted.unknown");
  expect(notice?.text.args.paths).toBe(join(cli.workspace, "sub/.envrc"));
  const { summary } = events.find(({ type }) => type === "task.summarized") ?? {};
  expect(summary?.risks.join("\n")).toContain("sub/.envrc");
  expect(existsSync(join(cli.workspace, "sub/.envrc"))).toBe(true);
});
