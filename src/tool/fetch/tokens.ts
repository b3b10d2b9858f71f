// A page as a stream of tags and texts. A tree of a 5 MB page would take 100 MB.
import { Tokenizer } from "htmlparser2";

export type Token =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "open"; readonly name: string; readonly attributes: Attributes; readonly isShort: boolean }
  | { readonly kind: "close"; readonly name: string };

/** Keys in lower case; the first duplicate wins. Entities are decoded. */
export type Attributes = ReadonlyMap<string, string>;

const maxAttributes = 100_000;

export function readTokens(html: string, take: (token: Token) => void): void {
  const reader = new TokenReader(html, take);
  while (!reader.isAtEnd) reader.readOn();
}

class TokenReader {
  private readonly html: string;
  private readonly take: (token: Token) => void;
  /** The tokenizer's input: the page, or the rest of it after a script. Token offsets are relative to it. */
  private rest: string;
  private from = 0;
  /** Where to resume after the tokenizer was paused. */
  private next: number | null = null;
  private text = "";
  private name = "";
  private attributes = new Map<string, string>();
  private attribute = "";
  private value = "";
  private readonly tokenizer: Tokenizer;
  isAtEnd = false;

  constructor(html: string, take: (token: Token) => void) {
    this.html = html;
    this.take = take;
    this.rest = html;
    this.tokenizer = new Tokenizer({}, this.callbacks());
  }

  readOn(): void {
    this.tokenizer.reset();
    this.next = null;
    this.rest = this.html.slice(this.from);
    this.tokenizer.write(this.rest);
    if (this.next === null) this.tokenizer.end();
    else this.from = this.next;
  }

  private callbacks(): ConstructorParameters<typeof Tokenizer>[1] {
    const nothing = (): void => undefined;
    return {
      ontext: (start, end) => {
        this.text += this.rest.slice(start, end);
      },
      ontextentity: (code) => {
        this.text += String.fromCodePoint(code);
      },
      onopentagname: (start, end) => {
        this.flush();
        this.name = this.nameOf(start, end);
        this.attributes = new Map();
      },
      onattribname: (start, end) => {
        this.attribute = this.nameOf(start, end);
      },
      onattribdata: (start, end) => {
        this.value += this.rest.slice(start, end);
      },
      onattribentity: (code) => {
        this.value += String.fromCodePoint(code);
      },
      onattribend: () => {
        const isNew = this.attributes.size < maxAttributes && !this.attributes.has(this.attribute);
        if (isNew) this.attributes.set(this.attribute, this.value);
        this.value = "";
      },
      onopentagend: (end) => this.open(end, false),
      onselfclosingtag: (end) => this.open(end, true),
      onclosetag: (start, end) => {
        this.flush();
        this.take({ kind: "close", name: this.nameOf(start, end) });
      },
      onend: () => {
        this.flush();
        this.isAtEnd = true;
      },
      ...{ oncdata: nothing, oncomment: nothing, ondeclaration: nothing, onprocessinginstruction: nothing },
    };
  }

  private nameOf(start: number, end: number): string {
    return this.rest.slice(start, end).toLowerCase();
  }

  private flush(): void {
    if (this.text === "") return;
    this.take({ kind: "text", text: this.text });
    this.text = "";
  }

  private open(end: number, isShort: boolean): void {
    this.take({ kind: "open", name: this.name, attributes: this.attributes, isShort });
    const closing = this.name === "script" ? scriptEnd : this.name === "noscript" ? noscriptEnd : null;
    if (closing === null) return;
    this.next = closing(this.html, this.from + end + 1);
    this.tokenizer.pause();
  }
}

function noscriptEnd(html: string, from: number): number {
  const form = /<\/noscript(?=[\s/>])/gi;
  form.lastIndex = from;
  return form.exec(html)?.index ?? html.length;
}

const scriptMarks = /<!--|-->|<script(?=[\s/>])|<\/script(?=[\s/>])/gi;

/**
 * Inside `<!--`, a nested script has its own end tag (legacy HTML). htmlparser2 knows neither that nor that `<noscript>` contains no
 * markup; without this, text that no browser shows would appear.
 */
function scriptEnd(html: string, from: number): number {
  let depth: "plain" | "comment" | "script" = "plain";
  scriptMarks.lastIndex = from;
  for (let mark = scriptMarks.exec(html); mark !== null; mark = scriptMarks.exec(html)) {
    const [found] = mark;
    if (found === "-->") depth = "plain";
    else if (found === "<!--") depth = depth === "plain" ? "comment" : depth;
    else if (found.startsWith("</")) {
      if (depth !== "script") return mark.index;
      depth = "comment";
    } else if (depth === "comment") depth = "script";
  }
  return html.length;
}
