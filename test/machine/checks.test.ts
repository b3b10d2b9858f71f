import { describe, expect, test } from "bun:test";
import type { Effect } from "../../src/contract/effect.ts";
import type { Event } from "../../src/contract/event.ts";
import type { Rung } from "../../src/contract/task.ts";
import { phrase } from "../../src/contract/text/catalogue.ts";
import type { Check, VerificationResult } from "../../src/contract/verification.ts";
import { verdictOf } from "../../src/machine/checks.ts";
import { followUp } from "../../src/machine/follow-up.ts";
import type { TaskState } from "../../src/machine/state.ts";
import { after, carriedOut, check, error, limits, make, move, onlyCall, verdict } from "./make.ts";
import { places } from "./places.ts";
import { expectTask, taskCore } from "./steps.ts";

const end = { stop: "COMPLETED", error: null, note: null } as const;
const startRun = (runId: string): Effect => ({ type: "start_run", taskId: "t1", runId });
const judge: Effect = { type: "judge_check", taskId: "t1" };
const finish = { follows: "checks.finished" } as const;
const two = [check("make"), check("lint")];

function verifying(more: Partial<Extract<TaskState, { phase: "VERIFYING" }>>): TaskState {
  return { phase: "VERIFYING", task: taskCore(), end, todo: two, results: [], ...more };
}

describe("checks", () => {
  test("[VF-1] [TP-8] what was chosen starts as a run without a model, whose one call passes the pipeline", () => {
    const next = verifying({ task: taskCore({ runId: "r2" }) });
    expectTask("VERIFYING", make.chosen(two), next, startRun("r2"));
    const { run, runs } = after(places["VERIFYING, preparing"]);
    expect([run, runs]).toMatchObject([{ phase: "preparing", run: { id: "r2", withModel: false, index: 0 } }, 2]);
    const started = move(places["VERIFYING, preparing"], make.runStarted([onlyCall("r2")], "r2"));
    expect(started.step.effects).toEqual([{ type: "decide_call", runId: "r2", callId: "r2/0/1" }]);
  });

  for (const status of ["done", "failed", "denied", "unknown"] as const) {
    test(`[VF-4] a check whose call is ${status} is judged`, () => {
      const path = [...places["VERIFYING, preparing"], ...carriedOut("r2", { status }).slice(0, -1)];
      const [last] = carriedOut("r2", { status }).slice(-1) as [Event];
      expectTask(path, last, verifying({ task: taskCore({ runId: "r2" }) }), judge);
    });
  }

  test("[VF-4] a run that has nothing to carry out is over at once", () => {
    const { step } = move(places["VERIFYING, preparing"], make.runStarted([], "r2"));
    expect(step.effects).toEqual([judge]);
  });

  test("[VF-2] the next check starts after one that passed, as a run of its own", () => {
    const next = verifying({ task: taskCore({ runId: "r3" }), results: [verdict("pass")] });
    expectTask("VERIFYING, judging", make.judged(), next, startRun("r3"));
    expect(after(places["VERIFYING, between checks"])).toMatchObject({ runs: 3, run: { run: { id: "r3" } } });
  });

  test("[VF-2] stop_on_fail: a failure ends the round, and no run begins for what is left", () => {
    const failed = verdict("test_failure", 2);
    const { before, step } = move(places["VERIFYING, judging"], make.judged(failed));
    expect(step.state).toEqual({
      ...before,
      task: verifying({ task: taskCore({ runId: "r2" }), results: [failed] }),
    });
    expect([step.effects, followUp(step.state)]).toMatchObject([
      [],
      { type: "checks.finished", result: { kind: "fail" } },
    ]);
  });

  test("[VF-2] without stop_on_fail the checks after a failure run whatever it says", () => {
    const todo = [check("make", { stopOnFail: false }), check("lint")];
    const path = [...places.VERIFYING, make.chosen(todo), ...carriedOut("r2")];
    const failed = verdict("test_failure", 2);
    const next = verifying({ task: taskCore({ runId: "r3" }), todo, results: [failed] });
    expectTask(path, make.judged(failed), next, startRun("r3"));
  });

  test("[VF-4] after the last one the round is finished", () => {
    const path = [...places["VERIFYING, between checks"], ...carriedOut("r3")];
    const results = [verdict("pass"), verdict("pass", 0, "lint")];
    const next = verifying({ task: taskCore({ runId: "r3" }), results });
    expectTask(path, make.judged(verdict("pass", 0, "lint"), "r4"), next, finish);
  });

  test("[VF-4] [PS-4] a check that a crash interrupted is chosen again, and what was judged before it stays", () => {
    const path = [...places["VERIFYING, between checks"], ...carriedOut("r3", { status: "unknown" })];
    const next = verifying({ task: taskCore({ runId: "r4" }), results: [verdict("pass")] });
    expectTask(path, make.chosen(two, "r4"), next, startRun("r4"));
    const one = [...places.VERIFYING, make.chosen([check("make")]), ...carriedOut("r2", { status: "unknown" })];
    const again = verifying({ task: taskCore({ runId: "r3" }), todo: [check("make")] });
    expectTask(one, make.chosen([check("other")], "r3"), again, startRun("r3"));
  });

  test("[VF-4] [PO-8] the same check may be chosen again to see more, and no other in its place", () => {
    const shows = [".env"];
    const path = [...places["VERIFYING, between checks"], ...carriedOut("r3")];
    const todo = [check("make"), check("lint", { shows })];
    const next = verifying({ task: taskCore({ runId: "r4" }), results: [verdict("pass")], todo });
    expectTask(path, make.chosen(todo, "r4"), next, startRun("r4"));
    const same = verifying({ task: taskCore({ runId: "r4" }), results: [verdict("pass")] });
    expectTask(path, make.chosen([check("make"), check("other", { shows })], "r4"), same, startRun("r4"));
  });

  test("[TP-3] a run id is never used twice: the same answer again means nothing", () => {
    for (const [path, again] of [
      [places["VERIFYING, judging"], make.chosen(two, "r2")],
      [[...places["VERIFYING, between checks"], ...carriedOut("r3")], make.judged(verdict("pass"), "r3")],
    ] as const) {
      const { before, step } = move(path, again);
      expect(step).toEqual({ state: before, effects: [], accepted: false });
    }
  });

  test("[SM-6] no checks at all cannot be chosen", () => {
    const { before, step } = move(places.VERIFYING, make.chosen([]));
    const report = { type: "report_internal", what: "checks.chosen in VERIFYING" } as const;
    expect(step).toEqual({ state: before, effects: [report], accepted: false });
  });
});

describe("what a round leaves behind", () => {
  const finished = (results: readonly VerificationResult[], kind: "pass" | "fail" = "fail"): readonly Event[] => {
    const todo = results.map(({ command }) => check(command, { stopOnFail: false }));
    const runs = results.flatMap((one, at) => [...carriedOut(`r${at + 2}`), make.judged(one, `r${at + 3}`)]);
    const checks = kind === "pass" ? { kind, command: "make" } : { kind, command: "make", error };
    return [...places.VERIFYING, make.chosen(todo), ...runs, make.checked(checks)];
  };
  const roundsOf = (results: readonly VerificationResult[], kind: "pass" | "fail" = "fail") => {
    const { task } = after(finished(results, kind));
    return "task" in task ? task.task.rounds : null;
  };

  test("[VF-5] a round counts what fails in all its checks, and is named by the first", () => {
    expect(roundsOf([verdict("lint_failure", 2), verdict("pass"), verdict("test_failure", 3)])).toEqual([
      { ok: false, type: "lint_failure", failing: 5, fingerprint: "lint_failure 2,test_failure 3" },
    ]);
  });

  test("[VF-5] where the runner did not count, its details do, and errors count as failures", () => {
    const detail = { file: "a", line: 1, error: "e", context: "", test: null };
    const bare = verdict("build_failure");
    const details = { ...bare, counts: { ...bare.counts, failed: null }, details: [detail, detail] };
    expect(roundsOf([details])).toMatchObject([{ failing: 2 }]);
    const errors = { ...bare, counts: { ...bare.counts, failed: 2, errors: 3 }, details: [detail] };
    expect(roundsOf([errors])).toMatchObject([{ failing: 5 }]);
    const onlyErrors = { ...bare, counts: { ...bare.counts, failed: null, errors: 1 } };
    expect(roundsOf([onlyErrors])).toMatchObject([{ failing: 1 }]);
  });

  test("[VF-1] [VF-4] every round that ran is an attempt, also one that says nothing about the code", () => {
    const unclear = [{ ok: false, type: "environment", failing: 0, fingerprint: "" }] as const;
    expect(roundsOf([verdict("environment")], "pass")).toEqual([...unclear]);
    expect(roundsOf([verdict("environment"), verdict("pass")], "pass")).toEqual([...unclear]);
    expect(roundsOf([verdict("pass")], "pass")).toEqual([{ ok: true, type: "pass", failing: 0, fingerprint: "" }]);
    expect(roundsOf([verdict("timeout")])).toMatchObject([{ ok: false, type: "timeout", failing: 0 }]);
  });

  test("[VF-2] what the person agreed to and what ran is agreed to for the rest of the task; a no, or nothing that ran, is not", () => {
    const agreed = (type: VerificationResult["type"], more: Partial<Check>) => {
      const todo = [check("make", { cwd: "a", ...more })];
      const checks = { kind: "none", reason: phrase("verify.nothing") } as const;
      const round = [...carriedOut("r2"), make.judged(verdict(type), "r3"), make.checked(checks)];
      const { task } = after([...places.VERIFYING, make.chosen(todo), ...round]);
      return "task" in task ? task.task.agreed : null;
    };
    const offer = { why: phrase("verify.nothing") };
    for (const type of ["pass", "test_failure", "lint_failure", "build_failure", "timeout"] as const)
      expect(agreed(type, { offer })).toEqual({ command: "make", cwd: "a" });
    expect(agreed("environment", { offer })).toBeUndefined();
    expect(agreed("pass", {})).toBeUndefined();
  });

  test("[VF-6] nothing chosen is no round either", () => {
    expect(after(places.SUMMARIZING).task).toMatchObject({ task: { rounds: [] } });
  });
});

describe("what all checks say together", () => {
  const say = (...types: VerificationResult["type"][]) => {
    const results = types.map((type, at) => verdict(type, 1, `c${at + 1}`));
    const { results: kept, ...rest } = verdictOf({ todo: results.map(({ command }) => check(command)), results });
    expect(kept).toEqual(results);
    return rest;
  };
  const fail = (type: string, command: string) => ({
    kind: "fail",
    command,
    error: { code: "E_BUILD_FAIL", text: phrase("check.failed", { command, summary: type }) },
  });

  for (const type of ["test_failure", "lint_failure", "build_failure", "timeout"] as const) {
    test(`[VF-4] [VF-6] a ${type} counts, whatever else passed or could not run`, () => {
      expect(say(type)).toEqual(fail(type, "c1") as never);
      expect(say("pass", type, "pass")).toEqual(fail(type, "c2") as never);
      expect(say("environment", type)).toEqual(fail(type, "c2") as never);
    });
  }

  test("[VF-4] what says nothing about the code is neither a pass nor a failure", () => {
    const reason = phrase("check.unclear", { command: "c2", summary: "environment" });
    expect(say("pass", "environment")).toEqual({ kind: "none", wanted: true, reason });
  });

  test("[VF-2] a failure of what is not required is told as one, and one of what is comes first", () => {
    const results = [verdict("test_failure", 1, "c1"), verdict("lint_failure", 1, "c2")];
    const todo = [check("c1", { required: false }), check("c2")];
    expect(verdictOf({ todo, results })).toEqual({ ...fail("lint_failure", "c2"), results } as never);
    const free = todo.map((one) => ({ ...one, required: false }));
    expect(verdictOf({ todo: free, results })).toEqual({
      ...fail("test_failure", "c1"),
      optional: true,
      results,
    } as never);
  });

  test("[VF-3] what nothing was run for stays beside the verdict", () => {
    const left = [{ cwd: "b", why: phrase("verify.no_project") }];
    const results = [verdict("pass")];
    expect(verdictOf({ todo: [check("make")], results, left })).toEqual({
      kind: "pass",
      command: "make",
      results,
      left,
    });
    const { task } = after([...places.VERIFYING, { ...make.chosen([check("make")]), left } as Event]);
    expect(task).toMatchObject({ phase: "VERIFYING", left });
  });

  test("[VF-6] only if all passed do they pass", () => {
    expect(say("pass", "pass")).toEqual({ kind: "pass", command: "c1 && c2" });
  });
});

describe("recovery after a failed check", () => {
  test("[VF-2] [SM-8] what is not required is repaired too, and ends the task as it would have ended", () => {
    const result = { kind: "fail", command: "make", error, optional: true } as const;
    const path = [...places.VERIFYING, make.chosen([check("make", { required: false })]), ...carriedOut("r2")];
    const judged = [...path, make.judged(verdict("test_failure", 1), "r3"), make.checked(result)];
    expect(after(judged).task).toMatchObject({ phase: "RECOVERING", cause: "checks", end });
    expect(after([...judged, make.recovered(false, "r3", { rung: "stop" })]).task).toMatchObject({
      phase: "SUMMARIZING",
      end,
    });
  });

  const failed = places["RECOVERING after failed checks"];
  const checks = { kind: "fail", command: "make", error } as const;
  const blocked = { stop: "BLOCKED", error, note: null } as const;
  const core = (runId: string, rungs: readonly Rung[]) => taskCore({ runId, checks, rungs });

  for (const rung of ["repair", "replan", "answer"] as const) {
    test(`[SM-8] the rung ${rung} is kept and starts a fresh run with the model`, () => {
      const path = [...failed, make.recovered(true, "r2", { rung })];
      expect(after(path)).toMatchObject({ run: { phase: "preparing", run: { id: "r2", withModel: true } }, runs: 2 });
      expectTask(
        failed,
        make.recovered(true, "r2", { rung }),
        {
          phase: "EXECUTING",
          task: { ...core("r2", [rung]), ...(rung === "answer" ? { unfit: [], failed: blocked } : {}) },
        },
        startRun("r2"),
      );
    });
  }

  test("[SM-8] [VF-5] a rollback is a run of its own without a model, and the task stays in RECOVERING", () => {
    const task = core("r2", ["rollback"]);
    const next = { phase: "RECOVERING", task, cause: "checks", end: blocked, stopping: false, undoing: true } as const;
    expectTask(failed, make.recovered(true, "r2", { rung: "rollback" }), next, startRun("r2"));
    const { run } = after(places["RECOVERING, undoing in preparing"]);
    expect(run).toMatchObject({ phase: "preparing", run: { id: "r2", withModel: false } });
  });

  for (const status of ["done", "failed", "denied", "unknown"] as const) {
    test(`[SM-8] [VF-5] when the rollback is ${status}, it is checked again where anything may have been taken back`, () => {
      const path = [...places["RECOVERING, undoing in tool_running"]];
      const [last] = carriedOut("r2", { status }).slice(-1) as [Event];
      const task = { ...core("r2", ["rollback"]), ...(status === "done" ? { tookBack: true as const } : {}) };
      const next = { phase: "RECOVERING", task, cause: "checks", end: blocked, stopping: false } as const;
      if (status === "denied") return expectTask(path, last, next, { follows: "recovery.decided" });
      const again = { phase: "VERIFYING", task, end: blocked, todo: [], results: [], isAfterUndo: true } as const;
      expectTask(path, last, again, { type: "run_checks", taskId: "t1" });
      const found = make.checked({ kind: "fail", command: "make", error });
      expectTask([...path, last], found, next, { follows: "recovery.decided" });
    });
  }

  test("[SM-8] after the rollback the task goes on with a model, or ends with what blocks", () => {
    const undone = places["RECOVERING after the undo"];
    const replan = make.recovered(true, "r3", { rung: "replan" });
    const replanned = { ...core("r3", ["rollback", "replan"]), tookBack: true } as const;
    expectTask(undone, replan, { phase: "EXECUTING", task: replanned }, startRun("r3"));
    expect(after([...undone, replan]).run).toMatchObject({ run: { withModel: true } });
    const task = { ...core("r2", ["rollback"]), tookBack: true } as const;
    const next = { phase: "SUMMARIZING", task, end: blocked, cancelled: null, stopping: false } as const;
    const stop = make.recovered(false, "r3", { rung: "stop" });
    expectTask(undone, stop, next, { type: "summarize_task", taskId: "t1" });
  });

  test("[SM-8] a command of the person is never repaired by a model", () => {
    const begin = [make.admitted("i1", { kind: "shell" }), make.started({ limits }), make.assessed(), make.built()];
    const path = [...begin, make.planned(), make.timedOut(), make.stopped(), make.recovered(true)];
    expect(after(path).run).toMatchObject({ phase: "preparing", run: { id: "r2", withModel: false } });
  });
});
