import type { Call } from "../../src/contract/message.ts";
import { loadTools } from "../../src/tool/registry.ts";

const tools = loadTools([]);

/** As the tool's definition says. */
export function roleOf(tool: string): Pick<Call, "role"> {
  const role = tools.get(tool)?.role;
  return role ? { role } : {};
}
