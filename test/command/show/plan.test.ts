import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Plan } from "../../../src/contract/plan.ts";
import type { CommandResult } from "../../../src/engine/port.ts";
import { Bench, type Seat } from "../../support/engine.ts";

const long = "1. write a.txt\n2. write b.txt\n3. tell what was done";
const planned = { text: "[PLAN]\n1. [ ] write a.txt (tools: write)\n2. [ ] write b.txt (tools: write)" };
const write = (path: string) => ({ calls: [{ tool: "write", input: { path, content: "x\n" } }] });
const deleting = {
  text: "[PLAN]\n1. [ ] delete everything in build/ (tools: bash)\n2. [ ] write b.txt (tools: write)",
};

async function command(seat: Seat, text: string): Promise<CommandResult> {
  const admission = await seat.engine.runInput(text);
  if (admission.kind !== "command") throw new Error(`${text} gave ${JSON.stringify(admission)}`);
  return admission.result;
}

const waits = (seat: Seat) =>
  seat.until((one) => one.kind === "event" && one.state.task.phase === "AWAITING_CONFIRMATION");

function planIn(bench: Bench, file: string): Plan {
  return JSON.parse(readFileSync(join(bench.workspace, file), "utf8")) as Plan;
}

describe("/plan", () => {
  test("[PL-5] shows the plan with its current step; without one it says so", async () => {
    await using bench = new Bench([planned]);
    const seat = bench.open({ mode: "plan" });
    expect(await command(seat, "/plan")).toMatchObject({ ok: false, error: { text: { key: "run.plan_none" } } });
    for (const words of ["", " export", " edit a.json", " run"])
      expect((await command(seat, `/plan${words}`)).text).toStartWith(
        "this session has no plan\nTo get one: /mode plan, then say what you want.",
      );
    await seat.run(long);
    const shown = await command(seat, "/plan");
    expect(shown.text).toContain("[ ] 1. write a.txt (tools: write)");
    expect(shown.text).toContain("Now: 1. write a.txt");
    expect(shown.text).toContain("/plan run auto-edit");
    expect(shown.data).toMatchObject({ current: "1", plan: { steps: [{ id: "1" }, { id: "2" }] } });
    expect(await command(seat, "/plan nonsense")).toMatchObject({ ok: false });
    expect(await command(seat, "/plan constructor")).toMatchObject({ ok: false });
  });

  test("[PL-5] plan mode's plan is carried out as a task in the mode that was named", async () => {
    await using bench = new Bench([
      { when: "Carry out this plan", steps: [write("a.txt"), write("b.txt"), { text: "done" }, { text: "done" }] },
      { when: "write a.txt", steps: [planned] },
    ]);
    const seat = bench.open({ mode: "plan" }, { config: { workflow: { auto_verify_after_edit: false } } });
    await seat.run(long);
    expect(await command(seat, "/plan run")).toMatchObject({
      ok: false,
      error: { text: { key: "workflow.plan.still_plan" } },
    });
    expect(await command(seat, "/plan run plan")).toMatchObject({ ok: false });
    expect(await seat.run("/plan run auto-edit")).toMatchObject({ kind: "admitted" });
    expect([seat.engine.state().mode, existsSync(join(bench.workspace, "b.txt"))]).toEqual(["auto-edit", true]);
    const { summary } = seat.last("task.summarized");
    expect(summary).toMatchObject({ stop_reason: "COMPLETED", plan: { steps: [{ id: "1" }, { id: "2" }] } });
    expect(seat.all("plan.settled").at(-1)).toMatchObject({ plan: { title: expect.any(String) } });
  });

  test("[PL-5] export writes JSON into a new file of the workspace, never over one and never outside", async () => {
    await using bench = new Bench([planned]);
    const seat = bench.open({ mode: "plan" });
    await seat.run(long);
    expect(await command(seat, "/plan export p.json")).toMatchObject({ ok: true });
    expect<Plan | null>(planIn(bench, "p.json")).toEqual(seat.engine.plan());
    expect(await command(seat, "/plan export p.json")).toMatchObject({ ok: false, error: { code: "E_CONFLICT" } });
    symlinkSync(join(bench.root, "elsewhere"), join(bench.workspace, "link"));
    mkdirSync(join(bench.root, "elsewhere"));
    for (const file of ["../out.json", "/out.json", "link/out.json"])
      expect([file, await command(seat, `/plan export ${file}`)]).toMatchObject([file, { ok: false }]);
    const own = await command(seat, "/plan export");
    expect(readFileSync((own.data as { path: string }).path, "utf8")).toBe(
      readFileSync(join(bench.workspace, "p.json"), "utf8"),
    );
  });

  test("[PL-5] an edited file is taken with what was changed; what is wrong with it is named by line and field", async () => {
    await using bench = new Bench([planned]);
    const seat = bench.open({ mode: "plan" });
    await seat.run(long);
    await command(seat, "/plan export p.json");
    const plan = planIn(bench, "p.json");
    const steps = plan.steps.map((step) => ({ ...step, title: `${step.title}!` }));
    writeFileSync(join(bench.workspace, "p.json"), JSON.stringify({ ...plan, plan_id: "other", steps }));
    expect(await command(seat, "/plan edit p.json")).toMatchObject({ ok: true });
    expect(seat.engine.plan()).toEqual({ ...plan, steps });
    expect(seat.last("plan.changed").by).toBe("person");
    bench.file("bad.json", '{\n "title": "t",\n "steps": [\n  {"id": "1", "title": "a", "status": "maybe"}\n ]\n}');
    const bad = await command(seat, "/plan edit bad.json");
    expect([bad.ok, /line 4, steps\[0\]\.status/.test(bad.text)]).toEqual([false, true]);
    bench.file("broken.json", '{"title": ');
    expect((await command(seat, "/plan edit broken.json")).text).toContain("line 1");
    expect(await command(seat, "/plan edit nosuch.json")).toMatchObject({ ok: false, error: { code: "E_IO" } });
    expect(await command(seat, "/plan edit ../p.json")).toMatchObject({ ok: false });
    expect(seat.engine.plan()?.steps).toEqual(steps);
  });

  test("[PL-5] a plan file is replayed as a new task, all of its steps from the start", async () => {
    await using bench = new Bench([write("a.txt"), { text: "done" }]);
    const seat = bench.open({ mode: "auto-edit" }, { config: { workflow: { auto_verify_after_edit: false } } });
    bench.file(
      "p.json",
      '{"title": "t", "goal": "fix it", "steps": [{"id": "7", "title": "write a.txt", "status": "done"}]}',
    );
    expect(await seat.run("/plan replay p.json")).toMatchObject({ kind: "admitted" });
    expect(seat.last("task.started").taskId).toBe("t1");
    const settled = seat.all("plan.settled")[0]?.plan;
    expect(settled).toMatchObject({ steps: [{ id: "7", status: "pending" }] });
    expect(settled?.plan_id).toBe(`${seat.engine.state().id}-t1`);
    expect(seat.last("task.summarized").summary).toMatchObject({ stop_reason: "COMPLETED", plan: { title: "t" } });
    expect(await command(seat, "/plan replay")).toMatchObject({ ok: false });
    expect(await command(seat, "/plan replay nosuch.json")).toMatchObject({ ok: false });
  });

  test("[SM-3] [PL-5] a plan that waits is accepted by /plan yes, and not answered twice", async () => {
    await using bench = new Bench([deleting, write("b.txt"), { text: "done" }]);
    const seat = bench.open({}, { interactive: true });
    const running = seat.run(`${long}\n4. delete everything in build/`);
    await waits(seat);
    expect((await command(seat, "/plan")).text).toContain("/plan yes");
    expect(await command(seat, "/plan run default")).toMatchObject({
      ok: false,
      error: { text: { key: "input.busy" } },
    });
    expect(await command(seat, "/plan yes")).toMatchObject({ ok: true });
    await seat.event("plan.answered");
    expect(await command(seat, "/plan yes")).toMatchObject({
      ok: false,
      error: { text: { key: "run.plan_not_open" } },
    });
    seat.engine.cancel("client");
    await running;
    expect(seat.all("plan.answered").map(({ answer }) => answer)).toEqual(["yes"]);
  });

  test("[SM-3] a second /plan no ends the task; the words of the first reach the model", async () => {
    await using bench = new Bench([deleting, deleting, { text: "done" }]);
    const seat = bench.open({}, { interactive: true });
    const running = seat.run(`${long}\n4. delete everything in build/`);
    await waits(seat);
    await command(seat, "/plan no keep the folder build");
    await seat.until(
      (one) =>
        one.kind === "event" && one.state.task.phase === "AWAITING_CONFIRMATION" && one.state.task.task.refusals === 1,
    );
    await command(seat, "/plan no");
    await running;
    expect(JSON.stringify(bench.server.requests[1]?.body.messages)).toContain("keep the folder build");
    expect(seat.last("task.summarized").summary.stop_reason).toBe("DENIED");
  });

  test("[SM-3] [PL-5] a plan that waits is edited from a file and goes on as edited", async () => {
    await using bench = new Bench([deleting, { text: "done" }]);
    const seat = bench.open({}, { interactive: true });
    const running = seat.run(`${long}\n4. delete everything in build/`);
    await waits(seat);
    await command(seat, "/plan export p.json");
    const plan = planIn(bench, "p.json");
    writeFileSync(join(bench.workspace, "p.json"), JSON.stringify({ ...plan, steps: plan.steps.slice(1) }));
    expect(await command(seat, "/plan edit p.json")).toMatchObject({ ok: true });
    await running;
    expect(seat.last("plan.answered")).toMatchObject({ answer: "edit", plan: { plan_id: plan.plan_id } });
    expect(seat.engine.plan()?.steps.map(({ id, status }) => [id, status])).toContainEqual(["1", "skipped"]);
  });

  test("[PL-5] a plan that is edited while it is carried out reaches the model with its next request", async () => {
    const slow = { ...write("a.txt"), delayMs: 500 };
    await using bench = new Bench([[planned, slow, { text: "done" }], [{ text: "as you say" }]]);
    const config = { workflow: { auto_verify_after_edit: false } };
    const seat = bench.open({ mode: "auto-edit" }, { config });
    const running = seat.run(long);
    await seat.until((one) => one.kind === "event" && one.state.task.phase === "EXECUTING" && one.state.plan !== null);
    await command(seat, "/plan export p.json");
    const plan = planIn(bench, "p.json");
    const steps = plan.steps.map((step) => (step.id === "2" ? { ...step, title: "write c.txt" } : step));
    writeFileSync(join(bench.workspace, "p.json"), JSON.stringify({ ...plan, steps }));
    expect(await seat.engine.runInput("/plan edit p.json")).toMatchObject({ kind: "admitted", delivery: "steer" });
    await running;
    expect(JSON.stringify(bench.server.requests.at(-1)?.body.messages)).toContain("2. write c.txt");
    expect(seat.engine.plan()?.steps.map(({ title }) => title)).toContain("write c.txt");
  });
});

describe("/status", () => {
  test("[SM-6] [BR-4] shows what intake assessed and why, the plan's step, the breakers and the checks", async () => {
    await using bench = new Bench([deleting, { text: "done" }]);
    const seat = bench.open({ maxTokens: "5000" }, { interactive: true });
    const running = seat.run(`${long}\n4. delete everything in build/`);
    await waits(seat);
    const { data, text } = await command(seat, "/status");
    expect(data).toMatchObject({
      task: "AWAITING_CONFIRMATION",
      assessment: { intent: "change", complexity: "complex", why: { key: "plan.complex.goals" } },
      plan: { finished: 0, steps: 2, current: { id: "1" } },
      breakers: {
        steps: { used: 1, max: 128 },
        idle_steps: { used: 0, max: 20 },
        same_call: { used: 1, max: 50 },
        tokens: { max: 5000 },
      },
      verification: { rounds: 0, max_rounds: 2, recovery: [], command: null },
    });
    expect(text).toContain("lists 4 goals");
    expect(text).toMatch(/^plan {7}0 \/ 2: 1\. delete everything/m);
    seat.engine.cancel("client");
    await running;
  });

  test("[BR-3] counts the call that was repeated most", async () => {
    const read = { calls: [{ tool: "read", input: { path: "a.txt" } }], repeat: 4 };
    await using bench = new Bench([read, { text: "done", delayMs: 400 }]);
    bench.file("a.txt", "x\n");
    const seat = bench.open();
    const running = seat.run("look");
    await seat.until((one) => one.kind === "event" && "run" in one.state.run && one.state.run.run.index === 5);
    expect((await command(seat, "/status")).data).toMatchObject({ breakers: { same_call: { used: 4 } } });
    await running;
  });
});

test("[RB-1] /undo and /redo are calls of the undo tool; what is no number is refused", async () => {
  await using bench = new Bench([write("a.txt"), { text: "done" }]);
  const seat = bench.open({ mode: "auto-edit" }, { config: { workflow: { auto_verify_after_edit: false } } });
  await seat.run("go");
  for (const bad of ["0", "-1", "x", "1e3", "--al"])
    expect([bad, await command(seat, `/undo ${bad}`)]).toMatchObject([bad, { ok: false }]);
  await seat.run("/undo");
  expect(existsSync(join(bench.workspace, "a.txt"))).toBe(false);
  await seat.run("/redo");
  expect(existsSync(join(bench.workspace, "a.txt"))).toBe(true);
  await seat.run("/undo 1");
  expect(existsSync(join(bench.workspace, "a.txt"))).toBe(false);
  expect(await command(seat, "/redo 1")).toMatchObject({ ok: false });
  expect(
    seat
      .all("run.started")
      .slice(1)
      .map(({ calls }) => calls.map(({ tool, input }) => [tool, input])),
  ).toEqual([[["undo", {}]], [["undo", { redo: true }]], [["undo", { n: 1 }]]]);
});
