import { ok } from "../contract/error.ts";
import { defineTool, type ToolOutput } from "../contract/tool.ts";
import { showSize } from "../platform/files/open.ts";
import { type Page, readPage } from "../platform/files/page.ts";
import { type LocatedPath, locate } from "../platform/files/path.ts";
import { args, optional, text, whole } from "./args.ts";
import { missing } from "./nearest.ts";

const defaultLimit = 2000;

export const read = defineTool({
  name: "read",
  description:
    "Read a text file. Each line comes as number, tab, text; number and tab are not part of the file. At most 2000 lines or 50 KiB per call; the end says which offset continues. Lines over 2000 characters are cut.",
  input: args({
    path: text("Absolute or relative to the workspace root", { min: 1 }),
    offset: optional(whole("First line, from 1", { min: 1 })),
    limit: optional(whole("Number of lines", { min: 1 })),
  }),
  access: "read",
  afterCrash: "repeat",
  touches: ({ path }) => [path],
  async run({ path, offset = 1, limit = defaultLimit }, ctx) {
    const at = locate(path, ctx);
    if (!at.ok) return at;
    if (at.value.kind === "none") return missing(at.value);
    const page = await readPage(at.value, { offset, limit, signal: ctx.signal });
    return page.ok ? ok(outputOf(page.value, at.value)) : page;
  },
});

function outputOf(page: Page, at: LocatedPath): ToolOutput {
  const { first, total, size, encoding } = page;
  const last = first + page.lines.length - 1;
  const numbered = page.lines.map((line, index) => `${first + index}\t${line}`);
  const notes = [
    ...(size === 0 ? ["(empty file)"] : []),
    ...(page.more ? [`(lines ${first}-${last} of ${total ?? showSize(size)}; continue with offset=${last + 1})`] : []),
    ...(encoding === "utf-8" ? [] : [`(encoding: ${encoding})`]),
    ...(page.hash === null ? [`(${showSize(size)}: too big for edit and write; change it with a shell command)`] : []),
  ];
  return {
    text: [...numbered, ...notes].join("\n"),
    data: { path: at.shown, first, last, total, size, encoding },
    ...(page.hash === null ? {} : { seen: [{ real: at.real, hash: page.hash }] }),
  };
}
