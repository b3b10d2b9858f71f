import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { openStore } from "../../../src/store/open.ts";
import { Cli, Lines } from "../../support/cli.ts";

const many = Array.from({ length: 12 }, (_, n) => ({
  tool: "write",
  input: { path: `made-${n}.txt`, content: `${n}\n` },
}));

test("[PS-4] [RB-2] a rewind that kill -9 cuts short is whole, not begun, or named as half when the session is resumed", async () => {
  const seen = { whole: 0, none: 0, half: 0 };
  const points = [
    "input.admitted",
    "tool.decided",
    "tool.intended",
    "tool.settled",
    "task.summarized",
    "task.ended",
    "session.started",
    "session.resumed",
  ];
  for (const point of points) {
    using cli = new Cli([
      { when: "first", steps: [{ text: "hello" }] },
      { when: "second", steps: [{ calls: many }, { text: "made" }] },
    ]);
    await cli.run(["run", ...cli.model, "--mode", "auto-edit", "do the first"]);
    await cli.run(["run", ...cli.model, "--mode", "auto-edit", "--continue", "do the second"]);
    const victim = cli.start(["run", ...cli.model, "--continue", "--output", "stream-json", "/rewind 1 both"]);
    const lines = new Lines(victim.stdout);
    const isPoint = ({ event }: Record<string, unknown>): boolean =>
      (event as { type?: string } | undefined)?.type === point;
    // The resume of the session itself comes first.
    let passed = 0;
    await lines.until((line) => isPoint(line) && ++passed === (point === "session.resumed" ? 2 : 1)).catch(() => {});
    victim.kill("SIGKILL");
    await victim.exited;
    expect((await cli.run(["run", ...cli.model, "--continue", "/rewind"])).code).toBe(0);
    const left = readdirSync(cli.workspace).filter((name) => name.startsWith("made-"));
    expect([0, many.length]).toContain(left.length);
    const store = openStore(cli.home);
    const id = store.sessions({ limit: 1 })[0]?.id ?? "";
    const events = [...(store.peek(id) ?? [])].filter(({ accepted }) => accepted).map(({ event }) => event);
    store.close();
    const isRewound = events.some((event) => event.type === "session.started" && event.rewound !== undefined);
    const isNamed = events.some((event) => event.type === "notice.given" && event.text.key === "rewind.half");
    const tasks = events.filter(({ type }) => type === "task.started").length;
    if (isRewound) {
      seen.whole++;
      expect([left.length, tasks]).toEqual([0, 1]);
    } else {
      expect([point, isNamed]).toEqual([point, left.length === 0]);
      seen[isNamed ? "half" : "none"]++;
    }
    expect((await cli.run(["replay", id])).code).toBe(0);
    if (!isNamed) continue;
    await cli.run(["run", ...cli.model, "--continue", "/redo"]);
    expect(readdirSync(cli.workspace).filter((name) => name.startsWith("made-")).length).toBe(many.length);
  }
  expect(seen.half).toBeGreaterThan(0);
}, 240_000);
