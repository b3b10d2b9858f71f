import { ok, type Result } from "../contract/error.ts";
import type { ToolOutput } from "../contract/tool.ts";
import { showSize } from "../platform/files/open.ts";
import { type Page, type PageWish, readPage } from "../platform/files/page.ts";
import type { LocatedPath } from "../platform/files/path.ts";

export function numbered(lines: readonly string[], first: number): readonly string[] {
  return lines.map((line, index) => `${first + index}\t${line}`);
}

/** `remark`: why a file that is more than text is shown as text all the same. */
export async function textOutput(at: LocatedPath, wish: PageWish, remark?: string): Promise<Result<ToolOutput>> {
  const page = await readPage(at, wish);
  return page.ok ? ok(shownPage(page.value, at, remark)) : page;
}

export function shownPage(page: Page, at: LocatedPath, remark?: string): ToolOutput {
  const { first, total, size, encoding } = page;
  const last = first + page.lines.length - 1;
  const notes = [
    ...(page.lines.length === 0 && first === 1 ? ["(empty file)"] : []),
    ...(page.more ? [`(lines ${first}-${last} of ${total ?? showSize(size)}; continue with offset=${last + 1})`] : []),
    ...(remark === undefined ? [] : [`(${remark})`]),
    ...(encoding === "utf-8" ? [] : [`(encoding: ${encoding})`]),
    ...(page.hash === null ? [`(${showSize(size)}: too big for edit and write; change it with a shell command)`] : []),
  ];
  return {
    text: [...numbered(page.lines, first), ...notes].join("\n"),
    data: { path: at.shown, first, last, total, size, encoding },
    ...(page.hash === null ? {} : { seen: [{ real: at.real, hash: page.hash }] }),
  };
}
