import { compiledScenarios } from "./compiled.ts";
import { nodeScenarios } from "./node.ts";
import { pythonScenarios } from "./python.ts";
import type { Scenario } from "./scenario.ts";

export const scenarios: readonly Scenario[] = [...pythonScenarios, ...nodeScenarios, ...compiledScenarios];
