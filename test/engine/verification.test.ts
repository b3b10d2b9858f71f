import { describe, expect, test } from "bun:test";
import { mkdirSync, readFileSync } from "node:fs";
import type { Plan } from "../../src/contract/plan.ts";
import type { Bench as AnyBench, Seat } from "../support/engine.ts";
import { Bench } from "../support/engine.ts";

const command = "node --test";
const config = { workflow: { verify_commands: [command], verify_allowed: [command] } };
const read = { calls: [{ tool: "read", input: { path: "add.js" } }] };
const edit = (from: string, to: string) => ({
  calls: [{ tool: "edit", input: { path: "add.js", old_string: `a ${from} b`, new_string: `a ${to} b` } }],
});
const done = { text: "done" };

/** `add` is wrong; one test shows it, another passes either way. */
function project(bench: AnyBench): void {
  bench.file("add.js", "exports.add = (a, b) => a - b;\nexports.one = () => 1;\n");
  bench.file(
    "add.test.js",
    'const { test } = require("node:test");\nconst assert = require("node:assert");\nconst { add, one } = require("./add.js");\n' +
      'test("adds", () => {\n  assert.strictEqual(add(2, 3), 5);\n});\ntest("one", () => assert.strictEqual(one(), 1));\n',
  );
}

const summaryOf = (seat: Seat) => seat.last("task.summarized").summary;
const rungs = (seat: Seat) => seat.all("recovery.decided").map(({ rung }) => rung);
const code = (bench: AnyBench) => readFileSync(`${bench.workspace}/add.js`, "utf8").split("\n")[0];

describe("after a task has changed files", () => {
  test("[VF-1] [VF-5] a failing check sends its failures back, and the smallest repair ends VERIFIED", async () => {
    await using bench = new Bench([read, edit("-", "*"), done, edit("*", "+"), { text: "repaired" }]);
    project(bench);
    const seat = bench.open({ mode: "auto-edit" }, { config });
    await seat.run("make add right");
    expect([summaryOf(seat).outcome, summaryOf(seat).exit_code, rungs(seat)]).toEqual(["VERIFIED", 0, ["repair"]]);
    const [first, second] = seat.all("check.judged").map(({ result }) => result);
    expect(first).toMatchObject({
      ...{ ok: false, type: "test_failure", command, counts: { passed: 1, failed: 1 } },
      details: [{ file: "add.test.js", line: 5, test: "adds" }],
    });
    expect(second).toMatchObject({ ok: true, type: "pass", details: [] });
    const told = JSON.stringify(bench.server.requests[3]?.body.messages.at(-1));
    expect(told).toContain("Make the smallest repair");
    expect(told).toContain("add.test.js:5: adds");
  });

  test("[TP-8] a check is a recorded call that passes the pipeline: a deny rule of the person's holds", async () => {
    await using bench = new Bench([read, edit("-", "+"), done]);
    project(bench);
    const seat = bench.open({ mode: "auto-edit", deny: [`bash(${command})`] }, { config });
    await seat.run("make add right");
    const last = seat.last("tool.decided");
    expect([last.decision, seat.last("tool.settled").result.status]).toEqual(["deny", "denied"]);
    expect(summaryOf(seat)).toMatchObject({ outcome: "UNVERIFIED", exit_code: 3, verification: { status: "none" } });
  });

  test("[VF-5] [VF-6] the wrong edit alone ends FAILED after the allowed attempts, with file, line and message", async () => {
    await using bench = new Bench([read, edit("-", "*"), done, { text: "it is fine" }]);
    project(bench);
    const seat = bench.open({ mode: "auto-edit" }, { config });
    await seat.run("make add right");
    const { outcome, stop_reason, exit_code, verification } = summaryOf(seat);
    expect([outcome, stop_reason, exit_code, verification.attempts]).toEqual(["FAILED", "BLOCKED", 1, 2]);
    expect(verification.results?.[0]?.details).toMatchObject([{ file: "add.test.js", line: 5, test: "adds" }]);
    expect([rungs(seat), code(bench)]).toEqual([["repair", "stop"], "exports.add = (a, b) => a * b;"]);
  });

  test("[VF-1] [VF-7] a task that has put everything back has nothing to be checked, also after a check has failed", async () => {
    for (const between of [[], [done]]) {
      await using bench = new Bench([
        read,
        edit("-", "*"),
        ...between,
        edit("*", "-"),
        { text: "it was right before" },
      ]);
      project(bench);
      const seat = bench.open({ mode: "auto-edit" }, { config });
      await seat.run("look at add once more");
      const { outcome, exit_code, changed_files, verification } = summaryOf(seat);
      expect([outcome, exit_code, changed_files]).toEqual(["UNVERIFIED", 0, []]);
      expect([verification.status, verification.reason]).toEqual(["none", "nothing to verify"]);
      expect(rungs(seat)).toEqual(between.length > 0 ? ["repair"] : []);
    }
  });

  test("[SM-8] [VF-5] where failures come back it stops early, takes all back that repairs made no better, and tries one other way", async () => {
    const another = [read, edit("-", "+"), { text: "another way" }];
    const steps = [read, edit("-", "*"), done, { text: "it is fine" }, ...another];
    await using bench = new Bench(steps);
    project(bench);
    const workflow = { ...config.workflow, max_verify_attempts: 4, on_verify_failure: "rollback" };
    const seat = bench.open({ mode: "auto-edit" }, { config: { workflow } });
    await seat.run("make add right");
    expect(rungs(seat)).toEqual(["repair", "rollback", "replan"]);
    expect([summaryOf(seat).outcome, code(bench)]).toEqual(["VERIFIED", "exports.add = (a, b) => a + b;"]);
    const undone = seat.all("tool.settled").find(({ result }) => result.output.startsWith("Undone"));
    expect(undone?.result.changes?.map(({ path }) => path)).toEqual(["add.js"]);
  });

  test("[VF-5] [SM-9] repairs that end before the last of the allowed checks say why", async () => {
    const back = [read, edit("-", "*"), done, edit("*", "/"), done, edit("/", "*"), done, edit("*", "%"), done];
    await using bench = new Bench(back);
    project(bench);
    const seat = bench.open(
      { mode: "auto-edit" },
      { config: { workflow: { ...config.workflow, max_verify_attempts: 6 } } },
    );
    await seat.run("make add right");
    expect(rungs(seat)).toEqual(["repair", "repair", "replan", "stop"]);
    const { outcome, verification, next_steps } = summaryOf(seat);
    expect([outcome, verification.attempts]).toEqual(["FAILED", 4]);
    expect(next_steps).toContain("Stopped after 4 of 6 checks: the same failures as in check 1");
  });

  test("[SM-8] [VF-5] two attempts lead to another way as well, and what that breaks goes too; each time it is checked again", async () => {
    const ways = [read, edit("-", "*"), done, edit("*", "/"), done];
    await using bench = new Bench([...ways, read, edit("-", "%"), done]);
    project(bench);
    const workflow = { ...config.workflow, max_verify_attempts: 2, on_verify_failure: "rollback" };
    const seat = bench.open({ mode: "auto-edit" }, { config: { workflow } });
    await seat.run("make add right");
    expect(rungs(seat)).toEqual(["repair", "rollback", "replan", "rollback", "stop"]);
    const { outcome, exit_code, changed_files } = summaryOf(seat);
    expect([outcome, exit_code, changed_files, code(bench)]).toEqual([
      "FAILED",
      1,
      [],
      "exports.add = (a, b) => a - b;",
    ]);
    // Three that count, and one after each time that something was taken back.
    expect(seat.all("check.judged").length).toBe(5);
  });

  test("[VF-6] [VF-7] where all was taken back and nothing comes of the other way, the task is FAILED and says so", async () => {
    const ways = [read, edit("-", "*"), done, edit("*", "/"), done];
    await using bench = new Bench([...ways, { text: "I know no other way" }]);
    project(bench);
    const workflow = { ...config.workflow, max_verify_attempts: 2, on_verify_failure: "rollback" };
    const seat = bench.open({ mode: "auto-edit" }, { config: { workflow } });
    await seat.run("make add right");
    expect(rungs(seat)).toEqual(["repair", "rollback", "replan"]);
    const { outcome, stop_reason, exit_code, changed_files, verification, risks } = summaryOf(seat);
    expect([outcome, stop_reason, exit_code, changed_files]).toEqual(["FAILED", "BLOCKED", 1, []]);
    const undone = "The changes failed their check and were undone: nothing is left of them";
    expect([verification.status, verification.reason, risks]).toEqual(["none", undone, [undone]]);
  });

  test("[VF-5] [RB-1] what was sound when a check last passed stays, and what broke it later goes", async () => {
    const own = { calls: [{ tool: "diagnostics", input: { command } }] };
    const spoil = { calls: [{ tool: "write", input: { path: "one.js", content: "exports.one = 1;\n" } }] };
    const broken = {
      calls: [{ tool: "edit", input: { path: "add.js", old_string: "() => 1", new_string: "() => 2" } }],
    };
    await using bench = new Bench([read, edit("-", "+"), spoil, own, broken, done]);
    project(bench);
    const workflow = { ...config.workflow, max_verify_attempts: 1, on_verify_failure: "rollback" };
    const seat = bench.open({ mode: "auto-edit" }, { config: { workflow } });
    await seat.run("make add right");
    expect(readFileSync(`${bench.workspace}/add.js`, "utf8")).toBe(
      "exports.add = (a, b) => a + b;\nexports.one = () => 1;\n",
    );
    expect(readFileSync(`${bench.workspace}/one.js`, "utf8")).toBe("exports.one = 1;\n");
    const { outcome, verification, stop_reason } = summaryOf(seat);
    expect([outcome, verification.status, stop_reason]).toEqual(["FAILED", "none", "BLOCKED"]);
    expect(verification.reason).toContain("passed, but the task did not finish");
  });

  test("[VF-5] [RB-1] what broke it goes also where some of its tests, or those of another project, passed last", async () => {
    const some = { calls: [{ tool: "diagnostics", input: { command: `${command} --test-name-pattern=one` } }] };
    const other = { calls: [{ tool: "write", input: { path: "pkg/b/b.js", content: "exports.b = 1;\n" } }] };
    const workflow = { ...config.workflow, max_verify_attempts: 1, on_verify_failure: "rollback" };
    await using bench = new Bench([read, edit("-", "*"), some, done]);
    project(bench);
    const seat = bench.open({ mode: "auto-edit" }, { config: { workflow } });
    await seat.run("make add right");
    expect([summaryOf(seat).outcome, code(bench)]).toEqual(["FAILED", "exports.add = (a, b) => a - b;"]);
    await using two = new Bench([read, edit("-", "*"), other, done]);
    project(two);
    const manifest = JSON.stringify({ scripts: { test: command } });
    two.file("package.json", manifest);
    mkdirSync(`${two.workspace}/pkg/b`, { recursive: true });
    two.file("pkg/b/package.json", manifest);
    two.file("pkg/b/b.test.js", 'require("node:test").test("b", () => {});\n');
    const both = two.open({ mode: "auto-edit" }, { config: { workflow: { ...workflow, verify_commands: [] } } });
    await both.run("make add right");
    expect(both.all("check.judged").map(({ result }) => result.ok)).toContain(true);
    expect([summaryOf(both).outcome, code(two)]).toEqual(["FAILED", "exports.add = (a, b) => a - b;"]);
  });

  test("[VF-5] with `ask` the person decides whether the last patch goes; without a person it stays", async () => {
    const workflow = { ...config.workflow, max_verify_attempts: 1, on_verify_failure: "ask" };
    for (const answer of ["yes", "no", null] as const) {
      await using bench = new Bench([read, edit("-", "*"), done]);
      project(bench);
      const seat = bench.open({ mode: "auto-edit" }, { config: { workflow }, interactive: answer !== null });
      await seat.engine.runInput("make add right");
      if (answer) {
        await seat.until((one) => one.kind === "event" && one.state.run.phase === "awaiting_human");
        seat.engine.answer(seat.approval()?.callId ?? "", { answer, by: "person" });
      }
      await seat.engine.idle();
      expect([summaryOf(seat).outcome, code(bench)]).toEqual([
        "FAILED",
        `exports.add = (a, b) => a ${answer === "yes" ? "-" : "*"} b;`,
      ]);
    }
  });

  test("[VF-1] in the default mode a check runs only when the person asked for it", async () => {
    await using bench = new Bench([
      [read, edit("-", "+"), done],
      [read, edit("+", "-"), done],
    ]);
    project(bench);
    const seat = bench.open({ mode: "default", allow: ["edit"] }, { config });
    await seat.run("make add right");
    expect([seat.all("checks.chosen").length, summaryOf(seat).exit_code]).toEqual([0, 0]);
    await seat.run("turn it round again and run the tests");
    expect(seat.all("checks.chosen").length).toBeGreaterThan(0);
    expect(summaryOf(seat).outcome).toBe("FAILED");
  });

  test("[VF-1] documents alone are not checked, and what the person forbids in words is not either", async () => {
    const write = (path: string) => ({ calls: [{ tool: "write", input: { path, content: "text\n" } }] });
    await using bench = new Bench([
      [write("notes.md"), done],
      [write("b.js"), done],
    ]);
    project(bench);
    const seat = bench.open({ mode: "auto-edit" }, { config });
    await seat.run("write notes");
    await seat.run("write b.js but do not run the tests");
    expect(seat.all("checks.chosen")).toEqual([]);
    expect(seat.all("task.summarized").map(({ summary }) => summary.exit_code)).toEqual([0, 0]);
    const [documents, code] = seat.all("task.summarized").map(({ summary }) => summary);
    expect([documents?.risks, documents?.verification.reason]).toEqual([
      [],
      "only documents changed, so no check was needed or run",
    ]);
    expect(code?.risks.length).toBe(1);
  });

  const planned = (verification: Plan["verification"]): Plan => {
    const step = { id: "1", title: "make add right", description: "", intent: "", dependencies: [], rollback_hint: "" };
    const steps = [{ ...step, tools_expected: ["edit"], expected_artifacts: [], status: "pending" as const }];
    const more = { constraints: [], risk_level: "low", created_at: "2026-01-01T00:00:00.000Z" } as const;
    return { plan_id: "p", title: "add", goal: "add", steps, verification, ...more };
  };
  const given = { mode: "custom", commands: [command, "make lint"], stop_on_fail: false } as const;

  for (const required of [true, false]) {
    const outcome = required ? "FAILED" : "UNVERIFIED";
    test(`[VF-2] [VF-6] [SU-2] a check that the plan calls ${required ? "" : "not "}required and that fails makes the task ${outcome}`, async () => {
      await using bench = new Bench([read, edit("-", "*"), done, { text: "it is fine" }]);
      project(bench);
      const seat = bench.open({ mode: "auto-edit" }, { config });
      await seat.engine.runInput("make add right", { plan: planned({ ...given, required }) });
      await seat.engine.idle();
      const { stop_reason, exit_code, verification, ...summary } = summaryOf(seat);
      const [stop, exit] = required ? ["BLOCKED", 1] : ["COMPLETED", 3];
      expect<readonly unknown[]>([summary.outcome, stop_reason, exit_code, verification.status]).toEqual([
        outcome,
        stop,
        exit,
        "fail",
      ]);
      expect(rungs(seat)).toEqual(["repair", "stop"]);
    });
  }

  test("[VF-2] [VF-7] a required command that is not listed is named, and what else passed does not make the task VERIFIED", async () => {
    await using bench = new Bench([read, edit("-", "+"), done]);
    project(bench);
    const seat = bench.open({ mode: "auto-edit" }, { config });
    await seat.engine.runInput("make add right", { plan: planned({ ...given, required: true }) });
    await seat.engine.idle();
    const { outcome, risks, exit_code, verification } = summaryOf(seat);
    expect([outcome, exit_code, risks.at(-1)]).toEqual([
      "UNVERIFIED",
      3,
      expect.stringContaining("Not checked: the plan wants to verify (custom) with make lint"),
    ]);
    expect(verification.results?.map(({ command: ran, type }) => [ran, type])).toEqual([
      [command, "pass"],
      ["make lint", "environment"],
    ]);
  });

  test("[VF-2] [SM-9] a command that the plan does not require is only a risk where it may not run", async () => {
    await using bench = new Bench([read, edit("-", "+"), done]);
    project(bench);
    const seat = bench.open({ mode: "auto-edit" }, { config });
    await seat.engine.runInput("make add right", { plan: planned({ ...given, required: false }) });
    await seat.engine.idle();
    expect([summaryOf(seat).outcome, summaryOf(seat).risks.join()]).toEqual([
      "VERIFIED",
      expect.stringContaining("make lint"),
    ]);
  });

  for (const [mode, commands, status] of [
    ["none", [], undefined],
    ["test", ["make check"], "environment"],
    ["build", ["make all", "make more"], "environment"],
  ] as const) {
    test(`[VF-2] [PL-3] a plan that verifies with ${mode} ${commands.join(", ")} runs nothing else in its place`, async () => {
      await using bench = new Bench([read, edit("-", "*"), done]);
      project(bench);
      const seat = bench.open({ mode: "auto-edit" }, { config: mode === "none" ? config : {} });
      const verification = { mode, commands, required: mode !== "none", stop_on_fail: true };
      await seat.engine.runInput("make add right", { plan: planned(verification) });
      await seat.engine.idle();
      const summary = summaryOf(seat);
      expect([summary.outcome, seat.all("checks.chosen").length]).toEqual(["UNVERIFIED", 0]);
      expect(summary.verification.results?.map(({ type, command: named }) => [named, type])).toEqual(
        status ? commands.map((one) => [one, status]) : undefined,
      );
    });
  }

  test("[VF-2] the plan of an older task says nothing about how a new one is verified", async () => {
    await using bench = new Bench([read, edit("-", "+"), done]);
    project(bench);
    const seat = bench.open({ mode: "auto-edit" }, { config });
    const verification = { mode: "none", commands: [], required: false, stop_on_fail: true } as const;
    await seat.engine.runInput("make add right", { plan: planned(verification) });
    await seat.engine.idle();
    expect(summaryOf(seat).outcome).toBe("UNVERIFIED");
    project(bench);
    await seat.run("now do it");
    const { outcome, verification: said } = summaryOf(seat);
    expect([outcome, said.reason]).toEqual(["VERIFIED", command]);
  });
});

test("[VF-5] what failed before the task is not blamed on it, where that is looked at; what it broke is", async () => {
  const oldFailure =
    'const { test } = require("node:test");\nconst assert = require("node:assert");\ntest("old", () => {\n  assert.strictEqual(1, 2);\n});\n';
  const workflow = { ...config.workflow, verify_baseline: true, max_verify_attempts: 1 };
  for (const [to, outcome] of [
    ["+", "VERIFIED"],
    ["*", "FAILED"],
  ] as const) {
    await using bench = new Bench([read, edit("-", to), done]);
    project(bench);
    bench.file("add.js", "exports.add = (a, b) => a - b;\nexports.one = () => 1;\n");
    bench.file("old.test.js", oldFailure);
    const seat = bench.open({ mode: "auto-edit" }, { config: { workflow } });
    await seat.run("make add right");
    const { result } = seat.last("check.judged");
    expect([summaryOf(seat).outcome, result.old?.map(({ test: name }) => name)]).toEqual([outcome, ["old"]]);
    expect(code(bench)).toBe(`exports.add = (a, b) => a ${to} b;`);
  }
});

describe("diagnostics", () => {
  const check = { calls: [{ tool: "diagnostics", input: {} }] };

  test("[VF-2] the model gets the failures of the project's own command, and of no other", async () => {
    const other = { calls: [{ tool: "diagnostics", input: { command: "node --test --inspect" } }] };
    await using bench = new Bench([check, other, done]);
    project(bench);
    const seat = bench.open({ mode: "auto-edit" }, { config });
    await seat.run("look at the tests");
    const [first, second] = seat.all("tool.settled").map(({ result }) => result);
    expect(first?.output).toContain("test_failure");
    expect(first?.output).toContain("- add.test.js:5: adds");
    expect([second?.status, second?.error?.text]).toEqual([
      "denied",
      { key: "check.other_word", args: { command: "node --test --inspect", word: "--inspect", head: "node --test" } },
    ]);
    // No mode allows it, so none is advised.
    expect(second?.error?.advice?.key).toBe("check.not_listed.advice");
  });

  test("[BR-4] it has a budget of its own in each task", async () => {
    await using bench = new Bench([
      [check, check, done],
      [check, done],
    ]);
    project(bench);
    const workflow = { ...config.workflow, max_diagnostics: 1 };
    const seat = bench.open({ mode: "auto-edit" }, { config: { workflow } });
    await seat.run("first");
    await seat.run("second");
    const keys = seat.all("tool.settled").map(({ result }) => result.error?.text.key ?? result.status);
    expect(keys).toEqual(["failed", "check.budget", "failed"]);
  });

  test("[CLI-2] [VF-7] an answer that does not fit its schema is asked for again, whatever the checks or a denied call did before", async () => {
    const schema = { type: "object", properties: { n: { type: "integer" } }, required: ["n"] };
    const some = { calls: [{ tool: "diagnostics", input: { command: `${command} --test-name-pattern=one` } }] };
    const denied = { calls: [{ tool: "bash", input: { command: "curl http://127.0.0.1:1/x" } }] };
    const workflow = { ...config.workflow, max_verify_attempts: 1 };
    for (const [steps, outcome, exit] of [
      [[read, edit("-", "*"), done], "FAILED", 1],
      [[read, edit("-", "+"), denied, done], "VERIFIED", 0],
      // Some tests that pass are no word on the change that came after all of them had.
      [[read, edit("-", "+"), done, edit("+", "*"), some], "UNVERIFIED", 0],
    ] as const) {
      await using bench = new Bench([...steps, { text: '{"n": 1}' }]);
      project(bench);
      const seat = bench.open({ mode: "auto-edit", deny: ["bash(curl *)"] }, { config: { workflow } });
      await seat.engine.runInput("make add right", { schema });
      await seat.engine.idle();
      expect(seat.engine.structured("t1")).toEqual({ text: '{"n": 1}', value: { n: 1 } });
      expect([summaryOf(seat).outcome, summaryOf(seat).exit_code]).toEqual([outcome, exit]);
    }
  });
});

test("[VF-7] [SU-2] a check that the sandbox stopped on the way ends as what it says, not as a denial", async () => {
  await using bench = new Bench([]);
  bench.file(
    "Makefile",
    "test:\n\t@echo 'curl: (6) Could not resolve host: example.com' >&2; echo '✗ adds'; echo '  want 3, got 4'; false\n",
  );
  const seat = bench.open({ mode: "auto-edit" });
  await seat.run("/verify make test");
  const { result } = seat.last("tool.settled");
  expect((result.data as { verification: { type: string } }).verification.type).toBe("test_failure");
  expect(summaryOf(seat).exit_code).toBe(1);
});
