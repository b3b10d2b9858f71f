import type { LanguageModelV4FunctionTool, LanguageModelV4Message } from "@ai-sdk/provider";
import type { ModelMessage, ToolSpec } from "../contract/message.ts";

/** Our message in the SDK's form. Half a surrogate pair, as cut tool output may hold it, is refused by some providers. */
export function toPromptMessage(message: ModelMessage): LanguageModelV4Message {
  const text = message.text.toWellFormed();
  switch (message.role) {
    case "user":
      return { role: "user", content: [{ type: "text", text }] };
    case "assistant":
      return {
        role: "assistant",
        content: [
          ...(text === "" ? [] : [{ type: "text" as const, text }]),
          ...message.calls.map(({ id, tool, input }) => ({
            type: "tool-call" as const,
            toolCallId: id,
            toolName: tool,
            input,
          })),
        ],
      };
    case "tool": {
      const output = { type: "text" as const, value: text };
      return {
        role: "tool",
        content: [{ type: "tool-result", toolCallId: message.id, toolName: message.tool, output }],
      };
    }
  }
}

export function toFunctionTool({ name, description, schema }: ToolSpec): LanguageModelV4FunctionTool {
  return { type: "function", name, description, inputSchema: schema };
}
