import type { ShellFacts } from "../../../src/policy/shell/judgement.ts";

/** Nothing speaks against programs in PATH or against git. */
export const facts: ShellFacts = { isPathShadowed: false, gitProblem: null };
