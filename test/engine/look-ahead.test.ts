import { expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sh } from "../platform/changes/ground.ts";
import { Bench } from "../support/engine.ts";

const bash = (command: string) => ({ calls: [{ tool: "bash", input: { command } }], delayMs: 250 });
const start = "git init -q && git add -A && git -c user.name=a -c user.email=a@b commit -qm first";

function fill(workspace: string): void {
  for (let at = 0; at < 2_000; at++) {
    const folder = join(workspace, `d${at % 100}`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `f${at}`), `${at}\n`);
  }
  sh(start, workspace);
}

test("[RB-1] what is seen while the model thinks is no baseline: only the command's own changes are its changes", async () => {
  await using bench = new Bench([bash("echo x > d1/f1; rm d2/f2; echo y > own.txt"), { text: "done" }]);
  fill(bench.workspace);
  const seat = bench.open({ mode: "yolo" });
  await seat.engine.runInput("go");
  // The person writes on while the workspace is looked at.
  for (let at = 0; seat.all("model.replied").length === 0; at = (at + 1) % 90) {
    writeFileSync(join(bench.workspace, `d${at}/f${at + 100}`), "mine\n");
    await new Promise(setImmediate);
  }
  await seat.engine.idle();
  const { changes = [], unkept = [] } = seat.last("tool.settled").result;
  expect([changes.map(({ path }) => path).sort(), unkept]).toEqual([["d1/f1", "d2/f2", "own.txt"], []]);
  await seat.run("/undo");
  expect(readFileSync(join(bench.workspace, "d1/f1"), "utf8")).toBe("1\n");
  expect(readFileSync(join(bench.workspace, "d2/f2"), "utf8")).toBe("2\n");
  expect(existsSync(join(bench.workspace, "own.txt"))).toBe(false);
  expect(readFileSync(join(bench.workspace, "d3/f103"), "utf8")).toBe("mine\n");
});
