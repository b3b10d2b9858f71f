// The part of the grammars of Python and JavaScript that is needed to change one place of a program safely.

export type Language = "python" | "script";

/** `text`: a string, or its part between two expressions. `end`: the end of a logical line in Python. */
export interface Token {
  readonly kind: "name" | "number" | "text" | "sign" | "end";
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly line: number;
}

const endings: Readonly<Record<string, Language>> = {
  ...{ py: "python", pyi: "python" },
  ...Object.fromEntries(["js", "mjs", "cjs", "jsx", "ts", "mts", "cts", "tsx"].map((one) => [one, "script"] as const)),
};

export function languageOf(path: string): Language | null {
  return endings[path.slice(path.lastIndexOf(".") + 1).toLowerCase()] ?? null;
}

const blank = /[^\S\n]+|\\\r?\n/y;
const name = /[\p{ID_Start}$_#][\p{ID_Continue}$\u200c\u200d]*/uy;
const number =
  /(?:0[xX][\da-fA-F_]+|0[bB][01_]+|0[oO][0-7_]+|(?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:[eE][+-]?\d[\d_]*)?)[nNjJ]?/y;
const pythonSigns = /\*\*=|\/\/=|>>=|<<=|\.\.\.|!=|<=|>=|==|->|:=|\+=|-=|\*=|\/=|%=|&=|\|=|\^=|@=|\*\*|\/\/|<<|>>|./suy;
const scriptSigns =
  />>>=|===|!==|\*\*=|<<=|>>=|>>>|\.\.\.|&&=|\|\|=|\?\?=|=>|==|!=|<=|>=|&&|\|\||\?\?|\?\.(?!\d)|\+\+|--|\+=|-=|\*=|\/=|%=|&=|\|=|\^=|\*\*|<<|>>|./suy;
const pythonText = /[rRbBuUfF]{0,2}('''|"""|'|")/y;
/** After one of these a slash starts a regular expression, not a division. */
const beforeRegex =
  /^(?:[([{,;:=!&|?+\-*%<>~^]|=>|&&|\|\||\?\?|return|typeof|case|in|of|delete|void|throw|new|else|do|await|yield)$/;
const regex = /\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\/[a-z]*/uy;

/** Never throws: unknown characters become signs. */
export function tokenize(source: string, language: Language): readonly Token[] {
  return new Scanner(source, language).all();
}

class Scanner {
  private readonly source: string;
  private readonly isPython: boolean;
  private readonly out: Token[] = [];
  private at = 0;
  private line = 1;
  /** Open brackets: inside of them Python ignores line breaks. */
  private open: string[] = [];

  constructor(source: string, language: Language) {
    this.source = source;
    this.isPython = language === "python";
  }

  all(): readonly Token[] {
    this.until(null);
    if (this.isPython) this.endLine();
    return this.out;
  }

  /** Up to the bracket or sign that closes an interpolation, exclusive. */
  private until(closing: RegExp | null): void {
    const outside = this.open.length;
    while (this.at < this.source.length) {
      if (this.take(blank) !== null || this.lineBreak() || this.comment()) continue;
      if (closing !== null && this.open.length === outside && this.looksAt(closing)) return;
      if (this.literal()) continue;
      this.sign();
    }
  }

  private lineBreak(): boolean {
    if (this.source[this.at] !== "\n") return false;
    if (this.isPython && this.open.length === 0) this.endLine();
    this.at++;
    this.line++;
    return true;
  }

  private endLine(): void {
    const last = this.out.at(-1);
    if (last !== undefined && last.kind !== "end") this.push("end", this.at, this.at);
  }

  private comment(): boolean {
    const two = this.source.slice(this.at, this.at + 2);
    if (this.isPython ? two.startsWith("#") : two === "//") {
      const end = this.source.indexOf("\n", this.at);
      this.at = end === -1 ? this.source.length : end;
      return true;
    }
    if (this.isPython || two !== "/*") return false;
    const end = this.source.indexOf("*/", this.at + 2);
    this.skipTo(end === -1 ? this.source.length : end + 2);
    return true;
  }

  private literal(): boolean {
    const start = this.at;
    if (this.isPython ? this.pythonText() : this.scriptText()) return true;
    if (this.take(number) !== null && this.at > start) return this.push("number", start, this.at);
    return this.take(name) !== null && this.push("name", start, this.at);
  }

  private pythonText(): boolean {
    const start = this.at;
    const opened = this.take(pythonText);
    if (opened === null) return false;
    const quote = opened.replace(/^[a-zA-Z]+/, "");
    const isFormat = /^[a-zA-Z]*f/i.test(opened.slice(0, opened.length - quote.length));
    this.textBody(start, quote, isFormat ? "{" : null, quote.length === 3);
    return true;
  }

  private scriptText(): boolean {
    const start = this.at;
    const first = this.source[start];
    if (first === "`") {
      this.at++;
      this.textBody(start, "`", "${", true);
      return true;
    }
    if (first === '"' || first === "'") {
      this.at++;
      this.textBody(start, first, null, false);
      return true;
    }
    const last = this.out.at(-1);
    const mayBeRegex = last === undefined || (last.kind !== "number" && beforeRegex.test(last.text));
    return first === "/" && mayBeRegex && this.take(regex) !== null && this.push("text", start, this.at);
  }

  /** `hole`: the start of an interpolation. Each piece of the string is a token of its own. */
  private textBody(from: number, quote: string, hole: string | null, isLong: boolean): void {
    let start = from;
    while (this.at < this.source.length) {
      const rest = this.source.slice(this.at, this.at + 3);
      if (rest.startsWith(quote)) {
        this.at += quote.length;
        this.piece(start);
        return;
      }
      if (rest[0] === "\\") this.skipTo(Math.min(this.at + 2, this.source.length));
      else if (hole === "{" && (rest.startsWith("{{") || rest.startsWith("}}"))) this.at += 2;
      else if (hole !== null && rest.startsWith(hole)) {
        this.at += hole.length;
        this.piece(start);
        start = this.hole();
      } else if (rest[0] === "\n" && !isLong) break;
      else this.skipTo(this.at + 1);
    }
    this.piece(start);
  }

  /** Scans an interpolation. Its end, with a format that Python allows there, belongs to the string again. */
  private hole(): number {
    this.open.push("hole");
    this.until(this.isPython ? /[}]|:(?!=)|![rsa]/y : /[}]/y);
    this.open.pop();
    return this.at;
  }

  private piece(start: number): void {
    const line = this.line - count(this.source.slice(start, this.at), "\n");
    this.out.push({ kind: "text", text: this.source.slice(start, this.at), start, end: this.at, line });
  }

  private sign(): void {
    const start = this.at;
    const text = this.take(this.isPython ? pythonSigns : scriptSigns) ?? this.source[this.at++] ?? "";
    if ("([{".includes(text)) this.open.push(text);
    else if (")]}".includes(text) && this.open.at(-1) !== "hole") this.open.pop();
    this.push("sign", start, this.at);
  }

  private push(kind: Token["kind"], start: number, end: number): boolean {
    this.out.push({ kind, text: this.source.slice(start, end), start, end, line: this.line });
    return true;
  }

  private take(pattern: RegExp): string | null {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.source);
    if (found === null || found[0] === "") return null;
    this.skipTo(this.at + found[0].length);
    return found[0];
  }

  private looksAt(pattern: RegExp): boolean {
    pattern.lastIndex = this.at;
    return pattern.test(this.source);
  }

  private skipTo(end: number): void {
    this.line += count(this.source.slice(this.at, end), "\n");
    this.at = end;
  }
}

function count(text: string, part: string): number {
  let n = 0;
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + 1)) n++;
  return n;
}
