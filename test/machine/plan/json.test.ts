import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type Lang, say } from "../../../src/contract/text/catalogue.ts";
import { editPlan } from "../../../src/machine/plan/edit.ts";
import { planFromJson, planToJson } from "../../../src/machine/plan/json.ts";
import { planLines } from "../../../src/machine/plan/lines.ts";
import { anyPlan, makePlan, origin } from "./make-plan.ts";

const told = (text: string, lang: Lang = "en"): string => {
  const result = planFromJson(text, origin);
  return result.ok ? "accepted" : say(lang, result.error.text).replace(/^.*\n/, "");
};

test("[PL-5] a plan written as JSON and read back is the same plan", () => {
  fc.assert(
    fc.property(anyPlan, (plan) => {
      expect(planFromJson(planToJson(plan), origin)).toEqual({ ok: true, value: plan });
    }),
    { numRuns: 1000 },
  );
}, 120_000);

test("[PL-5] what a person leaves out is filled in, and short forms are taken", () => {
  const text = `\ufeff{
    "steps": ["one", { "title": "two", "deps": [1], "files": ["new: a.ts", "b.ts (delete)"], "tools": ["Read"] }],
    "verification": { "commands": ["npm run lint"] }
  }`;
  const plan = makePlan(
    { id: "1", title: "one" },
    {
      ...{ id: "2", title: "two", dependencies: ["1"], tools_expected: ["read"] },
      expected_artifacts: [
        { path: "a.ts", change: "create" },
        { path: "b.ts", change: "delete" },
      ],
    },
  );
  const verification = { mode: "lint", commands: ["npm run lint"], required: true, stop_on_fail: true } as const;
  expect(planFromJson(text, origin)).toEqual({ ok: true, value: { ...plan, verification } });
});

test("[PL-3] a listed check under its usual name is that check, in a list of commands too; any other stays as written", () => {
  const commands = ["npm test", "pytest", "make check", "npx jest --ci"];
  const read = planFromJson(JSON.stringify({ steps: ["a"], verification: { mode: "test", commands } }), origin);
  expect(read.ok && read.value.verification.commands).toEqual([
    ...["npm test -- --watch=false", "pytest -q", "make check", "npx jest --ci"],
  ]);
});

describe("a plan as people write it", () => {
  const read = (value: unknown) => planFromJson(JSON.stringify(value), origin);
  const two = makePlan({ id: "S1", title: "Look" }, { id: "S2", title: "Change it", dependencies: ["S1"] });

  const forms: readonly (readonly [what: string, value: unknown])[] = [
    [
      "step_id and depends_on",
      [
        { step_id: "S1", description: "Look" },
        { step_id: "S2", description: "Change it", depends_on: ["S1"] },
      ],
    ],
    [
      "camel case",
      [
        { stepId: "S1", title: "Look" },
        { stepId: "S2", title: "Change it", dependsOn: "S1" },
      ],
    ],
    [
      "names of another tool",
      [
        { Id: "S1", task: "Look", "depends-on": "none" },
        { id: "S2", action: "Change it", requires: ["S1"] },
      ],
    ],
    [
      "todos",
      [
        { id: "S1", content: "Look", status: "todo" },
        { id: "S2", content: "Change it", deps: "S1", state: "待办" },
      ],
    ],
  ];
  for (const [what, steps] of forms) {
    test(`[PL-3] [PL-5] with ${what} is accepted`, () => {
      expect(read({ steps })).toEqual({ ok: true, value: two });
      expect(read(steps)).toEqual({ ok: true, value: two });
      expect(read({ plan: { steps } })).toEqual({ ok: true, value: two });
    });
  }

  test("[PL-3] a step that is only described has the first line as its title, and keeps the rest", () => {
    const long = `Read the parser\nand say ${"what ".repeat(60)}`.trim();
    const found = read({ steps: [{ description: long }, { step: 7, description: "x".repeat(300) }] });
    expect(
      found.ok && found.value.steps.map(({ id, title, description }) => [id, title.length, description.length]),
    ).toEqual([
      ["1", 15, long.length],
      ["7", 200, 300],
    ]);
  });

  for (const [what, verification] of [
    ["verification", "run_pytest"],
    ["verification_policy", "run_pytest"],
    ["verificationPolicy", { mode: "tests", command: "pytest -q" }],
    ["verify", ["pytest"]],
  ] as const) {
    test(`[PL-3] a verification given as ${what}: ${JSON.stringify(verification)} is taken`, () => {
      const found = read({ steps: ["a"], [what]: verification });
      expect(found.ok && found.value.verification).toEqual({
        ...{ mode: "test", commands: ["pytest -q"], required: true, stop_on_fail: true },
      });
    });
  }

  test("[PL-3] words for a status, a risk and a change are understood in both languages", () => {
    const files = [
      { path: "a", change: "新建" },
      { path: "b", action: "remove" },
    ];
    const found = read({
      risk: "高",
      steps: [
        { title: "a", status: "Completed", files },
        { title: "b", status: "进行中" },
      ],
    });
    expect(found.ok && [found.value.risk_level, ...found.value.steps.map(({ status }) => status)]).toEqual([
      "high",
      "done",
      "in_progress",
    ]);
    expect(found.ok && found.value.steps[0]?.expected_artifacts.map(({ change }) => change)).toEqual([
      "create",
      "delete",
    ]);
  });

  test("[PL-3] [PL-5] keys that coder does not know are kept wherever they stand, and named on the plan's lines", () => {
    const value = {
      owner: "Ada",
      steps: [{ title: "a", effort: { days: 2 }, files: [{ path: "a.ts", change: "create", why: "x" }] }],
      verification: { mode: "test", timeout: 5 },
    };
    const found = read(value);
    if (!found.ok) throw new Error("refused");
    expect(found.value).toMatchObject({
      owner: "Ada",
      steps: [{ effort: { days: 2 }, expected_artifacts: [{ path: "a.ts", why: "x" }] }],
      verification: { mode: "test", timeout: 5 },
    });
    expect(planFromJson(planToJson(found.value), origin)).toEqual(found);
    expect(editPlan(found.value, found.value)).toEqual({ plan: found.value });
    expect(planLines(found.value, "en").at(-1)).toBe(
      "coder ignores these keys of the plan but keeps them: owner, steps[0].effort, steps[0].expected_artifacts[0].why, verification.timeout",
    );
  });

  test("[PL-5] more unknown keys, or longer ones, than a log should hold are refused", () => {
    const many = Object.fromEntries(Array.from({ length: 25 }, (_, at) => [`k${at}`, at]));
    expect(told(JSON.stringify({ steps: ["a"], ...many }))).toBe("line 1, the plan: has more than 24 items");
    expect(told(JSON.stringify({ steps: ["a"], x: "y".repeat(10_001) }))).toBe(
      "line 1, x: is longer than 10000 characters",
    );
  });
});

describe("a plan that does not fit", () => {
  const wrong: readonly (readonly [what: string, text: string, said: string])[] = [
    ["no JSON", "plan", "line 1: not valid JSON: unexpected plan"],
    ["nothing", "", "line 1: not valid JSON: the text ends too early"],
    ["an open bracket", '{\n  "steps": [', "line 2: not valid JSON: the text ends too early"],
    ["a missing comma", '{\n  "title": "a"\n  "steps": []\n}', 'line 3: not valid JSON: unexpected "steps"'],
    ["a trailing comma", '{\n  "steps": ["a"],\n}', "line 3: not valid JSON: unexpected }"],
    ["a comment", '{\n  // x\n  "steps": []}', "line 2: not valid JSON: unexpected // x"],
    ["text behind it", '{"steps": ["a"]}\nx', "line 2: not valid JSON: unexpected x"],
    ["an open string", '{"steps": ["a]}', 'line 1: not valid JSON: unexpected "a]}'],
    ["a lone minus", '{"steps": -}', "line 1: not valid JSON: unexpected -"],
    ["a key given twice", '{"title": "a",\n"title": "b", "steps": ["x"]}', 'line 2: duplicate key "title"'],
    ["deep nesting", "[".repeat(100), "line 1: nested too deeply"],
    ["a text", '"a"', "line 1, the plan: must be an object"],
    ["an empty list", "[]", "line 1, steps: the plan has no steps"],
    ["no steps", '{\n"title": "a"}', "line 1, steps: the plan has no steps"],
    ["steps of a wrong kind", '{\n"steps": 1}', "line 2, steps: must be a list"],
    [
      "a step of a wrong kind",
      '{"steps": [\n"a",\n7]}',
      "line 3, steps[1]: must be an object\nline 3, steps[1].title: must not be empty",
    ],
    ["an empty title", '{"steps": [\n{"title": " "}]}', "line 2, steps[0].title: must not be empty"],
    [
      "an unknown status",
      '{"steps": [{"title": "a",\n"status": "ready"}]}',
      "line 2, steps[0].status: must be one of pending, in_progress, done, blocked, skipped",
    ],
    [
      "a wrong flag",
      '{"steps": ["a"],\n"verification": {\n"required": "perhaps"}}',
      "line 3, verification.required: must be true or false",
    ],
    [
      "a wrong id",
      '{"steps": [{"title": "a", "id": "a/b"}]}',
      "line 1, steps[0].id: must be a short id of letters, digits, - _ .",
    ],
    ["a long title", `{"steps": ["${"x".repeat(201)}"]}`, "line 1, steps[0].title: is longer than 200 characters"],
    [
      "the same id",
      '{"steps": [\n{"id": "1", "title": "a"},\n{"id": 1, "title": "b"}]}',
      "line 3, steps[1].id: two steps have the id 1",
    ],
    [
      "a circle",
      '{"steps": [{"id": "a", "title": "a", "dependencies": ["b"]}, {"id": "b", "title": "b", "dependencies": ["a"]}]}',
      "line 1, steps: these steps wait for each other: a → b → a",
    ],
    [
      "too many steps",
      JSON.stringify({ steps: Array.from({ length: 13 }, () => "a") }),
      "line 1, steps: 13 steps; at most 12 are allowed",
    ],
    [
      "too many items",
      JSON.stringify({ steps: ["a"], constraints: Array.from({ length: 25 }, () => "a") }),
      "line 1, constraints: has more than 24 items",
    ],
    ["too big a text", " ".repeat(500_001), "the plan is too large (500001 characters; the limit is 500000)"],
    [
      "too big arguments of a call",
      JSON.stringify({ steps: [{ title: "a", tool_calls: [{ tool: "bash", args: "x".repeat(10_001) }] }] }),
      "line 1, steps[0].tool_calls[0].args: is longer than 10000 characters",
    ],
  ];
  for (const [what, text, said] of wrong) {
    test(`[PL-5] ${what} is named with its line and field`, () => expect(told(text)).toBe(said));
  }

  test("[PL-5] every problem is named at once, in the person's language, with what to do next", () => {
    const result = planFromJson('{"steps": [\n"",\n{"status": 1}],\n"risk_level": "huge"}', origin);
    expect(result.ok ? "" : say("zh", result.error.text)).toBe(
      [
        "该计划无法执行：",
        "第 2 行，steps[0].title：不能为空",
        "第 3 行，steps[1].title：不能为空",
        "第 3 行，steps[1].status：必须是以下之一：pending, in_progress, done, blocked, skipped",
        "第 4 行，risk_level：必须是以下之一：low, medium, high",
      ].join("\n"),
    );
    expect(result.ok ? "" : say("en", result.error.advice ?? { key: "plan.simple" })).toBe(
      "Correct the JSON of the plan; the previous plan still applies.",
    );
  });

  test("[PL-5] a key such as __proto__ changes nothing", () => {
    const hostile = planFromJson('{"__proto__": {"steps": ["a"]}, "steps": ["a"]}', origin);
    expect(hostile).toEqual({ ok: true, value: makePlan({ id: "1", title: "a" }) });
    const args = '{"steps": [{"title": "a", "tool_calls": [{"tool": "x", "args": {"__proto__": 1}}]}]}';
    const read = planFromJson(args, origin);
    expect(read.ok && JSON.stringify(read.value.steps[0]?.tool_calls)).toBe('[{"tool":"x","args":{"__proto__":1}}]');
  });

  test("[PL-5] what JSON.parse takes is never called bad JSON, and the other way round", () => {
    const text = fc.oneof(
      fc.json(),
      fc.json().chain((json) => fc.nat({ max: json.length }).map((at) => json.slice(0, at))),
      fc.tuple(fc.json(), fc.constantFrom(",", "}", '"', "\n", "\\", "x", "1")).map((parts) => parts.join("")),
      fc.string({ unit: fc.constantFrom(...'{}[]",:\\ \n\t-+.0123eE', "true", "null", "é", "\u0000", "u00") }),
    );
    fc.assert(
      fc.property(text, (json) => {
        const isJson = (() => {
          try {
            JSON.parse(json);
            return true;
          } catch {
            return false; // That it is none is what is asked.
          }
        })();
        const said = told(json);
        expect(/twice|deeply/.test(said) || said.includes("not valid JSON") !== isJson).toBe(true);
      }),
      { numRuns: 2000 },
    );
  }, 120_000);
});
