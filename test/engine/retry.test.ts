import { expect, test } from "bun:test";
import { type ErrorInfo, fail, ok } from "../../src/contract/error.ts";
import type { Access } from "../../src/contract/message.ts";
import { phrase } from "../../src/contract/text/catalogue.ts";
import { type AnyTool, defineTool } from "../../src/contract/tool.ts";
import { args } from "../../src/tool/args.ts";
import { Bench } from "../support/engine.ts";

const config = { read_retry_ms: [1, 2, 3] };
const script = [{ calls: [{ tool: "flaky", input: {} }] }, { text: "done" }];

/** A tool that fails `times` times, in a way that may pass by itself or not. */
function flaky(
  access: Access,
  times: number,
  more: Partial<ErrorInfo>,
): { readonly tool: AnyTool; readonly runs: () => number } {
  let runs = 0;
  const tool = defineTool({
    name: "flaky",
    description: "Fails at first.",
    input: args({}),
    access,
    afterCrash: "repeat",
    async run() {
      runs++;
      return runs <= times ? fail("E_IO", phrase("file.denied", { path: "x" }), more) : ok({ text: `run ${runs}` });
    },
  });
  return { tool, runs: () => runs };
}

test("[TP-5] a read that fails in passing is tried again up to three times and then succeeds", async () => {
  const { tool, runs } = flaky("read", 3, { transient: true });
  await using bench = new Bench(script);
  const seat = bench.open({}, { config, tools: [tool] });
  await seat.run("go");
  expect(seat.last("tool.settled").result).toMatchObject({ status: "done", output: "run 4" });
  expect(runs()).toBe(4);
});

test("[TP-5] after the last wait the failure goes to the model", async () => {
  const { tool, runs } = flaky("read", 9, { transient: true });
  await using bench = new Bench(script);
  const seat = bench.open({}, { config, tools: [tool] });
  await seat.run("go");
  expect(seat.last("tool.settled").result.status).toBe("failed");
  expect(runs()).toBe(4);
});

test("[TP-5] a read that fails for good is not tried again", async () => {
  const { tool, runs } = flaky("read", 9, {});
  await using bench = new Bench(script);
  const seat = bench.open({}, { config, tools: [tool] });
  await seat.run("go");
  expect(runs()).toBe(1);
});

test("[TP-5] a tool with effects is never tried again by itself", async () => {
  const { tool, runs } = flaky("exec", 9, { transient: true });
  await using bench = new Bench(script);
  const seat = bench.open({ mode: "yolo" }, { config, tools: [tool] });
  await seat.run("go");
  expect(seat.last("tool.settled").result.status).not.toBe("done");
  expect(runs()).toBeLessThanOrEqual(1);
});

test("[TP-5] [CAN-1] a cancel ends the waiting between two tries", async () => {
  const { tool, runs } = flaky("read", 9, { transient: true });
  await using bench = new Bench(script);
  const seat = bench.open({}, { config: { read_retry_ms: [60_000] }, tools: [tool] });
  await seat.engine.runInput("go");
  await seat.event("tool.intended");
  seat.engine.cancel("esc");
  await seat.engine.idle();
  expect(runs()).toBeLessThanOrEqual(2);
  expect(seat.last("task.summarized").summary.stop_reason).toBe("CANCELLED");
});

test("[SM-6] a tool that throws ends its own call as an internal error with a trace id; the task goes on", async () => {
  const tool = defineTool({
    name: "flaky",
    description: "Throws.",
    input: args({}),
    access: "read",
    afterCrash: "repeat",
    run: () => Promise.reject(new TypeError("a bug")),
  });
  await using bench = new Bench(script);
  const seat = bench.open({}, { tools: [tool] });
  await seat.run("go");
  expect(seat.last("tool.settled").result).toMatchObject({
    status: "failed",
    error: { code: "E_INTERNAL", traceId: expect.stringMatching(/^trace-/) },
  });
  expect(seat.all("internal.reported").length).toBe(1);
  expect(seat.engine.lastText("t1")).toBe("done");
});
