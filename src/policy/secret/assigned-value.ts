import { isSecretValue, type Place } from "./judge.ts";

// Stops at any separator: in `token=token=token=…` every name would otherwise read all the others.
const bare = /[^\s"'`\\;&,<>(){}[\]|=:]{1,128}={0,2}/y;
// Up to the next blank, as a shell reads it.
const wide = /[^\s"'`\\]{1,128}/y;
const wideRest = /[^\s"'`\\]*/y;
const bareRest = /[^\s"'`\\;&,<>(){}[\]|]*/y;

/** An unquoted value, up to the next blank or character that cannot be part of it. */
export function bareValue(text: string, start: number, place: Place): string | null {
  const isWide = place.isEnv || place.isFlag || (!place.isLoose && isAlone(text, start));
  const found = matchAt(isWide ? wide : bare, text, start);
  if (found === "") return null;
  const encodedEnd = found.search(/%2[267]/);
  if (encodedEnd >= 0) return found.slice(0, encodedEnd);
  const end = start + found.length;
  // A call, an index or a generic type: code, not a value.
  if (!isWide && /[([{]/.test(text[end] ?? "")) return null;
  // Prose about a flag (`--password options`), as opposed to a word at the end of a command.
  if (place.isFlag && /^[a-z]+$/.test(found) && !/^[ \t]*(?:$|[\r\n|>&;"'\\-])/.test(text.slice(end, end + 40)))
    return null;
  // Reads the long rest only when the beginning is a secret: otherwise every name inside the value would read it again.
  return isSecretValue(found, place) ? found + matchAt(isWide ? wideRest : bareRest, text, end) : null;
}

/** The value fills the rest of the line and is not code, as in ini files, properties and YAML. */
export function isAlone(text: string, start: number): boolean {
  return /^(?![^\s&]{1,256}&\w{1,64}=)[^\s"'`\\(){}[\]<>;,]{1,256}[ \t]*(?:$|[\r\n#])/.test(
    text.slice(start, start + 300),
  );
}

function matchAt(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? "";
}

/** Far more than any password. A longer value is cut here; the finders examine its rest separately. */
const longest = 4_096;

/** The value up to the quote that closes `opening`. */
export function quotedValue(text: string, start: number, opening: string, place: Place): string | null {
  const limit = Math.min(text.length, start + longest);
  const isEncoded = /^[%&]/.test(opening);
  const mark = isEncoded ? opening : opening.slice(-1);
  const opened = isEncoded ? 0 : opening.length - 1;
  const mayHaveBlanks = place.isEnv || place.isFlag;
  let slashes = 0;
  for (let i = start; i < limit; i++) {
    const one = text[i] ?? "";
    if (one === "\n" || one === "\r") return cutOff(text.slice(start, i), place);
    if (isEncoded ? text.startsWith(mark, i) : one === mark && closes(slashes, opened)) {
      return text.slice(start, i - Math.min(slashes, opened));
    }
    if (one === '"' && endsJson(text[i + 1])) return cutOff(text.slice(start, i), place);
    slashes = one === "\\" ? slashes + 1 : 0;
    if ((one === " " || one === "\t") && !mayHaveBlanks) return null;
  }
  return cutOff(text.slice(start, limit), place);
}

/** Inside a string, an escaped quote has more backslashes before it than the opening quote; two backslashes are one. */
function closes(slashes: number, opened: number): boolean {
  return opened === 0 ? slashes % 2 === 0 : slashes <= opened;
}

/** The end of an enclosing JSON string: the value inside it was never closed. */
function endsJson(next: string | undefined): boolean {
  return next === undefined || /[,:}\]\r\n]/.test(next);
}

/** The end is missing, cut off with the line or the enclosing string, so the quotes do not prove that this is a value. */
function cutOff(value: string, place: Place): string | null {
  const [start = ""] = value.split(/["'`\\]/, 1);
  return isSecretValue(start, { ...place, isLoose: true, isStrong: false }) ? start : null;
}
