// Judges a request as the strictest provider of its protocol does, by the rules that its documentation states.
import type { Protocol } from "../../../src/contract/settings.ts";
import { historyProblem, isToolName } from "../strict-history.ts";

type Fields = Readonly<Record<string, unknown>>;

/** What is wrong with the request; `null` = nothing. */
export function requestProblem(protocol: Protocol, body: unknown): string | null {
  const fields = body as Fields;
  switch (protocol) {
    case "openai-chat":
      return historyProblem(fields.messages);
    case "openai-responses":
      return responsesProblem(fields);
    case "anthropic":
      return anthropicProblem(fields);
    case "google":
      return googleProblem(fields);
  }
}

function responsesProblem({ input, store, include }: Fields): string | null {
  const items = input as readonly Fields[];
  const open = new Set<unknown>();
  const seen = new Set<unknown>();
  if (store !== false) return "store must be false: what was said stays with the person";
  for (const [at, item] of items.entries()) {
    if (item.type === "item_reference") return `item ${at}: nothing is stored that it could refer to`;
    if (item.type === "reasoning") {
      if (typeof item.encrypted_content !== "string") return `item ${at}: reasoning without its encrypted content`;
      if (!JSON.stringify(include).includes("reasoning.encrypted_content"))
        return "encrypted reasoning is not asked for";
      const next = items[at + 1];
      const isFollowed = next?.type === "function_call" || next?.type === "reasoning" || next?.role === "assistant";
      if (!isFollowed) return `item ${at}: reasoning without the item that it led to`;
    } else if (item.type === "function_call") {
      const problem = callProblem(item.call_id, item.name, item.arguments, seen);
      if (problem !== null) return `item ${at}: ${problem}`;
      open.add(item.call_id);
    } else if (item.type === "function_call_output") {
      if (!open.delete(item.call_id)) return `item ${at}: the output answers no open call`;
    } else if (open.size > 0) return `item ${at}: calls without output before it: ${[...open].join(", ")}`;
    else if (!hasText(item.content)) return `item ${at}: an empty message`;
  }
  return open.size > 0 ? `calls without output at the end: ${[...open].join(", ")}` : null;
}

function callProblem(id: unknown, name: unknown, args: unknown, seen: Set<unknown>): string | null {
  if (!isToolName(name)) return `a call of ${JSON.stringify(name)}`;
  if (typeof id !== "string" || id === "" || id.length > 64) return `a call with the id ${JSON.stringify(id)}`;
  if (seen.has(id)) return `two calls with the id ${id}`;
  seen.add(id);
  const value: unknown = typeof args === "string" ? JSON.parse(args) : args;
  return isObject(value) ? null : "arguments must be an object";
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function hasText(content: unknown): boolean {
  if (typeof content === "string") return content !== "";
  return Array.isArray(content) && content.length > 0 && content.every((part: Fields) => part.text !== "");
}

interface Turn {
  readonly role: string;
  readonly content: readonly Fields[];
}

function anthropicProblem({ messages, system, tools, max_tokens }: Fields): string | null {
  const marks = JSON.stringify([system, tools, messages]).split('"cache_control":').length - 1;
  if (marks > 4) return `${marks} cache marks, more than four`;
  if (!Number.isInteger(max_tokens) || (max_tokens as number) < 1) return "max_tokens is required";
  const turns = (messages as readonly { role: string; content: unknown }[]).map(
    ({ role, content }): Turn => ({
      role,
      content: typeof content === "string" ? [{ type: "text", text: content }] : (content as readonly Fields[]),
    }),
  );
  const seen = new Set<unknown>();
  let open: readonly unknown[] = [];
  for (const [at, { role, content }] of turns.entries()) {
    if (role !== (at % 2 === 0 ? "user" : "assistant")) return `message ${at}: ${role} out of turn`;
    if (content.length === 0) return `message ${at}: no content`;
    if (content.some((block) => block.type === "text" && String(block.text).trim() === "")) {
      return `message ${at}: an empty text block`;
    }
    const results = content.filter(({ type }) => type === "tool_result").map((block) => block.tool_use_id);
    if (!Bun.deepEquals(results.toSorted(), [...open].toSorted())) return `message ${at}: results for other calls`;
    const first = content.slice(0, results.length);
    if (!first.every(({ type }) => type === "tool_result")) return `message ${at}: results must come first`;
    const problem = role === "assistant" ? blocksProblem(content, seen) : null;
    if (problem !== null) return `message ${at}: ${problem}`;
    open = content.filter(({ type }) => type === "tool_use").map(({ id }) => id);
  }
  return turns.at(-1)?.role === "user" ? null : "the last message must be the user's";
}

function blocksProblem(content: readonly Fields[], seen: Set<unknown>): string | null {
  for (const block of content) {
    if (block.type === "thinking" && typeof block.signature !== "string") return "thinking without a signature";
    if (block.type !== "tool_use") continue;
    if (!/^[a-zA-Z0-9_-]+$/.test(String(block.id))) return `a call with the id ${JSON.stringify(block.id)}`;
    const problem = callProblem(block.id, block.name, block.input, seen);
    if (problem !== null) return problem;
  }
  return null;
}

interface Part {
  readonly text?: string;
  readonly thoughtSignature?: string;
  readonly functionCall?: { readonly name: string; readonly args: unknown };
  readonly functionResponse?: { readonly name: string; readonly response: unknown };
}

function googleProblem({ contents }: Fields): string | null {
  let open: readonly string[] = [];
  const turns = contents as readonly { readonly role: string; readonly parts: readonly Part[] }[];
  for (const [at, { role, parts }] of turns.entries()) {
    if (role !== (at % 2 === 0 ? "user" : "model")) return `content ${at}: ${role} out of turn`;
    if (parts.length === 0) return `content ${at}: no parts`;
    if (parts.some(({ text, thoughtSignature }) => text === "" && thoughtSignature === undefined)) {
      return `content ${at}: an empty text`;
    }
    for (const { functionCall: call } of parts) {
      if (call !== undefined && !/^[a-z_]/i.test(call.name))
        return `content ${at}: a call of ${JSON.stringify(call.name)}`;
      const problem = call && callProblem(`${at}`, call.name, call.args, new Set());
      if (typeof problem === "string") return `content ${at}: ${problem}`;
    }
    const results = parts.flatMap(({ functionResponse }) => (functionResponse ? [functionResponse.name] : []));
    if (!Bun.deepEquals(results, open)) return `content ${at}: results of ${results}, but the calls were of ${open}`;
    if (parts.some(({ functionResponse: one }) => one && typeof one.response !== "object")) {
      return `content ${at}: a result must be an object`;
    }
    open = parts.flatMap(({ functionCall }) => (functionCall ? [functionCall.name] : []));
  }
  return turns.at(-1)?.role === "user" ? null : "the last content must be the user's";
}
