import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Bench, type Seat } from "../../support/engine.ts";
import { until } from "../../support/until.ts";

const once = { model_attempts: 1 };
const refused = { status: 401, body: '{"error":{"message":"no"}}' };

const calls = (seat: Seat) =>
  seat.all("model.replied").map(({ runId, index, attempt }) => `${runId}/${index}/${attempt}`);
const stops = (seat: Seat) => seat.all("task.summarized").map(({ summary }) => summary.stop_reason);

async function goneOn(seat: Seat): Promise<void> {
  expect(await seat.engine.goOn()).toEqual({ ok: true, value: undefined });
  await seat.engine.idle();
}

describe("after a failure of the provider", () => {
  test("[PS-6] the failed call is made again under its index, in the same task and run, and the task ends as it would have", async () => {
    await using bench = new Bench([
      { calls: [{ tool: "write", input: { path: "a.txt", content: "a\n" } }] },
      { text: "done", times: 1, ...refused },
    ]);
    const seat = bench.open({ mode: "auto-edit" }, { config: once });
    await seat.run("write it");
    expect([stops(seat), calls(seat)]).toEqual([["PROVIDER_FAILED"], ["r1/1/1"]]);
    await goneOn(seat);
    expect([stops(seat), calls(seat)]).toEqual([
      ["PROVIDER_FAILED", "COMPLETED"],
      ["r1/1/1", "r1/2/2"],
    ]);
    expect(seat.all("task.started").length).toBe(1);
    expect(seat.last("task.summarized").summary.changed_files).toMatchObject([{ path: "a.txt", change: "create" }]);
    expect(readFileSync(join(bench.workspace, "a.txt"), "utf8")).toBe("a\n");
  });

  test("[PS-6] the repeated request is the same, byte for byte", async () => {
    await using bench = new Bench([{ text: "done", times: 1, ...refused }]);
    const seat = bench.open({}, { config: once });
    await seat.run("go");
    await goneOn(seat);
    const [first, second] = bench.server.requests.map(({ body }) => JSON.stringify(body.messages));
    expect(second).toBe(first ?? "");
  });

  test("[PS-6] it goes on after the session was closed and opened again, and after a command in between", async () => {
    await using bench = new Bench([{ text: "done", times: 1, ...refused }]);
    const seat = bench.open({ mode: "yolo" }, { config: once });
    await seat.run("go");
    await seat.run("!true");
    const { id } = seat.engine.state();
    await seat.close();
    const again = bench.open({ mode: "yolo" }, { config: once });
    expect((await again.engine.resume(id)).ok).toBe(true);
    await goneOn(again);
    expect([calls(again), again.engine.lastText("t1")]).toEqual([["r1/1/2"], "done"]);
  });

  test("[PS-6] [RB-2] what it did before and after the failure is taken back by one /undo", async () => {
    await using bench = new Bench([
      { calls: [{ tool: "write", input: { path: "a.txt", content: "a\n" } }] },
      { calls: [{ tool: "write", input: { path: "b.txt", content: "b\n" } }], times: 1, ...refused },
      { text: "done" },
    ]);
    const seat = bench.open({ mode: "auto-edit" }, { config: once });
    await seat.run("write both");
    await goneOn(seat);
    expect(seat.engine.undoable()).toMatchObject([{ n: 1, text: "write both", files: ["a.txt", "b.txt"] }]);
  });

  test("[PS-6] [RB-2] a command of the person's in between stays theirs, and the order of what can be taken back is right", async () => {
    await using bench = new Bench([
      { calls: [{ tool: "write", input: { path: "a.txt", content: "a\n" } }] },
      { calls: [{ tool: "write", input: { path: "b.txt", content: "b\n" } }], times: 1, ...refused },
      { text: "done" },
    ]);
    const seat = bench.open({ mode: "yolo" }, { config: once });
    await seat.run("write both");
    await seat.run("!echo c > c.txt");
    await goneOn(seat);
    expect(seat.engine.undoable().map(({ text, files }) => [text, files])).toEqual([
      ["write both", ["a.txt", "b.txt"]],
      ["echo c > c.txt", ["c.txt"]],
    ]);
    await seat.run("/undo");
    const there = (name: string): boolean => existsSync(join(bench.workspace, name));
    expect([there("a.txt"), there("b.txt"), there("c.txt")]).toEqual([false, false, true]);
  });

  test("[PS-6] [RB-2] what was taken back before it goes on stays so, and the rest can be", async () => {
    await using bench = new Bench([
      { calls: [{ tool: "write", input: { path: "a.txt", content: "a\n" } }] },
      { calls: [{ tool: "write", input: { path: "b.txt", content: "b\n" } }], times: 1, ...refused },
      { text: "done" },
    ]);
    const seat = bench.open({ mode: "yolo" }, { config: once });
    await seat.run("write both");
    await seat.run("/undo");
    await goneOn(seat);
    const there = (name: string): boolean => existsSync(join(bench.workspace, name));
    expect([there("a.txt"), there("b.txt")]).toEqual([false, true]);
    await seat.run("/undo");
    expect([there("a.txt"), there("b.txt")]).toEqual([false, false]);
  });

  test("[PS-6] a second failure stops it again, and it goes on again", async () => {
    await using bench = new Bench([{ text: "done", times: 2, ...refused }]);
    const seat = bench.open({}, { config: once });
    await seat.run("go");
    await goneOn(seat);
    await goneOn(seat);
    expect([stops(seat), calls(seat)]).toEqual([["PROVIDER_FAILED", "PROVIDER_FAILED", "COMPLETED"], ["r1/1/3"]]);
  });
});

describe("after other stops", () => {
  const looks = [0, 1, 2, 3].map((n) => ({ calls: [{ tool: "glob", input: { pattern: `${n}*` } }] }));

  test("[BR-1] the step limit: as many steps again", async () => {
    await using bench = new Bench([...looks, { text: "done" }]);
    const seat = bench.open({ maxSteps: "2" });
    await seat.run("go");
    await goneOn(seat);
    await goneOn(seat);
    expect(stops(seat)).toEqual(["STEP_LIMIT", "STEP_LIMIT", "COMPLETED"]);
    expect(calls(seat)).toEqual(["r1/1/1", "r1/2/1", "r1/3/1", "r1/4/1", "r1/5/1"]);
  });

  test("[BR-4] a budget of tokens: refused with the same, and goes on with a higher one", async () => {
    const usage = { input: 100, output: 10 };
    await using bench = new Bench([...looks.map((one) => ({ ...one, usage })), { text: "done", usage }]);
    const seat = bench.open({ maxTokens: "150" });
    await seat.run("go");
    expect(stops(seat)).toEqual(["BUDGET"]);
    const same = await seat.engine.goOn();
    expect(same.ok ? null : [same.error.text.key, same.error.advice?.key]).toEqual([
      "run.tokens",
      "continue.budget.advice",
    ]);
    const { id } = seat.engine.state();
    await seat.close();
    const higher = bench.open({ maxTokens: "10000" });
    await higher.engine.resume(id);
    await goneOn(higher);
    expect(stops(higher)).toEqual(["COMPLETED"]);
  });

  test("[CAN-1] [PS-6] a cancel in the middle of a reply: the call is made again, and the model sees what it had said", async () => {
    const text = "I shall begin with the first file and then";
    await using bench = new Bench([{ text, chunkChars: 7, stallAfter: 6, times: 1 }]);
    const seat = bench.open();
    await seat.engine.runInput("go");
    await seat.until((one) => one.kind === "delta" && one.delta.kind === "text");
    seat.engine.cancel("esc");
    await seat.engine.idle();
    const cut = seat.last("reply.cut");
    expect([cut.why, cut.isRepeated, text.startsWith(cut.text), cut.text.length > 0]).toEqual([
      "cancelled",
      undefined,
      true,
      true,
    ]);
    expect(seat.engine.cutReply("t1")).toEqual({ text: cut.text, why: "cancelled" });
    await goneOn(seat);
    expect([stops(seat), calls(seat)]).toEqual([["CANCELLED", "COMPLETED"], ["r1/1/2"]]);
    const last = String(bench.server.requests.at(-1)?.body.messages.at(-1)?.content);
    expect(last).toContain(`<interrupted-reply>\n${cut.text}\n</interrupted-reply>`);
    expect(seat.engine.cutReply("t1")).toBe(null);
  });

  test("[CAN-1] [PS-6] a cancel while a command runs: it is not run again, and the next step follows", async () => {
    await using bench = new Bench([
      { calls: [{ tool: "bash", input: { command: "echo once >> ran; exec sleep 600" } }] },
      { text: "done" },
    ]);
    const seat = bench.open({ mode: "yolo" });
    await seat.engine.runInput("go");
    await seat.event("process.spawned");
    await until("the command runs", () => Bun.file(join(bench.workspace, "ran")).size > 0);
    seat.engine.cancel("esc");
    await seat.engine.idle();
    await goneOn(seat);
    expect([stops(seat), calls(seat)]).toEqual([
      ["CANCELLED", "COMPLETED"],
      ["r1/1/1", "r1/2/1"],
    ]);
    expect(readFileSync(join(bench.workspace, "ran"), "utf8")).toBe("once\n");
  });

  test("[PO-5] a denial: what is allowed now is done now", async () => {
    const write = { calls: [{ tool: "write", input: { path: "a.txt", content: "a\n" } }] };
    await using bench = new Bench([write, { text: "I may not" }, write, { text: "done" }]);
    const seat = bench.open({ mode: "default" });
    await seat.run("write it");
    expect(stops(seat)).toEqual(["DENIED"]);
    const { id } = seat.engine.state();
    await seat.close();
    const allowed = bench.open({ mode: "auto-edit" });
    await allowed.engine.resume(id);
    await goneOn(allowed);
    expect(stops(allowed)).toEqual(["COMPLETED"]);
    expect(readFileSync(join(bench.workspace, "a.txt"), "utf8")).toBe("a\n");
  });

  test("[SM-7] a question that nobody answered: not without a person, and put again with one", async () => {
    const ask = { calls: [{ tool: "question", input: { questions: [{ question: "which?", options: ["a", "b"] }] } }] };
    await using bench = new Bench([ask, ask, { text: "done" }]);
    const seat = bench.open();
    await seat.run("go");
    expect(stops(seat)).toEqual(["NEEDS_ANSWER"]);
    expect(await seat.engine.goOn()).toMatchObject({ ok: false, error: { text: { key: "continue.needs_answer" } } });
    const { id } = seat.engine.state();
    await seat.close();
    const person = bench.open({}, { interactive: true });
    await person.engine.resume(id);
    expect((await person.engine.goOn()).ok).toBe(true);
    await person.until(() => person.approval() !== null);
    const open = person.approval();
    person.engine.answer(open?.callId ?? "", { answer: "yes", words: "a", by: "person" });
    await person.engine.idle();
    expect(stops(person)).toEqual(["COMPLETED"]);
  });
});

test("[PS-6] nothing goes on that has come to its end, is running, or never began, and the words say so", async () => {
  await using bench = new Bench([[{ text: "done" }], [{ stallAfter: 0 }]]);
  const seat = bench.open();
  expect(await seat.engine.goOn()).toMatchObject({ ok: false, error: { text: { key: "continue.nothing" } } });
  await seat.run("go");
  expect(await seat.engine.goOn()).toMatchObject({ ok: false, error: { text: { key: "continue.nothing" } } });
  await seat.engine.runInput("stall");
  expect(await seat.engine.goOn()).toMatchObject({ ok: false, error: { text: { key: "continue.running" } } });
  const events = seat.events.length;
  expect(seat.events.length).toBe(events);
});
