import type { ShellFacts } from "../../../src/policy/shell/verdict/judgement.ts";

/** Nothing speaks against git. */
export const facts: ShellFacts = { gitProblem: null };
