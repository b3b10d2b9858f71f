import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { Bench, type Seat } from "../support/engine.ts";
import type { Step } from "../support/scripted-reply.ts";
import { longEnough } from "../support/until.ts";

const long =
  "Rework the whole report module so that it reads its input lazily, keeps its output format and says what was slow before and after it.";
const write = (path: string) => ({ tool: "write", input: { path, content: "x\n" } });
const planText = (...steps: readonly string[]) =>
  `[PLAN]\n${steps.map((step, at) => `${at + 1}. [ ] ${step} (tools: write)`).join("\n")}`;
const done = { text: "done" };
const report = (...ids: readonly string[]) => ({
  calls: [{ tool: "plan", input: { update: ids.map((id) => ({ id, status: "done" })) } }],
});
const stepsOf = (seat: Seat) => seat.engine.state().plan?.steps.map(({ id, status }) => `${id} ${status}`);
const sent = (bench: Bench, at: number) => JSON.stringify(bench.server.requests[at]?.body.messages);

const phases = (seat: Seat) =>
  seat.published.flatMap((one) =>
    one.kind === "event" ? one.transitions.filter(({ machine }) => machine === "task").map(({ to }) => to) : [],
  );
const waits = (seat: Seat) =>
  seat.until((one) => one.kind === "event" && one.state.task.phase === "AWAITING_CONFIRMATION");

describe("the plan of a complex task", () => {
  test("[SM-4] [PL-3] is read from the first reply, without a model call of its own, and followed", async () => {
    const steps = [{ text: planText("Write a.txt", "Write b.txt"), calls: [write("a.txt")] }, report("1", "2"), done];
    await using bench = new Bench(steps);
    const seat = bench.open({ mode: "auto-edit" });
    await seat.run(long);
    expect(bench.server.requests.length).toBe(3);
    expect(seat.last("plan.settled")).toMatchObject({
      needsConfirmation: false,
      plan: { steps: [{ id: "1" }, { id: "2" }] },
    });
    expect(phases(seat).slice(0, 5)).toEqual(["INTAKE", "CONTEXT_BUILDING", "PLANNING", "EXECUTING", "VERIFYING"]);
    expect(seat.engine.state().plan?.steps.map(({ status }) => status)).toEqual(["done", "done"]);
    expect(seat.last("task.summarized").summary.plan?.title).toBe(seat.engine.state().plan?.title ?? "");
  });

  test("[PL-2] makes the todo list, by a recorded call, when there is none", async () => {
    await using bench = new Bench([{ text: planText("Write a.txt", "Write b.txt"), calls: [write("a.txt")] }, done]);
    const seat = bench.open({ mode: "auto-edit" });
    await seat.run(long);
    expect(seat.engine.state().todos.map(({ content }) => content)).toEqual(["Write a.txt", "Write b.txt"]);
    const settled = seat.all("tool.settled").map(({ callId, result }) => [callId, result.output.split("\n").length]);
    expect(settled).toEqual([
      ["r1/1/0", 2],
      ["r1/1/1", 1],
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

describe("a complex task without a plan", () => {
  const list = { calls: [{ tool: "list", input: {} }] };

  test("[PL-3] [PL-6] is reminded once when its first reply has neither plan nor calls, and follows the plan that comes then", async () => {
    const late = { text: planText("Write a.txt", "Write b.txt"), calls: [write("a.txt"), write("b.txt")] };
    await using bench = new Bench([{ text: "I will." }, late, report("1", "2"), done]);
    const seat = bench.open({ mode: "auto-edit" });
    await seat.run(long);
    expect(sent(bench, 1)).toContain("This task needs a plan");
    expect([bench.server.requests.length, stepsOf(seat)]).toEqual([4, ["1 done", "2 done"]]);
    expect(seat.all("notice.given").map(({ text }) => text.key)).not.toContain("run.plan_single");
  });

  test("[PL-3] [PL-6] whose first reply has calls has them carried out and is reminded with their results", async () => {
    await using bench = new Bench([list, { text: planText("Look"), calls: [write("a.txt")] }, done]);
    const seat = bench.open({ mode: "auto-edit" });
    await seat.run(long);
    expect(seat.all("tool.settled").map(({ result }) => result.status)).toEqual(["done", "done", "done"]);
    expect(sent(bench, 1)).toContain("This task needs a plan");
    expect(sent(bench, 0)).not.toContain("This task needs a plan");
    expect(stepsOf(seat)).toEqual(["1 done"]);
  });

  test("[PL-3] [PL-6] that is not planned in the second reply either goes on as one step, with a notice", async () => {
    await using bench = new Bench([list, { calls: [write("a.txt")] }, done]);
    const seat = bench.open({ mode: "auto-edit" });
    await seat.run(long);
    expect([bench.server.requests.length, stepsOf(seat)]).toEqual([3, ["1 done"]]);
    expect(seat.all("notice.given").map(({ text }) => text.key)).toContain("run.plan_single");
    expect(existsSync(join(bench.workspace, "a.txt"))).toBe(true);
    expect(seat.last("task.summarized").summary.stop_reason).toBe("COMPLETED");
  });

  test("[PL-3] [PL-6] that only answers twice ends with the second answer", async () => {
    await using bench = new Bench([{ text: "first" }, { text: "second" }]);
    const seat = bench.open({ mode: "auto-edit" });
    await seat.run(long);
    expect([bench.server.requests.length, seat.last("task.summarized").summary.why]).toEqual([2, "second"]);
  });

  test("[PL-1] [PL-6] that only asks is answered without a plan", async () => {
    await using bench = new Bench([{ text: "because" }]);
    const seat = bench.open({ mode: "auto-edit" });
    await seat.run(
      "Why does the report module read all of its input at once, and what would it cost to read it lazily instead of that?",
    );
    expect([bench.server.requests.length, seat.engine.state().plan]).toEqual([1, null]);
  });

  for (const text of [
    "1. What is a session?\n2. What is a task?",
    "Which is better here?\n- a map\n- an object",
    "Review these:\n- src/a.ts\n- src/b.ts",
    "Give me an overview of the architecture, the main modules, and the way that data flows through all of them.",
    "I'm wondering whether we should migrate to Postgres or stay on SQLite, given that we have about 200 users.",
    "Thanks a lot for your help yesterday, it worked great, and the tests are now green on my machine and on CI!",
    "谢谢，昨天的修复很好用，测试都通过了，先这样",
    "I get this whenever I start the app, with every version that I tried, and I have no idea what it means:\nTypeError: x is not a function\n    at run (/app/main.js:3:5)",
  ])
    test(`[PL-1] [PL-3] ${JSON.stringify(text.slice(0, 50))} is answered with one model call`, async () => {
      await using bench = new Bench([{ text: "the answer" }, { text: "asked for no reason" }]);
      const seat = bench.open({ mode: "auto-edit" });
      await seat.run(text);
      const { why, next_steps } = seat.last("task.summarized").summary;
      expect([bench.server.requests.length, why, next_steps]).toEqual([1, "the answer", []]);
    });

  test("[PL-3] [PL-6] where it is not clear what is to be done, calls show that there is something, and it is reminded", async () => {
    await using bench = new Bench([list, { calls: [write("a.txt")] }, done]);
    const seat = bench.open({ mode: "auto-edit" });
    await seat.run(
      "The parser should accept comments, trailing commas, and single quotes; errors must name line and column.",
    );
    expect(sent(bench, 1)).toContain("This task needs a plan");
    expect([bench.server.requests.length, stepsOf(seat)]).toEqual([3, ["1 done"]]);
    await using short = new Bench([list, done]);
    const other = short.open({ mode: "auto-edit" });
    await other.run(
      "The parser should accept comments, trailing commas, and single quotes; errors must name line and column.",
    );
    expect(other.all("notice.given").map(({ text }) => text.key)).toEqual(["run.plan_single"]);
  });

  for (const text of [
    "The parser must accept comments, trailing commas, and single quotes; errors have to name line and column, too.",
    "1. comments\n2. trailing commas\n3. single quotes",
    "解析器必须支持注释、尾随逗号、单引号，错误信息要带行号，列号，文件名，还有上下文",
  ])
    test(`[PL-3] [PL-6] ${JSON.stringify(text.slice(0, 40))}, first answered with words alone, is reminded once`, async () => {
      await using bench = new Bench([{ text: "I will do that." }, { text: "It was there already." }]);
      const seat = bench.open({ mode: "auto-edit" });
      await seat.run(text);
      expect(sent(bench, 1)).toContain("This task needs a plan");
      expect(sent(bench, 0)).not.toContain("This task needs a plan");
    });

  test("[PL-2] [PL-6] that lists its goals goes on with them", async () => {
    const goals = "1. Write a.txt\n2. Write b.txt";
    await using bench = new Bench([list, { calls: [write("a.txt"), write("b.txt")] }, report("1", "2"), done]);
    const seat = bench.open({ mode: "auto-edit" });
    await seat.run(goals);
    expect(stepsOf(seat)).toEqual(["1 done", "2 done"]);
    expect(seat.engine.state().todos.map(({ content }) => content)).toEqual(["Write a.txt", "Write b.txt"]);
    expect(seat.all("notice.given").map(({ text }) => text.key)).toContain("run.plan_goals");
  });

  test("[PL-6] a todo list in the first reply is its plan", async () => {
    const todo = (id: string, status: string) => ({ id, content: `Write ${id}`, status, priority: "high" });
    const listed = { tool: "todowrite", input: { todos: [todo("a", "in_progress"), todo("b", "pending")] } };
    const over = { tool: "todowrite", input: { todos: [todo("a", "completed"), todo("b", "completed")] } };
    await using bench = new Bench([{ calls: [listed, write("a.txt")] }, { calls: [over] }, done]);
    const seat = bench.open({ mode: "auto-edit" });
    await seat.run(long);
    expect([bench.server.requests.length, stepsOf(seat)]).toEqual([3, ["a done", "b done"]]);
    expect(seat.engine.state().todos).toEqual(over.input.todos as never);
  });
});

describe("a plan that drives", () => {
  const expected = (path: string) => [{ path, change: "create" }];
  const steps = [
    { id: "1", title: "Write a", expected_artifacts: expected("a.txt") },
    { id: "2", title: "Write b", description: "with one line", expected_artifacts: expected("b.txt") },
    { id: "3", title: "Say so" },
  ];
  const plan = { tool: "plan", input: { steps, verification: "none" } };

  test("[PL-6] hands the next step with its files to the model when one is done, and asks once about what is left", async () => {
    const script = [{ calls: [plan, write("a.txt")] }, { calls: [write("b.txt")] }, done, done];
    await using bench = new Bench(script);
    const seat = bench.open({ mode: "auto-edit" });
    await seat.run(long);
    expect(sent(bench, 0)).not.toContain("Now step");
    expect(sent(bench, 1)).toContain(
      "Now step 2: Write b: with one line (1 more after it). Expected files: b.txt (create)",
    );
    expect(sent(bench, 2)).toContain("Now step 3: Say so (0 more after it)");
    expect(sent(bench, 3)).toContain("still open: 3. Say so");
    expect([bench.server.requests.length, stepsOf(seat)]).toEqual([4, ["1 done", "2 done", "3 in_progress"]]);
    expect(seat.last("task.summarized").summary.stop_reason).toBe("COMPLETED");
  });

  test("[PL-6] a step that is skipped with a reason is over, and the reason stays", async () => {
    const skip = { tool: "plan", input: { update: [{ id: "3", status: "skipped", reason: "said before" }] } };
    await using bench = new Bench([{ calls: [plan, write("a.txt"), write("b.txt")] }, done, { calls: [skip] }, done]);
    const seat = bench.open({ mode: "auto-edit" });
    await seat.run(long);
    expect([bench.server.requests.length, stepsOf(seat)]).toEqual([4, ["1 done", "2 done", "3 skipped"]]);
    expect(seat.engine.state().plan?.steps[2]?.reason).toBe("said before");
  });

  test("[PL-6] [TL-4] the todo list is the plan: todoread shows its steps, todowrite moves, adds and skips them", async () => {
    const todo = (id: string, content: string, status: string) => ({ id, content, status, priority: "medium" });
    const todos = [
      todo("1", "Write a", "completed"),
      todo("2", "Write b", "in_progress"),
      todo("4", "Look", "pending"),
    ];
    const read = { tool: "todoread", input: {} };
    const script = [
      { calls: [plan, read] },
      { calls: [{ tool: "todowrite", input: { todos } }, read] },
      { calls: [write("b.txt")] },
      report("4"),
      done,
    ];
    await using bench = new Bench(script);
    const seat = bench.open({ mode: "auto-edit" });
    await seat.run(long);
    const shown = seat.all("tool.settled").filter(({ result }) => result.output.startsWith("["));
    expect(shown.map(({ result }) => result.output.split("\n").map((line) => line.slice(0, 5)))).toContainEqual([
      ...["[x] 1", "[>] 2", "[ ] 4"],
    ]);
    expect(stepsOf(seat)).toEqual(["1 done", "2 done", "3 skipped", "4 done"]);
    expect(seat.engine.state().todos.map(({ id, status }) => `${id} ${status}`)).toEqual([
      ...["1 completed", "2 completed", "4 completed"],
    ]);
  });

  test("[PL-6] [TL-4] a list that is longer than a plan may be stays a list, and can be reported and changed", async () => {
    const numbers = Array.from({ length: 20 }, (_, at) => String(at + 1));
    const todos = (status: string) => ({
      calls: [
        {
          tool: "todowrite",
          input: { todos: numbers.map((id) => ({ id, content: `Write ${id}`, status, priority: "medium" })) },
        },
      ],
    });
    const goals = numbers.map((id) => `${id}. Write ${id}`).join("\n");
    const list = { calls: [{ tool: "list", input: {} }] };
    for (const [text, ...steps] of [
      [long, todos("pending"), todos("completed"), done],
      [goals, list, list, todos("completed"), done],
    ] as const) {
      await using bench = new Bench([...steps, done]);
      const seat = bench.open({ mode: "auto-edit" });
      await seat.run(text);
      expect(seat.all("tool.settled").filter(({ result }) => result.status !== "done")).toEqual([]);
      expect(seat.engine.state().todos.filter(({ status }) => status === "completed").length).toBe(20);
      expect(bench.server.requests.length).toBe(steps.length);
    }
  });

  test("[PL-6] an order that the plan does not allow is refused for todos as for steps", async () => {
    const waits = steps.map((step, at) => ({ ...step, dependencies: at === 0 ? [] : [String(at)] }));
    const todos = steps.map(({ id, title }) => ({
      id,
      content: title,
      status: id === "3" ? "in_progress" : "pending",
      priority: "low",
    }));
    const first = { tool: "plan", input: { steps: waits, verification: "none" } };
    await using bench = new Bench([
      { calls: [first] },
      { calls: [{ tool: "todowrite", input: { todos } }] },
      done,
      done,
    ]);
    const seat = bench.open({ mode: "auto-edit" });
    await seat.run(long);
    const refused = seat.all("tool.settled").find(({ result }) => result.error)?.result;
    expect(refused?.output).toStartWith(
      "E_INVALID_ARGS: the plan cannot be carried out:\ntodos[2]: step 3 waits for 2",
    );
    expect(stepsOf(seat)).toEqual(["1 in_progress", "2 pending", "3 pending"]);
  });

  test("[PL-6] a new task has a list of its own, and /todos --all shows what the older one left", async () => {
    await using bench = new Bench([{ calls: [plan, write("a.txt")] }, done, done]);
    const seat = bench.open({ mode: "auto-edit" });
    await seat.run(long);
    await seat.run("!true");
    expect(seat.engine.state().todos.length).toBe(3);
    await seat.run("say hello");
    expect(seat.engine.state().leftTodos.map(({ todos }) => todos.map(({ id }) => id))).toEqual([["1", "2", "3"]]);
    const shown = await seat.engine.runInput("/todos --all");
    expect(shown).toMatchObject({ kind: "command", result: { ok: true } });
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
    expect(seat.answerPlan({ answer: "yes" })).toEqual({ ok: true, value: undefined });
    await seat.engine.idle();
    expect([made(bench), phases(seat).slice(2, 5)]).toEqual([true, ["PLANNING", "AWAITING_CONFIRMATION", "EXECUTING"]]);
  });

  test("[SM-3] a no with words asks for another plan; a second no ends the task as denied", async () => {
    await using bench = new Bench([dangerous, dangerous, done]);
    const seat = open(bench);
    await seat.engine.runInput(long);
    await waits(seat);
    seat.answerPlan({ answer: "no", words: "keep the reports" });
    await seat.until(
      (one) =>
        one.kind === "event" && one.state.task.phase === "AWAITING_CONFIRMATION" && one.state.task.task.refusals === 1,
    );
    expect(JSON.stringify(bench.server.requests[1]?.body.messages)).toContain("keep the reports");
    seat.answerPlan({ answer: "no" });
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
    seat.answerPlan({ answer: "edit", plan: edited, words: "only this" });
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
    seat.answerPlan({ answer: "no", words: "keep the reports" });
    await seat.until((one) => one.kind === "event" && one.state.tasks === 2 && one.state.run.phase === "tool_running");
    expect(JSON.stringify(bench.server.requests[1]?.body.messages.at(-1))).toContain("says: keep the reports");
  });

  test("[SM-3] [BR-4] the time that a person thinks about it does not count, and all that comes after it does", async () => {
    const stopWith = async (ms: number, last: Step) => {
      await using bench = new Bench([dangerous, report("1", "2"), last]);
      const maxTime = String(ms / 1_000);
      const seat = bench.open({ mode: "default", allow: ["write"], maxTime }, { interactive: true });
      await seat.engine.runInput(long);
      await Promise.race([waits(seat), seat.event("task.summarized")]);
      await Bun.sleep(ms + 100);
      seat.answerPlan({ answer: "yes" });
      await seat.engine.idle();
      return { stop: seat.last("task.summarized").summary.stop_reason, requests: bench.server.requests.length };
    };
    const inTime = await longEnough(
      500,
      (ms) => stopWith(ms, done),
      ({ stop }) => stop !== "BUDGET",
    );
    expect(inTime.stop).toBe("COMPLETED");
    const slow = { text: "slow", delayMs: 600_000 };
    const late = await longEnough(
      500,
      (ms) => stopWith(ms, slow),
      ({ requests }) => requests === 3,
    );
    expect(late).toEqual({ stop: "BUDGET", requests: 3 });
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
    seat.engine.answer(seat.approval()?.callId ?? "", { answer: "yes", words: "the second", by: "person" });
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
    other.clarify("the test in a.js fails");
    await other.engine.idle();
    expect(JSON.stringify(bench.server.requests[0]?.body.messages)).toContain("the test in a.js fails");
  });
});
