import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { Bench, type Seat } from "../support/engine.ts";
import { until } from "../support/shell.ts";

const long =
  "Rework the whole report module so that it reads its input lazily, keeps its output format and says what was slow before and after it.";
const write = (path: string) => ({ tool: "write", input: { path, content: "x\n" } });
const planText = (...steps: readonly string[]) =>
  `[PLAN]\n${steps.map((step, at) => `${at + 1}. [ ] ${step} (tools: write)`).join("\n")}`;
const done = { text: "done" };

const phases = (seat: Seat) =>
  seat.published.flatMap((one) =>
    one.kind === "event" ? one.transitions.filter(({ machine }) => machine === "task").map(({ to }) => to) : [],
  );
const waits = (seat: Seat) =>
  seat.until((one) => one.kind === "event" && one.state.task.phase === "AWAITING_CONFIRMATION");

describe("the plan of a complex task", () => {
  test("[SM-4] [PL-3] is read from the first reply, without a model call of its own, and followed", async () => {
    const steps = [{ text: planText("Write a.txt", "Write b.txt"), calls: [write("a.txt")] }, done, done];
    await using bench = new Bench(steps);
    const seat = bench.open({ mode: "auto-edit" });
    await seat.run(long);
    // The third is about the step that is open.
    expect(bench.server.requests.length).toBe(3);
    expect(seat.last("plan.settled")).toMatchObject({
      needsConfirmation: false,
      plan: { steps: [{ id: "1" }, { id: "2" }] },
    });
    expect(phases(seat).slice(0, 5)).toEqual(["INTAKE", "CONTEXT_BUILDING", "PLANNING", "EXECUTING", "VERIFYING"]);
    expect(seat.engine.state().plan?.steps.map(({ status }) => status)).toEqual(["done", "pending"]);
    expect(seat.last("task.summarized").summary.plan?.title).toBe(seat.engine.state().plan?.title ?? "");
  });

  test("[PL-2] makes the todo list, by a recorded call, when there is none", async () => {
    await using bench = new Bench([{ text: planText("Write a.txt", "Write b.txt"), calls: [write("a.txt")] }, done]);
    const seat = bench.open({ mode: "auto-edit" });
    await seat.run(long);
    expect(seat.engine.state().todos.map(({ content }) => content)).toEqual(["Write a.txt", "Write b.txt"]);
    const settled = seat.all("tool.settled").map(({ callId, result }) => [callId, result.todos?.length ?? 0]);
    expect(settled).toEqual([
      ["r1/1/0", 2],
      ["r1/1/1", 0],
    ]);
  });

  test("[PL-3] one that cannot be followed is sent back once, then the task goes on as one step", async () => {
    const cyclic = "[PLAN]\n1. [ ] a (tools: write) (deps: 2)\n2. [ ] b (tools: write) (deps: 1)";
    const bad = { text: cyclic, calls: [write("a.txt")] };
    await using bench = new Bench([bad, bad, done]);
    const seat = bench.open({ mode: "auto-edit" });
    await seat.run(long);
    expect(seat.all("plan.rejected").length).toBe(1);
    expect(seat.last("plan.settled").plan?.steps.length).toBe(1);
    expect(seat.all("notice.given").map(({ text }) => text.key)).toContain("run.plan_single");
    expect(
      seat
        .all("tool.settled")
        .filter(({ callId }) => callId.endsWith("/1"))
        .map(({ result }) => result.status),
    ).toEqual(["refused", "done"]);
  });
});

test("[PL-3] keys of a plan that coder does not know are kept and named once in a notice, whether in a call or in a file", async () => {
  const steps = [{ step_id: "1", description: "Write a.txt", owner: "Ada" }];
  const sent = { tool: "plan", input: { steps, verification_policy: "none" } };
  await using bench = new Bench([{ calls: [sent, write("a.txt")] }, { calls: [sent] }, done]);
  const seat = bench.open({ mode: "auto-edit" });
  await seat.run(long);
  const told = () => seat.all("notice.given").filter(({ text }) => text.key === "plan.unknown_keys");
  expect(told().map(({ text }) => text.args)).toEqual([{ keys: "steps[0].owner" }]);
  expect(seat.engine.state().plan?.steps[0]).toMatchObject({ id: "1", title: "Write a.txt", owner: "Ada" });
  bench.file("plan.json", JSON.stringify({ ...seat.engine.state().plan, ticket: 7 }));
  const read = await seat.engine.planInFile("plan.json");
  if (!read.ok) throw new Error("refused");
  await seat.engine.runInput("again", { plan: read.value });
  await seat.engine.idle();
  expect(told().at(-1)?.text.args).toEqual({ keys: "ticket, steps[0].owner" });
});

describe("a plan that deletes", () => {
  const dangerous = { text: planText("Delete the old reports", "Write a.txt"), calls: [write("a.txt")] };
  const open = (bench: Bench) => bench.open({ mode: "default", allow: ["write"] }, { interactive: true });
  const made = (bench: Bench) => existsSync(join(bench.workspace, "a.txt"));

  test("[SM-3] waits for the person, and nothing of its reply runs before the yes", async () => {
    await using bench = new Bench([dangerous, done]);
    const seat = open(bench);
    await seat.engine.runInput(long);
    await waits(seat);
    expect([made(bench), seat.all("tool.decided")]).toEqual([false, []]);
    expect(seat.engine.answerPlan({ answer: "yes" })).toEqual({ ok: true, value: undefined });
    await seat.engine.idle();
    expect([made(bench), phases(seat).slice(2, 5)]).toEqual([true, ["PLANNING", "AWAITING_CONFIRMATION", "EXECUTING"]]);
  });

  test("[SM-3] a no with words asks for another plan; a second no ends the task as denied", async () => {
    await using bench = new Bench([dangerous, dangerous, done]);
    const seat = open(bench);
    await seat.engine.runInput(long);
    await waits(seat);
    seat.engine.answerPlan({ answer: "no", words: "keep the reports" });
    await seat.until(
      (one) =>
        one.kind === "event" && one.state.task.phase === "AWAITING_CONFIRMATION" && one.state.task.task.refusals === 1,
    );
    expect(JSON.stringify(bench.server.requests[1]?.body.messages)).toContain("keep the reports");
    seat.engine.answerPlan({ answer: "no" });
    await seat.engine.idle();
    const { stop_reason, exit_code } = seat.last("task.summarized").summary;
    expect([stop_reason, exit_code, made(bench)]).toEqual(["DENIED", 4, false]);
  });

  test("[SM-3] [PL-4] an edited plan is followed in place of the model's, and told to it", async () => {
    await using bench = new Bench([dangerous, { calls: [write("b.txt")] }, done]);
    const seat = open(bench);
    await seat.engine.runInput(long);
    await waits(seat);
    const plan = seat.engine.state().plan;
    if (!plan) throw new Error("no plan");
    const edited = { ...plan, steps: plan.steps.slice(1).map((step) => ({ ...step, title: "Write b.txt" })) };
    seat.engine.answerPlan({ answer: "edit", plan: edited, words: "only this" });
    await seat.engine.idle();
    expect([made(bench), existsSync(join(bench.workspace, "b.txt"))]).toEqual([false, true]);
    expect(JSON.stringify(bench.server.requests[1]?.body.messages)).toContain("Write b.txt");
    expect(seat.engine.state().plan?.steps.length).toBe(1);
  });

  test("[SM-3] [PL-5] given by the person and refused before anything ran, the model is told why with its first request", async () => {
    await using bench = new Bench([dangerous, done]);
    const seat = open(bench);
    await seat.engine.runInput(long);
    await waits(seat);
    const plan = seat.engine.state().plan;
    seat.engine.cancel("client");
    await seat.engine.idle();
    if (!plan) throw new Error("no plan");
    await seat.engine.runInput("carry it out", { plan });
    await seat.until(
      (one) => one.kind === "event" && one.recorded.event.type === "plan.settled" && one.state.tasks === 2,
    );
    expect(bench.server.requests.length).toBe(1);
    seat.engine.answerPlan({ answer: "no", words: "keep the reports" });
    await seat.until((one) => one.kind === "event" && one.state.tasks === 2 && one.state.run.phase === "tool_running");
    expect(JSON.stringify(bench.server.requests[1]?.body.messages.at(-1))).toContain("says: keep the reports");
  });

  test("[SM-3] [BR-4] the time that a person thinks about it does not count, and all that comes after it does", async () => {
    for (const [last, stop] of [
      [done, "COMPLETED"],
      [{ text: "slow", delayMs: 20_000 }, "BUDGET"],
    ] as const) {
      await using bench = new Bench([dangerous, last, done]);
      const seat = bench.open({ mode: "default", allow: ["write"], maxTime: "0.5" }, { interactive: true });
      await seat.engine.runInput(long);
      await waits(seat);
      const asked = performance.now();
      await until("the budget would be used up", () => performance.now() - asked > 600);
      seat.engine.answerPlan({ answer: "yes" });
      await seat.engine.idle();
      expect(seat.last("task.summarized").summary.stop_reason).toBe(stop);
    }
  });

  test("[SM-3] without a person it is refused with what would allow it, and the model may leave the danger out", async () => {
    await using bench = new Bench([dangerous, { text: planText("Write a.txt"), calls: [write("a.txt")] }, done]);
    const seat = bench.open({ mode: "default", allow: ["write"] });
    await seat.run(long);
    expect(JSON.stringify(bench.server.requests[1]?.body.messages)).toContain("--mode auto-edit");
    expect([made(bench), seat.last("task.summarized").summary.stop_reason]).toEqual([true, "COMPLETED"]);
  });
});

test("[PO-1] [PL-3] plan mode ends with the plan, changes nothing, and says how it is carried out", async () => {
  const look = { calls: [{ tool: "list", input: {} }] };
  await using bench = new Bench([look, { text: planText("Write a.txt", "Write b.txt") }]);
  const seat = bench.open({ mode: "plan" });
  await seat.run("plan it");
  expect(seat.engine.state().plan?.steps.map(({ title }) => title)).toEqual(["Write a.txt", "Write b.txt"]);
  expect(seat.last("task.summarized").summary.next_steps.join()).toContain("/plan run");
});

describe("a question of the model's", () => {
  const question = {
    calls: [{ tool: "question", input: { questions: [{ question: "Which one?", options: ["a", "b"] }] } }],
  };

  test("[SM-7] is put to the person, and the answer is its result", async () => {
    await using bench = new Bench([question, done]);
    const seat = bench.open({}, { interactive: true });
    await seat.engine.runInput("choose a report");
    await seat.until((one) => one.kind === "event" && one.state.run.phase === "awaiting_human");
    seat.engine.answer(seat.engine.approval()?.callId ?? "", { answer: "yes", words: "the second", by: "person" });
    await seat.engine.idle();
    expect(seat.last("tool.settled").result.output).toBe("The person answers: the second");
  });

  test("[SM-7] without a person the task stops with it, and exit code 6", async () => {
    await using bench = new Bench([question, done]);
    const seat = bench.open();
    await seat.run("choose a report");
    expect(seat.last("task.summarized").summary).toMatchObject({
      ...{ stop_reason: "NEEDS_ANSWER", exit_code: 6 },
      questions: [{ question: "Which one?", options: ["a", "b"] }],
    });
    expect(bench.server.requests.length).toBe(1);
  });

  test("[SM-3] [SM-7] what cannot be started at all is asked about before any model call", async () => {
    await using bench = new Bench([done]);
    const seat = bench.open();
    await seat.run("fix it");
    const { summary } = seat.last("task.summarized");
    expect([summary.stop_reason, summary.questions?.length, bench.server.requests.length]).toEqual([
      "NEEDS_ANSWER",
      1,
      0,
    ]);
    const other = bench.open({}, { interactive: true });
    await other.engine.runInput("fix it");
    await other.until((one) => one.kind === "event" && one.state.task.phase === "CLARIFYING");
    other.engine.clarify("the test in a.js fails");
    await other.engine.idle();
    expect(JSON.stringify(bench.server.requests[0]?.body.messages)).toContain("the test in a.js fails");
  });
});
