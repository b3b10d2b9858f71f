import { bare } from "../blocks/lines.ts";

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
