import { expect, test } from "bun:test";
import fc from "fast-check";
import type { DeltaBody } from "../../../src/contract/delta.ts";
import { Calls } from "../../../src/model/reply/calls.ts";
import { TextCalls } from "../../../src/model/reply/text-calls.ts";
import { deltasOf, replyOf, requestOf } from "../../support/model-calls.ts";
import { startSseModel } from "../../support/sse-model.ts";

const properties = { path: { type: "string" }, limit: { type: "integer" }, todos: { type: "array" } };
const tools = ["read", "bash"].map((name) => ({ name, description: "", schema: { type: "object", properties } }));

/** What is shown and what is called, after the text arrived in these pieces. */
function heard(pieces: readonly string[]): { readonly text: string; readonly calls: readonly unknown[] } {
  const calls = new Calls();
  const reader = new TextCalls(tools);
  const bodies = [...pieces.flatMap((piece) => [...reader.push(piece, calls)]), ...reader.end(calls)];
  const text = bodies.map((body) => (body.kind === "text" ? body.text : "")).join("");
  return { text, calls: callsIn(bodies) };
}

function callsIn(bodies: readonly DeltaBody[]): readonly unknown[] {
  return bodies.flatMap((body, at) => {
    if (body.kind !== "tool_call_start") return [];
    const args = bodies[at + 1];
    return [[body.ordinal, body.tool, args?.kind === "tool_call_args" ? JSON.parse(args.text) : null]];
  });
}

const read = { name: "read", arguments: { path: "a" } };
const written: readonly (readonly [name: string, text: string, shown: string, calls: readonly unknown[]])[] = [
  ["Hermes", `Let me see.<tool_call>${JSON.stringify(read)}</tool_call>`, "Let me see.", [[0, "read", { path: "a" }]]],
  [
    "two in a row, the last not closed",
    `<tool_call>\n${JSON.stringify(read)}\n</tool_call><tool_call>{"name":"bash","arguments":"{\\"path\\":1}"}`,
    "",
    [
      [0, "read", { path: "a" }],
      [1, "bash", { path: 1 }],
    ],
  ],
  ["a fence", `\`\`\`json\n${JSON.stringify([read], null, 2)}\n\`\`\` done`, " done", [[0, "read", { path: "a" }]]],
  [
    "parameters, a trailing comma",
    '```json\n{"name":"read","parameters":{"path":"a",},}\n```',
    "",
    [[0, "read", { path: "a" }]],
  ],
  ["Mistral", `[TOOL_CALLS][${JSON.stringify(read)}]`, "", [[0, "read", { path: "a" }]]],
  ["Llama", '<function=read>{"path":"a"}</function>', "", [[0, "read", { path: "a" }]]],
  [
    "Qwen coder",
    "<tool_call>\n<function=read>\n<parameter=path>\n1\n</parameter>\n<parameter=limit>5</parameter>\n<parameter=todos>[1]</parameter>\n</function>\n</tool_call>",
    "",
    [[0, "read", { path: "1", limit: 5, todos: [1] }]],
  ],
];
test.each(written)("[MD-6] a call written as text is a call: %s", (_, text, shown, calls) => {
  expect(heard([text])).toEqual({ text: shown, calls });
});

const notCalls = [
  '<tool_call>{"name":"rm","arguments":{}}</tool_call>',
  '```json\n{"name":"coder","version":"1"}\n```',
  '```json\n[{"name":"read","arguments":{}},{"name":"other","arguments":{}}]\n```',
  "<tool_call>read a</tool_call>",
  "<function=read>what?</function>",
  '[TOOL_CALLS] are marked so: [{"name":"read"}]',
  "a < b and [TOOL_ and ``` and <tool",
  "```json\n[]\n```",
];
test.each(notCalls)("[MD-6] what is no call of an offered tool stays text: %s", (text) => {
  expect(heard([text])).toEqual({ text, calls: [] });
});

test("[MD-6] it does not matter in which pieces the text arrives", () => {
  const all = [...written.map(([, text]) => text), ...notCalls].filter(
    (text) => !text.startsWith("[TOOL") && text.endsWith(">"),
  );
  const whole = fc
    .array(fc.constantFrom(...all, "text ", "\n", "<", "`"), { maxLength: 5 })
    .map((parts) => parts.join("|"));
  fc.assert(
    fc.property(whole, fc.infiniteStream(fc.integer({ min: 1, max: 9 })), (text, sizes) => {
      const pieces: string[] = [];
      for (let at = 0; at < text.length; ) {
        const size = sizes.next().value ?? 1;
        pieces.push(text.slice(at, at + size));
        at += size;
      }
      expect(heard(pieces)).toEqual(heard([text]));
    }),
    { numRuns: 300 },
  );
});

test("[MD-6] a block of 4 MiB that never closes is shown in the end, in good time", () => {
  const pieces = ["<tool_call>", ...Array<string>(65_536).fill("x".repeat(64))];
  expect(heard(pieces)).toEqual({ text: pieces.join(""), calls: [] });
}, 120_000);

test("[MD-6] written calls are read only where the provider's profile says so", async () => {
  const content = `Now.<tool_call>${JSON.stringify(read)}</tool_call>`;
  const events = [{ choices: [{ index: 0, delta: { content }, finish_reason: "stop" }] }];
  const replies: unknown[] = [];
  for (const textToolCalls of [true, false]) {
    using model = await startSseModel("openai-chat", { events }, { quirks: { textToolCalls } });
    const { text, calls, finish } = replyOf(await deltasOf(model.port, requestOf({ tools })));
    replies.push({ text, calls: calls.map(({ tool, args }) => [tool, args]), finish });
  }
  expect(replies).toEqual([
    { text: "Now.", calls: [["read", '{"path":"a"}']], finish: "tool_calls" },
    { text: content, calls: [], finish: "stop" },
  ]);
});
