import type { ToolSpec } from "../../contract/message.ts";
import type { AnyTool } from "../../contract/tool.ts";

/** The tools of this agent and what the model is told about them; one object for the life of the process. */
export interface Toolbox {
  readonly tools: ReadonlyMap<string, AnyTool>;
  readonly specs: readonly ToolSpec[];
}
