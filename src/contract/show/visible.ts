// Characters that a person does not see, or sees elsewhere than they stand. Nothing from outside is shown with them in it.
import { type LookAlike, lookAlikes } from "./lookalike.ts";

const hidden = [
  // Controls but the tab and the line break, and other ends of a line.
  String.raw`\0-\x08\v\f\x0e-\x1f\x7f-\x9f\u2028\u2029`,
  // Marks of direction, fillers, blanks without width, notes to programs, tags, half pairs.
  String.raw`\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0`,
  String.raw`\ufff0-\ufffb\ufffe\uffff\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}\p{Cs}`,
].join("");
/** In words of some languages, and in pictures: text needs them, names do not. */
const joining = String.raw`\u180b-\u180f\u200c\u200d\ufe00-\ufe0f`;
/** Other blanks than the blank. */
const blanks = String.raw`\t\xa0\u1680\u2000-\u200a\u202f\u205f\u2800\u3000`;

const inText = new RegExp(String.raw`\r(?!\n)|[${hidden}]`, "gu");
const inNames = new RegExp(String.raw`[\n\r\t${hidden}${joining}]`, "gu");
const inCommands = new RegExp(String.raw`[\r${hidden}${joining}${blanks}]`, "gu");

const short: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** A paste of a million of them is shown at once: each is spelled once. */
const spelled = new Map<string, string>();

/** As JSON writes it. */
function escaped(one: string): string {
  const known = short[one] ?? spelled.get(one);
  if (known !== undefined) return known;
  const units = one.split("").map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
  spelled.set(one, units.join(""));
  return units.join("");
}

/** Text to be read: what hides in it is spelled out, its lines and tabs stay. */
export function plain(text: string): string {
  return text.replace(inText, escaped);
}

/** JSON leaves characters as they are that no terminal should get; escaped they mean the same. */
export function plainJson(value: unknown): string {
  return plain(JSON.stringify(value));
}

/** The name of a file, on one line; in JSON it means the file itself. */
export function visible(name: string): string {
  return name.replace(inNames, escaped);
}

/** Enough to push the rest of a line, or of a screen, out of sight. */
const padding = / {24,}|\n{5,}/g;
const emptyLines = /\n{5,}/g;

function counted(run: string): string {
  return run[0] === " " ? ` [${run.length} blanks] ` : `\n[${run.length - 1} empty lines]\n`;
}

/** The part of `spelledOut` that looks at more than one line; what is left of it can be done line by line. */
export function emptyLinesCounted(text: string): string {
  return text.replace(emptyLines, counted);
}

/** As no shell writes it: it must not look like an escape that the command has in it. */
function spelling(one: string): string {
  return `\\u{${(one.codePointAt(0) ?? 0).toString(16)}}`;
}

/** Text as a person has to see it before it runs: in full, nothing hidden in it, no letter that looks like another. Line breaks stay. */
export function spelledOut(text: string): string {
  const told = /[^\0-\x7f]/.test(text) ? text.split("\n").map(lookAlikesSpelled).join("\n") : text;
  return told.replace(inCommands, spelling).replace(padding, counted);
}

function lookAlikesSpelled(line: string): string {
  let [spelled, done] = ["", 0];
  for (const { at, char } of lookAlikes(line)) {
    spelled += line.slice(done, at) + spelling(char);
    done = at + char.length;
  }
  return spelled + line.slice(done);
}

/** At most this many are told; one is enough to look again. */
const mostTold = 3;

/**
 * Names with letters in them that look like ASCII ones, spelled out beside what they look like: `sr\\u{441} ≠ src`. An address with
 * any letters but ASCII in its host beside the name that is looked up: `http://m\u{fc}nchen.de = xn--mnchen-3ya.de`.
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
      if (names.size >= mostTold) return [...names];
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

/** The name that is looked up for an address with other letters than ASCII in it. */
function hostIn(name: string): string | null {
  const address = /^(?:[a-z][a-z0-9+.-]*:\/\/|.*@)(.+)$/iu.exec(name)?.[1];
  if (address === undefined || !URL.canParse(`http://${address}`)) return null;
  const { hostname } = new URL(`http://${address}`);
  return hostname.includes("xn--") ? hostname : null;
}
