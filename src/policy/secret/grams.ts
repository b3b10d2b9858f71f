import type { Squeezed } from "./squeeze.ts";

const size = 4;
const letters = 36;

/** The ordinal of a letter (ignoring case) or digit, below 36. */
const ordinal = (code: number): number => (code <= 57 ? code - 48 : (code | 32) - 87);

/** All four-character sequences in the forms of values: the end of a text may be the beginning of a form. */
export class Grams {
  private seen = new Uint8Array(0);
  private readonly starts: Uint8Array[] = [];

  /** `isSimple`: the first three letters already count as a possible start. */
  add(codes: Uint8Array, isSimple: boolean): void {
    if (this.seen.length === 0) this.seen = new Uint8Array(letters ** size / 8);
    let gram = 0;
    for (let at = 0; at < codes.length; at++) {
      gram = (gram * letters + ordinal(codes[at] as number)) % letters ** size;
      if (at >= size - 1) this.seen[gram >>> 3]! |= 1 << (gram & 7);
    }
    if (isSimple) this.starts.push(codes.slice(0, size - 1));
  }

  /** The offset in the text where a possible start of a form begins; the text's length if there is none. */
  openStart(squeezed: Squeezed, text: string): number {
    const { codes, from, length } = squeezed;
    let first = length;
    for (let at = length - size; at >= 0 && this.has(gramAt(codes, at)); at--) first = at;
    if (first === length) first = this.shortStart(squeezed, text);
    return first === length ? text.length : (from[first] as number);
  }

  private has(gram: number): boolean {
    return ((this.seen[gram >>> 3] as number) >>> (gram & 7)) % 2 === 1;
  }

  /** A last line of one to three characters may begin a form. At the end of a longer line these are not held back. */
  private shortStart({ codes, from, to, length }: Squeezed, text: string): number {
    for (let count = Math.min(size - 1, length); count > 0; count--) {
      const at = length - count;
      if (at > 0 && !/[\n\r]|\\n/.test(text.slice(to[at - 1], from[at]))) continue;
      const isStart = this.starts.some((start) =>
        start.subarray(0, count).every((code, i) => (code | 32) === ((codes[at + i] as number) | 32)),
      );
      if (isStart) return at;
    }
    return length;
  }
}

function gramAt(codes: Uint8Array, at: number): number {
  let gram = 0;
  for (let i = at; i < at + size; i++) gram = gram * letters + ordinal(codes[i] as number);
  return gram;
}
