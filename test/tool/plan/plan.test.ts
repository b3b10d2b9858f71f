import { afterAll, beforeAll, expect, test } from "bun:test";
import { ok } from "../../../src/contract/error.ts";
import type { Plan } from "../../../src/contract/plan.ts";
import { takePlan } from "../../../src/machine/plan/take.ts";
import { plan } from "../../../src/tool/plan/plan.ts";
import { makePlan, origin } from "../../machine/plan/make-plan.ts";
import { makeWorkspace, told, type Workspace } from "../workspace.ts";

let ws: Workspace;
beforeAll(() => {
  ws = makeWorkspace();
});
afterAll(() => ws[Symbol.dispose]());

const run = (current: Plan | null, sent: unknown) =>
  ws.run(plan, sent, { takePlan: async (value) => takePlan(current, value, origin) });

test("[PL-3] the plan tool gives back the plan that was made of its arguments", async () => {
  const sent = {
    steps: [
      { id: "1", title: "look" },
      { id: "2", title: "change", dependencies: ["1"] },
    ],
    verification: "none",
  };
  const made = {
    ...makePlan({ id: "1", title: "look" }, { id: "2", title: "change", dependencies: ["1"] }),
    verification: { mode: "none", commands: [], required: false, stop_on_fail: true },
  } as const;
  expect(await run(null, sent)).toEqual(ok({ text: "[ ] 1 look\n[ ] 2 change", plan: { plan: made, change: "new" } }));
});

test("[PL-4] the plan tool reports states and says what it refuses", async () => {
  const current = makePlan({ id: "1", status: "in_progress" }, { id: "2", dependencies: ["1"] });
  expect(
    told(
      await run(current, {
        update: [
          { id: "1", status: "done" },
          { id: "2", status: "in_progress" },
        ],
      }),
    ),
  ).toBe("[x] 1 do 1\n[>] 2 do 2");
  expect(told(await run(current, { update: [{ id: "2", status: "done" }] }))).toBe(
    "E_INVALID_ARGS: the plan cannot be carried out:\nupdate[0]: step 2 waits for 1\nFix these and send the plan again.",
  );
  expect(told(await run(current, "x"))).toBe("E_INVALID_ARGS: invalid arguments for plan: must be an object");
});

test("[PL-3] without a task there is nothing to plan", async () => {
  expect(told(await ws.run(plan, { steps: ["a"] }))).toBe(
    "E_INVALID_ARGS: a plan belongs to a task, but none is running\nStart a task and plan within it.",
  );
});

test("[PL-3] what models are told of a step is what the machine reads", async () => {
  const schema = plan.input.toJSONSchema() as {
    readonly properties: { readonly steps: { readonly items: { readonly properties: object } } };
  };
  expect(Object.keys(schema.properties)).toEqual([
    "title",
    "goal",
    "constraints",
    "steps",
    "verification",
    "risk_level",
    "update",
  ]);
  const step = {
    ...{ id: "a", title: "b", description: "c", intent: "e", dependencies: [], tools_expected: ["read"] },
    tool_calls: [{ tool: "read", args: { path: "d" } }],
    expected_artifacts: [{ path: "d", change: "create" }],
    rollback_hint: "f",
  };
  expect(Object.keys(schema.properties.steps.items.properties)).toEqual(Object.keys(step));
  const verification = { mode: "test", commands: ["pytest -q"], required: false, stop_on_fail: false };
  const whole = { title: "t", goal: "g", constraints: ["c"], steps: [step], verification, risk_level: "low" };
  const made = await run(null, { ...whole, update: [] });
  expect(made.ok && made.value.plan?.plan).toMatchObject(whole as never);
});
