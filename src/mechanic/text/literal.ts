/** A value as a test prints it, in the syntax of Python or JavaScript. Tuples and sets are lists. */
export type Value = number | string | boolean | null | readonly Value[] | ReadonlyMap<string, Value>;

/** `undefined` unless the whole text is one literal. */
export function literalOf(text: string): Value | undefined {
  const reader = new Reader(text.trim());
  const value = reader.value(0);
  return reader.isAtEnd() ? value : undefined;
}

const words: Readonly<Record<string, Value>> = {
  ...{ True: true, true: true, False: false, false: false },
  ...{ None: null, null: null, undefined: null, NaN: Number.NaN, nan: Number.NaN },
  ...{ Infinity: Number.POSITIVE_INFINITY, inf: Number.POSITIVE_INFINITY },
};
const escapes: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", "0": "\0" };
const maxDepth = 30;

class Reader {
  private readonly text: string;
  private at = 0;

  constructor(text: string) {
    this.text = text;
  }

  isAtEnd(): boolean {
    this.blank();
    return this.at === this.text.length;
  }

  value(depth: number): Value | undefined {
    this.blank();
    const first = this.text[this.at] ?? "";
    if (depth > maxDepth) return undefined;
    if (first === "[") return this.list("]", depth);
    if (first === "(") return this.list(")", depth);
    if (first === "{") return this.table(depth);
    if (first === "'" || first === '"' || first === "`") return this.string(first);
    const number = this.take(/[+-]?(?:\d[\d_]*\.?\d*|\.\d+)(?:[eE][+-]?\d+)?n?/y);
    if (number !== null) return Number(number.replace(/[_n]/g, ""));
    const sign = this.take(/-/y);
    const word = this.take(/[A-Za-z]+/y) ?? "";
    const value = Object.hasOwn(words, word) ? words[word] : undefined;
    return sign !== null && typeof value === "number" ? -value : value;
  }

  private list(close: string, depth: number): Value | undefined {
    this.at++;
    const items: Value[] = [];
    for (;;) {
      this.blank();
      if (this.text[this.at] === close) {
        this.at++;
        return items;
      }
      const item = this.value(depth + 1);
      if (item === undefined) return undefined;
      items.push(item);
      this.blank();
      if (this.text[this.at] === ",") this.at++;
      else if (this.text[this.at] !== close) return undefined;
    }
  }

  private table(depth: number): Value | undefined {
    this.at++;
    const table = new Map<string, Value>();
    const items: Value[] = [];
    for (;;) {
      this.blank();
      if (this.text[this.at] === "}") {
        this.at++;
        return items.length > 0 ? items : table;
      }
      const bare = this.take(/[A-Za-z_$][\w$]*(?=\s*:)/y);
      const key = bare ?? this.value(depth + 1);
      if (key === undefined) return undefined;
      this.blank();
      if (this.text[this.at] === ":") {
        this.at++;
        const value = this.value(depth + 1);
        if (value === undefined) return undefined;
        table.set(String(key), value);
      } else items.push(key);
      this.blank();
      if (this.text[this.at] === ",") this.at++;
      else if (this.text[this.at] !== "}") return undefined;
    }
  }

  private string(quote: string): string | undefined {
    let value = "";
    for (let at = this.at + 1; at < this.text.length; at++) {
      const one = this.text[at] ?? "";
      if (one === quote) {
        this.at = at + 1;
        return value;
      }
      if (one !== "\\") value += one;
      else {
        at++;
        const next = this.text[at] ?? "";
        value += escapes[next] ?? next;
      }
    }
    return undefined;
  }

  private take(pattern: RegExp): string | null {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0] ?? null;
    if (found !== null) this.at += found.length;
    return found;
  }

  private blank(): void {
    this.take(/\s+/y);
  }
}

/** Splits `a == b` outside of strings and brackets; `null` if the sign is not there. */
export function cutAt(text: string, sign: string): readonly [left: string, right: string] | null {
  let depth = 0;
  let quote = "";
  for (let at = 0; at < text.length; at++) {
    const one = text[at] ?? "";
    if (quote !== "") {
      if (one === "\\") at++;
      else if (one === quote) quote = "";
    } else if (one === "'" || one === '"') quote = one;
    else if ("([{".includes(one)) depth++;
    else if (")]}".includes(one)) depth--;
    else if (depth === 0 && text.startsWith(sign, at)) return [text.slice(0, at), text.slice(at + sign.length)];
  }
  return null;
}
