import { ok } from "../../contract/error.ts";
import { visible } from "../../contract/show/visible.ts";
import { defineTool } from "../../contract/tool.ts";
import { args, optional, text } from "../args.ts";
import { folderAt } from "../edit/nearest.ts";

const maxPaths = 200;

export const glob = defineTool({
  name: "glob",
  description:
    "Find files by path pattern, such as **/*.ts or src/**/test_*.py; a pattern without / fits in every folder. Leaves out what .gitignore names. The first 200 paths, sorted, and how many more there are.",
  input: args({
    pattern: text("", { min: 1 }),
    path: optional(text("Folder to search; default: the workspace root")),
  }),
  access: "read",
  afterCrash: "repeat",
  touches: ({ path }) => [path ?? "."],
  instead: [{ tool: "list", how: "list the folders, one after the other" }],
  async run({ pattern, path = "." }, ctx) {
    const at = folderAt(path, ctx);
    if (!at.ok) return at;
    const { real } = at.value;
    const { findFiles } = await import("../../platform/search/search.ts");
    const { root, signal, defaultTimeoutMs: timeoutMs } = ctx;
    const result = await findFiles({ root, real, glob: pattern, max: maxPaths, signal, timeoutMs });
    if (!result.ok) return result;
    const { found, more, total } = result.value;
    const rest = total - found.length;
    const ends =
      found.length === 0
        ? ["no files", ...hintsFor(pattern)]
        : more
          ? [`${rest} more not shown; narrow the pattern`]
          : [];
    const notes = [...ends, ...result.value.notes].map((note) => `(${note})`);
    return ok({ text: [...found.map(visible), ...notes].join("\n"), data: { files: found.length, more, total } });
  },
});

function hintsFor(pattern: string): readonly string[] {
  const isPlain = !/[*?[{]/.test(pattern);
  return [
    ...(isPlain ? [`for all files below a folder: ${pattern.replace(/\/$/, "")}/**`] : []),
    ...(pattern.includes(",") && !pattern.includes("{") ? ["several endings: *.{ts,py}"] : []),
    "ignored files are left out; bash with find shows them",
  ];
}
