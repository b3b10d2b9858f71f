import { lstatSync, readdirSync, readlinkSync } from "node:fs";
import { fail, ok } from "../contract/error.ts";
import { phrase } from "../contract/text/catalogue.ts";
import { defineTool } from "../contract/tool.ts";
import { errnoOf, ioFailure } from "../platform/files/failure.ts";
import { locate, visible } from "../platform/files/path.ts";
import { args, optional, text } from "./args.ts";

const maxShown = 500;

export const list = defineTool({
  name: "list",
  description:
    "List the entries of one folder, hidden ones included, without descending. Folders end in /, links show their target. At most 500 are shown.",
  input: args({ path: optional(text("Folder; default: the workspace root")) }),
  access: "read",
  afterCrash: "repeat",
  touches: ({ path }) => [path ?? "."],
  async run({ path = "." }, ctx) {
    const at = locate(path, ctx);
    if (!at.ok) return at;
    const { real, kind } = at.value;
    const shown = visible(at.value.shown);
    if (kind === "none") return fail("E_IO", phrase("file.missing", { path: shown }));
    if (kind !== "folder") return fail("E_INVALID_ARGS", phrase("file.not_folder", { path: shown }));
    try {
      const names = readdirSync(real).sort();
      const entries = names.slice(0, maxShown).map((name) => entryOf(real, name));
      const rest = names.length - entries.length;
      const notes = names.length === 0 ? ["(empty folder)"] : rest > 0 ? [`(${rest} more entries not shown)`] : [];
      return ok({
        text: [...entries, ...notes].join("\n"),
        data: { path: at.value.shown, total: names.length },
      });
    } catch (error) {
      return ioFailure(error, shown);
    }
  },
});

function entryOf(folder: string, name: string): string {
  const path = `${folder}/${name}`;
  try {
    const stat = lstatSync(path, { throwIfNoEntry: false });
    if (stat?.isDirectory()) return `${visible(name)}/`;
    if (stat?.isSymbolicLink()) return `${visible(name)} -> ${visible(readlinkSync(path))}`;
    return visible(name);
  } catch (error) {
    // Without permission for the folder's entries, or removed in between: the name is all there is.
    if (errnoOf(error) === undefined) throw error;
    return visible(name);
  }
}
