import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { Rung } from "../../src/contract/task.ts";
import { phrase } from "../../src/contract/text/catalogue.ts";
import { afterFailedCheck } from "../../src/machine/recovery.ts";
import type { Attempt } from "../../src/machine/state.ts";
import { error, limits } from "./make.ts";
import { taskCore } from "./steps.ts";

/** `what`: the same text, the same failures. */
const failing = (count: number, type: Attempt["type"] = "test_failure", what = `${count} ${type}`): Attempt => ({
  ok: false,
  type,
  failing: count,
  fingerprint: what,
});
const passed: Attempt = { ok: true, type: "pass", failing: 0, fingerprint: "" };
const checks = { kind: "fail", command: "make", error } as const;
const core = (maxChecks: number, rounds: readonly Attempt[], ...rungs: Rung[]) =>
  taskCore({ limits: { ...limits, maxChecks, endsByFacts: true }, rounds, rungs, checks });
const attempts = (n: number) => phrase("recovery.attempts", { command: "make", n });
const same = (n: number) => phrase("recovery.same_failure", { n });

describe("the ladder after a failed check", () => {
  test("[SM-8] [VF-5] the first failure is repaired, and says which repair of how many it is", () => {
    const reason = phrase("recovery.repair", { command: "make", n: 1, max: 1 });
    expect(afterFailedCheck(core(2, [failing(3)]), "keep")).toEqual({ rung: "repair", reason });
    expect(afterFailedCheck(core(2, [failing(3)]), "rollback").rung).toBe("repair");
  });

  test("[SM-8] [VF-1] when all attempts are used up, it stops; one attempt allows no repair at all", () => {
    expect(afterFailedCheck(core(2, [failing(3), failing(1)], "repair"), "keep")).toEqual({
      rung: "stop",
      reason: attempts(2),
    });
    expect(afterFailedCheck(core(1, [failing(3)]), "keep")).toEqual({ rung: "stop", reason: attempts(1) });
  });

  test("[VF-1] a task of an old log, whose limits know no checks, has one attempt", () => {
    const { maxChecks: _, ...old } = limits;
    const task = taskCore({ limits: old, rounds: [failing(3)], checks });
    expect(afterFailedCheck(task, "keep")).toEqual({ rung: "stop", reason: attempts(1) });
  });

  test("[SM-8] [BR-4] when the budget is spent nothing is tried that needs a model; what was changed is still taken back", () => {
    const spent = phrase("run.cost", { used: "$1.00", max: "$1.00" });
    const task = core(5, [failing(3)]);
    expect(afterFailedCheck(task, "keep", spent)).toEqual({ rung: "stop", reason: spent });
    expect(afterFailedCheck(task, "rollback", spent)).toEqual({
      rung: "rollback",
      reason: phrase("recovery.rollback", { why: spent }),
    });
    expect(afterFailedCheck(core(5, [failing(3)], "rollback"), "rollback", spent).rung).toBe("stop");
  });

  test("[VF-5] with six attempts six checks run, while each failure differs from all before it", () => {
    const rounds = [3, 5, 4, 6, 2, 1].map((count) => failing(count));
    for (let n = 1; n < 6; n++) {
      const reason = phrase("recovery.repair", { command: "make", n, max: 5 });
      expect(afterFailedCheck(core(6, rounds.slice(0, n)), "keep")).toEqual({ rung: "repair", reason });
    }
    expect(afterFailedCheck(core(6, rounds), "keep")).toEqual({ rung: "stop", reason: attempts(6) });
  });

  test("[VF-5] failures that come back end the repairs, however long ago they were there, and say which they are", () => {
    const circle = [failing(3), failing(2), failing(4), failing(2)];
    const reason = phrase("recovery.replan", { why: same(2) });
    expect(afterFailedCheck(core(9, circle, "repair", "repair", "repair"), "keep")).toEqual({ rung: "replan", reason });
    // As many, but others.
    expect(afterFailedCheck(core(9, [failing(3), failing(3, "test_failure", "b")], "repair"), "keep").rung).toBe(
      "repair",
    );
  });

  test("[VF-5] failures that grow twice in a row end the repairs; once does not", () => {
    expect(afterFailedCheck(core(9, [failing(2), failing(5)], "repair"), "keep").rung).toBe("repair");
    const why = phrase("recovery.growing", { first: 2, second: 5, now: 6 });
    expect(afterFailedCheck(core(9, [failing(2), failing(5), failing(6)], "repair", "repair"), "keep")).toEqual({
      rung: "replan",
      reason: phrase("recovery.replan", { why }),
    });
  });

  for (const before of ["build_failure", "timeout"] as const) {
    for (const now of ["test_failure", "lint_failure"] as const) {
      test(`[VF-5] a ${now} after a ${before} is progress, however many fail`, () => {
        const task = core(5, [failing(1, before), failing(5, now), failing(9, now)], "repair", "repair");
        expect(afterFailedCheck(task, "keep").rung).toBe("repair");
      });
    }
  }

  test("[VF-5] a failure after a round that passed is repaired: there is nothing to shrink yet", () => {
    expect(afterFailedCheck(core(5, [passed, failing(4)], "answer"), "keep").rung).toBe("repair");
  });

  test("[SM-8] [VF-5] where it is configured, what broke it is taken back before another way is tried", () => {
    const stuck = [failing(3), failing(3)];
    expect(afterFailedCheck(core(5, stuck, "repair"), "rollback")).toEqual({
      rung: "rollback",
      reason: phrase("recovery.rollback", { why: same(1) }),
    });
    expect(afterFailedCheck(core(5, stuck, "repair", "rollback"), "rollback")).toEqual({
      rung: "replan",
      reason: phrase("recovery.replan", { why: same(1) }),
    });
  });

  test("[SM-8] [VF-5] two attempts lead to another way too, and what that leaves broken is taken back as well", () => {
    const used = [failing(3), failing(1)];
    const why = attempts(2);
    expect(afterFailedCheck(core(2, used, "repair"), "rollback")).toEqual({
      rung: "rollback",
      reason: phrase("recovery.rollback", { why }),
    });
    expect(afterFailedCheck(core(2, used, "repair", "rollback"), "rollback").rung).toBe("replan");
    const third = [...used, failing(2)];
    expect(afterFailedCheck(core(2, third, "repair", "rollback", "replan"), "rollback").rung).toBe("rollback");
    expect(afterFailedCheck(core(2, third, "repair", "rollback", "replan", "rollback"), "rollback").rung).toBe("stop");
  });

  test("[SM-8] [PL-4] another way is tried only once, and not repaired either", () => {
    const fewer = [failing(3), failing(3), failing(1)];
    expect(afterFailedCheck(core(9, fewer, "repair", "replan"), "keep").rung).toBe("stop");
    expect(afterFailedCheck(core(9, fewer, "repair", "replan"), "rollback").rung).toBe("rollback");
  });

  test("[SM-8] [VF-1] whatever fails how often, the ladder ends, climbs in order and never allows one check too many", () => {
    const types = ["test_failure", "lint_failure", "build_failure", "timeout"] as const;
    const round = fc.record({
      ok: fc.constant(false),
      type: fc.constantFrom(...types),
      failing: fc.nat({ max: 5 }),
      fingerprint: fc.constantFrom("a", "b", "c", "d", "e", "f"),
    });
    const many = fc.array(round, { minLength: 12, maxLength: 12 });
    fc.assert(
      fc.property(many, fc.integer({ min: 1, max: 6 }), fc.constantFrom("keep", "rollback"), (source, max, onFail) => {
        const rounds = [source[0] as Attempt];
        const rungs: Rung[] = [];
        for (let n = 0; n < 20; n++) {
          const { rung } = afterFailedCheck(core(max, rounds, ...rungs), onFail);
          rungs.push(rung);
          if (rung === "stop") break;
          if (rung !== "rollback") rounds.push(source[rounds.length] as Attempt);
        }
        const order = rungs.map((rung) => ["repair", "rollback", "replan", "stop"].indexOf(rung));
        expect(rungs.at(-1)).toBe("stop");
        expect(rounds.length).toBeLessThanOrEqual(max + (onFail === "rollback" && max > 1 ? 1 : 0));
        expect(rungs.filter((rung) => rung === "replan").length).toBeLessThanOrEqual(1);
        // Nothing that failed is left standing.
        expect(rungs.at(-2) === "rollback").toBe(onFail === "rollback");
        expect(rungs.filter((rung) => rung === "rollback").length).toBeLessThanOrEqual(2);
        expect(order.filter((at) => at !== 1)).toEqual(order.filter((at) => at !== 1).toSorted((a, b) => a - b));
      }),
    );
  });
});
