import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fail, ok } from "../../src/contract/error.ts";
import { phrase } from "../../src/contract/text/catalogue.ts";
import { defineTool } from "../../src/contract/tool.ts";
import { args, text } from "../../src/tool/args.ts";
import { loadTools } from "../../src/tool/registry.ts";
import { Cli, Lines } from "../support/cli.ts";
import { Bench, type Seat } from "../support/engine.ts";
import { longEnough } from "../support/until.ts";

const done = { text: "done" };
const givesUp = {
  tool: "plan",
  input: { steps: [{ id: "1", title: "Look" }], update: [{ id: "1", status: "blocked" }] },
};
const goesOn = { tool: "plan", input: { update: [{ id: "1", status: "done" }] } };
const bash = (command: string) => ({ tool: "bash", input: { command } });
const missing = bash("no-such-program-here --version");
/** Fails, and the model gives its step up. */
const blockedBy = (call: { readonly tool: string; readonly input: unknown }) => [
  { calls: [call, givesUp] },
  { text: "it is blocked" },
];
const rungs = (seat: Seat) => seat.all("recovery.decided").map(({ rung }) => rung);
const asked = (seat: Seat) =>
  seat.until(
    (one) => one.kind === "event" && one.state.task.phase === "RECOVERING" && one.state.task.asks !== undefined,
  );

/** A search that takes too long the first time. */
function slowOnce() {
  let count = 0;
  return defineTool({
    ...{ name: "grep", description: "search", access: "read", afterCrash: "repeat" },
    input: args({ pattern: text("") }),
    async run() {
      return count++ === 0 ? fail("E_TOOL_TIMEOUT", phrase("search.timeout", { seconds: 5 })) : ok({ text: "found" });
    },
  });
}

describe("a run that stops over calls that fail", () => {
  test("[SM-8] [SM-3] a read that may pass is tried once more in a run of its own, and the task is completed", async () => {
    const search = { tool: "grep", input: { pattern: "x" } };
    await using bench = new Bench([...blockedBy(search), { calls: [search, goesOn] }, done]);
    const tools = [...loadTools(["grep"]).values(), slowOnce()];
    const seat = bench.open({}, { tools });
    await seat.run("look for x");
    expect(rungs(seat)).toEqual(["retry"]);
    expect(seat.last("recovery.decided")).toMatchObject({ runId: "r2", repairable: true });
    const told = JSON.stringify(bench.server.requests[2]?.body.messages.at(-1)?.content);
    expect(told).toContain("make this call once more, then go on with the task: grep (x)");
    expect(seat.last("task.summarized").summary.stop_reason).toBe("COMPLETED");
  });

  test("[SM-8] an edit that does not fit is followed by the tool that may, named with the reason", async () => {
    const edit = { tool: "edit", input: { path: "a.txt", old_string: "nowhere", new_string: "x" } };
    const write = { tool: "write", input: { path: "a.txt", content: "x\n" } };
    await using bench = new Bench([
      { calls: [{ tool: "read", input: { path: "a.txt" } }] },
      ...blockedBy(edit),
      { calls: [write, goesOn] },
      done,
    ]);
    bench.file("a.txt", "one\n");
    const seat = bench.open({ mode: "auto-edit" });
    await seat.run("change a.txt");
    expect(rungs(seat)).toEqual(["fallback"]);
    expect(seat.last("recovery.decided").reason).toMatchObject({ key: "recovery.fallback", args: { tool: "patch" } });
    expect(JSON.stringify(bench.server.requests[3]?.body.messages.at(-1)?.content)).toContain("use patch instead");
    expect(readFileSync(join(bench.workspace, "a.txt"), "utf8")).toBe("x\n");
    expect(seat.last("task.summarized").summary.stop_reason).toBe("COMPLETED");
  });

  test("[SM-8] [BR-2] one without progress over a failing call climbs too, and stops with what blocks", async () => {
    const glob = { tool: "read", input: { path: "missing.txt" } };
    await using bench = new Bench([{ calls: [glob], repeat: 60 }]);
    const seat = bench.open();
    await seat.run("look at it");
    expect(rungs(seat)).toEqual(["stop"]);
    expect(seat.last("task.summarized").summary).toMatchObject({
      ...{ stop_reason: "MAX_ITER", exit_code: 5, outcome: "FAILED" },
      blocked: expect.stringContaining("read (missing.txt) failed: missing.txt does not exist"),
      next_steps: [
        expect.stringContaining("No progress in 20"),
        "Do by hand what read (missing.txt) should have done.",
        expect.stringContaining("coder run --continue"),
      ],
    });
  });

  test("[SM-8] [SM-3] without a person it stops with the missing program by name and what to do by hand", async () => {
    await using bench = new Bench([...blockedBy(missing), ...blockedBy(missing)]);
    const seat = bench.open({ mode: "yolo" });
    await seat.run("look at it");
    expect(rungs(seat)).toEqual(["replan", "stop"]);
    const { summary } = seat.last("task.summarized");
    expect([summary.stop_reason, summary.exit_code]).toEqual(["BLOCKED", 1]);
    expect(summary.blocked).toBe("no-such-program-here is missing, which bash (no-such-program-here --version) needs");
    expect(summary.next_steps).toContain("Install no-such-program-here.");
  });

  test("[SM-8] a step blocked over a denial stops with the mode that would allow it, and exit code 4", async () => {
    await using bench = new Bench([...blockedBy(bash("touch x")), done]);
    const seat = bench.open({ mode: "default" });
    await seat.run("look at it");
    expect(rungs(seat)).toEqual(["replan", "stop"]);
    const { summary } = seat.last("task.summarized");
    expect([summary.stop_reason, summary.exit_code]).toEqual(["DENIED", 4]);
    expect(summary.blocked).toContain("bash (touch x) is not allowed");
    expect(summary.next_steps.join("\n")).toContain("--mode auto-edit");
  });

  test("[SM-8] [BR-4] a budget that is used up is not exceeded by another run", async () => {
    const usage = { input: 400, output: 100 };
    const search = { tool: "grep", input: { pattern: "x" } };
    const steps = [{ calls: [search, givesUp], usage }, { text: "blocked", usage }, done];
    for (const [maxTokens, wanted] of [
      ["1000", "stop"],
      ["1001", "retry"],
    ] as const) {
      await using bench = new Bench(steps);
      const seat = bench.open({ maxTokens }, { tools: [...loadTools(["grep"]).values(), slowOnce()] });
      await seat.run("look for x");
      expect(rungs(seat)[0]).toBe(wanted);
    }
  });
});

describe("a person who can be asked", () => {
  const script = [
    { when: "look at it", steps: [...blockedBy(missing)] },
    { when: "leave it out", steps: [{ calls: [goesOn] }, done] },
  ];

  test("[SM-8] [SM-7] is told by name what is missing, and their words go to the model in a new run", async () => {
    await using bench = new Bench(script);
    const seat = bench.open({ mode: "yolo" }, { interactive: true });
    await seat.engine.runInput("look at it");
    await asked(seat);
    const status = await seat.engine.runInput("/status");
    expect(status).toMatchObject({ result: { data: { task: "RECOVERING", verification: { recovery: ["ask"] } } } });
    expect(seat.clarify("leave it out")).toEqual({ ok: true, value: undefined });
    await seat.engine.idle();
    expect(rungs(seat)).toEqual(["ask"]);
    expect(seat.last("recovery.decided").blockage?.what).toMatchObject({
      key: "recovery.blocked.missing",
      args: { name: "no-such-program-here" },
    });
    expect(seat.last("run.started").runId).toBe("r2");
    expect(JSON.stringify(bench.server.requests[2]?.body.messages)).toContain("The person was asked how to go on");
    expect(seat.last("task.summarized").summary).toMatchObject({ stop_reason: "COMPLETED", next_steps: [] });
  });

  test("[SM-8] is asked once in a task: blocked again, another way is tried and then it stops", async () => {
    const again = { when: "leave it out", steps: [...blockedBy(missing), ...blockedBy(missing)] };
    await using bench = new Bench([...script.slice(0, 1), again]);
    const seat = bench.open({ mode: "yolo" }, { interactive: true });
    await seat.engine.runInput("look at it");
    await asked(seat);
    seat.clarify("leave it out");
    await seat.engine.idle();
    expect(rungs(seat)).toEqual(["ask", "replan", "stop"]);
    expect(seat.last("task.summarized").summary.blocked).toContain("no-such-program-here is missing");
  });

  test("[SM-8] a refusal of theirs is not got round by another tool", async () => {
    const edit = { tool: "write", input: { path: "a.txt", content: "x" } };
    await using bench = new Bench([
      { when: "look at it", steps: blockedBy(edit) },
      { when: "leave it out", steps: [{ calls: [goesOn] }, done] },
    ]);
    const seat = bench.open({ mode: "default" }, { interactive: true });
    await seat.engine.runInput("look at it");
    await seat.until((one) => one.kind === "event" && one.state.run.phase === "awaiting_human");
    seat.engine.answer(seat.approval()?.callId ?? "", { answer: "no", by: "person" });
    await asked(seat);
    expect(rungs(seat)).toEqual(["ask"]);
    expect(seat.last("recovery.decided").blockage?.what.key).toBe("recovery.blocked.denied");
    seat.clarify("leave it out");
    await seat.engine.idle();
  });

  test("[SM-3] [BR-4] the time they think about it does not count", async () => {
    const stopWith = async (ms: number): Promise<string> => {
      await using bench = new Bench(script);
      const seat = bench.open({ mode: "yolo", maxTime: String(ms / 1_000) }, { interactive: true });
      await seat.engine.runInput("look at it");
      await Promise.race([asked(seat), seat.event("task.summarized")]);
      await Bun.sleep(ms + 100);
      seat.clarify("leave it out");
      await seat.engine.idle();
      return seat.last("task.summarized").summary.stop_reason;
    };
    expect(await longEnough(1_000, stopWith, (stop) => stop !== "BUDGET")).toBe("COMPLETED");
  });

  test("[CAN-1] [SM-8] may cancel instead, or go: then the task ends with what blocks it", async () => {
    for (const [leave, stop] of [
      [(seat: Seat) => seat.engine.cancel("esc"), "CANCELLED"],
      [(seat: Seat) => seat.engine.leaveUnanswered(), "BLOCKED"],
    ] as const) {
      await using bench = new Bench(script);
      const seat = bench.open({ mode: "yolo" }, { interactive: true });
      await seat.engine.runInput("look at it");
      await asked(seat);
      leave(seat);
      await seat.engine.idle();
      const { stop_reason, blocked } = seat.last("task.summarized").summary;
      expect([stop_reason, blocked?.includes("no-such-program-here is missing") ?? null]).toEqual([
        stop,
        stop === "BLOCKED" ? true : null,
      ]);
      expect(seat.clarify("too late").ok).toBe(false);
    }
  });

  const client = ["--mode", "yolo", "--input", "stream-json", "--output", "stream-json"];
  /** Killed while it waits for the answer. */
  async function killedAsking(cli: Cli, more: readonly string[]) {
    const child = cli.start(["run", ...cli.model, ...client, ...more], { stdin: "pipe" });
    if (more.length === 0) child.stdin?.write(`${JSON.stringify({ type: "input", text: "look at it" })}\n`);
    await child.stdin?.flush();
    const questions = await new Lines(child.stdout).until(({ type }) => type === "questions");
    child.kill("SIGKILL");
    await child.exited;
    const [{ id }] = JSON.parse((await cli.run(["sessions", "--json"])).out);
    return { questions, id };
  }

  test("[PS-4] [SM-8] is asked again in the same words after kill -9, and the answer is still followed once", async () => {
    using cli = new Cli(script);
    const { questions, id } = await killedAsking(cli, []);
    expect((await killedAsking(cli, ["--resume", id])).questions).toEqual(questions);
    const last = cli.start(["run", ...cli.model, ...client, "--resume", id], { stdin: "pipe" });
    const lines = new Lines(last.stdout);
    expect(await lines.until(({ type }) => type === "questions")).toEqual(questions);
    last.stdin?.write(`${JSON.stringify({ type: "answer", text: "leave it out" })}\n`);
    await last.stdin?.end();
    await lines.drain();
    expect(lines.all.at(-1)).toMatchObject({ stop_reason: "COMPLETED" });
    expect(cli.server.requests.map(({ task }) => task)).toEqual([0, 0, 1, 1]);
    expect((await cli.run(["trace", id])).out).toContain("asking you how to continue");
  });

  test("[PS-4] [SM-8] gone after kill -9, the task ends with what blocks it, on the terminal too", async () => {
    using cli = new Cli(script);
    const { id } = await killedAsking(cli, []);
    const alone = await cli.run(["run", ...cli.model, "--mode", "yolo", "--resume", id]);
    expect(alone.code).toBe(1);
    expect(alone.err).toContain("no-such-program-here is missing, which bash (no-such-program-here --version) needs\n");
    expect(alone.err).toContain("Install no-such-program-here.\n");
    expect(cli.server.requests.length).toBe(2);
  });
});
