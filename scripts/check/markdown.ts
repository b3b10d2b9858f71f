// The parts of Markdown that the checks of the documents need.

/** The same text with the content of fenced blocks and comments emptied, line by line. */
export function withoutBlocks(text: string): string {
  let fence: string | null = null;
  const lines = text.split("\n").map((line) => {
    const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence === null && mark !== undefined) {
      fence = mark;
      return "";
    }
    if (fence !== null && mark?.startsWith(fence)) {
      fence = null;
      return "";
    }
    return fence === null ? line : "";
  });
  return lines.join("\n").replace(/<!--[\s\S]*?-->/g, (found) => found.replace(/[^\n]/g, ""));
}

export interface Found {
  readonly line: number;
  readonly text: string;
}

/** Targets of links and images, without title. */
export function linksIn(text: string): readonly Found[] {
  return found(withoutBlocks(text).replace(/`[^`\n]*`/g, ""), /\]\(\s*<?([^)\s>]+)>?(?:\s+"[^"]*")?\s*\)/g);
}

/** What stands between single backticks, also over a line end. */
export function codeIn(text: string): readonly Found[] {
  return found(withoutBlocks(text), /`([^`]+)`/g);
}

/** The anchors of all headings, as GitHub makes them. */
export function anchorsIn(text: string): ReadonlySet<string> {
  const anchors = new Set<string>();
  for (const { text: heading } of found(withoutBlocks(text), /^#{1,6}\s+(.+?)\s*#*$/gm)) {
    const plain = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1");
    const base = plain
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\p{M}\p{Pc}\- ]/gu, "")
      .replaceAll(" ", "-");
    let anchor = base;
    for (let n = 1; anchors.has(anchor); n++) anchor = `${base}-${n}`;
    anchors.add(anchor);
  }
  return anchors;
}

function found(text: string, pattern: RegExp): readonly Found[] {
  return [...text.matchAll(pattern)].map((match) => ({
    line: text.slice(0, match.index).split("\n").length,
    text: match[1] ?? "",
  }));
}
