import { Scanner, Unsure } from "./scanner.ts";

interface HereDocument {
  readonly delimiter: string;
  readonly isIndented: boolean;
  readonly isQuoted: boolean;
}

const operators = ["<<<", "<<-", "&>>", "<<", "<>", "<&", ">>", ">&", ">|", "&>", "<", ">"];

/** Reads redirections, and the here-documents below the line that names them. */
export class RedirectionScanner extends Scanner {
  protected pending: HereDocument[] = [];

  protected word(): void {
    const from = this.at;
    this.scanWord();
    this.note("W", from, this.at);
  }

  protected isSubstitution(): boolean {
    return (this.peek() === "<" || this.peek() === ">") && this.peek(1) === "(";
  }

  protected redirections(): void {
    do this.skipBlanks();
    while (this.redirection());
  }

  protected redirection(): boolean {
    const from = this.at;
    const descriptor = /[0-9]+|\{[A-Za-z_]\w*\}/y;
    descriptor.lastIndex = this.at;
    const named = descriptor.exec(this.source)?.[0].length ?? 0;
    const isOperator = /^(?:[<>](?!\()|&>)/.test(
      this.source.slice(this.at + named, Math.min(this.end, this.at + named + 2)),
    );
    if (!isOperator || (named > 0 && this.peek(named) === "&")) return false;
    this.at += named;
    const operator = operators.find((one) => this.has(one));
    if (operator === undefined) throw new Unsure();
    this.at += operator.length;
    this.skipJoined();
    this.note("R", from, operator);
    if (operator === "<<" || operator === "<<-") this.hereDelimiter(operator === "<<-");
    else this.target(operator);
    return true;
  }

  private skipJoined(): void {
    const before = this.at;
    this.skipBlanks();
    // A comment in place of the target.
    if (this.source.slice(before, this.at).includes("#")) throw new Unsure();
  }

  /** `>&-x` closes, and `x` is a separate word. */
  private target(operator: string): void {
    const isClosed = (operator === "<&" || operator === ">&") && this.peek() === "-";
    if (!isClosed) {
      this.word();
      return;
    }
    this.note("W", this.at, this.at + 1);
    this.at += 1;
  }

  private hereDelimiter(isIndented: boolean): void {
    const plain = /'([^'\n]+)'|"([^"\\$`\n]+)"|(\\?)([\w.@%+:-]+)/y;
    plain.lastIndex = this.at;
    const found = plain.exec(this.source);
    if (found === null) throw new Unsure();
    this.at += found[0].length;
    if (this.at > this.end || !this.isWordEnd(this.peek()) || this.peek() === "(") throw new Unsure();
    const delimiter = found[1] ?? found[2] ?? found[4] ?? "";
    this.pending.push({ delimiter, isIndented, isQuoted: found[4] === undefined || found[3] !== "" });
  }

  /** Reads the bodies that start on the next line. */
  protected hereDocuments(): void {
    const documents = this.pending;
    this.pending = [];
    for (const one of documents) this.hereDocument(one);
  }

  private hereDocument({ delimiter, isIndented, isQuoted }: HereDocument): void {
    const from = this.at;
    for (;;) {
      if (this.at >= this.end) throw new Unsure();
      const lineEnd = this.source.indexOf("\n", this.at);
      const stop = lineEnd === -1 ? this.end : Math.min(lineEnd, this.end);
      const line = this.source.slice(this.at, stop);
      // Bash joins lines first, so the next line may not be the delimiter.
      if (!isQuoted && line.endsWith("\\")) throw new Unsure();
      if ((isIndented ? line.replace(/^\t+/, "") : line) === delimiter) {
        if (!isQuoted) this.expansionsIn(from, this.at);
        this.at = Math.min(stop + 1, this.end);
        return;
      }
      this.at = stop + 1;
    }
  }

  private expansionsIn(from: number, to: number): void {
    const { at, end } = this;
    this.at = from;
    this.end = to;
    while (this.at < to) this.scanText(this.peek());
    this.at = at;
    this.end = end;
  }
}
