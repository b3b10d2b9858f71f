import type { Attempt } from "./attempt.ts";
import { keyAttempts } from "./keys.ts";
import { limitAttempts } from "./limits.ts";
import { ruleAttempts } from "./rules.ts";

export const attempts: readonly Attempt[] = [...ruleAttempts, ...keyAttempts, ...limitAttempts];
