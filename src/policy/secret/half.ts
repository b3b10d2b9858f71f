// Finds beginnings of secrets whose end is missing because the program was killed while it wrote.
import { shortest } from "./known/known.ts";
import { literal, once } from "./pattern.ts";
import { mergeSecrets, type Secret } from "./span.ts";
import { shapeOf } from "./value.ts";
import { formats } from "./vendor-formats.ts";

/** A shorter piece of a secret reveals nothing about it. */
const least = 6;

/** The end of a line, or of a string in JSON. */
const end = String.raw`(?=$|[\r\n"]|\\[nr])`;

const beginnings = once(() => {
  const starts = new Set(formats.flatMap((format) => format.starts.split(" ")));
  const all = [...starts].sort((one, other) => other.length - one.length).map(literal);
  return new RegExp(String.raw`(?<![A-Za-z0-9])(${all.join("|")})([\w.~+/=-]{${least},})${end}`, "g");
});

/** Beginnings of vendor tokens and of known values, at line ends. */
export function halfFinder(forms: ReadonlySet<string>): (text: string) => readonly Secret[] {
  const known = [...forms].filter((form) => form.length >= shortest);
  return (text) => mergeSecrets([...halfTokens(text), ...known.flatMap((form) => halfOf(form, text))]);
}

function halfTokens(text: string): readonly Secret[] {
  return [...text.matchAll(beginnings())].flatMap((match) => {
    const [whole, start = "", rest = ""] = match;
    // A prefix that could be part of a word needs more than letters after it.
    const isClear = /^.{3,}[-_.~]$/.test(start) && !/^(?:secret_|api_org_|key-)$/.test(start);
    if (!isClear && (shapeOf(rest).digits === 0 || shapeOf(rest).changes < 2)) return [];
    return [{ kind: "cut-token", from: match.index, to: match.index + whole.length }];
  });
}

function halfOf(form: string, text: string): readonly Secret[] {
  const found: Secret[] = [];
  const start = form.slice(0, least);
  for (let at = text.indexOf(start); at >= 0; at = text.indexOf(start, at + 1)) {
    let to = at + least;
    while (to < text.length && text[to] === form[to - at]) to++;
    if (/^(?:$|[\r\n"]|\\[nr])/.test(text.slice(to, to + 2))) found.push({ kind: "cut-secret", from: at, to });
  }
  return found;
}
