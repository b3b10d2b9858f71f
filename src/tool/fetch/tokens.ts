// A page as a list of tags and texts. Every character is looked at a fixed number of times, whatever the page is made of.

export type Token =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "open"; readonly name: string; readonly attributes: string }
  | { readonly kind: "close"; readonly name: string };

/** What stands in them is no markup. */
const rawText = new Set(["script", "style", "textarea", "title", "xmp", "iframe", "noembed", "noframes", "noscript"]);

export function* tokensOf(html: string): Generator<Token> {
  let at = 0;
  while (at < html.length) {
    const start = html.indexOf("<", at);
    const end = start === -1 ? html.length : start;
    if (end > at) yield { kind: "text", text: html.slice(at, end) };
    if (start === -1) return;
    const found = markupAt(html, start);
    if (found.token) yield found.token;
    at = found.end;
    if (found.token?.kind !== "open" || !rawText.has(found.token.name)) continue;
    const stop = closingOf(found.token.name, html, at);
    if (stop > at) yield { kind: "text", text: html.slice(at, stop) };
    at = stop;
  }
}

interface Markup {
  readonly token: Token | null;
  readonly end: number;
}

function markupAt(html: string, start: number): Markup {
  const next = html[start + 1] ?? "";
  if (/[A-Za-z]/.test(next)) return openAt(html, start);
  if (next === "/" && /[A-Za-z]/.test(html[start + 2] ?? "")) {
    const end = endOf(html, ">", start);
    return { token: { kind: "close", name: nameAt(html, start + 2) }, end };
  }
  if (html.startsWith("<!--", start)) return { token: null, end: commentEnd(html, start) };
  if (next === "!" || next === "?" || next === "/") return { token: null, end: endOf(html, ">", start) };
  return { token: { kind: "text", text: "<" }, end: start + 1 };
}

/** `<!-->` is a whole one. */
function commentEnd(html: string, start: number): number {
  return html.startsWith("<!-->", start) ? start + 5 : endOf(html, "-->", start + 4);
}

function endOf(html: string, what: string, from: number): number {
  const at = html.indexOf(what, from);
  return at === -1 ? html.length : at + what.length;
}

const nameForm = /[^\s/>]{0,60}/y;

function nameAt(html: string, at: number): string {
  nameForm.lastIndex = at;
  return (nameForm.exec(html)?.[0] ?? "").toLowerCase();
}

const stops = /[>"']/g;

/** A quote counts where a value may begin; elsewhere it is a letter like others. */
function openAt(html: string, start: number): Markup {
  const name = nameAt(html, start + 1);
  const from = start + 1 + name.length;
  let at = from;
  for (;;) {
    stops.lastIndex = at;
    const stop = stops.exec(html);
    if (stop === null) return { token: null, end: html.length };
    if (stop[0] === ">") {
      const attributes = html.slice(from, stop.index);
      return { token: { kind: "open", name, attributes }, end: stop.index + 1 };
    }
    at = stop.index + 1;
    if (isAfterEquals(html, stop.index)) at = endOf(html, stop[0], at);
  }
}

function isAfterEquals(html: string, at: number): boolean {
  let before = at - 1;
  while (before > 0 && /\s/.test(html[before] ?? "")) before--;
  return html[before] === "=";
}

function closingOf(name: string, html: string, from: number): number {
  if (name === "script") return scriptEnd(html, from);
  const form = new RegExp(`</${name}(?=[\\s/>])`, "gi");
  form.lastIndex = from;
  return form.exec(html)?.index ?? html.length;
}

const scriptMarks = /<!--|-->|<script(?=[\s/>])|<\/script(?=[\s/>])/gi;

/** Within what looks like a comment, a script in the script has an end of its own: so that old browsers did not show it. */
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

/** More of them is no page that anybody wrote. */
const maxAttributes = 1_000_000;
const attributeForm = /([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>][^\s>]*)))?/g;

/** By name, in small letters; the first of a name counts. Values are as written, entities and all. */
export function attributesOf(text: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  if (text.length > maxAttributes) return found;
  for (const [, name = "", ...values] of text.matchAll(attributeForm)) {
    const key = name.toLowerCase();
    if (!found.has(key)) found.set(key, values.find((value) => value !== undefined) ?? "");
  }
  return found;
}
