/** How a file is formatted, so that additions match. */
export interface Layout {
  readonly eol: string;
  readonly unit: string;
}

export function layoutOf(text: string): Layout {
  const eol = /\r?\n/.exec(text)?.[0] ?? "\n";
  const unit = /\n([ \t]+)"/.exec(text)?.[1] ?? "  ";
  return { eol, unit };
}

/** Formats over several lines, but a list of scalars on one. */
export function print(value: unknown, layout: Layout, indent: string): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const isList = Array.isArray(value);
  if (isList && value.every((item) => typeof item !== "object" || item === null)) {
    return `[${value.map((item) => JSON.stringify(item)).join(", ")}]`;
  }
  const inner = indent + layout.unit;
  const rows: readonly string[] = isList
    ? value.map((item) => print(item, layout, inner))
    : Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${print(item, layout, inner)}`);
  const [open, close] = isList ? ["[", "]"] : ["{", "}"];
  if (rows.length === 0) return open + close;
  const { eol } = layout;
  return `${open}${eol}${inner}${rows.join(`,${eol}${inner}`)}${eol}${indent}${close}`;
}
