// AWS and Azure keys without a telling name before them: recognized by exact length and by fixed characters.
import type { Secret } from "./span.ts";
import { isEncodedText, isMasked, shapeOf } from "./value.ts";

interface Bare {
  readonly kind: string;
  /** The number of base64 characters without padding, and the number of `=` that follow. */
  readonly length: number;
  readonly padding: number;
  readonly form: RegExp;
}

/** Azure puts these signatures into its keys so that scanners can find them. */
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

/** Checks only every `shortest`-th character: a run long enough contains one of them. */
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
    const secret = keyAt(text, skipEscape(text, from), to);
    if (secret !== null) found.push(secret);
  }
  return found;
}

/** Skips the last characters of an escape: of a line end, a percent-encoded character or a colour code. */
function skipEscape(text: string, from: number): number {
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

/** Random bytes: words and paths switch between kinds of character much less often. */
function isRandom(run: string): boolean {
  const { digits, changes, length } = shapeOf(run);
  if (digits === 0 || changes * 5 < length * 2 || !/[a-z]/.test(run) || !/[A-Z]/.test(run)) return false;
  return !isMasked(run) && !isEncodedText(run);
}

const digest = /(?:sha-?\d{1,3}|md5|h1|integrity|digest|hash)["' ]{0,2}[-:= ]["']?$/i;
/** A line end in JSON, a diff mark, and the `file-12-` prefix of a context line in search results. */
const lineStart = /(?:^|\n|\\[nrt]|(?:^|\n|\\n)[-+]|-[0-9]{1,7}-|%[0-9A-F]{2})$/i;

/** Part of a longer word, or a digest. */
function isPart(text: string, from: number, to: number): boolean {
  const [before, behind] = [text.slice(Math.max(0, from - 24), from), text.slice(to, to + 2)];
  if (/^(?!%[0-9A-F])[\w%@#$~-]|^\.\w/i.test(behind)) return true;
  return (
    digest.test(before) || (/[\w.@#$~%-]$/.test(before) && !lineStart.test(before) && !/\[[0-9;:]*m$/.test(before))
  );
}
