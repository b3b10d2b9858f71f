import type { Evidence } from "./find/evidence.ts";
import type { Change, Kind } from "./find/kind.ts";
import type { Routine, Source } from "./text/outline.ts";
import type { Token } from "./text/token.ts";

export interface Area {
  readonly source: Source;
  readonly routine: Routine | null;
  readonly from: number;
  readonly to: number;
}

export interface Clues {
  readonly evidence: readonly Evidence[];
  /** Values that failing tests expect, as written there; the likeliest first. */
  readonly wanted: readonly string[];
  readonly words: ReadonlySet<string>;
  readonly asyncs: ReadonlySet<string>;
}

export type Changes = Generator<Change, void>;

export type Finder = (area: Area, clues: Clues) => Iterable<Change>;

export function replace(area: Area, kind: Kind, from: number, to: number, text: string, odds = 1): Change {
  const { source, routine } = area;
  const [first, last] = [source.tokens[from]!, source.tokens[to - 1]!];
  return { kind, source, routine, line: first.line, start: first.start, end: last.end, text, odds };
}

export function insert(area: Area, kind: Kind, token: Token, side: "before" | "after", text: string, odds = 1): Change {
  const { source, routine } = area;
  const at = side === "before" ? token.start : token.end;
  return { kind, source, routine, line: token.line, start: at, end: at, text, odds };
}

export function* each({ source, from, to }: Area): Generator<readonly [at: number, token: Token]> {
  for (let at = from; at < to; at++) {
    const token = source.tokens[at];
    if (token !== undefined && token.kind !== "end") yield [at, token];
  }
}

/** The end, exclusive, of the returned value that begins at a token. */
export function returnedEnd({ source: { tokens, partner }, to }: Area, from: number): number {
  let end = from;
  while (end < to && tokens[end]?.kind !== "end" && ![";", "}"].includes(tokens[end]?.text ?? ""))
    end = partner[end]! > end ? partner[end]! + 1 : end + 1;
  return end;
}

export function indentAt({ text }: Source, { start }: Token): string {
  const line = text.lastIndexOf("\n", start - 1) + 1;
  return /^[ \t]*/.exec(text.slice(line, start))?.[0] ?? "";
}
