// Keys of AWS and Azure with nothing before them that says so: known by their exact length, and by letters in fixed places.
import type { Secret } from "./span.ts";
import { isEncodedText, isMasked, shapeOf } from "./value.ts";

interface Bare {
  readonly kind: string;
  /** Letters of base64 without what pads them, and how many `=` follow. */
  readonly length: number;
  readonly padding: number;
  readonly form: RegExp;
}

/** The signs in the middle of Azure's keys are there so that they are found. */
const forms: readonly Bare[] = [
  { kind: "aws-secret-key", length: 40, padding: 0, form: /^/ },
  { kind: "azure-storage-key", length: 86, padding: 2, form: /^/ },
  { kind: "azure-key", length: 43, padding: 1, form: /^.{33}(?:AIoT|AzCa|\+(?:ASb|AEh|ARm))[A-P]/ },
  { kind: "azure-key", length: 52, padding: 0, form: /^.{42}(?:AzSe|\+ACR)[A-D]/ },
  { kind: "azure-key", length: 54, padding: 2, form: /^.{44}AzFu/ },
  { kind: "azure-devops-token", length: 84, padding: 0, form: /^.{76}AZDO/ },
  { kind: "azure-key", length: 84, padding: 0, form: /^.{52}JQQJ99/ },
];
const shortest = Math.min(...forms.map(({ length }) => length));

const isLetter = (code: number): boolean =>
  (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 47 && code <= 57) || code === 43;

/** What each so many characters are: a run of so many has one of them in it, so the others need no look. */
export function findBareKeys(text: string): readonly Secret[] {
  const found: Secret[] = [];
  let done = 0;
  for (let at = shortest - 1; at < text.length; at += shortest) {
    if (at < done || !isLetter(text.charCodeAt(at))) continue;
    let from = at;
    while (from > done && isLetter(text.charCodeAt(from - 1))) from--;
    let to = at + 1;
    while (to < text.length && isLetter(text.charCodeAt(to))) to++;
    done = to;
    const secret = keyAt(text, behindEscape(text, from), to);
    if (secret !== null) found.push(secret);
  }
  return found;
}

/** The last letters of an escape belong to it: of a line end, a sign in an address, and a colour. */
function behindEscape(text: string, from: number): number {
  if (text[from - 1] === "%" && /^[0-9A-F]{2}/i.test(text.slice(from, from + 2))) return from + 2;
  if (text[from - 1] === "\\") return /[nrt]/.test(text[from] as string) ? from + 1 : from;
  if (!/[[;:]/.test(text[from - 1] ?? "")) return from;
  const start = Math.max(0, from - 16);
  const colour = /(?:\u001b|\\u001b|\\x1b|\\033|\\e)\[[0-9;:]{0,12}m/i.exec(text.slice(start, from + 8));
  return colour === null ? from : Math.max(from, start + colour.index + colour[0].length);
}

function keyAt(text: string, from: number, to: number): Secret | null {
  const padding = /^={0,2}/.exec(text.slice(to, to + 2))?.[0].length ?? 0;
  const fits = (one: Bare): boolean => one.length === to - from && one.padding <= padding;
  if (!forms.some(fits)) return null;
  const run = text.slice(from, to);
  const bare = forms.find((one) => fits(one) && one.form.test(run));
  if (bare === undefined || !isRandom(run) || isPart(text, from, to + bare.padding)) return null;
  return { kind: bare.kind, from, to: to + bare.padding };
}

/** As bytes are that nobody chose: words and paths change their kind of letter much less often. */
function isRandom(run: string): boolean {
  const { digits, changes, length } = shapeOf(run);
  if (digits === 0 || changes * 5 < length * 2 || !/[a-z]/.test(run) || !/[A-Z]/.test(run)) return false;
  return !isMasked(run) && !isEncodedText(run);
}

const digest = /(?:sha-?\d{1,3}|md5|h1|integrity|digest|hash)["' ]{0,2}[-:= ]["']?$/i;
/** A line end in JSON, the mark of a diff, and `file-12-` before a line near one that was found. */
const lineStart = /(?:^|\n|\\[nrt]|(?:^|\n|\\n)[-+]|-[0-9]{1,7}-|%[0-9A-F]{2})$/i;

/** Of a longer word, or the digest of something. */
function isPart(text: string, from: number, to: number): boolean {
  const [before, behind] = [text.slice(Math.max(0, from - 24), from), text.slice(to, to + 2)];
  if (/^(?!%[0-9A-F])[\w%@#$~-]|^\.\w/i.test(behind)) return true;
  return (
    digest.test(before) || (/[\w.@#$~%-]$/.test(before) && !lineStart.test(before) && !/\[[0-9;:]*m$/.test(before))
  );
}
