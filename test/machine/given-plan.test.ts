import { describe, expect, test } from "bun:test";
import type { Effect } from "../../src/contract/effect.ts";
import type { Event } from "../../src/contract/event.ts";
import { phrase, type TextKey } from "../../src/contract/text/catalogue.ts";
import type { TaskCore } from "../../src/machine/state.ts";
import { after, assessment, make, move, plan } from "./make.ts";
import { places } from "./places.ts";
import { expectTask, taskCore } from "./steps.ts";

const startRun: Effect = { type: "start_run", taskId: "t1", runId: "r1" };
const advice = (key: TextKey, values: Readonly<Record<string, string>>): Effect => ({
  ...{ type: "give_advice", runId: "r1", text: phrase(key, values) },
});
const settlePlan: Effect = { type: "settle_plan", taskId: "t1" };

function isPlanning(path: readonly Event[]): boolean {
  const { run } = after(path);
  return "run" in run && run.run.planning;
}

describe("a plan that comes with the input", () => {
  const given = places["AWAITING_CONFIRMATION of a given plan"];
  const input = { inputId: "i1", kind: "task", delivery: "now", text: "text of i1", plan } as const;
  const core = (more: Partial<TaskCore> = {}) => taskCore({ input, ...more });

  test("[PL-5] it is settled before the run begins, of a simple task and of a complex one", () => {
    for (const complexity of ["simple", "complex"] as const) {
      const path = [make.admitted("i1", { plan }), make.started(), make.assessed({ complexity })];
      const task = core({ assessment: assessment({ complexity }) });
      expectTask(path, make.built(), { phase: "PLANNING", task, words: "", plan, begun: false }, settlePlan);
    }
  });

  test("[PL-5] [SM-3] it runs when it needs no confirmation, or has it", () => {
    const next = { phase: "EXECUTING", task: core() } as const;
    expectTask("PLANNING with a given plan", make.planned({ plan }), next, startRun);
    expectTask("AWAITING_CONFIRMATION of a given plan", make.planAnswered("yes"), next, startRun);
    expect(isPlanning([...given, make.planAnswered("yes")])).toBe(false);
  });

  test("[PL-5] [SM-3] edited, it is settled again, and the model, which knows only the old one, is told", () => {
    const edited = { ...plan, title: "edited" };
    const next = { phase: "PLANNING", task: core(), words: "so", plan: edited, begun: false } as const;
    expectTask(
      "AWAITING_CONFIRMATION of a given plan",
      make.planAnswered("edit", { words: "so", plan: edited }),
      next,
      advice("run.plan_edited", { plan: JSON.stringify(edited), words: "so" }),
      settlePlan,
    );
  });

  test("[PL-5] [SM-3] refused, it is replaced by one that the model proposes first, even in a simple task", () => {
    const next = { phase: "PLANNING", task: core({ refusals: 1 }), words: "no", plan: null, begun: true } as const;
    const path = [...given, make.planAnswered("no", { words: "no" })];
    const told = advice("run.plan_refused_with_words", { words: "no" });
    expectTask("AWAITING_CONFIRMATION of a given plan", make.planAnswered("no", { words: "no" }), next, told, startRun);
    expect(isPlanning(path)).toBe(true);
  });

  test("[SM-3] refused without a word, the model is told that it was", () => {
    const effects = move(given, make.planAnswered("no", { words: "" })).step.effects;
    expect(effects).toEqual([advice("run.plan_refused", { words: "" }), startRun]);
  });

  test("[SM-6] it cannot be sent back to a model that has said nothing yet", () => {
    const { before, step } = move(places["PLANNING with a given plan"], make.rejected());
    const report = { type: "report_internal", what: "plan.rejected in PLANNING" } as const;
    expect(step).toEqual({ state: before, effects: [report], accepted: false });
  });
});
