import { expect, test } from "bun:test";
import { isChunk } from "../../../src/model/chat/chat-chunk.ts";

const content = (delta: unknown, rest: object = {}) => ({ choices: [{ delta, ...rest }] });
const call = (more: object) => content({ tool_calls: [{ index: 0, function: {}, ...more }] });

const taken: readonly (readonly [what: string, chunk: Record<string, unknown>])[] = [
  ["no choice at all", { choices: [] }],
  ["no delta", { choices: [{ finish_reason: "stop" }] }],
  ["nothing but null", { choices: [{ delta: null, finish_reason: null }], usage: null }],
  ["null for every text", content({ content: null, reasoning_content: null, reasoning: null, tool_calls: null })],
  ["content in parts", content({ content: [{ type: "text", text: "x" }, { type: "shiny" }] })],
  ["a refusal that is no text", content({ content: "hi", refusal: [] })],
  ["a call without index and id", call({ index: null, id: null })],
  ["a call without name and arguments", call({ function: { name: null, arguments: null } })],
  ["fields that nobody knows", { ...content({ content: "x", mood: 3 }), created: "now", error: null }],
];
test.each(taken)("[MD-7] a chunk is read: %s", (_, chunk) => {
  expect(isChunk(chunk)).toBe(true);
});

const refused: readonly (readonly [what: string, chunk: Record<string, unknown>])[] = [
  ["choices that are no list", { choices: {} }],
  ["a choice that is no object", { choices: ["x"] }],
  ["a reason that is no text", { choices: [{ finish_reason: 17 }] }],
  ["a delta that is no object", content([])],
  ["a text that is none", content({ content: 17 })],
  ["a thought that is no text", content({ reasoning_content: {} })],
  ["content in parts without type", content({ content: [{ text: "x" }] })],
  ["calls that are no list", content({ tool_calls: {} })],
  ["a call without function", content({ tool_calls: [{ index: 0 }] })],
  ["an index that is no number", call({ index: "0" })],
  ["an id that is no text", call({ id: 7 })],
  ["a name that is no text", call({ function: { name: {} } })],
  ["arguments that are no text", call({ function: { arguments: {} } })],
  ["usage that is no object", { choices: [], usage: [] }],
  ["more calls than anybody needs", content({ tool_calls: Array(1_001).fill({ function: {} }) })],
];
test.each(refused)("[MD-7] a known field of the wrong type makes a chunk unreadable: %s", (_, chunk) => {
  expect(isChunk(chunk)).toBe(false);
});
