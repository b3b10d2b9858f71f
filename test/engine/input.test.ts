import { expect, test } from "bun:test";
import { Bench } from "../support/engine.ts";

test("[IN-5] input sent while a task runs is delivered after the current tool calls, before the next model call", async () => {
  await using bench = new Bench([
    { when: "go", steps: [{ calls: [{ tool: "list", input: {} }], delayMs: 50 }] },
    { when: "also", steps: [{ text: "both done" }] },
  ]);
  const seat = bench.open();
  await seat.engine.runInput("go");
  const steered = await seat.engine.runInput("also this");
  expect(steered).toMatchObject({ kind: "admitted", delivery: "steer" });
  await seat.engine.idle();
  const types = seat.events.map((event) => event.type);
  expect(types.indexOf("input.delivered")).toBeGreaterThan(types.indexOf("tool.settled"));
  expect(types.indexOf("input.delivered")).toBeLessThan(types.lastIndexOf("model.replied"));
  expect(bench.server.requests.at(-1)?.body.messages.at(-1)).toMatchObject({ role: "user", content: "also this" });
  expect(seat.all("task.ended").length).toBe(1);
});

test("[IN-5] input sent while the last reply streams keeps the run going instead of being lost", async () => {
  await using bench = new Bench([
    { when: "go", steps: [{ text: "first", delayMs: 80 }] },
    { when: "more", steps: [{ text: "second" }] },
  ]);
  const seat = bench.open();
  await seat.engine.runInput("go");
  await seat.engine.runInput("and more");
  await seat.engine.idle();
  expect(seat.engine.lastText("t1")).toBe("second");
  expect(seat.last("task.summarized").summary.stop_reason).toBe("COMPLETED");
});

test("[IN-5] a queued follow-up becomes a task of its own after the running one", async () => {
  await using bench = new Bench([[{ text: "one", delayMs: 60 }], [{ text: "two" }]]);
  const seat = bench.open();
  await seat.engine.runInput("first");
  expect(await seat.engine.runInput("second", { delivery: "queue" })).toMatchObject({ delivery: "queue" });
  await seat.engine.idle();
  expect([seat.engine.lastText("t1"), seat.engine.lastText("t2")]).toEqual(["one", "two"]);
});

test("[IN-5] cancel returns what was not delivered", async () => {
  await using bench = new Bench([{ text: "never", delayMs: 60_000 }]);
  const seat = bench.open();
  await seat.engine.runInput("go");
  await seat.engine.runInput("later", { delivery: "queue" });
  seat.engine.cancel("esc");
  await seat.engine.idle();
  expect(seat.last("input.returned").inputIds).toEqual(["i2"]);
  expect(seat.engine.state().queue).toEqual([]);
});

test("[IN-3] [IN-4] a shell input runs without the model, is stored with its result, and the next task's request shows it", async () => {
  await using bench = new Bench([{ text: "seen" }]);
  const seat = bench.open({ mode: "yolo" });
  await seat.run("!echo from-the-shell");
  expect(bench.server.requests.length).toBe(0);
  expect(seat.last("tool.settled").result.data).toMatchObject({
    command: "echo from-the-shell",
    exit_code: 0,
    stdout: "from-the-shell\n",
    stderr: "",
  });
  await seat.run("what did I do?");
  const texts = bench.server.requests[0]?.body.messages.map((message) => String(message.content)) ?? [];
  expect(texts.some((text) => text.startsWith("[COMMAND]") && text.includes("from-the-shell"))).toBe(true);
});

test("[IN-3] a shell input passes the policy: what is not read-only is refused where nobody can be asked", async () => {
  await using bench = new Bench([]);
  const seat = bench.open();
  await seat.run("!touch x");
  expect(seat.last("tool.settled").result.status).toBe("denied");
  expect(seat.last("task.summarized").summary.exit_code).toBe(4);
  await seat.run("!pwd");
  expect(seat.last("tool.settled").result.status).toBe("done");
});

test("[IN-3] shell_mode.approval direct in the user's config skips policy for what the person typed, never the agent switch", async () => {
  await using bench = new Bench([]);
  const direct = { shell_mode: { approval: "direct" } };
  const seat = bench.open({}, { config: direct });
  await seat.run("!echo x > made");
  expect(seat.last("tool.settled").result.status).toBe("done");
  const off = bench.open({}, { config: { ...direct, tools: { off: ["bash"] } } });
  await off.run("!echo x > made2");
  expect(off.last("tool.settled").result.status).not.toBe("done");
});

test("[IN-6] a command that may not run while a task runs is refused with advice; others run", async () => {
  await using bench = new Bench([{ text: "slow", delayMs: 60_000 }]);
  const seat = bench.open();
  await seat.engine.runInput("go");
  expect(await seat.engine.runInput("/new")).toEqual({
    kind: "refused",
    error: {
      code: "E_INVALID_ARGS",
      text: { key: "input.busy", args: { command: "/new" } },
      advice: { key: "input.busy.advice" },
    },
  });
  expect(await seat.engine.runInput("/status")).toMatchObject({ kind: "command", result: { ok: true } });
  seat.engine.cancel("esc");
  await seat.engine.idle();
});

test("[IN-7] the context meter is published before every model call and after the last step", async () => {
  await using bench = new Bench([{ calls: [{ tool: "list", input: {} }] }, { text: "ok" }]);
  const seat = bench.open();
  await seat.run("go");
  const meters = seat.published.filter((one) => one.kind === "context");
  expect(meters.length).toBe(3);
  expect(meters.every((one) => one.kind === "context" && one.tokens > 500 && one.window === 128_000)).toBe(true);
});
