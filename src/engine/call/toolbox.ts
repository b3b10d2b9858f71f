import type { ToolSpec } from "../../contract/message.ts";
import type { AnyTool } from "../../contract/tool.ts";

export interface Toolbox {
  readonly tools: ReadonlyMap<string, AnyTool>;
  readonly specs: readonly ToolSpec[];
}
