// Makes characters visible that a reader cannot see or that move others. All external text passes through here.
import { type LookAlike, lookAlikes } from "./lookalike.ts";

const hidden = [
  // Control characters except tab and line feed; Unicode line ends.
  String.raw`\0-\x08\v\f\x0e-\x1f\x7f-\x9f\u2028\u2029`,
  // Bidi marks, fillers, zero-width spaces, interlinear and format characters, tags, lone surrogates.
  String.raw`\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0`,
  String.raw`\ufff0-\ufffb\ufffe\uffff\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}\p{Cs}`,
].join("");
/** Needed in the text of some languages and in emoji, but not in names. */
const joining = String.raw`\u180b-\u180f\u200c\u200d\ufe00-\ufe0f`;
const blanks = String.raw`\t\xa0\u1680\u2000-\u200a\u202f\u205f\u2800\u3000`;

const inText = new RegExp(String.raw`\r(?!\n)|[${hidden}]`, "gu");
const inNames = new RegExp(String.raw`[\n\r\t${hidden}${joining}]`, "gu");
const inCommands = new RegExp(String.raw`[\r${hidden}${joining}${blanks}]`, "gu");

const short: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** A cache: a paste may contain a million of them. */
const spelled = new Map<string, string>();

/** As in JSON. */
function escaped(one: string): string {
  const known = short[one] ?? spelled.get(one);
  if (known !== undefined) return known;
  const units = one.split("").map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
  spelled.set(one, units.join(""));
  return units.join("");
}

/** For prose: escapes hidden characters, keeps line breaks and tabs. */
export function plain(text: string): string {
  return text.replace(inText, escaped);
}

/** JSON leaves some characters raw that a terminal must not get; escaping them keeps the meaning. */
export function plainJson(value: unknown): string {
  return plain(JSON.stringify(value));
}

/** For a file name: escapes everything to one line. */
export function visible(name: string): string {
  return name.replace(inNames, escaped);
}

/** Enough to push text out of the line or the screen. */
const padding = / {24,}|\n{5,}/g;
const emptyLines = /\n{5,}/g;

function counted(run: string): string {
  return run[0] === " " ? ` [${run.length} blanks] ` : `\n[${run.length - 1} empty lines]\n`;
}

/** The part of `spelledOut` that needs several lines; the rest works line by line. */
export function emptyLinesCounted(text: string): string {
  return text.replace(emptyLines, counted);
}

/** Not shell syntax, so that it cannot be mistaken for an escape in the command. */
function spelling(one: string): string {
  return `\\u{${(one.codePointAt(0) ?? 0).toString(16)}}`;
}

/** For text that a person approves: shows all of it, with hidden characters and look-alikes escaped. Line breaks stay. */
export function spelledOut(text: string): string {
  const shown = /[^\0-\x7f]/.test(text) ? text.split("\n").map(lookAlikesSpelled).join("\n") : text;
  return shown.replace(inCommands, spelling).replace(padding, counted);
}

function lookAlikesSpelled(line: string): string {
  let [spelled, done] = ["", 0];
  for (const { at, char } of lookAlikes(line)) {
    spelled += line.slice(done, at) + spelling(char);
    done = at + char.length;
  }
  return spelled + line.slice(done);
}

/** One is enough to make a reader look again. */
const maxNames = 3;

/**
 * Names with look-alikes, escaped, next to what they look like: `sr\\u{441} ≠ src`. Addresses with a non-ASCII host, next to the name
 * that is resolved: `http://m\u{fc}nchen.de = xn--mnchen-3ya.de`.
 */
export function lookAlikeNames(text: string): readonly string[] {
  const names = new Set<string>();
  for (const line of text.split("\n")) {
    if (!/[^\0-\x7f]/.test(line)) continue;
    const found = lookAlikes(line);
    let next = 0;
    for (const { 0: name, index } of line.matchAll(/[^\s"'`=,;|&<>()]+/gu)) {
      const first = next;
      while (next < found.length && (found[next]?.at ?? 0) < index + name.length) next++;
      const inside = found.slice(first, next).filter(({ at }) => at >= index);
      if (names.size >= maxNames) return [...names];
      if (inside.length > 0 || hostIn(name) !== null) names.add(besideItsLike(name, index, inside));
    }
  }
  return [...names];
}

function besideItsLike(name: string, index: number, found: readonly LookAlike[]): string {
  let [like, done] = ["", 0];
  for (const one of found) {
    like += name.slice(done, one.at - index) + (one.like ?? one.char);
    done = one.at - index + one.char.length;
  }
  like += name.slice(done);
  const spelled = lookAlikesSpelled(name);
  const host = hostIn(name);
  const isAscii = !/[^\0-\x7f]/.test(like);
  return [spelled, ...(isAscii && found.length > 0 ? [`≠ ${like}`] : []), ...(host === null ? [] : [`= ${host}`])].join(
    " ",
  );
}

/** The punycode host of an address with other letters than ASCII. */
function hostIn(name: string): string | null {
  const address = /^(?:[a-z][a-z0-9+.-]*:\/\/|.*@)(.+)$/iu.exec(name)?.[1];
  if (address === undefined || !URL.canParse(`http://${address}`)) return null;
  const { hostname } = new URL(`http://${address}`);
  return hostname.includes("xn--") ? hostname : null;
}
