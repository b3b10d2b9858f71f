import type { AssistantReply } from "../../contract/message.ts";

export type Finish = AssistantReply["finish"];

/** Several servers report "stop" after tool calls, or "tool_calls" without any: the actual calls count. */
export function finishWith(said: Finish, calls: number): Finish {
  if (calls > 0 && (said === "stop" || said === "other")) return "tool_calls";
  return calls === 0 && said === "tool_calls" ? "other" : said;
}
