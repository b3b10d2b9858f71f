// Writes Markdown block by block. The cost of a block does not depend on how deeply the page is nested.

/** A prefix of the lines of a block: list item marker, quote marker. `list` marks where the items of a list begin. */
interface Margin {
  readonly kind: "list" | "item" | "quote" | "detail";
  readonly first: string;
  readonly rest: string;
  isUsed: boolean;
  next: number | null;
  count: number;
}

/** Inline text that is wrapped in markup once it ends. */
interface Frame {
  readonly name: string;
  readonly wrap: (inner: string) => string;
  start: number;
}

const maxDepth = 200;
/** Margins that are written; more would multiply the length of every line. */
const maxMargins = 8;
const maxFrames = 20;
/** More than any output keeps. */
const maxChars = 2_000_000;

export class Writer {
  readonly blocks: string[] = [];
  private length = 0;
  private pieces: string[] = [];
  private hasBlank = true;
  private readonly frames: Frame[] = [];
  private readonly margins: Margin[] = [];
  private lead = "";
  /** The open table cell, if any: its blocks become words. */
  private cell: string[] | null = null;

  text(content: string): void {
    const plain = content.replace(/[ \t\n\r\f\xa0]+/g, " ");
    const fit = this.hasBlank ? plain.replace(/^ /, "") : plain;
    if (fit === "") return;
    this.pieces.push(fit);
    this.hasBlank = fit.endsWith(" ");
  }

  lineBreak(): void {
    this.pieces.push("\n");
    this.hasBlank = true;
  }

  open(name: string, wrap: (inner: string) => string): void {
    if (this.frames.length < maxFrames) this.frames.push({ name, wrap, start: this.pieces.length });
  }

  close(name: string): void {
    const at = this.frames.findLastIndex((frame) => frame.name === name);
    if (at === -1) return;
    for (const frame of this.frames.splice(at).reverse()) this.wrapUp(frame);
  }

  private wrapUp({ start, wrap }: Frame): void {
    const inner = this.pieces.splice(start).join("");
    const body = inner.trim();
    const before = inner.slice(0, inner.length - inner.trimStart().length);
    const after = body === "" ? "" : inner.slice(inner.trimEnd().length);
    this.pieces.push(`${before}${body === "" ? "" : wrap(body)}${after}`);
  }

  heading(level: number): void {
    this.endBlock();
    this.lead = `${"#".repeat(level)} `;
  }

  endHeading(): void {
    this.endBlock();
    this.lead = "";
  }

  /** An inline frame that spans several blocks is closed and reopened in each. */
  endBlock(): void {
    for (const frame of this.frames.toReversed()) this.wrapUp(frame);
    const content = this.pieces
      .join("")
      .replace(/ *\n */g, "\n")
      .trim();
    this.pieces = [];
    this.hasBlank = true;
    for (const frame of this.frames) frame.start = 0;
    if (content !== "") this.write(this.lead === "" ? content : `${this.lead}${content.replaceAll("\n", " ")}`);
  }

  write(block: string): void {
    if (this.cell) {
      this.cell.push(block.replace(/\s+/g, " "));
      return;
    }
    if (this.length > maxChars) return;
    const shown = this.margins.slice(0, maxMargins);
    const lines = block.slice(0, maxChars).split("\n");
    const gap = this.blocks.length === 0 ? "" : this.gap(shown);
    const first = shown.map(({ isUsed, first, rest }) => (isUsed ? rest : first)).join("");
    for (const margin of this.margins) margin.isUsed = true;
    const rest = shown.map((margin) => margin.rest).join("");
    const content = lines
      .map((line, at) => `${at === 0 ? first : rest}${line}`.trimEnd())
      .join("\n")
      .slice(0, maxChars);
    this.blocks.push(`${gap}${content}`);
    this.length += gap.length + content.length;
  }

  /** Items of a list are not separated by blank lines. */
  private gap(shown: readonly Margin[]): string {
    const fresh = shown.findIndex(({ isUsed, kind }) => !isUsed && kind !== "list" && kind !== "quote");
    const list = fresh > 0 ? shown[fresh - 1] : undefined;
    const isNested = shown.slice(0, Math.max(0, fresh)).some(({ kind }) => kind === "item");
    const isTight = fresh !== -1 && (shown[fresh]?.kind === "detail" || isNested || (list?.count ?? 0) > 1);
    if (isTight) return "\n";
    const kept = shown.filter(({ isUsed }) => isUsed).map(({ rest }) => rest);
    return `\n${kept.join("").trimEnd()}\n`;
  }

  list(start: number | null): void {
    this.endBlock();
    this.push({ kind: "list", first: "", rest: "", next: start });
  }

  item(): void {
    this.endBlock();
    const at = this.margins.findLastIndex(({ kind }) => kind === "list" || kind === "quote");
    this.margins.length = at + 1;
    const list = this.margins[at];
    const number = list?.kind === "list" ? list.next : null;
    if (list) list.count++;
    if (list && number !== null) list.next = number + 1;
    const mark = number === null ? "- " : `${number}. `;
    this.push({ kind: "item", first: mark, rest: " ".repeat(mark.length), next: null });
  }

  quote(): void {
    this.endBlock();
    this.push({ kind: "quote", first: "> ", rest: "> ", next: null });
  }

  detail(): void {
    this.leave("detail");
    this.push({ kind: "detail", first: ": ", rest: "  ", next: null });
  }

  /** Closes the innermost margin of this kind and all inside it. */
  leave(kind: Margin["kind"]): void {
    this.endBlock();
    const at = this.margins.findLastIndex((margin) => margin.kind === kind);
    if (at !== -1) this.margins.length = at;
  }

  private push(margin: Pick<Margin, "kind" | "first" | "rest" | "next">): void {
    if (this.margins.length < maxDepth) this.margins.push({ ...margin, isUsed: false, count: 0 });
  }

  openCell(): void {
    this.endBlock();
    this.cell = [];
  }

  closeCell(): string {
    this.endBlock();
    const content = this.cell?.join(" ") ?? "";
    this.cell = null;
    return content;
  }
}
