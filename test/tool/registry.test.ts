import { expect, test } from "bun:test";
import { systemText } from "../../src/context/system.ts";
import { say } from "../../src/contract/text/catalogue.ts";
import { loadTools, parseInput, toolNames, toolSpecs } from "../../src/tool/registry.ts";

const named = (name: string) => loadTools([]).get(name)!;

test("every tool is there once, in a fixed order, unless it is switched off", () => {
  expect(toolNames).toEqual([
    "read",
    "list",
    "glob",
    "grep",
    "write",
    "edit",
    "patch",
    "bash",
    "job",
    "diagnostics",
    "fetch",
    "task",
    "todoread",
    "todowrite",
    "plan",
    "question",
    "diff",
    "undo",
    "commit",
    "proposal",
    "skill",
  ]);
  // That one is made of what skills there are.
  const fixed = toolNames.filter((name) => name !== "skill");
  expect([...loadTools([]).keys()]).toEqual(fixed);
  expect([...loadTools(["bash", "write"]).keys()]).toEqual(fixed.filter((name) => name !== "bash" && name !== "write"));
});

test("[CX-1] system text and the specs of all tools stay under 3,500 tokens, and are the same every time", () => {
  const specs = toolSpecs(loadTools([]));
  const system = systemText({ os: "linux x64", workspace: "/home/person/work/project", addDirs: [] });
  // Counted as if there were only three and a half characters to a token: with less than the estimate believes.
  const tokens = (system.length + JSON.stringify(specs).length) / 3.5;
  expect(tokens).toBeLessThanOrEqual(3_500);
  expect(toolSpecs(loadTools([]))).toEqual(specs);
});

test("a spec is plain JSON Schema with the arguments of the specification", () => {
  const keys = toolSpecs(loadTools([])).map(({ name, schema }) => [
    name,
    Object.keys(schema.properties as object).join(" "),
    ((schema.required as readonly string[] | undefined) ?? []).join(" "),
    schema.additionalProperties,
  ]);
  expect(keys).toEqual([
    ["read", "path offset limit column", "path", false],
    ["list", "path", "", false],
    ["glob", "pattern path", "pattern", false],
    ["grep", "pattern path glob max_matches", "pattern", false],
    ["write", "path content", "path content", false],
    ["edit", "path old_string new_string replace_all", "path old_string new_string", false],
    ["patch", "patch dry_run", "patch", false],
    ["bash", "command timeout_s background terminal network no_sandbox show", "command", false],
    ["job", "action id wait_s", "action", false],
    ["diagnostics", "command path files tests filter timeout_s show", "", false],
    ["fetch", "url", "url", false],
    ["task", "kind title prompt", "kind title prompt", false],
    ["todoread", "", "", false],
    ["todowrite", "todos", "todos", false],
    ["plan", "title goal constraints steps verification risk_level update", "", false],
    ["question", "questions", "questions", false],
  ]);
  expect(toolSpecs(loadTools([]))[0]?.schema).toEqual({
    type: "object",
    properties: {
      path: { type: "string", minLength: 1, description: "Absolute or relative to the workspace root" },
      offset: { type: "integer", minimum: 1, description: "First line, from 1" },
      limit: { type: "integer", minimum: 1, description: "Number of lines" },
      column: { type: "integer", minimum: 1, description: "First character in a cut line" },
    },
    required: ["path"],
    additionalProperties: false,
  });
});

test("access and what a crash means are declared by each tool", () => {
  expect([...loadTools([]).values()].map(({ name, access, afterCrash }) => `${name} ${access} ${afterCrash}`)).toEqual([
    "read read repeat",
    "list read repeat",
    "glob read repeat",
    "grep read repeat",
    "write write reconcile",
    "edit write reconcile",
    "patch write reconcile",
    "bash exec unknown",
    "job session repeat",
    "diagnostics exec unknown",
    "fetch network repeat",
    "task session repeat",
    "todoread read repeat",
    "todowrite session repeat",
    "plan session repeat",
    "question session repeat",
    "diff read repeat",
    "undo write reconcile",
    "commit exec repeat",
    "proposal read repeat",
  ]);
});

test("policy sees the paths a call touches and the texts it would put into files", () => {
  const facts = (name: string, input: object) => {
    const tool = named(name);
    return [tool.touches?.(input as never) ?? null, tool.writes?.(input as never) ?? null];
  };
  expect(facts("read", { path: "a" })).toEqual([["a"], null]);
  expect(facts("list", {})).toEqual([["."], null]);
  expect(facts("glob", { pattern: "x", path: "b" })).toEqual([["b"], null]);
  expect(facts("grep", { pattern: "x" })).toEqual([["."], null]);
  expect(facts("write", { path: "a", content: "c" })).toEqual([["a"], ["c"]]);
  expect(facts("edit", { path: "a", old_string: "o", new_string: "n" })).toEqual([["a"], ["n"]]);
  expect(facts("patch", { patch: "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-o\n+n\n" })).toEqual([["x"], ["n"]]);
});

const complaints: readonly (readonly [tool: string, raw: unknown, problem: string])[] = [
  ["read", {}, "path is missing"],
  ["read", { path: "" }, "path must not be empty"],
  ["read", { path: 1 }, "path must be a string, got number"],
  ["read", { path: "a", offset: 1.5 }, "offset must be a whole number, got number"],
  ["read", { path: "a", offset: "10" }, 'offset must be a whole number, got "10"'],
  ["read", { path: "a", ofset: 1 }, 'unknown key "ofset"'],
  ["read", JSON.parse('{"path":"a","__proto__":{}}'), 'unknown key "__proto__"'],
  ["read", null, "must be an object, got null"],
  ["read", [], "must be an object, got a list"],
  ["grep", { pattern: "a", max_matches: 5000 }, "max_matches must be at most 2000"],
  ["edit", { path: "a", old_string: "a" }, "new_string is missing"],
  [
    "edit",
    { path: "a", old_string: "a", new_string: "b", replace_all: "yes" },
    'replace_all must be true or false, got "yes"',
  ],
  [
    "todowrite",
    { todos: [{ id: "1", content: "x", status: "done", priority: "low" }] },
    'todos.0.status must be pending | in_progress | completed, got "done"',
  ],
  ["todowrite", { todos: {} }, "todos must be a list, got object"],
  ["todoread", { x: 1 }, 'unknown key "x"'],
];

for (const [tool, raw, problem] of complaints) {
  test(`[MD-6] ${tool} refuses ${JSON.stringify(raw)} and says why in one line`, () => {
    const parsed = parseInput(named(tool), raw);
    expect(parsed.ok ? "accepted" : `${parsed.error.code}: ${say("en", parsed.error.text)}`).toBe(
      `E_INVALID_ARGS: invalid arguments for ${tool}: ${problem}`,
    );
  });
}

test("null for an optional argument counts as missing", () => {
  expect(parseInput(named("read"), { path: "a", offset: null, limit: 3 })).toEqual({
    ok: true,
    value: { path: "a", limit: 3 },
  });
  expect(parseInput(named("read"), { path: null }).ok).toBe(false);
});
