import { expect, test } from "bun:test";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Bench } from "../support/engine.ts";

test("[PO-8] the word for the sandbox follows mode and configuration, and is unknown until a command was looked at", async () => {
  const bash = { calls: [{ tool: "bash", input: { command: "true" } }] };
  await using bench = new Bench([[bash, { text: "done" }]]);
  const seat = bench.open();
  expect(seat.engine.sandboxState()).toBe("unknown");
  seat.engine.setMode("yolo");
  expect(seat.engine.sandboxState()).toBe("off");
  seat.engine.setMode("default");
  await seat.run("go");
  const { confined = false } = seat.last("tool.decided").run ?? {};
  expect(seat.engine.sandboxState()).toBe(confined ? "on" : "missing");
  seat.engine.setMode("yolo");
  await seat.event("mode.changed");
  expect(seat.engine.sandboxState()).toBe("off");
  expect(bench.open({ mode: "yolo", sandbox: true }).engine.sandboxState()).toBe("unknown");
  expect(bench.open({}, { config: { sandbox: { use: "off" } } }).engine.sandboxState()).toBe("off");
});

// What is found is remembered for as long as the process lives: each is one of its own.
test.skipIf(process.platform !== "linux").each([
  ["missing", null],
  ["failing", "#!/bin/sh\nexit 1\n"],
] as const)("[PO-8] where the sandbox is %s, the word says so after the first command", async (word, script) => {
  await using bench = new Bench([]);
  const bin = join(bench.root, "bin");
  mkdirSync(bin);
  if (script !== null) writeFileSync(join(bin, "bwrap"), script);
  if (script !== null) chmodSync(join(bin, "bwrap"), 0o755);
  const setup = JSON.stringify(join(import.meta.dir, "..", "..", "src", "main", "setup", "setup.ts"));
  const program = `
    import { settingsFrom, setUp } from ${setup};
    const flags = { cwd: ${JSON.stringify(bench.workspace)}, baseUrl: ${JSON.stringify(bench.server.url)}, model: "openai-chat/mock" };
    const { engine } = setUp(settingsFrom(flags, true), flags, () => false, { index: null });
    const before = engine.sandboxState();
    await engine.runInput("!true");
    await engine.idle();
    console.log(before, engine.sandboxState());
    await engine.close();`;
  const child = Bun.spawn([process.execPath, "-e", program], {
    cwd: "/",
    env: { PATH: bin, HOME: bench.root, CODER_HOME: bench.home },
    stdout: "pipe",
    stderr: "inherit",
  });
  expect(await new Response(child.stdout).text()).toBe(`unknown ${word}\n`);
});
