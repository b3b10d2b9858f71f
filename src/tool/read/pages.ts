import { ok, type Result } from "../../contract/error.ts";
import type { ToolOutput } from "../../contract/tool.ts";
import { showSize } from "../../platform/files/open.ts";
import type { LocatedPath } from "../../platform/files/path.ts";
import { maxLineChars, type Page, type PageWish, readPage } from "../../platform/files/text/page.ts";

export function numbered(lines: readonly string[], first: number): readonly string[] {
  return lines.map((line, index) => `${first + index}\t${line}`);
}

/** `remark`: why a structured file is shown as raw text. */
export async function textOutput(at: LocatedPath, wish: PageWish, remark?: string): Promise<Result<ToolOutput>> {
  const page = await readPage(at, wish);
  return page.ok ? ok(shownPage(page.value, at, remark)) : page;
}

export function shownPage(page: Page, at: LocatedPath, remark?: string): ToolOutput {
  const { first, total, size, encoding, isCut } = page;
  const last = first + page.lines.length - 1;
  const notes = [
    ...(page.lines.length === 0 && first === 1 ? ["(empty file)"] : []),
    ...goingOn(page, last),
    ...(isCut && page.hash !== null
      ? [`(a cut line goes on with its number as offset and column=${maxLineChars + 1})`]
      : []),
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

function goingOn({ first, total, size, more, stretch }: Page, last: number): readonly string[] {
  if (stretch === undefined)
    return more ? [`(lines ${first}-${last} of ${total ?? showSize(size)}; continue with offset=${last + 1})`] : [];
  const { from, to, of } = stretch;
  const next = to < of ? `offset=${first} column=${to + 1}` : more ? `offset=${first + 1}` : null;
  return [`(line ${first}, characters ${from}-${to} of ${of}${next === null ? "" : `; continue with ${next}`})`];
}
