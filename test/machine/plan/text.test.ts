import { describe, expect, test } from "bun:test";
import type { PlanStep } from "../../../src/contract/plan.ts";
import { say } from "../../../src/contract/text/catalogue.ts";
import { problemText } from "../../../src/machine/plan/problem.ts";
import { planFromText } from "../../../src/machine/plan/text.ts";
import { makePlan, makeStep, origin } from "./make-plan.ts";

const found = (text: string) => planFromText(text, origin);
const steps = (text: string): readonly PlanStep[] => {
  const plan = found(text);
  if (plan === null || "problems" in plan) throw new Error(`no plan: ${JSON.stringify(plan)}`);
  return plan.plan.steps;
};
const problems = (text: string): readonly string[] => {
  const plan = found(text);
  return plan !== null && "problems" in plan ? plan.problems.map((one) => say("en", problemText(one))) : ["no problem"];
};
const step = (id: string, title: string, more: Partial<PlanStep> = {}) => makeStep({ id, title, ...more });

test("[PL-3] the template of the system text is read into a plan with every field", () => {
  const reply = `I will do this.

[PLAN] Add a login
Goal: people can log in
Constraints: no new packages; keep the API
1. [ ] Read the code (tools: read, grep)
   Look at src/auth.ts first.
   - and at its tests
2. [ ] Write the form (tools: write; deps: 1)
   Files: src/login.ts (create), src/app.ts, old.ts (delete)
   Intent: a page to log in with
   Rollback: delete src/login.ts
3. [ ] Check it (tools: bash) (depends on: 1-2)
Verification: run_pytest
Risk: medium

Now I start by reading the code.
1. This is no step.`;
  expect(found(reply)).toEqual({
    plan: {
      ...makePlan(),
      title: "Add a login",
      goal: "people can log in",
      constraints: ["no new packages", "keep the API"],
      steps: [
        step("1", "Read the code", {
          description: "Look at src/auth.ts first.\n- and at its tests",
          tools_expected: ["read", "grep"],
        }),
        step("2", "Write the form", {
          dependencies: ["1"],
          tools_expected: ["write"],
          intent: "a page to log in with",
          rollback_hint: "delete src/login.ts",
          expected_artifacts: [
            { path: "src/login.ts", change: "create" },
            { path: "src/app.ts", change: "modify" },
            { path: "old.ts", change: "delete" },
          ],
        }),
        step("3", "Check it", { dependencies: ["1", "2"], tools_expected: ["bash"] }),
      ],
      verification: { mode: "test", commands: ["pytest -q"], required: true, stop_on_fail: true },
      risk_level: "medium",
    },
  });
});

test("[PL-3] Chinese words, full-width signs and digits and bold are read alike", () => {
  const reply = `好的。

**【计划】加登录**
目标：用户可以登录
约束：不加新依赖
１、［ ］ 阅读代码（工具：read、grep）
２．【 】 **修改登录页**，并测试（工具：edit，bash；依赖：１）
   - 先看现有实现
   文件：src/登录.ts（新建）、src/app.ts
验证：运行测试
风险等级：高`;
  expect(found(reply)).toEqual({
    plan: {
      ...makePlan(),
      title: "加登录",
      goal: "用户可以登录",
      constraints: ["不加新依赖"],
      steps: [
        step("1", "阅读代码", { tools_expected: ["read", "grep"] }),
        step("2", "修改登录页，并测试", {
          description: "- 先看现有实现",
          dependencies: ["1"],
          tools_expected: ["edit", "bash"],
          expected_artifacts: [
            { path: "src/登录.ts", change: "create" },
            { path: "src/app.ts", change: "modify" },
          ],
        }),
      ],
      verification: { mode: "test", commands: [], required: true, stop_on_fail: true },
      risk_level: "high",
    },
  });
});

const read: readonly (readonly [form: string, lines: string])[] = [
  ["numbered with boxes", "1. [ ] one (tools: read)\n2. [ ] two"],
  ["with brackets", "1) [ ] one (tools: read)\n2) [ ] two"],
  ["in brackets", "(1) [ ] one (tools: read)\n(2) [ ] two"],
  ["Chinese commas", "1、[ ] one（工具：read）\n2、[ ] two"],
  ["full-width", "１．［　］one（ｔｏｏｌｓ：read）\n２．［　］two"],
  ["without boxes", "1. one (tools: read)\n2. two"],
  ["bullets", "- [ ] one (tools: read)\n- [ ] two"],
  ["stars", "* [ ] one (tools: `read`)\n* [ ] two"],
  ["bold lines", "**1. [ ] one** (tools: read)\n**2. [ ] two**"],
  ["bold titles", "1. [ ] **one** (tools: **read**)\n2. [ ] **two**"],
  ["headings", "### 1. one (tools: read)\n### 2. two"],
  ["Step 1:", "Step 1: one (tools: read)\nStep 2: two"],
  ["步骤", "步骤1：one（工具：read）\n步骤2：two"],
  ["第1步", "第1步：one（工具：read）\n第2步：two"],
  ["all of them 1.", "1. [ ] one (tools: read)\n1. [ ] two"],
  ["tools below", "1. [ ] one\n   tools: read\n2. [ ] two"],
  ["工具 below", "1. [ ] one\n   - **工具**：read\n2. [ ] two"],
  ["blank lines between", "\n1. [ ] one (tools: read)\n\n2. [ ] two\n"],
  ["talk between", "1. [ ] one (tools: read)\n\n**Phase 2**\n\n2. [ ] two"],
  ["in a fence", "```\n1. [ ] one (tools: read)\n2. [ ] two\n```\n3. [ ] no step"],
  ["in a quote of Windows lines", "1. [ ] one (tools: read)\r\n2. [ ] two\r\n"],
  ["indented", "  1. [ ] one (tools: read)\n  2. [ ] two"],
  ["another name for a tool", "1. [ ] one (tools: read_file)\n2. [ ] two (tools: none)"],
];

describe("the forms of steps", () => {
  for (const [form, lines] of read) {
    test(`[PL-3] steps are read in the form: ${form}`, () => {
      expect(steps(`[PLAN]\n${lines}`)).toEqual([step("1", "one", { tools_expected: ["read"] }), step("2", "two")]);
    });
  }

  for (const heading of [
    "[PLAN]",
    "**[PLAN]**",
    "## [PLAN]",
    "[Plan]:",
    "【PLAN】",
    "［PLAN］",
    "[计划]",
    "【计划】",
    "> [PLAN]",
  ]) {
    test(`[PL-3] the heading ${heading} opens a plan`, () =>
      expect(steps(`ok\n${heading}\n1. [ ] one`)).toEqual([step("1", "one")]));
  }

  test("[PL-3] a fence around heading and plan ends the plan", () => {
    expect(steps("```\n[PLAN]\n1. [ ] one\n2. [ ] two\n```\n\n3. [ ] later")).toEqual([
      step("1", "one"),
      step("2", "two"),
    ]);
  });

  test("[PL-3] code within a step belongs to its description", () => {
    const reply = "[PLAN]\n1. [ ] one\n   ```sh\n   2. [ ] not a step\n   ```\n2. [ ] two";
    expect(steps(reply)).toEqual([step("1", "one", { description: "2. [ ] not a step" }), step("2", "two")]);
  });

  test("[PL-3] nested lists are details, not steps", () => {
    const reply = "[PLAN]\n1. [ ] one\n   1. first\n   2. then\n   - [ ] box\n2. [ ] two";
    expect(steps(reply)).toEqual([step("1", "one", { description: "1. first\n2. then\n- [ ] box" }), step("2", "two")]);
  });

  test("[PL-3] the marks in the boxes are the states", () => {
    const reply = "[PLAN]\n1. [x] a\n2. [>] b\n3. [!] c\n4. [-] d\n5. [ ] e\n6. [√] f\n7. [] g";
    expect(steps(reply).map(({ status }) => status)).toEqual([
      ...(["done", "in_progress", "blocked", "skipped", "pending", "done", "pending"] as const),
    ]);
  });

  test("[PL-3] brackets that say nothing of ours stay in the title", () => {
    expect(steps("[PLAN]\n1. [ ] one (see: b) and (c) [d] (tools: read) end")).toEqual([
      step("1", "one (see: b) and (c) [d] end", { tools_expected: ["read"] }),
    ]);
  });

  test("[PL-3] notes may hold what becomes of a file in brackets of its own", () => {
    const files = { expected_artifacts: [{ path: "a.txt", change: "create" as const }] };
    expect(steps("[PLAN]\n1. [ ] a (tools: write; files: a.txt (create)) now")).toEqual([
      step("1", "a now", { tools_expected: ["write"], ...files }),
    ]);
    expect(steps("[PLAN]\n1. [ ] 写（工具：write；产物：a.txt（新建））")).toEqual([
      step("1", "写", { tools_expected: ["write"], ...files }),
    ]);
  });

  test("[PL-3] dependencies are read in several spellings", () => {
    const dependencies = (text: string) => steps(`[PLAN]\n1. a\n2. b\n3. c\n4. d (${text})`)[3]?.dependencies;
    for (const text of [
      "deps: 1,2",
      "depends on: step 1 and 2",
      "after: #1, #2",
      "依赖：1、2",
      "依赖：步骤1、步骤2",
      "deps: 1-2",
      "依赖：１至２",
    ]) {
      expect([text, dependencies(text)]).toEqual([text, ["1", "2"]]);
    }
    for (const text of ["deps: none", "依赖：无", "deps: -"]) expect([text, dependencies(text)]).toEqual([text, []]);
  });

  test("[PL-3] a plan written as JSON behind the heading is read as one", () => {
    const json = '{"title": "T", "steps": ["one", {"id": 2, "title": "two", "deps": "1", "tools": "read, shell"}]}';
    const expected = {
      plan: {
        ...makePlan(
          { id: "1", title: "one" },
          { id: "2", title: "two", dependencies: ["1"], tools_expected: ["read", "bash"] },
        ),
        title: "T",
      },
    };
    expect(found(`[PLAN]\n\`\`\`json\n${json}\n\`\`\`\nok`)).toEqual(expected);
    expect(found(`[PLAN]\n${json}`)).toEqual(expected);
  });

  test("[PL-3] two numbered boxes with their tools are a plan even without a heading", () => {
    expect(steps("Sure:\n1. [ ] one (tools: read)\n2. [ ] two (tools: bash)").length).toBe(2);
  });
});

describe("no plan", () => {
  const none = [
    "",
    "done",
    "1. one\n2. two",
    "- [ ] a\n- [ ] b",
    "see the [PLAN] below",
    "1. [ ] one (tools: read)",
    "[PLANS]\n1. a",
  ];
  for (const text of none) test(`[PL-3] ${JSON.stringify(text)} holds no plan`, () => expect(found(text)).toBeNull());
});

describe("a plan that cannot be followed", () => {
  const wrong: readonly (readonly [text: string, said: readonly string[]])[] = [
    ["[PLAN]", ["steps: the plan has no steps"]],
    ["[PLAN]\nI would do it somehow.", ["steps: the plan has no steps"]],
    ["[PLAN]\n1. [ ] a\n2. [ ] b\n2. [ ] c", ["steps[2].id: two steps have the id 2"]],
    ["[PLAN]\n1. a (deps: 7)", ["steps[0].dependencies: step 1 waits for 7, which is not a step of the plan"]],
    ["[PLAN]\n1. a (deps: 1)", ["steps: these steps wait for each other: 1 → 1"]],
    ["[PLAN]\n1. a\n2. b (deps: 3)\n3. c (deps: 1, 2)", ["steps: these steps wait for each other: 2 → 3 → 2"]],
    [
      `[PLAN]\n${Array.from({ length: 13 }, (_, at) => `${at + 1}. [ ] s`).join("\n")}`,
      ["steps: 13 steps; at most 12 are allowed"],
    ],
  ];
  for (const [text, said] of wrong) {
    test(`[PL-3] ${JSON.stringify(text.slice(0, 50))} says why`, () => expect(problems(text)).toEqual([...said]));
  }

  test("[PL-3] long texts of a reply are cut, not refused", () => {
    const [one] = steps(
      `[PLAN] ${"t".repeat(900)}\n1. ${"x".repeat(900)}\n   ${"d".repeat(1500)}\n   ${"e".repeat(1500)}`,
    );
    expect([one?.title.length, one?.description.length, one?.title.at(-1)]).toEqual([200, 2000, "…"]);
  });
});
