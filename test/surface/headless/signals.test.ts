import { describe, expect, test } from "bun:test";
import { Cli, Lines } from "../../support/cli.ts";
import { aliveWith, newToken } from "../../support/shell.ts";
import { until } from "../../support/until.ts";

const slow = { text: "never", delayMs: 60_000 };

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  describe(`[CAN-1] ${signal}`, () => {
    test("[CAN-3] cancels cleanly with 130, both lines on stderr, and the session can be continued", async () => {
      using cli = new Cli([[slow], [{ text: "works" }]]);
      const child = cli.start(["run", ...cli.model, "--output", "stream-json", "go"]);
      const lines = new Lines(child.stdout);
      await lines.event("run.started");
      child.kill(signal);
      expect(await child.exited).toBe(130);
      const err = await new Response(child.stderr).text();
      expect(err).toContain(
        "Cancelled by ESC\nStopped model stream and tool execution; todo state remains unchanged unless a tool had already completed.\n",
      );
      expect((await cli.run(["run", ...cli.model, "--continue", "again"])).out).toBe("works\n");
    });

    test("[CAN-4] leaves no process of a running command behind, escapees included", async () => {
      const token = newToken();
      const command = `setsid sleep 300.${token} & env -i setsid sh -c 'sleep 301.${token} & sleep 302.${token} &' & sleep 303.${token}`;
      using cli = new Cli([{ calls: [{ tool: "bash", input: { command } }] }, { text: "no" }]);
      const child = cli.start(["run", ...cli.model, "--mode", "yolo", "--output", "stream-json", "go"]);
      const lines = new Lines(child.stdout);
      await lines.event("process.spawned");
      await until("all four sleep", () => aliveWith(`.${token}`).length >= 4);
      child.kill(signal);
      expect(await child.exited).toBe(130);
      expect(aliveWith(`.${token}`)).toEqual([]);
    });
  });
}

test("[CAN-1] a second Ctrl+C kills at once, children included", async () => {
  const token = newToken();
  // The trap makes the clean way slow enough for a second key.
  using cli = new Cli([
    { calls: [{ tool: "bash", input: { command: `trap '' TERM; sleep 300.${token}` } }] },
    { text: "no" },
  ]);
  const child = cli.start(["run", ...cli.model, "--mode", "yolo", "--output", "stream-json", "go"]);
  await new Lines(child.stdout).event("process.spawned");
  await until("it sleeps", () => aliveWith(`.${token}`).length > 0);
  child.kill("SIGINT");
  const again = setInterval(() => child.kill("SIGINT"), 100);
  expect(await child.exited).toBe(130);
  clearInterval(again);
  expect(aliveWith(`.${token}`)).toEqual([]);
});

test("a reader that goes away ends the run and its children", async () => {
  const token = newToken();
  using cli = new Cli([
    { calls: [{ tool: "bash", input: { command: `for n in {1..6000}; do echo ${token}; sleep 0.05; done` } }] },
    { text: "no" },
  ]);
  const child = cli.start(["run", ...cli.model, "--mode", "yolo", "--output", "stream-json", "go"]);
  const reader = child.stdout.getReader();
  await reader.read();
  await reader.cancel();
  expect(await child.exited).toBe(130);
  await until("nothing is left", () => aliveWith(token).length === 0);
});
