// Bun decodes GB18030 but does not encode it: the inverse tables are built from the decoder on first use.

interface Tables {
  /** Code unit → two-byte code; 0: none. */
  readonly two: Uint16Array;
  /** Code unit → index + 1 among the four-byte codes of the basic plane; 0: none. */
  readonly four: Uint16Array;
}

const basicTwoCount = 23_940;
const basicFourCount = 39_420;
const supplementary = 189_000;

let tables: Tables | undefined;

/** The bytes, or the first character that the encoding lacks. `onlyTwo`: GBK, whose readers know no four-byte codes. */
export function encodeGb(text: string, onlyTwo: boolean): Buffer | { readonly misfit: string } {
  tables ??= buildTables();
  const out = Buffer.allocUnsafe(text.length * 4);
  let end = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit < 0x80) {
      out[end++] = unit;
      continue;
    }
    const two = tables.two[unit]!;
    if (two !== 0) {
      out[end++] = two >> 8;
      out[end++] = two & 0xff;
      continue;
    }
    const point = text.codePointAt(at)!;
    const position = point > 0xffff ? point - 0x10000 + supplementary : tables.four[unit]! - 1;
    if (onlyTwo || position < 0) return { misfit: String.fromCodePoint(point) };
    putFour(out, end, position);
    end += 4;
    if (point > 0xffff) at++;
  }
  return out.subarray(0, end);
}

function putFour(out: Buffer, at: number, position: number): void {
  out[at] = 0x81 + Math.floor(position / 12_600);
  out[at + 1] = 0x30 + (Math.floor(position / 1260) % 10);
  out[at + 2] = 0x81 + (Math.floor(position / 10) % 126);
  out[at + 3] = 0x30 + (position % 10);
}

function buildTables(): Tables {
  const decoder = new TextDecoder("gb18030");
  const twoBytes = Buffer.allocUnsafe(basicTwoCount * 2);
  let end = 0;
  for (let lead = 0x81; lead <= 0xfe; lead++) {
    for (let trail = 0x40; trail <= 0xfe; trail++) {
      if (trail !== 0x7f) end = twoBytes.writeUInt16BE((lead << 8) | trail, end);
    }
  }
  const fourBytes = Buffer.allocUnsafe(basicFourCount * 4);
  for (let position = 0; position < basicFourCount; position++) putFour(fourBytes, position * 4, position);
  // Each code decodes to exactly one code unit, so indices in text and table agree.
  return {
    two: invert(decoder.decode(twoBytes), (index) => twoBytes.readUInt16BE(index * 2)),
    four: invert(decoder.decode(fourBytes), (index) => index + 1),
  };
}

function invert(text: string, valueAt: (index: number) => number): Uint16Array {
  const table = new Uint16Array(0x10000);
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    // The first of two codes for a character is the usual one (U+3000 has a second, A3A0).
    if (table[unit] === 0) table[unit] = valueAt(index);
  }
  return table;
}
