import { describe, expect, test } from "bun:test";
import type { Listed } from "../../../../src/contract/grant.ts";
import type { Plan } from "../../../../src/contract/plan.ts";
import type { Answer } from "../../../../src/engine/port.ts";
import type { Panel } from "../../../../src/surface/tui/panels/panel.ts";
import { PlanPanel } from "../../../../src/surface/tui/panels/plan-panel.ts";
import { Bench, type Seat } from "../../../support/engine.ts";
import { until } from "../../../support/until.ts";
import { ENTER, ESC, lookIn, press, shown, type } from "../frames.ts";

const long =
  "Rework the whole report module so that it reads its input lazily, keeps its output format and says what was slow before and after it.";
const dangerous = {
  text: "[PLAN]\n1. [ ] Delete the old reports (tools: write)\n2. [ ] Write a.txt (tools: write)",
  calls: [{ tool: "write", input: { path: "a.txt", content: "x\n" } }],
};

class Planned {
  readonly answers: Omit<Answer, "by">[] = [];
  cancels = 0;
  top: Panel | null = null;
  /** What the editor was given, and what comes back from it. */
  readonly given: string[] = [];
  saved: ((text: string) => string) | null = (text) => text;
  readonly panel: PlanPanel;

  constructor(seat: Seat, plan: Plan, listed: readonly Listed[] = []) {
    this.panel = new PlanPanel(lookIn(), {
      ...{ plan, listed, redraw: () => {}, edited: (json) => seat.engine.editedPlan(json) },
      answer: (answer) => this.answers.push(answer),
      cancel: () => this.cancels++,
      open: (panel) => {
        this.top = panel;
        return () => {
          this.top = null;
        };
      },
      editText: async (text, tell) => {
        this.given.push(text);
        if (this.saved === null) tell("there is no editor\u001b[2J");
        return this.saved?.(text) ?? null;
      },
    });
  }
}

async function waiting(bench: Bench): Promise<{ seat: Seat; planned: Planned }> {
  const seat = bench.open({ mode: "default", allow: ["write"] }, { interactive: true });
  await seat.engine.runInput(long);
  await seat.until((one) => one.kind === "event" && one.state.task.phase === "AWAITING_CONFIRMATION");
  const plan = seat.engine.plan();
  if (!plan) throw new Error("no plan");
  return { seat, planned: new Planned(seat, plan) };
}

describe("a plan that waits", () => {
  test("[SM-3] is shown with steps, tools, verification and risk; only its own keys answer", async () => {
    await using bench = new Bench([dangerous]);
    const { planned } = await waiting(bench);
    const lines = shown(planned.panel, 80, 20);
    expect(lines[0]).toStartWith("┏━ Carry out this plan? ━");
    expect(lines).toContain("┃ │   [ ] 1. Delete the old reports (tools: write)");
    expect(lines.slice(-5)).toEqual([
      expect.stringMatching(/^┃ │ Verification: /),
      "┃ │ Risk: high",
      "┃   1 Yes, carry it out (y)",
      "┃   2 No, tell it what to change (n)",
      "┗ e edit · v view all · Esc cancel the task",
    ]);
    expect(lines[1]).toBe("┃ The plan lists no files or commands, so coder will ask about each one.");
    expect(press(planned.panel, ENTER, " ", "x", "a")).toEqual([false, false, false, false]);
    press(planned.panel, "y", "n", ESC);
    expect([planned.answers, planned.cancels]).toEqual([[{ answer: "yes" }], 0]);
  });

  test("[SM-3] no goes with words, Esc leads back from them, and Esc at the question cancels", async () => {
    await using bench = new Bench([dangerous]);
    const { planned, seat } = await waiting(bench);
    press(planned.panel, "n", ESC, "n");
    type(planned.panel, "keep them");
    press(planned.panel, ENTER);
    expect(planned.answers).toEqual([{ answer: "no", words: "keep them" }]);
    const other = new Planned(seat, seat.engine.plan() as Plan);
    press(other.panel, ESC, "y");
    expect([other.answers, other.cancels]).toEqual([[], 1]);
  });

  test("[SM-3] [PL-5] it is edited as JSON, what cannot be followed is refused with its line, and nothing typed is lost", async () => {
    await using bench = new Bench([dangerous, { text: "done" }]);
    const { seat, planned } = await waiting(bench);
    planned.saved = (text) => text.replace('"title": "Delete the old reports",', '"title": "Keep the old reports",,');
    press(planned.panel, "e");
    await until("the panel", () => shown(planned.panel, 80, 20).some((line) => line.includes("not valid JSON")));
    expect(planned.answers).toEqual([]);
    expect(shown(planned.panel, 40, 9).at(-1)).toStartWith("┗");
    planned.saved = (text) => text.replace(",,", ",");
    press(planned.panel, "e");
    await until("the panel", () => planned.answers.length > 0);
    expect(planned.given[1]).toContain('"title": "Keep the old reports",,');
    const [answer] = planned.answers;
    expect([answer?.answer, answer?.plan?.steps.map(({ title }) => title)]).toEqual([
      "edit",
      ["Keep the old reports", "Write a.txt"],
    ]);
    if (answer) expect(seat.answerPlan(answer).ok).toBe(true);
    await until("the panel", () => seat.engine.state().plan?.steps[0]?.title === "Keep the old reports");
  });

  test("[SM-3] [ER-2] an editor that is not there, and one that changes nothing, leave the question open", async () => {
    await using bench = new Bench([dangerous]);
    const { planned } = await waiting(bench);
    planned.saved = null;
    press(planned.panel, "e");
    await until("the panel", () => shown(planned.panel, 80, 20)[1] === "┃ there is no editor\\u001b[2J");
    planned.saved = (text) => text;
    press(planned.panel, "e");
    await until("the panel", () => !shown(planned.panel, 80, 20)[1]?.includes("no editor"));
    press(planned.panel, "y");
    expect(planned.answers).toEqual([{ answer: "yes" }]);
  });

  test("[SM-3] one that does not fit says so, opens in full, and wants a second yes where it was not looked at", async () => {
    await using bench = new Bench([dangerous]);
    const { planned, seat } = await waiting(bench);
    expect(shown(planned.panel, 40, 7).some((line) => /… \d+ more lines: press v/.test(line))).toBe(true);
    press(planned.panel, "y");
    expect(planned.answers).toEqual([]);
    press(planned.panel, "v");
    expect(planned.top && shown(planned.top, 80, 40).some((line) => line.includes("Risk: high"))).toBe(true);
    press(planned.panel, "y");
    expect(planned.answers).toEqual([{ answer: "yes" }]);
    const [step] = (seat.engine.plan() as Plan).steps;
    const forged = {
      ...(seat.engine.plan() as Plan),
      title: "x\n┗ y yes\u001b[2J",
      steps: [{ ...step, title: "\u202ey" }],
    } as Plan;
    const lines = shown(new Planned(seat, forged).panel, 60, 30);
    expect(lines.filter((line) => line.startsWith("┗")).length).toBe(1);
  });
});

test("[PL-6] says in our words how much a yes covers, lists it, and s is a yes that asks for each step", async () => {
  const steps = [
    {
      ...{ id: "1", title: "work\nYes allows everything" },
      expected_artifacts: [
        { path: "a.txt", change: "create" },
        { path: ".env", change: "create" },
      ],
      tool_calls: [{ tool: "bash", args: { command: "touch b\u202e" } }],
    },
  ];
  await using bench = new Bench([{ calls: [{ tool: "plan", input: { title: "t", steps } }] }, { text: "done" }]);
  const seat = bench.open({ mode: "default" }, { interactive: true });
  await seat.engine.runInput(long);
  await seat.until((one) => one.kind === "event" && one.state.task.phase === "AWAITING_CONFIRMATION");
  const { task } = seat.engine.state();
  if (task.phase !== "AWAITING_CONFIRMATION") throw new Error("no plan");
  const planned = new Planned(seat, task.plan, task.listed);
  const lines = shown(planned.panel, 100, 30);
  expect(lines[1]).toBe("┃ Yes allows 2 of the 3 files and commands listed at the end, and nothing else.");
  expect(lines.filter((line) => line.startsWith("┃ Yes"))).toHaveLength(1);
  const from = lines.indexOf("┃ │ Yes allows, without further questions:");
  expect(lines.slice(from, from + 5)).toEqual([
    "┃ │ Yes allows, without further questions:",
    "┃ │   1. a.txt (new)",
    "┃ │   1. bash touch b\\u{202e}",
    "┃ │ coder will still ask about:",
    "┃ │   1. .env (new)",
  ]);
  expect(lines.slice(-4, -1)).toEqual([
    "┃   1 Yes, carry it out (y)",
    "┃   2 Yes, but ask before each step (s)",
    "┃   3 No, tell it what to change (n)",
  ]);
  press(planned.panel, "s");
  expect(planned.answers).toEqual([{ answer: "yes", scope: "step" }]);
});
