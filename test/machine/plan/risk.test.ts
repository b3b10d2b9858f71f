import { expect, test } from "bun:test";
import type { Decision } from "../../../src/contract/event.ts";
import type { Plan, PlanStep, Risk } from "../../../src/contract/plan.ts";
import { say } from "../../../src/contract/text/catalogue.ts";
import { planRisk } from "../../../src/machine/plan/risk.ts";
import { makePlan } from "./make-plan.ts";

/** As policy answers in each mode, for the tool as a whole. */
const modes: Readonly<Record<string, (tool: string) => Decision>> = {
  plan: (tool) => (tool === "read" ? "allow" : "deny"),
  default: (tool) => (tool === "read" ? "allow" : "ask"),
  "auto-edit": (tool) => (tool === "bash" ? "ask" : "allow"),
  yolo: () => "allow",
};
const risk = (plan: Plan, mode: string) => {
  const { level, needsConfirmation, reasons } = planRisk(plan, modes[mode] ?? modes.default!);
  return [level, needsConfirmation, ...reasons.map((one) => say("en", one))];
};
const one = (step: Partial<PlanStep>, level: Risk = "low"): Plan => ({
  ...makePlan({ id: "1", title: "look", tools_expected: ["read"], ...step }),
  risk_level: level,
});

test("[SM-3] reading is low, writing and asking medium, and neither is put to the person beforehand", () => {
  expect(risk(one({}), "default")).toEqual(["low", false]);
  expect(risk(one({ title: "fix the header", tools_expected: ["edit"] }), "default")).toEqual(["medium", false]);
  expect(risk(one({ title: "fix the header", tools_expected: ["edit"] }), "yolo")).toEqual(["medium", false]);
  expect(risk(one({ tools_expected: ["bash"] }), "auto-edit")).toEqual(["medium", false]);
  expect(risk(one({ expected_artifacts: [{ path: "a", change: "create" }] }), "yolo")).toEqual(["medium", false]);
});

test("[SM-3] what deletes is confirmed, unless the mode allows it in advance", () => {
  const artifact = one({ tools_expected: ["patch"], expected_artifacts: [{ path: "old.ts", change: "delete" }] });
  expect(risk(artifact, "default")).toEqual(["high", true, "step 1 deletes old.ts"]);
  expect(risk(artifact, "auto-edit")).toEqual(["high", false]);
  const words = one({ title: "Delete the old build folder", tools_expected: ["bash"] });
  expect(risk(words, "auto-edit")).toEqual(["high", true, "step 1 deletes something: Delete the old build folder"]);
  expect(risk(words, "yolo")).toEqual(["high", false]);
  expect(risk(one({ title: "删除旧的构建目录", tools_expected: ["bash"] }), "default")).toEqual([
    ...["high", true, "step 1 deletes something: 删除旧的构建目录"],
  ]);
  expect(risk(one({ title: "remove the unused import", tools_expected: ["edit"] }), "default")).toEqual([
    "medium",
    false,
  ]);
  expect(risk(one({ title: "不要删除任何文件" }), "default")).toEqual(["low", false]);
});

test("[SM-3] what cannot be taken back or reaches others is confirmed, in the words and in the calls of a step", () => {
  expect(risk(one({ title: "deploy it", tools_expected: ["bash"] }), "default")).toEqual([
    "high",
    true,
    'step 1 involves "deploy"',
  ]);
  const call = one({ tools_expected: [], tool_calls: [{ tool: "bash", args: { command: "git push --force" } }] });
  expect(risk(call, "auto-edit")).toEqual(["high", true, 'step 1 involves "push --force"']);
  expect(risk(one({ title: "部署到服务器", tools_expected: [] }), "auto-edit")).toEqual([
    "high",
    true,
    'step 1 involves "部署"',
  ]);
});

test("[SM-3] a plan that calls itself high-risk is confirmed where any of its tools is not allowed", () => {
  expect(risk(one({ tools_expected: ["read", "edit"] }, "high"), "default")).toEqual([
    ...["high", true, "the plan describes itself as high-risk, and step 1 uses edit"],
  ]);
  expect(risk(one({ tools_expected: ["read", "edit"] }, "high"), "auto-edit")).toEqual(["high", false]);
  expect(risk(one({ tools_expected: ["read"] }, "medium"), "default")).toEqual(["medium", false]);
});

test("[SM-3] what is done or skipped is no longer a risk", () => {
  const gone = { title: "delete the dist folder", tools_expected: ["bash"] };
  expect(
    risk(makePlan({ id: "1", ...gone, status: "done" }, { id: "2", ...gone, status: "skipped" }), "default"),
  ).toEqual(["low", false]);
});
