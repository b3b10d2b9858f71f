import { closeSync } from "node:fs";
import { fail, ok, type Result } from "../../contract/error.ts";
import { visible } from "../../contract/show/visible.ts";
import { phrase } from "../../contract/text/catalogue.ts";
import { defineTool, type ToolContext, type ToolOutput } from "../../contract/tool.ts";
import { ioFailure } from "../../platform/files/failure.ts";
import { maxWholeBytes, type OpenFile, openFile } from "../../platform/files/open.ts";
import { type LocatedPath, locate } from "../../platform/files/path.ts";
import { type PageWish, pageOf, smallPage } from "../../platform/files/text/page.ts";
import { kindOf, type OtherKind } from "../../platform/files/text/sniff.ts";
import { args, optional, text, whole } from "../args.ts";
import { missing } from "../edit/nearest.ts";
import { shownPage, textOutput } from "./pages.ts";

const defaultLimit = 2000;
/** Read within a millisecond, so there is no need to yield. */
const nowBytes = 256 * 1024;

export const read = defineTool({
  name: "read",
  description:
    "Read a file. Each line comes as number, tab, text; number and tab are not part of the file. At most 2000 lines or 28 KiB per call; the end says which offset continues. Lines over 2000 characters are cut. Images (PNG, JPEG, GIF, WebP) are shown; notebooks come as cells, PDFs as text.",
  input: args({
    path: text("Absolute or relative to the workspace root", { min: 1 }),
    offset: optional(whole("First line, from 1", { min: 1 })),
    limit: optional(whole("Number of lines", { min: 1 })),
    column: optional(whole("First character in a cut line", { min: 1 })),
  }),
  access: "read",
  afterCrash: "repeat",
  touches: ({ path }) => [path],
  instead: [{ tool: "bash", how: "look at a part of it with head, tail or sed -n, or ask file what it is" }],
  runNow({ path, offset = 1, limit = defaultLimit, column }, ctx) {
    const at = locate(path, ctx);
    return at.ok && at.value.kind === "file" ? readNow(at.value, { offset, limit, column, signal: ctx.signal }) : null;
  },
  async run({ path, offset = 1, limit = defaultLimit, column }, ctx) {
    const at = locate(path, ctx);
    if (!at.ok) return at;
    if (at.value.kind === "none") return missing(at.value);
    return readAny(at.value, { offset, limit, column, signal: ctx.signal }, ctx);
  },
});

/** The common case: a small text file. */
function readNow(at: LocatedPath, wish: PageWish): Result<ToolOutput> | null {
  const opened = openFile(at);
  if (!opened.ok) return null;
  try {
    if (opened.value.stat.size > nowBytes || kindOf(opened.value, at) !== "text") return null;
    const page = smallPage(opened.value, at, wish);
    return page.ok ? ok(shownPage(page.value, at)) : page;
  } catch (error) {
    return ioFailure(error, visible(at.shown));
  } finally {
    closeSync(opened.value.fd);
  }
}

/** Loads the readers of other kinds only when needed, because most files are text. */
async function readAny(at: LocatedPath, wish: PageWish, ctx: ToolContext): Promise<Result<ToolOutput>> {
  const opened = openFile(at);
  if (!opened.ok) return opened;
  const { size } = opened.value.stat;
  const looked = await textOrKind(opened.value, at, wish);
  if (typeof looked !== "string") return looked;
  if (wish.column !== undefined) return noColumn(at);
  switch (looked) {
    case "notebook":
      return (await import("./notebook.ts")).notebookOutput(at, size, wish);
    case "pdf":
      return (await import("./pdf.ts")).pdfOutput(at, size, wish, ctx);
    default:
      return (await import("./image.ts")).imageOutput(at, size, looked) ?? textOutput(at, wish);
  }
}

function noColumn(at: LocatedPath) {
  return fail("E_INVALID_ARGS", phrase("file.no_column", { path: visible(at.shown) }), {
    advice: phrase("advice.use_shell"),
  });
}

/** Reads text through the descriptor that was checked; otherwise returns the kind. */
async function textOrKind(opened: OpenFile, at: LocatedPath, wish: PageWish): Promise<Result<ToolOutput> | OtherKind> {
  try {
    const kind = kindOf(opened, at);
    if (kind !== "text") return kind;
    if (wish.column !== undefined && opened.stat.size > maxWholeBytes) return noColumn(at);
    const page = await pageOf(opened, at, wish);
    return page.ok ? ok(shownPage(page.value, at)) : page;
  } catch (error) {
    return ioFailure(error, visible(at.shown));
  } finally {
    closeSync(opened.fd);
  }
}
