const styles = /\x1b\[[0-9;]*m|\x1b\]8;[^\x07\x1b]*(?:\x07|\x1b\\)/g;

/** Without our styles. */
export function bare(line: string): string {
  return line.includes("\x1b") ? line.replace(styles, "") : line;
}

/** Capitals count where they are asked for. */
export function isMatch(line: string, wanted: string): boolean {
  return find(bare(line), wanted, 0) !== -1;
}

function find(text: string, wanted: string, from: number): number {
  const isAnyCase = wanted === wanted.toLowerCase();
  return (isAnyCase ? text.toLowerCase() : text).indexOf(wanted, from);
}

/** A row that holds what is looked for loses its own styles: what was found is what counts in it. */
export function marked(row: string, wanted: string, style: (text: string) => string): string {
  const text = bare(row);
  let [shown, from] = ["", 0];
  for (let at = find(text, wanted, 0); at !== -1; at = find(text, wanted, from)) {
    shown += text.slice(from, at) + style(text.slice(at, at + wanted.length));
    from = at + wanted.length;
  }
  return from === 0 ? row : shown + text.slice(from);
}

/** The line of `lines` that begins with what `line` of the others did: both say the same, broken differently. */
export function placeIn(lines: readonly string[], others: readonly string[], line: number): { line: number; row: 0 } {
  let before = 0;
  for (const one of others.slice(0, line)) before += signs(one);
  let at = 0;
  for (; at < lines.length - 1; at++) {
    before -= signs(lines[at] ?? "");
    if (before < 0) break;
  }
  return { line: at, row: 0 };
}

function signs(line: string): number {
  return bare(line).replace(/\s+/g, "").length;
}
