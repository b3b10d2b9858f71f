/** Thrown where this reader is not certain how bash reads the text. The caller then asks. */
export class Unsure extends Error {}

/** Separates words on a line. */
const blank = (char: string | undefined): boolean => char === " " || char === "\t";
const ends = new Set(["", " ", "\t", "\n", ";", "&", "|", "(", ")", "<", ">"]);

/** In `${…}` the meaning of quoting characters depends on the context. */
const unclearInBraces = new Set(["'", '"', "`", "\n", ""]);
/** In `$((…))` and `((…))` only numbers, names and operators are certain. */
const arithmetic = /[\w\s+\-*/%<>=!&|^~?:,$]/;

const maxDepth = 60;

/**
 * Reads bash text character by character, following bash's grammar and manual. It shares no code with the parser library, so that it does
 * not share its bugs. Each finding is noted with its position.
 */
export class Scanner {
  /** One note per word, redirection, command, operator and substitution. */
  readonly notes: string[] = [];
  protected readonly source: string;
  protected at = 0;
  protected end: number;
  private depth = 0;

  constructor(source: string) {
    this.source = source;
    this.end = source.length;
  }

  protected peek(ahead = 0): string {
    const place = this.at + ahead;
    return place < this.end ? this.source[place]! : "";
  }

  protected has(text: string): boolean {
    return this.at + text.length <= this.end && this.source.startsWith(text, this.at);
  }

  protected note(kind: string, from: number, to: number | string = ""): void {
    this.notes.push(`${kind}@${from}:${to}`);
  }

  protected deeper(read: () => void): void {
    this.depth += 1;
    if (this.depth > maxDepth) throw new Unsure();
    read();
    this.depth -= 1;
  }

  /** Blanks, line continuations, and a comment at the end of the line. */
  protected skipBlanks(): void {
    for (;;) {
      if (blank(this.peek())) this.at += 1;
      else if (this.has("\\\n")) this.at += 2;
      else break;
    }
    // Only where a word could begin: every caller has just finished one.
    if (this.peek() === "#") while (this.at < this.end && this.peek() !== "\n") this.at += 1;
  }

  protected isWordEnd(char: string): boolean {
    return ends.has(char);
  }

  /** One word, up to the first character that ends it. */
  protected scanWord(): void {
    const from = this.at;
    while (this.at < this.end) {
      const char = this.peek();
      if ((char === "<" || char === ">") && this.peek(1) === "(") this.scanSubstitution(`${char}(`, 2);
      else if (ends.has(char)) break;
      else this.scanSign(char);
    }
    // A function, an array, or an extended glob, which bash reads only when enabled.
    if (this.at === from || this.peek() === "(") throw new Unsure();
  }

  private scanSign(char: string): void {
    if (char === "\\") this.skip(2);
    else if (char === "'") this.scanTo("'");
    else if (char === '"') this.scanQuoted();
    else if (char === "`") this.scanBackticks();
    else if (char === "$") this.scanDollar(false);
    else this.at += 1;
  }

  private skip(count: number): void {
    if (this.at + count > this.end) throw new Unsure();
    this.at += count;
  }

  /** From an opening quote to the next closing one; no escapes. */
  private scanTo(close: string): void {
    const found = this.source.indexOf(close, this.at + 1);
    if (found === -1 || found >= this.end) throw new Unsure();
    this.at = found + 1;
  }

  private scanQuoted(): void {
    this.skip(1);
    for (;;) {
      const char = this.peek();
      if (char === "") throw new Unsure();
      if (char === '"') break;
      this.scanText(char);
    }
    this.at += 1;
  }

  /** One character of text in which only expansions are special: within double quotes, or in a here-document. */
  protected scanText(char: string): void {
    if (char === "\\") this.skip(2);
    else if (char === "`") this.scanBackticks();
    else if (char === "$") this.scanDollar(true);
    else this.at += 1;
  }

  private scanDollar(isQuoted: boolean): void {
    const next = this.peek(1);
    if (next === "(" && this.peek(2) === "(" && this.isArithmetic(3)) this.scanArithmetic(3);
    else if (next === "(") this.scanSubstitution("$(", 2);
    else if (next === "{") this.scanBraces();
    else if (next === "[") throw new Unsure();
    else if (/[$?!#*@0-9-]/.test(next)) this.at += 2;
    else if (next === "'" && !isQuoted) this.scanEscapes();
    else if (next === '"' && !isQuoted) {
      this.at += 1;
      this.scanQuoted();
    } else this.at += 1;
  }

  /** `$'…'` */
  private scanEscapes(): void {
    this.at += 2;
    for (;;) {
      const char = this.peek();
      if (char === "") throw new Unsure();
      this.skip(char === "\\" ? 2 : 1);
      if (char === "'") return;
    }
  }

  /** `${…}` */
  private scanBraces(): void {
    this.at += 2;
    // Newer bash versions run the text after these: `${ cmd; }` and `${| cmd; }`.
    if (/[\s|]/.test(this.peek())) throw new Unsure();
    this.deeper(() => {
      for (;;) {
        const char = this.peek();
        if (char === "}") break;
        if (unclearInBraces.has(char) || ((char === "<" || char === ">") && this.peek(1) === "(")) throw new Unsure();
        this.scanText(char);
      }
    });
    this.at += 1;
  }

  /** Whether the inner bracket closes right before the outer one. Otherwise bash reads nested subshells. */
  protected isArithmetic(opening: number): boolean {
    const [from, noted] = [this.at, this.notes.length];
    this.at += opening;
    for (let open = 1; open > 0; ) {
      const char = this.peek();
      // Bash does not recognize comments at this point, so brackets and quotes in one are uncertain.
      if (char === "" || (char === "#" && /^[^\n]*['"`$\\()]/.test(this.source.slice(this.at, this.end)))) {
        throw new Unsure();
      }
      if (char === "(" || char === ")") {
        open += char === "(" ? 1 : -1;
        this.at += 1;
      } else this.scanSign(char);
    }
    const isIt = this.peek() === ")";
    this.at = from;
    this.notes.length = noted;
    return isIt;
  }

  /** `((…))` and `$((…))` */
  protected scanArithmetic(opening: number): void {
    this.at += opening;
    for (let open = 2; open > 0; this.at += 1) {
      const char = this.peek();
      if (char === "(") open += 1;
      else if (char === ")") open -= 1;
      else if (char === "" || !arithmetic.test(char) || (char === "$" && !/\w/.test(this.peek(1)))) throw new Unsure();
      if (open === 1 && this.peek(1) !== ")") throw new Unsure();
    }
  }

  /** `$(…)`, `<(…)`, `>(…)` */
  private scanSubstitution(kind: string, opening: number): void {
    const from = this.at;
    this.at += opening;
    this.deeper(() => this.readInside());
    if (this.peek() !== ")") throw new Unsure();
    this.at += 1;
    this.note(`S${kind}`, from, this.at);
  }

  /** Commands up to a closing bracket. */
  protected readInside(): void {
    throw new Unsure();
  }

  private scanBackticks(): void {
    const from = this.at;
    this.at += 1;
    while (this.peek() !== "`") this.skip(this.peek() === "\\" ? 2 : 1);
    this.at += 1;
    this.note("S`", from, this.at);
  }
}
