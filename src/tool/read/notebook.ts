import { ok, type Result } from "../../contract/error.ts";
import type { ToolOutput } from "../../contract/tool.ts";
import { notebookPage } from "../../platform/files/document/notebook.ts";
import { loadFile, maxWholeBytes, showSize } from "../../platform/files/open.ts";
import type { LocatedPath } from "../../platform/files/path.ts";
import { type PageWish, pastEnd } from "../../platform/files/text/page.ts";
import { numbered, textOutput } from "./pages.ts";

const hint =
  'shown as cells; edit changes the JSON in the file, where a source line is a string such as "print(\\"a\\")\\n", so copy old_string from a grep in it';

/** Cell by cell, or as raw text with the reason why not. */
export async function notebookOutput(at: LocatedPath, size: number, wish: PageWish): Promise<Result<ToolOutput>> {
  if (size > maxWholeBytes) return textOutput(at, wish, `not shown as notebook cells: ${showSize(size)}`);
  const loaded = loadFile(at);
  if (!loaded.ok) return loaded;
  const found = notebookPage(loaded.value.bytes, wish);
  if ("problem" in found) return textOutput(at, wish, `not shown as notebook cells: ${found.problem}`);
  const { page, cells } = found;
  if (cells > 0 && page.lines.length === 0) return pastEnd(at, wish.offset, page.count);
  const first = wish.offset;
  const last = first + page.lines.length - 1;
  const notes = [
    ...(cells === 0 ? ["(notebook without cells)"] : []),
    ...(page.isFull ? [`(lines ${first}-${last}; continue with offset=${last + 1})`] : []),
    `(${hint})`,
  ];
  const { hash } = loaded.value.stamp;
  return ok({
    text: [...numbered(page.lines, first), ...notes].join("\n"),
    data: { path: at.shown, first, last, total: page.isFull ? null : page.count, size, cells },
    seen: [{ real: at.real, hash }],
  });
}
