import { holdsOnScreen, rulesOf } from "./css.ts";
import { StyleSheet } from "./select.ts";
import { readTokens } from "./tokens.ts";

export interface Styles {
  readonly sheet: StyleSheet;
  /** Nothing else is said elsewhere: no sheet would have to be fetched for it. */
  readonly isAll: boolean;
}

/** The style sheets that a page has in itself, wherever they stand in it. */
export function stylesIn(html: string): Styles {
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

/** A sheet that stands in its own address. */
function dataOf(href: string): string | null {
  const [, form = "", body = ""] = /^data:([^,]*),([\s\S]*)$/i.exec(href) ?? [];
  if (!/^text\/css/i.test(form)) return null;
  try {
    return /;base64/i.test(form) ? Buffer.from(body, "base64").toString() : decodeURIComponent(body);
  } catch {
    return body;
  }
}
