import { fail, ok } from "../contract/error.ts";
import { phrase } from "../contract/text/catalogue.ts";
import { defineTool } from "../contract/tool.ts";
import { locate, visible } from "../platform/files/path.ts";
import { args, optional, text } from "./args.ts";

const maxPaths = 200;

export const glob = defineTool({
  name: "glob",
  description:
    "Find files by path pattern, such as **/*.ts or src/**/test_*.py; a pattern without / fits in every folder. Leaves out what .gitignore names. At most 200 paths, sorted.",
  input: args({
    pattern: text("", { min: 1 }),
    path: optional(text("Folder to search; default: the workspace root")),
  }),
  access: "read",
  afterCrash: "repeat",
  touches: ({ path }) => [path ?? "."],
  async run({ pattern, path = "." }, ctx) {
    const at = locate(path, ctx);
    if (!at.ok) return at;
    const { real, kind } = at.value;
    const shown = visible(at.value.shown);
    if (kind === "none") return fail("E_IO", phrase("file.missing", { path: shown }));
    if (kind !== "folder") return fail("E_INVALID_ARGS", phrase("file.not_folder", { path: shown }));
    const { findFiles } = await import("../platform/search.ts");
    const { root, signal, defaultTimeoutMs: timeoutMs } = ctx;
    const result = await findFiles({ root, real, glob: pattern, max: maxPaths, signal, timeoutMs });
    if (!result.ok) return result;
    const { found, more } = result.value;
    const notes =
      found.length === 0 ? ["(no files)"] : more ? [`(more than ${maxPaths} files; narrow the pattern)`] : [];
    return ok({ text: [...found.map(visible), ...notes].join("\n"), data: { files: found.length, more } });
  },
});
