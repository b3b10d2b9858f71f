import type { AssistantReply } from "../../contract/message.ts";

export type Finish = AssistantReply["finish"];

/** Several servers report "stop" after tool calls, or "tool_calls" without any: the actual calls count. */
export function finishWith(reported: Finish, calls: number): Finish {
  if (calls > 0 && (reported === "stop" || reported === "other")) return "tool_calls";
  return calls === 0 && reported === "tool_calls" ? "other" : reported;
}
