import { expect, test } from "bun:test";
import { keyOf, makeCall, toCalls } from "../../../src/engine/model/reply.ts";
import { loadTools } from "../../../src/tool/registry.ts";

const tools = loadTools([]);

test("[MD-3] calls get our own ids in their order, keep the provider's beside it, and carry their tool's classes", () => {
  const calls = toCalls(
    [
      { providerId: "same", tool: "read", args: '{"path":"a"}' },
      { providerId: "same", tool: "bash", args: '{"command":"ls"}' },
      { providerId: null, tool: "write", args: '{"path":"a","content":"x"}' },
    ],
    "r7",
    3,
    tools,
  );
  expect(
    calls.map(({ id, providerId, tool, access, afterCrash }) => [id, providerId, tool, access, afterCrash]),
  ).toEqual([
    ["r7/3/1", "same", "read", "read", "repeat"],
    ["r7/3/2", "same", "bash", "exec", "unknown"],
    ["r7/3/3", null, "write", "write", "reconcile"],
  ]);
  expect(calls.every((call) => call.problem === undefined)).toBe(true);
});

test("[TP-4] what cannot run keeps its place with the reason: unknown tool, bad JSON, wrong arguments, a placeholder", () => {
  const problems = toCalls(
    [
      { providerId: "1", tool: "nosuch", args: "{}" },
      { providerId: "2", tool: "read", args: "{oops" },
      { providerId: "3", tool: "read", args: '{"path":7}' },
      { providerId: "4", tool: "write", args: '{"path":"a","content":"[REDACTED:private-key:0a1b2c3d]"}' },
    ],
    "r1",
    1,
    tools,
  ).map(({ id, providerId, tool, access, afterCrash, problem }) => [
    id,
    providerId,
    tool,
    access,
    afterCrash,
    problem?.code,
    problem?.text.key,
  ]);
  expect(problems).toEqual([
    ["r1/1/1", "1", "nosuch", "read", "repeat", "E_INVALID_ARGS", "run.unknown_tool"],
    ["r1/1/2", "2", "read", "read", "repeat", "E_INVALID_ARGS", "run.bad_json"],
    ["r1/1/3", "3", "read", "read", "repeat", "E_INVALID_ARGS", "run.bad_args"],
    ["r1/1/4", "4", "write", "write", "reconcile", "E_INVALID_ARGS", "run.placeholder"],
  ]);
});

test("an unknown tool's message names the tools there are, and odd arguments stay visible in the history", () => {
  const call = makeCall("r1/1/1", null, "nosuch", "text", tools);
  expect(call.problem?.text.args).toEqual({ tool: "nosuch", tools: [...tools.keys()].join(", ") });
  expect(call.input).toEqual({ raw: "text" });
  expect(makeCall("r1/1/1", null, "nosuch", null, tools).input).toEqual({ raw: "null" });
  expect(makeCall("r1/1/1", null, "nosuch", { a: 1 }, tools).input).toEqual({ a: 1 });
  expect((makeCall("r1/1/1", null, "nosuch", "y".repeat(5_000), tools).input as { raw: string }).raw.length).toBe(
    2_000,
  );
});

test("[BR-3] keys are equal for equal tool and input and differ otherwise", () => {
  expect(keyOf("read", { path: "a" })).toBe(keyOf("read", { path: "a" }));
  expect(new Set([keyOf("read", { path: "a" }), keyOf("list", { path: "a" }), keyOf("read", { path: "b" })]).size).toBe(
    3,
  );
  const one = makeCall("r1/1/1", null, "read", { path: "a" }, tools);
  const other = makeCall("r2/9/9", "x", "read", { path: "a" }, tools);
  expect(one.key).toBe(other.key);
});
