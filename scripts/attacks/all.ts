import type { Attempt } from "./attempt.ts";
import { ruleAttempts } from "./rules.ts";

export const attempts: readonly Attempt[] = [...ruleAttempts];
