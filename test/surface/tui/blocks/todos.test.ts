import { describe, expect, test } from "bun:test";
import type { Todo } from "../../../../src/contract/message.ts";
import type { Plan, PlanStepStatus } from "../../../../src/contract/plan.ts";
import { emptySession, type SessionState } from "../../../../src/machine/state.ts";
import { todoLines } from "../../../../src/surface/tui/blocks/todos.ts";
import { bare, call, delta, event, problemsIn, replied, rowsOf, running, settled, Telling } from "../telling.ts";

const todo = (id: string, status: Todo["status"] = "pending"): Todo => ({
  id,
  content: `Do ${id}`,
  status,
  priority: "low",
});
const list = (...states: readonly Todo["status"][]) => states.map((status, at) => todo(String(at + 1), status));
const write = (...states: readonly Todo["status"][]) => [
  replied({ calls: [call("todowrite", {})] }),
  running(),
  settled({ todos: list(...states) }),
];

function plan(...states: readonly PlanStepStatus[]): Plan {
  const steps = states.map((status, at) => ({
    ...{ id: String(at + 1), title: `Step ${at + 1}`, description: "", intent: "", dependencies: [] },
    ...{ tools_expected: [], expected_artifacts: [], status, rollback_hint: "" },
  }));
  const verification = { mode: "none" as const, commands: [], required: false, stop_on_fail: false };
  return {
    ...{ plan_id: "p", title: "The plan", goal: "", constraints: [], steps, verification },
    ...{ risk_level: "low" as const, created_at: "" },
  };
}

describe("todos and plans", () => {
  test("[SU-3] a list is shown when it is made, then only what has moved on", () => {
    const told = new Telling();
    told.hear(...write("in_progress", "pending", "pending"));
    told.take();
    told.hear(...write("completed", "in_progress", "pending"));
    told.take();
    expect(told.text.split("\n")).toEqual([
      ...["✓ Todos  0 of 3 done", "  [~] Do 1", "  [ ] Do 2", "  [ ] Do 3"],
      ...["✓ Todos  1 of 3 done", "  [x] Do 1", "  [~] Do 2"],
    ]);
  });

  test("[SU-3] a list that is read, or written as it was, says nothing", () => {
    const told = new Telling();
    told.hear(replied({ calls: [call("todoread", {})] }), running(), settled({ output: "[ ] 1" }));
    told.hear(replied({ calls: [call("todowrite", {})] }), running(), settled({ output: "[ ] 1" }));
    told.take();
    expect([told.text, told.live(), told.feed.details()]).toEqual(["", [], []]);
  });

  test("[PL-3] a plan that is asked about stands before its calls once it is answered, and is told once", () => {
    const told = new Telling();
    told.hear(replied({ text: "I plan.", calls: [call("write", { path: "a.txt" })] }));
    told.hear(event({ type: "plan.settled", taskId: "t1", plan: plan("pending", "pending"), needsConfirmation: true }));
    told.take();
    expect(told.live()).toEqual(["", "· Write a.txt"]);
    told.hear(event({ type: "plan.answered", taskId: "t1", answer: "yes", words: "but quickly", plan: null }));
    told.hear(event({ type: "plan.changed", plan: plan("in_progress", "pending"), by: "model" }));
    told.hear(settled({}), event({ type: "plan.changed", plan: plan("done", "blocked"), by: "model" }));
    told.take();
    expect(told.text.split("\n")).toEqual([
      ...["I plan.", "", "≡ Plan with 2 steps, risk low: The plan", "  [ ] Step 1", "  [ ] Step 2"],
      ...["◦ Plan accepted.", "", "> but quickly", "", "✓ Write a.txt"],
    ]);
    expect(rowsOf(told.feed.details().at(-1), 60).join("\n")).toContain("Step 2");
  });

  test("[PL-3] where nothing else follows the steps, one that is over is told", () => {
    const told = new Telling({ tellsSteps: true });
    const [first, second] = [plan("pending", "pending"), plan("done", "blocked")];
    told.hear(event({ type: "plan.settled", taskId: "t1", plan: first, needsConfirmation: false }));
    told.hear(event({ type: "plan.changed", plan: second, by: "model" }));
    told.take();
    expect(told.text.split("\n").slice(3)).toEqual(["≡ 1 of 2 done", "  [x] Step 1", "  [!] Step 2 (blocked)"]);
  });

  const written = "Let me see.\n\n## [PLAN]\n1. [ ] Step 1 (tools: bash)\n2. [ ] Step 2 (tools: edit)\n\nI begin.";

  test("[PL-3] a plan in the words of a reply is never seen as it was written, however it is cut", () => {
    for (const size of [1, 3, 7, 200]) {
      const told = new Telling();
      for (let at = 0; at < written.length; at += size) {
        told.hear(delta({ kind: "text", text: written.slice(at, at + size) }));
        expect(told.live().join("\n")).not.toMatch(/\[P|PLAN|tools:.*\n.*Step 2/);
        told.take();
      }
      told.hear(replied({ text: written }));
      expect(told.live()).toEqual(["", "≡ Plan", "  [ ] Step 1", "  [ ] Step 2", "", "I begin."]);
      const settling = { taskId: "t1", plan: plan("pending", "pending"), needsConfirmation: false };
      told.hear(event({ type: "plan.settled", ...settling }));
      told.take();
      expect(told.text.split("\n")).toEqual([
        ...[
          "Let me see.",
          "",
          "≡ Plan with 2 steps, risk low: The plan",
          "  [ ] Step 1",
          "  [ ] Step 2",
          "",
          "I begin.",
        ],
      ]);
    }
  });

  test("[PL-3] a plan in a reply that nothing becomes of is still shown as one, and what is none as it was written", () => {
    const words = "[PLAN] is the mark of a plan.\n\n- It stands first.";
    for (const [text, shown] of [
      [written, ["Let me see.", "", "≡ Plan", "  [ ] Step 1", "  [ ] Step 2", "", "I begin."]],
      [words, ["is the mark of a plan.", "", "- It stands first."]],
      ["[PLAN]", []],
    ] as const) {
      const told = new Telling();
      told.hear(replied({ text }), event({ type: "cancel.requested", source: "esc" }));
      told.take();
      expect(told.text.split("\n").filter((_, at) => shown.length > 0 || at > 0)).toEqual([...shown]);
    }
  });

  test("[PL-4] a plan that was changed is shown anew", () => {
    const told = new Telling();
    told.hear(
      event({ type: "plan.settled", taskId: "t1", plan: plan("pending", "pending"), needsConfirmation: false }),
    );
    told.hear(event({ type: "plan.changed", plan: plan("pending", "pending", "pending"), by: "person" }));
    told.take();
    expect(told.text.split("\n").slice(3)).toEqual(["≡ Plan changed.", "  [ ] Step 1", "  [ ] Step 2", "  [ ] Step 3"]);
  });
});

describe("the panel of what is being done", () => {
  const core = { id: "t1" } as Extract<SessionState["task"], { task: unknown }>["task"];
  const state = (todos: readonly Todo[], more: Partial<SessionState> = {}): SessionState => ({
    ...{ ...emptySession, todos, task: { phase: "EXECUTING", task: core } },
    ...more,
  });
  const { look } = new Telling({ width: 40 });
  const panel = (of: SessionState, room: number) => bare(todoLines(of, look, room));

  test("[SU-3] has at most six lines, and the current one is always among them", () => {
    for (let now = 0; now < 12; now++) {
      const todos = Array.from({ length: 12 }, (_, at) =>
        todo(String(at), at < now ? "completed" : at === now ? "in_progress" : "pending"),
      );
      for (const room of [1, 2, 3, 4, 6, 20]) {
        const lines = panel(state(todos), room);
        expect(lines.length).toBeLessThanOrEqual(Math.min(room, 6));
        expect(lines.some((line) => line.startsWith(`[~] Do ${now}`))).toBe(true);
        expect(lines.join("\n")).toContain(`${now} of 12 done`);
        expect(problemsIn(lines, 40)).toEqual([]);
      }
    }
  });

  test("[SU-3] follows the plan of the task where there is one, and is gone when nothing is left or runs", () => {
    const planned = state(list("pending", "pending"), { plan: plan("done", "in_progress"), planTask: "t1" });
    expect(panel(planned, 6)).toEqual(["1 of 2 done", "[x] Step 1", "[~] Step 2"]);
    expect(panel({ ...planned, planTask: "t0" }, 6)).toEqual(["0 of 2 done", "[ ] Do 1", "[ ] Do 2"]);
    expect(panel(state(list("completed", "completed")), 6)).toEqual([]);
    expect(panel({ ...planned, task: { phase: "IDLE" } }, 6)).toEqual([]);
  });

  test("[SU-3] stands below what happens, once the task has made or moved a list of its own", () => {
    const told = new Telling();
    const running2 = state(list("in_progress", "pending"));
    told.hear(
      replied({ calls: [call("bash", { command: "x" })] }),
      event({ type: "retry.due", runId: "r9", index: 1, attempt: 1 }, 0, running2),
    );
    expect(told.live()).toEqual(["· Run x"]);
    const plain = event({
      type: "plan.settled",
      taskId: "t1",
      plan: plan("pending", "pending"),
      needsConfirmation: false,
    });
    told.hear({ ...plain, state: running2 } as typeof plain);
    expect(told.live().slice(-4)).toEqual(["", "0 of 2 done", "[~] Do 1", "[ ] Do 2"]);
  });
});
