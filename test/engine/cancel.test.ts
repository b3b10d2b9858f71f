import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Bench, type Seat } from "../support/engine.ts";
import type { Step } from "../support/scripted-reply.ts";
import { aliveWith, newToken } from "../support/shell.ts";
import { until } from "../support/until.ts";

const bash = (command: string): Step => ({ calls: [{ tool: "bash", input: { command } }] });

async function cancelAndCheck(seat: Seat, token: string | null): Promise<void> {
  seat.engine.cancel("esc");
  await seat.engine.idle();
  if (token) expect(aliveWith(token)).toEqual([]);
  expect(seat.engine.state().task.phase).toBe("IDLE");
  expect(seat.last("task.summarized").summary).toMatchObject({ stop_reason: "CANCELLED", exit_code: 130 });
  const calls = seat.all("model.replied").flatMap((event) => event.reply.calls.map((call) => call.id));
  const results = seat.all("tool.settled").map((event) => event.callId);
  expect([...results].sort()).toEqual([...calls].sort());
}

/** The task after the cancel works, and the provider accepts the history that the cancel left. */
async function nextWorks(bench: Bench, seat: Seat): Promise<void> {
  await seat.run("next");
  expect(seat.last("task.summarized").summary.stop_reason).toBe("COMPLETED");
  expect(bench.server.requests.every((request) => request.problem === null)).toBe(true);
}

const next = { when: "next", steps: [{ text: "works" }] };

describe("[CAN-1] [CAN-4] nothing is left running after a cancel, and the next task works, from", () => {
  test("streaming", async () => {
    await using bench = new Bench([
      { when: "go", steps: [{ text: "slow words", chunkChars: 1, chunkDelayMs: 200 }] },
      next,
    ]);
    const seat = bench.open();
    await seat.engine.runInput("go");
    await seat.until((one) => one.kind === "delta" && one.delta.kind === "text");
    await cancelAndCheck(seat, null);
    await until("the connection is closed", () => bench.server.open === 0);
    await nextWorks(bench, seat);
  });

  test("waiting for the first byte", async () => {
    await using bench = new Bench([{ when: "go", steps: [{ text: "x", delayMs: 600_000 }] }, next]);
    const seat = bench.open();
    await seat.engine.runInput("go");
    await seat.event("run.started");
    await cancelAndCheck(seat, null);
    await nextWorks(bench, seat);
  });

  test("a retry sleep", async () => {
    await using bench = new Bench([
      { when: "go", steps: [{ status: 503, headers: { "retry-after": "600" }, body: "{}" }] },
      next,
    ]);
    const seat = bench.open();
    await seat.engine.runInput("go");
    await seat.event("model.failed");
    await cancelAndCheck(seat, null);
    await nextWorks(bench, seat);
  });

  test("an approval, where Esc is cancel and not no", async () => {
    await using bench = new Bench([{ when: "go", steps: [bash("touch asked")] }, next]);
    const seat = bench.open({}, { interactive: true });
    await seat.engine.runInput("go");
    await seat.until((one) => one.kind === "event" && one.state.run.phase === "awaiting_human");
    await cancelAndCheck(seat, null);
    expect(seat.all("approval.answered")).toEqual([]);
    expect(seat.last("tool.settled").result).toMatchObject({ status: "cancelled", error: { sideEffect: "none" } });
    expect(existsSync(join(bench.workspace, "asked"))).toBe(false);
    await nextWorks(bench, seat);
  });

  const trees: readonly (readonly [string, (token: string) => string])[] = [
    ["a plain command", (token) => `sleep 300.${token}`],
    ["grandchildren", (token) => `bash -c 'bash -c "sleep 300.${token} & sleep 301.${token}" & wait' & wait`],
    ["a setsid child", (token) => `setsid sleep 300.${token} & sleep 301.${token}`],
    [
      "an env -i setsid escapee",
      (token) => `env -i setsid sh -c 'sleep 300.${token} & sleep 301.${token} &' & sleep 302.${token}`,
    ],
    [
      "a double fork that ignores SIGTERM",
      (token) =>
        `(trap "" TERM; setsid bash -c 'trap "" TERM; for n in {1..600}; do sleep 0.${token}; done' & ) & sleep 302.${token}`,
    ],
    ["a stopped process", (token) => `sleep 300.${token} & kill -STOP $!; wait`],
  ];
  for (const [name, command] of trees) {
    test(`bash with ${name}`, async () => {
      const token = newToken();
      await using bench = new Bench([{ when: "go", steps: [bash(command(token))] }, next]);
      const seat = bench.open({ mode: "yolo" });
      await seat.engine.runInput("go");
      await seat.event("process.spawned");
      await until("the command runs", () => aliveWith(token).length > 0);
      await cancelAndCheck(seat, token);
      expect(seat.last("tool.settled").result.status).toBe("cancelled");
      await nextWorks(bench, seat);
    });
  }

  test("several calls of one step: the finished one keeps its result, the running one and the waiting one are cancelled", async () => {
    const calls = [
      { tool: "write", input: { path: "kept.txt", content: "k" } },
      { tool: "bash", input: { command: "sleep 600" } },
      { tool: "write", input: { path: "never.txt", content: "n" } },
    ];
    await using bench = new Bench([{ when: "go", steps: [{ calls }] }, next]);
    const seat = bench.open({ mode: "yolo" });
    await seat.engine.runInput("go");
    await seat.event("process.spawned");
    await cancelAndCheck(seat, null);
    expect(seat.all("tool.settled").map((event) => event.result.status)).toEqual(["done", "cancelled", "cancelled"]);
    expect([existsSync(join(bench.workspace, "kept.txt")), existsSync(join(bench.workspace, "never.txt"))]).toEqual([
      true,
      false,
    ]);
    await nextWorks(bench, seat);
  });

  test("queued input, which comes back", async () => {
    await using bench = new Bench([{ when: "go", steps: [{ text: "x", delayMs: 600_000 }] }, next]);
    const seat = bench.open();
    await seat.engine.runInput("go");
    await seat.engine.runInput("later", { delivery: "queue" });
    await cancelAndCheck(seat, null);
    expect(seat.last("input.returned").inputIds).toEqual(["i2"]);
    await nextWorks(bench, seat);
  });
});

test("[CAN-2] side effects that happened stay and are in the summary", async () => {
  await using bench = new Bench([
    { calls: [{ tool: "write", input: { path: "a.txt", content: "1" } }] },
    { text: "x", delayMs: 600_000 },
  ]);
  const seat = bench.open({ mode: "auto-edit" });
  await seat.engine.runInput("go");
  await seat.event("tool.settled");
  await cancelAndCheck(seat, null);
  expect(readFileSync(join(bench.workspace, "a.txt"), "utf8")).toBe("1");
  expect(seat.last("task.summarized").summary.changed_files).toEqual([{ path: "a.txt", change: "create" }]);
});

test("a second cancel while the first is being carried out changes nothing", async () => {
  await using bench = new Bench([{ when: "go", steps: [bash("sleep 600")] }, next]);
  const seat = bench.open({ mode: "yolo" });
  await seat.engine.runInput("go");
  await seat.event("process.spawned");
  seat.engine.cancel("esc");
  await cancelAndCheck(seat, null);
  expect(seat.all("internal.reported")).toEqual([]);
  await nextWorks(bench, seat);
});
