import type { FailedCall } from "./state.ts";

export interface Fallback {
  readonly tool: string;
  /** In English: the model reads it. */
  readonly how: string;
}

/** SM-8: other tools for the same purpose, the nearest first. What changes files has no way round it through a command. */
const table: Readonly<Record<string, readonly Fallback[]>> = {
  edit: [
    { tool: "patch", how: "read the file again and send the change as a patch with the lines around it" },
    { tool: "write", how: "read the file again and write it whole, with the change in it" },
  ],
  patch: [
    { tool: "edit", how: "read the file again and make one small edit after the other" },
    { tool: "write", how: "read the file again and write it whole, with the change in it" },
  ],
  grep: [{ tool: "bash", how: "search with rg or grep -rn, in the smallest folder that will do" }],
  glob: [{ tool: "list", how: "list the folders, one after the other" }],
  list: [{ tool: "glob", how: "name the files with a pattern" }],
  read: [{ tool: "bash", how: "look at a part of it with head, tail or sed -n, or ask file what it is" }],
  diff: [{ tool: "bash", how: "use git diff, or diff" }],
};

export function fallbackFor({ tool }: FailedCall, has: (tool: string) => boolean): Fallback | null {
  const others = Object.hasOwn(table, tool) ? (table[tool] ?? []) : [];
  return others.find((one) => has(one.tool)) ?? null;
}
