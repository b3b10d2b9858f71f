import type { ShellFacts } from "../../../src/policy/shell/judgement.ts";

/** Nothing speaks against git. */
export const facts: ShellFacts = { gitProblem: null };
