/** Receives the parts of a document in order. `text` is called with the text between tags, entities resolved. */
export interface XmlSink {
  open(name: string, attributes: ReadonlyMap<string, string>): void;
  text(text: string): void;
  close(name: string): void;
}

const maxDepth = 100;
const maxText = 20_000;
const named: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };
const attribute = /\s*([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/y;

/** False if not well-formed. Refuses document types, because they may define entities beyond the five of XML. */
export function scanXml(source: string, sink: XmlSink): boolean {
  const stack: string[] = [];
  let hasRoot = false;
  let at = 0;
  while (at < source.length) {
    const tag = source.indexOf("<", at);
    if (tag < 0) return stack.length === 0 && hasRoot && isBlank(source.slice(at));
    if (tag > at && stack.length > 0) sink.text(resolved(source.slice(at, Math.min(tag, at + maxText))));
    const next = special(source, tag, stack, sink);
    if (next === -1) return false;
    if (next > 0) {
      at = next;
      continue;
    }
    const end = endOfTag(source, tag);
    if (end < 0 || !element(source.slice(tag + 1, end), stack, sink)) return false;
    hasRoot = true;
    at = end + 1;
  }
  return stack.length === 0 && hasRoot;
}

/** The end of a comment, instruction or CDATA section; 0 for a plain tag, -1 for a refusal. */
function special(source: string, tag: number, stack: readonly string[], sink: XmlSink): number {
  const after = (mark: string) => {
    const end = source.indexOf(mark, tag + 2);
    return end < 0 ? -1 : end + mark.length;
  };
  if (source.startsWith("<!--", tag)) return after("-->");
  if (source.startsWith("<?", tag)) return after("?>");
  if (source.startsWith("<![CDATA[", tag)) {
    const end = after("]]>");
    if (end > 0 && stack.length > 0) sink.text(source.slice(tag + 9, Math.min(end - 3, tag + 9 + maxText)));
    return stack.length === 0 ? -1 : end;
  }
  return source.startsWith("<!", tag) ? -1 : 0;
}

/** A `>` inside quotes does not end a tag. */
function endOfTag(source: string, tag: number): number {
  let quote = 0;
  for (let at = tag + 1; at < source.length; at++) {
    const code = source.charCodeAt(at);
    if (quote !== 0) {
      if (code === quote) quote = 0;
    } else if (code === 0x22 || code === 0x27) quote = code;
    else if (code === 0x3e) return at;
    else if (code === 0x3c) return -1;
  }
  return -1;
}

function element(body: string, stack: string[], sink: XmlSink): boolean {
  if (body.startsWith("/")) {
    const name = body.slice(1).trimEnd();
    if (stack.pop() !== name) return false;
    sink.close(name);
    return true;
  }
  const isEmpty = body.endsWith("/");
  const inner = isEmpty ? body.slice(0, -1) : body;
  const name = /^[\w:.-]+/.exec(inner)?.[0];
  const attributes = name === undefined ? null : attributesOf(inner, name.length);
  if (name === undefined || attributes === null || stack.length >= maxDepth) return false;
  sink.open(name, attributes);
  if (isEmpty) sink.close(name);
  else stack.push(name);
  return true;
}

function attributesOf(inner: string, from: number): Map<string, string> | null {
  const found = new Map<string, string>();
  attribute.lastIndex = from;
  let end = from;
  for (let match = attribute.exec(inner); match !== null; match = attribute.exec(inner)) {
    end = attribute.lastIndex;
    found.set(match[1] ?? "", resolved((match[2] ?? match[3] ?? "").slice(0, maxText)));
  }
  return isBlank(inner.slice(end)) ? found : null;
}

function isBlank(text: string): boolean {
  return text.trim() === "";
}

function resolved(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-fA-F]{1,6})|(\w{2,4}));/g, (whole, decimal, hex, name) => {
    if (name !== undefined) return Object.hasOwn(named, name) ? (named[name] ?? whole) : whole;
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}
