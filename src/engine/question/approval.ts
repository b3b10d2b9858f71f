import { spelledOut } from "../../contract/show/visible.ts";
import type { AnyTool } from "../../contract/tool.ts";
import type { CallState } from "../../machine/state.ts";
import type { OpenApproval } from "../port.ts";

/** Derived from log and rules alone, so it is the same after a crash. */
export function openApproval(
  { call, reasons }: CallState,
  tool: AnyTool | undefined,
  always: readonly string[] | null,
  scopes: OpenApproval["scopes"],
): OpenApproval {
  const { id: callId, tool: name, input } = call;
  const command = tool?.command?.(input as never);
  return {
    callId,
    tool: name,
    input,
    isChange: tool !== undefined && "plan" in tool,
    shown: spelledOut(command === undefined ? shownInput(name, input) : shownCommand(command, input)),
    reasons,
    always: always?.map(spelledOut) ?? null,
    scopes,
  };
}

function shownCommand(command: string, input: unknown): string {
  const { command: _, ...rest } = input as Readonly<Record<string, unknown>>;
  const others = Object.entries(rest).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  return [command, ...others].join("\n");
}

function shownInput(name: string, input: unknown): string {
  const fields = Object.entries((input ?? {}) as Readonly<Record<string, unknown>>);
  const lines = fields.map(([key, value]) => {
    const text = typeof value === "string" ? value : JSON.stringify(value);
    return text.includes("\n") ? `${key}:\n${text}` : `${key}: ${text}`;
  });
  return [name, ...lines].join("\n");
}
