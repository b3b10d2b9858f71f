import { type ErrorInfo, fail, ok, type Result } from "../../contract/error.ts";
import { visible } from "../../contract/show/visible.ts";
import { phrase } from "../../contract/text/catalogue.ts";
import { defineTool } from "../../contract/tool.ts";
import { locate } from "../../platform/files/path.ts";
import { args, optional, text, whole } from "../args.ts";
import { missing } from "../edit/nearest.ts";

const defaultMatches = 100;

export const grep = defineTool({
  name: "grep",
  description:
    "Search file contents by regular expression (ripgrep). Gives path:line:text, sorted by path; of a long line what is around the match. Leaves out what .gitignore names.",
  input: args({
    pattern: text("", { min: 1 }),
    path: optional(text("File or folder; default: the workspace root")),
    glob: optional(text("Only these files, such as *.ts or src/**")),
    max_matches: optional(whole("Default 100", { min: 1, max: 2000 })),
  }),
  access: "read",
  afterCrash: "repeat",
  touches: ({ path }) => [path ?? "."],
  instead: [{ tool: "bash", how: "search with rg or grep -rn, in the smallest folder that will do" }],
  async run({ pattern, path = ".", glob, max_matches: max = defaultMatches }, ctx) {
    const at = locate(path, ctx);
    if (!at.ok) return at;
    const { real, kind } = at.value;
    const shown = visible(at.value.shown);
    if (kind === "none") return missing(at.value);
    if (kind === "other") return fail("E_INVALID_ARGS", phrase("file.special", { path: shown }));
    const { searchText } = await import("../../platform/search/search.ts");
    const { root, signal, defaultTimeoutMs: timeoutMs, isSecret } = ctx;
    const isFolder = kind === "folder";
    const result = await searchText({
      ...{ root, real, pattern, max, signal, timeoutMs },
      ...(isFolder && glob !== undefined ? { glob } : {}),
      // A file named explicitly was judged by policy already.
      ...(isFolder && isSecret ? { isHidden: isSecret } : {}),
    });
    if (!result.ok) return explained(result.error);
    const { found, more } = result.value;
    const ends =
      found.length === 0
        ? ["no matches", ...hintsFor(pattern, glob, isFolder)]
        : more
          ? [`more than ${max} matches; narrow the search`]
          : [];
    const notes = [...ends, ...result.value.notes].map((note) => `(${note})`);
    return ok({
      text: [...found.map(({ path: file, line, text: hit }) => `${visible(file)}:${line}:${hit}`), ...notes].join("\n"),
      data: { matches: found.length, more },
    });
  },
});

/** A pattern that fails to parse is mostly meant literally. */
function explained(error: ErrorInfo): Result<never> {
  const isPattern = error.text.key === "search.bad_pattern";
  return { ok: false, error: isPattern ? { ...error, advice: phrase("advice.literal") } : error };
}

function hintsFor(pattern: string, glob: string | undefined, isFolder: boolean): readonly string[] {
  return [
    ...(/\n|\\n/.test(pattern) ? ["one line is searched at a time: no pattern fits over a line break"] : []),
    ...(glob?.includes(",") && !glob.includes("{") ? ["several endings: *.{ts,py}"] : []),
    ...(glob !== undefined && !isFolder ? ["path is a file: glob had no meaning"] : []),
    ...(isFolder ? ["ignored files are left out, unless path names them"] : []),
  ];
}
