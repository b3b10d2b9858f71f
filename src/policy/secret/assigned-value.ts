import { isSecretValue, type Place } from "./judge.ts";

// Not over a further sign: in `token=token=token=…` every name would read all the others.
const bare = /[^\s"'`\\;&,<>(){}[\]|=:]{1,128}={0,2}/y;
// To the next blank, as a shell reads it.
const wide = /[^\s"'`\\]{1,128}/y;
const wideRest = /[^\s"'`\\]*/y;
const bareRest = /[^\s"'`\\;&,<>(){}[\]|]*/y;

/** A value without quotes: to the next blank or sign that cannot be part of it. */
export function bareValue(text: string, start: number, place: Place): string | null {
  const isWide = place.isEnv || place.isFlag || (!place.isLoose && isAlone(text, start));
  const found = matchAt(isWide ? wide : bare, text, start);
  if (found === "") return null;
  const encodedEnd = found.search(/%2[267]/);
  if (encodedEnd >= 0) return found.slice(0, encodedEnd);
  const end = start + found.length;
  // A call, an index or a generic type: code, not a value.
  if (!isWide && /[([{]/.test(text[end] ?? "")) return null;
  // `--password options` in a sentence about the flag, against a word at the end of a command.
  if (place.isFlag && /^[a-z]+$/.test(found) && !/^[ \t]*(?:$|[\r\n|>&;"'\\-])/.test(text.slice(end, end + 40)))
    return null;
  // The long rest of a value is taken only when its beginning is one: otherwise every name inside it would read it again.
  return isSecretValue(found, place) ? found + matchAt(isWide ? wideRest : bareRest, text, end) : null;
}

/** Up to the end of the line, and no code: as ini files, properties and YAML hold a value. */
export function isAlone(text: string, start: number): boolean {
  return /^(?![^\s&]{1,256}&\w{1,64}=)[^\s"'`\\(){}[\]<>;,]{1,256}[ \t]*(?:$|[\r\n#])/.test(
    text.slice(start, start + 300),
  );
}

function matchAt(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? "";
}

/** Far more than any password; a longer value is cut here, and its rest is looked at by itself. */
const longest = 4_096;

/** To the quote that closes what `opening` opened. */
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

/** An escaped quote has more backslashes before it than the one that opened; two of them are one backslash. */
function closes(slashes: number, opened: number): boolean {
  return opened === 0 ? slashes % 2 === 0 : slashes <= opened;
}

/** The end of a string in JSON: the value stood inside of it, and was closed by nothing. */
function endsJson(next: string | undefined): boolean {
  return next === undefined || /[,:}\]\r\n]/.test(next);
}

/** The end was cut off with the line or the string around it: nothing says that it was a value. */
function cutOff(value: string, place: Place): string | null {
  const [start = ""] = value.split(/["'`\\]/, 1);
  return isSecretValue(start, { ...place, isLoose: true, isStrong: false }) ? start : null;
}
