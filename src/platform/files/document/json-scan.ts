// Validates everything but decodes only what is requested: a notebook with 50 MB of pictures costs no more than its bytes.

export class JsonFault extends Error {
  readonly at: number;
  constructor(at: number) {
    super(`no JSON at byte ${at}`);
    this.at = at;
  }
}

interface Span {
  readonly from: number;
  readonly to: number;
}

/** Deeper than any real file; the scan recurses once per level. */
const maxDepth = 200;
const quote = 0x22;
const backslash = 0x5c;
const literal = /^(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)$/;

export class JsonScan {
  at: number;
  private readonly bytes: Buffer;

  constructor(bytes: Buffer, at = 0) {
    this.bytes = bytes;
    this.at = at;
  }

  /** First byte of the next value; -1 at the end. */
  peek(): number {
    for (;;) {
      const byte = this.bytes[this.at] ?? -1;
      if (byte !== 0x20 && (byte < 9 || byte > 13 || byte === 11 || byte === 12)) return byte;
      this.at++;
    }
  }

  /** Keys of an object; the caller must read or skip each value before the next key. */
  *keys(): Generator<string> {
    if (this.open("{", "}")) return;
    do {
      if (this.peek() !== quote) throw new JsonFault(this.at);
      const key = this.text(this.string(), 200);
      this.expect(":");
      yield key;
    } while (this.hasMore("}"));
  }

  /** Yields once per item of an array; the caller must read or skip the item before the next. */
  *items(): Generator<void> {
    if (this.open("[", "]")) return;
    do {
      yield;
    } while (this.hasMore("]"));
  }

  string(): Span {
    if (this.peek() !== quote) throw new JsonFault(this.at);
    const { bytes } = this;
    const from = this.at + 1;
    for (let at = from; at < bytes.length; at++) {
      const byte = bytes[at]!;
      if (byte === quote) {
        this.at = at + 1;
        return { from, to: at };
      }
      if (byte === backslash) at++;
      else if (byte < 0x20) throw new JsonFault(at);
    }
    throw new JsonFault(bytes.length);
  }

  /** `null`, `true`, `false` or a number, as written. */
  literal(): string {
    this.peek();
    const from = this.at;
    while (isWord(this.bytes[this.at] ?? 0) && this.at - from < 400) this.at++;
    const text = this.bytes.toString("latin1", from, this.at);
    if (!literal.test(text)) throw new JsonFault(from);
    return text;
  }

  literalOrSkip(): string {
    if (!['"', "{", "["].includes(String.fromCharCode(this.peek()))) return this.literal();
    this.skip();
    return "";
  }

  skip(depth = 0): void {
    if (depth > maxDepth) throw new JsonFault(this.at);
    const byte = this.peek();
    if (byte === quote) this.string();
    else if (byte === 0x7b) for (const _ of this.keys()) this.skip(depth + 1);
    else if (byte === 0x5b) for (const _ of this.items()) this.skip(depth + 1);
    else this.literal();
  }

  text({ from, to }: Span, maxBytes: number): string {
    const end = to - from <= maxBytes ? to : this.cut(from, from + maxBytes);
    try {
      const decoded: unknown = JSON.parse(`"${this.bytes.toString("utf8", from, end)}"`);
      return String(decoded).toWellFormed();
    } catch (error) {
      if (error instanceof SyntaxError) throw new JsonFault(from);
      throw error;
    }
  }

  /** The last offset before `end` that is inside neither an escape nor a character. */
  private cut(from: number, end: number): number {
    for (let at = from; ; ) {
      const length = this.bytes[at] === backslash ? (this.bytes[at + 1] === 0x75 ? 6 : 2) : 1;
      let next = at + length;
      while ((this.bytes[next]! & 0xc0) === 0x80) next++;
      if (next > end) return at;
      at = next;
    }
  }

  private open(first: string, last: string): boolean {
    this.expect(first);
    if (this.peek() !== last.charCodeAt(0)) return false;
    this.at++;
    return true;
  }

  private hasMore(last: string): boolean {
    if (this.peek() === 0x2c) {
      this.at++;
      return true;
    }
    this.expect(last);
    return false;
  }

  private expect(char: string): void {
    if (this.peek() !== char.charCodeAt(0)) throw new JsonFault(this.at);
    this.at++;
  }
}

function isWord(byte: number): boolean {
  const small = byte | 0x20;
  return (
    (byte >= 0x30 && byte <= 0x39) ||
    (small >= 0x61 && small <= 0x7a) ||
    (byte >= 0x2b && byte <= 0x2e && byte !== 0x2c)
  );
}
