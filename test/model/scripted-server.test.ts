import { expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ModelMessage } from "../../src/contract/message.ts";
import { openModel } from "../../src/model/open.ts";
import { choiceAt, deltasOf, replyOf, requestOf } from "../support/model-calls.ts";
import { type Script, startScriptedServer } from "../support/scripted-server.ts";

const user = (text: string): ModelMessage => ({ role: "user", text });
const said = (text: string): ModelMessage => ({ role: "assistant", text, calls: [] });
const called = (...ids: string[]): ModelMessage => ({
  role: "assistant",
  text: "",
  calls: ids.map((id) => ({ id, tool: "read", input: {} })),
});
const result = (id: string): ModelMessage => ({ role: "tool", id, tool: "read", text: "ok" });

async function textsFor(script: Script, ...histories: (readonly ModelMessage[])[]): Promise<readonly string[]> {
  using server = startScriptedServer(script);
  const port = await openModel(choiceAt(server.url), { idleMs: 5_000 });
  const texts: string[] = [];
  for (const messages of histories) {
    const { text, failure } = replyOf(await deltasOf(port, requestOf({ messages })));
    texts.push(failure ? `${failure.error.text.args?.detail}` : text);
  }
  return texts;
}

const step0 = [user("go")];
const step1 = [user("go"), called("a"), result("a")];
const task1 = [...step1, said("done"), user("more")];

test("a list of steps answers every task, and the same request always gets the same answer", async () => {
  const script = [{ text: "first" }, { text: "second" }];
  expect(await textsFor(script, step1, step0, step1, task1)).toEqual(["second", "first", "second", "first"]);
});

test("lists of steps are chosen by the number of the user message, skipping what coder itself adds", async () => {
  const script = [[{ text: "0/0" }, { text: "0/1" }], [{ text: "1/0" }]];
  const added = ["<context>\nnow\n</context>", "[coder] Change course.", "[COMMAND] The person ran: ls"].map(user);
  expect(await textsFor(script, step0, [...step1, ...added], task1)).toEqual(["0/0", "0/1", "1/0"]);
});

test("steps can be chosen by words of the task, and repeated", async () => {
  const script = [
    { when: "more", steps: [{ text: "on more" }] },
    { when: "go", steps: [{ text: "again", repeat: 2 }, { text: "last" }] },
  ];
  const step2 = [...step1, called("b"), result("b")];
  expect(await textsFor(script, task1, step0, step1, step2)).toEqual(["on more", "again", "again", "last"]);
});

test("a step that the script does not have is refused with its place", async () => {
  expect(await textsFor([{ text: "only" }], step1)).toEqual(["HTTP 400, the script has no step 1 for task 0"]);
});

const badHistories: readonly (readonly [problem: string, messages: readonly ModelMessage[]])[] = [
  ["calls without a result at the end: b", [user("go"), called("a", "b"), result("a")]],
  ["message 3: calls without a result before it: a", [user("go"), called("a"), user("more")]],
  ["message 4: tool result a answers no open call of the assistant message before it", [...step1, result("a")]],
  ["message 2: tool result x answers no open call of the assistant message before it", [user("go"), result("x")]],
  ["message 2: two calls have the same id", [user("go"), called("a", "a"), result("a")]],
  ["message 2: an assistant message needs content or calls", [user("go"), said(""), user("more")]],
  ["the last message must not be the assistant's", [user("go"), said("done")]],
];
for (const [problem, messages] of badHistories) {
  test(`a history a strict provider refuses is refused: ${problem}`, async () => {
    expect(await textsFor([{ text: "fine" }], messages)).toEqual([`HTTP 400, ${problem}`]);
  });
}

test("as a process it prints its URL, answers from the script file and lists its requests", async () => {
  const folder = mkdtempSync(join(tmpdir(), "scripted-"));
  const file = join(folder, "script.json");
  writeFileSync(file, JSON.stringify([{ text: "from a file" }]));
  const program = join(import.meta.dir, "..", "support", "scripted-server.ts");
  const child = Bun.spawn([process.execPath, program, "--script", file], { stdout: "pipe", stderr: "inherit" });
  try {
    const { value } = await child.stdout.getReader().read();
    const url = new TextDecoder().decode(value).trim();
    const port = await openModel(choiceAt(url), { idleMs: 5_000 });
    expect(replyOf(await deltasOf(port)).text).toBe("from a file");
    const listed = (await (await fetch(new URL("/requests", url))).json()) as { task: number; step: number }[];
    expect(listed.map(({ task, step }) => [task, step])).toEqual([[0, 0]]);
  } finally {
    child.kill();
    await child.exited;
    rmSync(folder, { recursive: true });
  }
});

test("it can be told not to record", async () => {
  using server = startScriptedServer([{ text: "x" }], { record: false });
  const port = await openModel(choiceAt(server.url), { idleMs: 5_000 });
  expect([replyOf(await deltasOf(port)).text, server.requests.length]).toEqual(["x", 0]);
});
