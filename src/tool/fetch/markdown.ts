// A converter of our own: libraries need a document tree, which is ten times the size of the page.

import { holdsOnScreen, rulesOf } from "./css.ts";
import { Elements } from "./elements.ts";
import { set } from "./names.ts";
import { StyleSheet } from "./select.ts";
import { Tables } from "./table.ts";
import { type Attributes, readTokens, type Token } from "./tokens.ts";
import { Writer } from "./writer.ts";

export interface Markdown {
  readonly title: string;
  readonly markdown: string;
  readonly hidden: number;
}

/** `base`: resolves relative addresses. */
export function markdownOf(html: string, base: URL): Markdown {
  const { sheet, isAll } = stylesIn(html);
  const page = new Page(base, new Elements(sheet, isAll));
  readTokens(html, (token) => page.take(token));
  return page.end();
}

const blocks = set(
  "p div section article aside header footer form fieldset figure figcaption address details summary center legend caption hgroup search option body",
);
const marks: Readonly<Record<string, string>> = {
  ...{ strong: "**", b: "**", em: "*", i: "*", cite: "*", dfn: "*", del: "~~", s: "~~", strike: "~~" },
};
const codes = set("code kbd samp tt");

class Page {
  private readonly writer = new Writer();
  private readonly tables = new Tables(this.writer);
  private base: URL;
  private title = "";
  private isInTitle = false;
  private readonly elements: Elements;
  private hidden = 0;
  private code: { readonly lines: string[]; language: string } | null = null;
  private main: { readonly from: number; to: number | null } | null = null;

  constructor(base: URL, elements: Elements) {
    this.base = base;
    this.elements = elements;
  }

  take(token: Token): void {
    if (token.kind === "text") this.words(token.text);
    else if (token.kind === "close") {
      if (this.elements.end(token.name)) this.close(token.name);
    } else if (this.elements.start(token.name, token.attributes, token.isShort))
      this.open(token.name, token.attributes);
  }

  private words(said: string): void {
    if (said.trim() !== "") this.elements.words();
    if (!this.elements.isUnread || this.isInTitle) this.text(said);
    else if (!this.elements.isLeft) this.hidden += said.trim().length;
  }

  end(): Markdown {
    if (this.code) this.endCode();
    for (let more = 0; more < 2; more++) this.tables.end();
    const { blocks } = this.writer;
    const chosen = this.main ? blocks.slice(this.main.from, this.main.to ?? blocks.length).join("") : "";
    // A `<main>` with little text does not justify dropping the rest.
    const markdown = chosen.length >= 200 ? chosen : blocks.join("");
    return {
      title: this.title.replace(/\s+/g, " ").trim().slice(0, 300),
      markdown: markdown.trim(),
      hidden: this.hidden,
    };
  }

  private text(said: string): void {
    if (this.isInTitle) this.title += this.title === "" ? said : "";
    else if (this.code) this.code.lines.push(said);
    else this.writer.text(said);
  }

  private open(name: string, attributes: Attributes): void {
    if (this.code) this.openInCode(name, attributes);
    else if (!this.openBlock(name, attributes)) this.openInline(name, attributes);
  }

  private openInCode(name: string, attributes: Attributes): void {
    if (!this.code) return;
    if (name === "br") this.code.lines.push("\n");
    if (name === "code") this.code.language ||= languageOf(attributes);
  }

  private openBlock(name: string, attributes: Attributes): boolean {
    const { writer, tables } = this;
    if (/^h[1-6]$/.test(name)) writer.heading(Number(name[1]));
    else if (blocks.has(name)) writer.endBlock();
    else if (name === "ul" || name === "menu") writer.list(null);
    else if (name === "ol") writer.list(startOf(attributes));
    else if (name === "li") writer.item();
    else if (name === "blockquote") writer.quote();
    else if (name === "dt") writer.leave("detail");
    else if (name === "dd") writer.detail();
    else if (name === "table") tables.start();
    else if (name === "tr") tables.row();
    else if (name === "td" || name === "th") tables.cell();
    else if (name === "pre" || name === "xmp") this.startCode(attributes);
    else if (name === "hr") this.rule();
    else if (name === "main") this.startMain();
    else return false;
    return true;
  }

  private openInline(name: string, attributes: Attributes): void {
    const mark = marks[name];
    if (mark !== undefined) this.writer.open(name, (inner) => `${mark}${inner}${mark}`);
    else if (codes.has(name)) this.writer.open(name, inlineCode);
    else if (name === "a") this.openLink(attributes);
    else if (name === "sup" || name === "sub") this.writer.open(name, (inner) => raised(name, inner));
    else if (name === "br") this.writer.lineBreak();
    else if (name === "img") this.image(attributes);
    else if (name === "title") this.isInTitle = true;
    else if (name === "base") this.base = this.resolved(attributes.get("href")) ?? this.base;
  }

  private close(name: string): void {
    const { writer, tables } = this;
    if (this.code) {
      if (name === "pre" || name === "xmp") this.endCode();
    } else if (/^h[1-6]$/.test(name)) writer.endHeading();
    else if (blocks.has(name)) writer.endBlock();
    else if (name === "ul" || name === "ol" || name === "menu") writer.leave("list");
    else if (name === "li") writer.endBlock();
    else if (name === "blockquote") writer.leave("quote");
    else if (name === "dd" || name === "dl") writer.leave("detail");
    else if (name === "table") tables.end();
    else if (name === "td" || name === "th") tables.endCell();
    else if (name === "main") this.endMain();
    else if (name === "title") this.isInTitle = false;
    else writer.close(name);
  }

  private startCode(attributes: Attributes): void {
    this.tables.dissolve();
    this.writer.endBlock();
    this.code = { lines: [], language: languageOf(attributes) };
  }

  private endCode(): void {
    const { lines = [], language = "" } = this.code ?? {};
    this.code = null;
    const said = lines.join("").replace(/\r\n?/g, "\n").replace(/^\n/, "").trimEnd();
    if (said === "") return;
    const fence = "`".repeat(Math.max(3, longestRun(said) + 1));
    this.writer.write(`${fence}${language}\n${said}\n${fence}`);
  }

  private rule(): void {
    this.writer.endBlock();
    this.writer.write("---");
  }

  private startMain(): void {
    this.writer.endBlock();
    this.main ??= { from: this.writer.blocks.length, to: null };
  }

  private endMain(): void {
    this.writer.endBlock();
    if (this.main) this.main.to ??= this.writer.blocks.length;
  }

  /** Only the text of a link within the page or to something other than a page. */
  private openLink(attributes: Attributes): void {
    const given = attributes.get("href");
    const url = given === undefined || given.trim().startsWith("#") ? null : this.resolved(given);
    this.writer.open("a", (inner) => linkText(inner, url));
  }

  private image(attributes: Attributes): void {
    const said = (attributes.get("alt") ?? "").replace(/\s+/g, " ").trim();
    if (said === "") return;
    const url = this.resolved(attributes.get("src"));
    this.writer.text(url ? `![${said}](${url.href})` : `![${said}]`);
  }

  private resolved(given: string | undefined): URL | null {
    if (given === undefined || given.length > 2_000) return null;
    const url = URL.parse(given.trim(), this.base.href);
    return url && /^(?:https?|mailto):$/.test(url.protocol) ? url : null;
  }
}

function languageOf(attributes: Attributes): string {
  const given = `${attributes.get("class") ?? ""} ${attributes.get("data-lang") ?? ""}`;
  return (
    /(?:^|\s)(?:lang(?:uage)?-|highlight-source-|brush:\s*)([\w+#.-]{1,30})/i.exec(given)?.[1]?.toLowerCase() ?? ""
  );
}

function startOf(attributes: Attributes): number {
  const given = attributes.get("start") ?? "";
  return /^\d{1,6}$/.test(given) ? Number(given) : 1;
}

function longestRun(text: string): number {
  return (text.match(/`+/g) ?? []).reduce((most, { length }) => Math.max(most, length), 0);
}

function inlineCode(inner: string): string {
  const ticks = "`".repeat(longestRun(inner) + 1);
  return inner.startsWith("`") || inner.endsWith("`") ? `${ticks} ${inner} ${ticks}` : `${ticks}${inner}${ticks}`;
}

/** 10⁶ must not become 106. */
function raised(name: string, inner: string): string {
  const mark = name === "sup" ? "^" : "_";
  return /\s/.test(inner) ? `${mark}(${inner})` : `${mark}${inner}`;
}

function linkText(inner: string, url: URL | null): string {
  const said = inner.replace(/\s*\n\s*/g, " ");
  // A permalink next to a heading.
  if (/^[¶#§🔗]$/u.test(said)) return "";
  return url === null || said === url.href ? said : `[${said}](${url.href})`;
}

interface Styles {
  readonly sheet: StyleSheet;
  readonly isAll: boolean;
}

function stylesIn(html: string): Styles {
  if (!/<style|<link|@import/i.test(html)) return { sheet: new StyleSheet([]), isAll: true };
  const texts: string[] = [];
  let isStyle = false;
  let isAll = true;
  readTokens(html, (token) => {
    if (token.kind === "text" && isStyle) texts.push(token.text);
    isStyle = false;
    if (token.kind !== "open" || (token.name !== "style" && token.name !== "link")) return;
    const of = (name: string): string => (token.attributes.get(name) ?? "").trim();
    if (!holdsOnScreen(of("media")) || !/^(?:text\/css)?$/i.test(of("type"))) return;
    if (token.name === "style") isStyle = true;
    else if (/\bstylesheet\b/i.test(of("rel")) && !/\balternate\b/i.test(of("rel"))) {
      const inside = dataOf(of("href"));
      if (inside === null) isAll = false;
      else texts.push(inside);
    }
  });
  const css = texts.join("\n");
  return { sheet: new StyleSheet(rulesOf(css)), isAll: isAll && !/@import/i.test(css) };
}

function dataOf(href: string): string | null {
  const [, form = "", body = ""] = /^data:([^,]*),([\s\S]*)$/i.exec(href) ?? [];
  if (!/^text\/css/i.test(form)) return null;
  try {
    return /;base64/i.test(form) ? Buffer.from(body, "base64").toString() : decodeURIComponent(body);
  } catch {
    return body;
  }
}
