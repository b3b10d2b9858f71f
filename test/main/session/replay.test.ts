import { expect, test } from "bun:test";
import { Cli, Lines } from "../../support/cli.ts";

test("[CLI-3] replay of a session that runs counts the open call apart, and names the last event of the snapshot", async () => {
  using cli = new Cli([{ calls: [{ tool: "bash", input: { command: "sleep 60" } }] }, { text: "slept" }]);
  const child = cli.start(["run", "--mode", "yolo", "--output", "stream-json", ...cli.model, "go"]);
  try {
    await new Lines(child.stdout).event("tool.intended");
    const [{ id }] = JSON.parse((await cli.run(["sessions", "--json"])).out) as [{ id: string }];
    const running = await cli.run(["replay", id]);
    expect([running.code, running.out]).toEqual([
      0,
      expect.stringContaining("; 0 calls with exactly one result each, 1 still open;"),
    ]);
    expect(JSON.parse((await cli.run(["replay", id, "--json"])).out)).toMatchObject({ calls: 1, open: 1, broken: [] });
    child.kill("SIGTERM");
    await child.exited;
    const { out } = await cli.run(["replay", id]);
    const [, events, last] =
      /^Replayed (\d+) events.* 1 calls with exactly one result each, 0 still open; .*\(event (\d+)\)/.exec(out) ?? [];
    expect([out, Number(last) <= Number(events)]).toEqual([out, true]);
  } finally {
    child.kill("SIGKILL");
    await child.exited;
  }
}, 120_000);
