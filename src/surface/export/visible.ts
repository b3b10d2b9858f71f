const unseen =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]|\udb40[\udc00-\udc7f]/g;

/** Terminal codes, bidi marks, invisible characters and broken surrogates are spelled out; line breaks become plain ones. */
export function visible(text: string): string {
  return text
    .replaceAll("\r\n", "\n")
    .replace(unseen, (found) =>
      [...Array(found.length).keys()].map((at) => `\\u${found.charCodeAt(at).toString(16).padStart(4, "0")}`).join(""),
    );
}

/** The same on one line. */
export function oneLine(text: string): string {
  return visible(text)
    .replace(/[\n\t]+/g, " ")
    .trim();
}

/** At most this many columns of a terminal; `…` marks what was left out. */
export function fit(text: string, columns: number): string {
  if (Bun.stringWidth(text) <= columns) return text;
  let used = 1;
  let kept = "";
  for (const one of text) {
    used += Bun.stringWidth(one);
    if (used > columns) break;
    kept += one;
  }
  return `${kept}…`;
}
