import { expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { Bench } from "../support/engine.ts";
import type { Step } from "../support/scripted-reply.ts";

const fast = { model_attempts: 3 };

test("[MD-4] a busy provider is asked again under the same index as a new attempt, after Retry-After", async () => {
  await using bench = new Bench([
    { text: "at last", status: 429, headers: { "retry-after": "0" }, body: "{}", times: 2 },
  ]);
  const seat = bench.open({}, { config: fast });
  await seat.run("go");
  expect(
    seat.all("model.failed").map(({ index, attempt, fault, retryInMs }) => ({ index, attempt, fault, retryInMs })),
  ).toEqual([
    { index: 1, attempt: 1, fault: "busy", retryInMs: 0 },
    { index: 1, attempt: 2, fault: "busy", retryInMs: 0 },
  ]);
  expect(seat.last("model.replied")).toMatchObject({ index: 1, attempt: 3, reply: { text: "at last" } });
});

test("[MD-4] [SU-2] attempts are bounded: then the task fails with PROVIDER_FAILED and exit code 7", async () => {
  await using bench = new Bench([{ status: 500, headers: { "retry-after": "0" }, body: "{}" }]);
  const seat = bench.open({}, { config: fast });
  await seat.run("go");
  expect(bench.server.requests.length).toBe(3);
  expect(seat.last("task.summarized").summary).toMatchObject({
    stop_reason: "PROVIDER_FAILED",
    exit_code: 7,
    outcome: "FAILED",
  });
});

test("[MD-4] authentication failures and bad requests are never retried", async () => {
  for (const status of [401, 400]) {
    await using bench = new Bench([{ status, body: '{"error":{"message":"no"}}' }]);
    const seat = bench.open();
    await seat.run("go");
    expect(bench.server.requests.length).toBe(1);
    expect(seat.last("model.failed").retryInMs).toBeNull();
  }
});

test("[MD-4] a stream that breaks off is retried, its partial text is discarded, and the message is committed once", async () => {
  const whole = "the whole answer";
  await using bench = new Bench([{ text: whole, chunkChars: 4, closeAfter: 2, times: 1 }]);
  const seat = bench.open({}, { config: fast });
  await seat.run("go");
  expect(seat.all("model.replied").map((event) => event.reply.text)).toEqual([whole]);
  const partial = seat.published.filter(
    (one) => one.kind === "delta" && one.delta.attempt === 1 && one.delta.kind === "text",
  );
  expect(partial.length).toBeGreaterThan(0);
  expect(seat.engine.lastText("t1")).toBe(whole);
});

test("[MD-7] a reply that is nothing but thinking up to the output limit is not asked for again", async () => {
  await using bench = new Bench([{ thinking: "hm ".repeat(50), finish: "length" }]);
  const seat = bench.open();
  await seat.run("go");
  expect(bench.server.requests).toHaveLength(1);
  expect(seat.last("model.failed")).toMatchObject({
    error: { code: "E_MODEL", text: { key: "run.limit_reply" }, advice: { key: "run.limit_reply.advice" } },
    retryInMs: null,
  });
});

test("[MD-7] a reply that the provider's filter held back is not asked for again", async () => {
  await using bench = new Bench([{ finish: "content_filter" }]);
  const seat = bench.open();
  await seat.run("go");
  expect(bench.server.requests).toHaveLength(1);
  expect(seat.last("model.failed")).toMatchObject({ error: { text: { key: "run.refused_reply" } }, retryInMs: null });
});

test("[MD-7] an empty reply is retried and never committed", async () => {
  await using bench = new Bench([{ body: "data: [DONE]\n\n", times: 1, text: "now" }]);
  const seat = bench.open({}, { config: fast });
  await seat.run("go");
  expect(seat.all("model.replied").map((event) => event.reply.text)).toEqual(["now"]);
});

const overflow: Step = {
  status: 400,
  body: '{"error":{"message":"This model\'s maximum context length is 4096 tokens","code":"context_length_exceeded"}}',
};

test("[MD-5] a reported overflow is answered by pruning old outputs, and the call is repeated under the same index", async () => {
  const read = (n: number): Step => ({ calls: [{ tool: "read", input: { path: `f${n}.txt` } }] });
  await using bench = new Bench([read(0), read(1), read(2), { ...overflow, times: 1, text: "fits now" }]);
  for (const n of [0, 1, 2]) bench.file(`f${n}.txt`, `${"long line of text\n".repeat(300)}`);
  const seat = bench.open({}, { config: { compaction: { keep_recent: 1 } } });
  await seat.run("go");
  expect(seat.last("context.compacted")).toMatchObject({ index: 4, compaction: { stage: "prune" } });
  expect(seat.last("model.replied")).toMatchObject({ index: 4, attempt: 2, reply: { text: "fits now" } });
  const last = JSON.stringify(bench.server.requests.at(-1)?.body.messages);
  expect(last).toContain("old output left out");
  expect(last.length).toBeLessThan(JSON.stringify(bench.server.requests.at(-2)?.body.messages).length);
});

test("[MD-5] an overflow that nothing can cure ends in E_MODEL with advice", async () => {
  await using bench = new Bench([overflow]);
  const seat = bench.open();
  await seat.run("go");
  const end = seat.published.flatMap((one) =>
    one.kind === "event" && one.state.task.phase === "SUMMARIZING" ? [one.state.task.end] : [],
  )[0];
  expect(end).toMatchObject({ stop: "PROVIDER_FAILED", error: { code: "E_MODEL", text: { key: "run.overflow" } } });
});

test("[MD-5] [CX-3] a foreseen overflow is compacted before the call, and the current task stays in sight", async () => {
  const read = (n: number): Step => ({
    calls: [{ tool: "read", input: { path: `f${n}.txt` } }],
    usage: { input: 0, output: 0 },
  });
  await using bench = new Bench([read(0), read(1), read(2), { text: "ok" }]);
  for (const n of [0, 1, 2]) bench.file(`f${n}.txt`, `${"long line of text\n".repeat(500)}`);
  const seat = bench.open(
    {},
    { config: { models: { "openai-chat/mock": { context_window: 7_400 } }, compaction: { keep_recent: 2 } } },
  );
  await seat.run("remember this very task");
  expect(seat.all("context.compacted").length).toBeGreaterThan(0);
  for (const request of bench.server.requests)
    expect(JSON.stringify(request.body.messages)).toContain("remember this very task");
  expect(bench.server.requests.every((request) => request.problem === null)).toBe(true);
});

test("[CX-1] from step to step only the tail of the request changes", async () => {
  const steps = [0, 1, 2].map((n): Step => ({ calls: [{ tool: "read", input: { path: `f${n}.txt` } }] }));
  await using bench = new Bench([...steps, { text: "ok" }]);
  for (const n of [0, 1, 2]) bench.file(`f${n}.txt`, `${n}\n`);
  const seat = bench.open();
  await seat.run("go");
  const bodies = bench.server.requests.map((request) => request.body);
  for (const [n, body] of bodies.entries()) {
    const next = bodies[n + 1];
    if (!next) continue;
    expect(next.messages.slice(0, body.messages.length)).toEqual([...body.messages]);
    expect(JSON.stringify(next.tools)).toBe(JSON.stringify(body.tools));
  }
});

test("the first request (system text and tool list) is at most 3,500 tokens by characters ÷ 4", async () => {
  await using bench = new Bench([{ text: "ok" }]);
  await bench.open().run("hi");
  const { messages, tools } = bench.server.requests[0]?.body ?? { messages: [], tools: [] };
  const system = messages.filter((message) => message.role === "system");
  expect((JSON.stringify(system).length + JSON.stringify(tools).length) / 4).toBeLessThanOrEqual(3_500);
});

test("[BR-1] the step limit ends the run with its text, exit code 5, and the last reply", async () => {
  await using bench = new Bench(
    [0, 1, 2, 3].map((n): Step => ({ text: `step ${n}`, calls: [{ tool: "glob", input: { pattern: `${n}*` } }] })),
  );
  const seat = bench.open({ maxSteps: "2" });
  await seat.run("go");
  expect(seat.last("task.summarized").summary).toMatchObject({
    stop_reason: "STEP_LIMIT",
    exit_code: 5,
    next_steps: ["step limit reached (2)", "To continue from here: /continue, or coder run --continue."],
  });
  expect(seat.engine.lastText("t1")).toBe("step 1");
});

test("[BR-2] more than 20 steps without progress stop the run with MAX_ITER", async () => {
  await using bench = new Bench([{ calls: [{ tool: "list", input: { path: "still" } }], repeat: 40 }]);
  // In the workspace itself a folder of ours appears at some time.
  mkdirSync(join(bench.workspace, "still"));
  const seat = bench.open();
  await seat.run("go");
  expect(seat.all("model.replied").length).toBe(22);
  expect(seat.last("task.summarized").summary).toMatchObject({ stop_reason: "MAX_ITER", exit_code: 5 });
  expect(seat.all("advice.given").map((event) => event.text.args?.n)).toEqual([3, 5, 8]);
});

test("[BR-4] the token budget stops before a further model call", async () => {
  await using bench = new Bench(
    [0, 1, 2].map(
      (n): Step => ({ calls: [{ tool: "glob", input: { pattern: `${n}*` } }], usage: { input: 400, output: 200 } }),
    ),
  );
  const seat = bench.open({ maxTokens: "1000" });
  await seat.run("go");
  expect(bench.server.requests.length).toBe(2);
  expect(seat.last("task.summarized").summary).toMatchObject({ stop_reason: "BUDGET", exit_code: 5 });
});

test("[SM-3] [BR-4] the time budget stops a running task", async () => {
  await using bench = new Bench([{ text: "late", delayMs: 60_000 }]);
  const seat = bench.open({ maxTime: "1" });
  await seat.run("go");
  expect(seat.last("task.summarized").summary).toMatchObject({ stop_reason: "BUDGET", exit_code: 5 });
  expect(seat.engine.state().task.phase).toBe("IDLE");
});
