import { expect, test } from "bun:test";
import { switchModel } from "../../src/config/load.ts";
import type { ModelRequest } from "../../src/contract/delta.ts";
import type { ModelMessage } from "../../src/contract/message.ts";
import { openBuiltin } from "../../src/model/builtin.ts";
import { openModel } from "../../src/model/open.ts";
import { bodiesOf, deltasOf, replyOf, requestOf } from "../support/model-calls.ts";

const tools = ["list", "read", "edit", "diagnostics", "grep", "glob", "bash"].map(
  (name) => ({ name }) as ModelRequest["tools"][number],
);
const asked = (text: string, ...more: readonly ModelMessage[]) =>
  requestOf({ messages: [{ role: "user", text }, ...more], tools, system: "Workspace: /ws\n" });
const none = { input: 0, output: 0, cachedInput: 0, reasoning: 0 };

test("[MD-1] a step is a start, whole calls, the usage and an end, in frames of its request", async () => {
  const request = asked("fix the failing test");
  expect(bodiesOf(await deltasOf(openBuiltin(), request), request)).toEqual([
    { kind: "start" },
    { kind: "tool_call_start", ordinal: 0, providerId: null, tool: "list" },
    { kind: "tool_call_args", ordinal: 0, text: '{"path":"."}' },
    { kind: "tool_call_end", ordinal: 0 },
    { kind: "usage", usage: none },
    { kind: "done", finish: "tool_calls" },
  ]);
});

test("the same request gets the same answer, from a port that has seen others too", async () => {
  const port = openBuiltin();
  const first = await deltasOf(port, asked("list TODOs"));
  await deltasOf(port, asked("fix the failing test"));
  expect(await deltasOf(port, asked("list TODOs"))).toEqual(first);
  expect(await deltasOf(openBuiltin(), asked("list TODOs"))).toEqual(first);
});

test("a cancelled step says nothing more, and is not done", async () => {
  const cancel = new AbortController();
  cancel.abort();
  const kinds = (await deltasOf(openBuiltin(), asked("help"), cancel.signal)).map(({ kind }) => kind);
  expect(kinds).toEqual(["start"]);
});

test("after a quarter of an hour a task only puts back what it has changed", async () => {
  let now = 0;
  const port = openBuiltin(() => now);
  await deltasOf(port, asked("fix the failing test"));
  now = 15 * 60_000 + 1;
  const { text, calls } = replyOf(await deltasOf(port, asked("fix the failing test")));
  expect({ text, calls }).toEqual({ text: "Stopped before anything was changed.", calls: [] });
});

test("it is chosen by name only, needs no key and no address, and is no fallback of another", () => {
  const sources = { flags: {}, env: {}, cwd: "/", withModel: true };
  const found = switchModel("builtin/mechanic", sources);
  expect(found.ok && found.value.provider).toEqual({
    ...{ name: "builtin", protocol: "builtin", baseUrl: "builtin:", apiKey: null, needsKey: false },
    ...{ apiKeyEnv: [], headers: {} },
  } as never);
  const other = switchModel("builtin/other", sources);
  expect(!other.ok && other.error.text.key).toBe("mechanic.unknown_model");
});

test("nothing of it touches the network", async () => {
  const before = globalThis.fetch;
  let calls = 0;
  globalThis.fetch = Object.assign(() => Promise.reject(new Error(String(++calls))), { preconnect: () => {} });
  try {
    const choice = switchModel("builtin/mechanic", { flags: {}, env: {}, cwd: "/", withModel: true });
    if (!choice.ok) throw new Error("no such model");
    const port = await openModel(choice.value, { idleMs: 1_000 });
    expect(replyOf(await deltasOf(port, asked("what can you do?"))).text).toStartWith("I am builtin/mechanic");
    expect(calls).toBe(0);
  } finally {
    globalThis.fetch = before;
  }
});
