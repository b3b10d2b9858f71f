import { isRecord } from "../../contract/json.ts";
import type { ToolSpec } from "../../contract/message.ts";
import { parseArguments } from "./arguments.ts";

export interface FoundCall {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
}

type Tools = ReadonlyMap<string, ToolSpec>;

export function readBlock(block: string, tools: Tools): readonly FoundCall[] | null {
  const inner = unwrapped(block.trim());
  if (inner.startsWith("<function=")) return readTagged(inner, tools);
  const value = json(inner);
  const items = Array.isArray(value) ? value : [value];
  const calls = items.map((item) => readCall(item, tools));
  return calls.length > 0 && calls.every((call) => call !== null) ? calls : null;
}

const marks: readonly RegExp[] = [
  /^<tool_call>([\s\S]*?)(?:<\/tool_call>)?$/,
  /^```json([\s\S]*?)(?:\n```)?$/,
  /^\[TOOL_CALLS\]([\s\S]*)$/,
];

function unwrapped(block: string): string {
  for (const mark of marks) {
    const inner = mark.exec(block)?.[1];
    if (inner !== undefined) return inner.trim();
  }
  return block;
}

/** `{"name": …, "arguments": {…}}`; the arguments may be JSON in a string, or be called parameters. */
function readCall(value: unknown, tools: Tools): FoundCall | null {
  if (!isRecord(value)) return null;
  const { name, arguments: raw = value.parameters } = value;
  const args = typeof raw === "string" ? json(raw) : raw;
  if (typeof name !== "string" || !tools.has(name) || !isRecord(args)) return null;
  return { tool: name, args };
}

/** `<function=name>{…}</function>`, or `<parameter=key>value</parameter>` for each argument. */
function readTagged(text: string, tools: Tools): readonly FoundCall[] | null {
  const [, name = "", body = ""] = /^<function=([^>\s]+)>([\s\S]*?)(?:<\/function>)?$/.exec(text) ?? [];
  const tool = tools.get(name);
  if (tool === undefined) return null;
  const plain = json(body);
  if (isRecord(plain)) return [{ tool: name, args: plain }];
  const pairs = [...body.matchAll(/<parameter=([^>\s]+)>\n?([\s\S]*?)\n?<\/parameter>/g)];
  const isAll = body.replace(/<parameter=[^>\s]+>[\s\S]*?<\/parameter>/g, "").trim() === "";
  if (!isAll) return null;
  const args = Object.fromEntries(pairs.map(([, key = "", value = ""]) => [key, typed(tool, key, value)]));
  return [{ tool: name, args }];
}

function typed({ schema }: ToolSpec, key: string, value: string): unknown {
  const { properties } = schema;
  const wanted = isRecord(properties) && isRecord(properties[key]) ? properties[key].type : undefined;
  return wanted === undefined || wanted === "string" ? value : (json(value) ?? value);
}

function json(text: string): unknown {
  if (text.trim() === "") return undefined;
  const parsed = parseArguments("", text);
  return parsed.ok ? parsed.value : undefined;
}
