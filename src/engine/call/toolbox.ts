import type { ToolSpec } from "../../contract/message.ts";
import type { AnyTool } from "../../contract/tool.ts";

/** The agent's tools and their descriptions for the model; one object per process. */
export interface Toolbox {
  readonly tools: ReadonlyMap<string, AnyTool>;
  readonly specs: readonly ToolSpec[];
}
