// Whether a value can be a secret: judged by its characters and by common placeholder words.
import { once } from "./pattern.ts";

/** Longer values are judged by their beginning. */
const judged = 128;

interface Shape {
  readonly length: number;
  readonly letters: number;
  readonly digits: number;
  /** Characters that people use in passwords, but code rarely in words; base64 padding counts as one. */
  readonly signs: number;
  /** Changes between small letters, capitals and digits. */
  readonly changes: number;
  readonly isAscii: boolean;
}

const other = 0;
const small = 1;
const capital = 2;
const digit = 3;
const sign = 4;

const classes = once(classTable);

function classTable(): Uint8Array {
  const table = new Uint8Array(128);
  table.fill(small, 97, 123).fill(capital, 65, 91).fill(digit, 48, 58);
  for (const one of "!@#$%^&*?~+") table[one.charCodeAt(0)] = sign;
  return table;
}

export function shapeOf(value: string): Shape {
  const table = classes();
  const length = Math.min(value.length, judged);
  const counts: [number, number, number, number, number] = [0, 0, 0, 0, 0];
  let changes = 0;
  let isAscii = true;
  let before = other;
  for (let i = 0; i < length; i++) {
    const code = value.charCodeAt(i);
    if (code < 32 || code > 126) isAscii = false;
    const now = table[code] ?? small;
    counts[now]!++;
    if (now !== before && now !== other && before !== other) changes++;
    before = now;
  }
  const [, smalls, capitals, digits, signs] = counts;
  const padding = length >= 8 && length % 4 === 0 && value.endsWith("=") ? 1 : 0;
  return { length, letters: smalls + capitals, digits, signs: signs + padding, changes, isAscii };
}

/** Machine-made: words, dates, versions and paths change their kind of character much less often. */
export function isRandom(value: string): boolean {
  const { length, letters, digits, changes, isAscii } = shapeOf(value);
  if (length < 12 || letters === 0 || !isAscii) return false;
  return digits >= 2 ? changes * 6 >= length : hasMixedCase(length, changes);
}

/** Base64 of words, so not random. */
export function isEncodedText(base64: string): boolean {
  const whole = base64.slice(0, base64.length - (base64.length % 4));
  try {
    return /^[\t\n\r -~]+$/.test(atob(whole));
  } catch {
    // Not base64.
    return false;
  }
}

/** After a vendor's prefix, weaker evidence is enough: a digit among the letters, or many capitals. */
export function isTokenLike(value: string): boolean {
  const { length, digits, changes } = shapeOf(value);
  return digits > 0 ? changes >= 2 : length >= 20 && changes * 5 >= length;
}

/** Letters only: twice as many changes as camel case has. */
export function hasMixedCase(length: number, changes: number): boolean {
  return length >= 20 && changes * 3 >= length;
}

/** Masked or a placeholder: `ghp_xxxxxxxx`, `sk-ant-YOUR-KEY-HERE`, `AIza…0000000000`. */
export function isMasked(value: string): boolean {
  const start = value.slice(0, judged);
  return (
    hasFewCharacters(start) ||
    /x{6}|_{12}|\*{3}|\.{3}|your[-_ ]|[-_ ]your|placeholder|replace|_here|redacted/i.test(start)
  );
}

function hasFewCharacters(value: string): boolean {
  const enough = Math.min(6, value.length / 2);
  const seen: number[] = [];
  for (let i = 0; i < value.length; i++) {
    const code = value.charCodeAt(i);
    if (!seen.includes(code) && seen.push(code) >= enough) return false;
  }
  return true;
}

const templates =
  /^\$[\w({]|^%\w+%$|^%[sdvq@]|^<.*>$|^\{.*\}$|^\[.*\]$|^:\w+$|\$\{|#\{|\{\{|\{\w*\}|<%|%\(|%s|\.{3}|…|\*{3}|^@[\w./-]+$|^id=|^[a-z_]+\||^!(?:vault|env|secret|include|ref|sub|getatt)\b/i;
const references =
  /^(?:process|os|env|ENV|secrets|vars|config|settings|options|args|self|this|var|local|data|module|req|request|ctx)\.|^(?:op|vault|ssm|file|https?|arn|data|aws-sm|gcp-sm|keyring):|^ENC\[|^(?:sha(?:1|256|384|512)|md5)[-:]/;
const paths = /^(?:~|\.{1,2}|[A-Za-z]:)?[\\/][\w.@ \\/-]{1,200}$/;

export function isReference(value: string): boolean {
  return templates.test(value) || references.test(value) || (paths.test(value) && !isRandom(value));
}

const dummies = once(() => new Set(dummyWords.split(/\s+/)));

/** Consists of placeholder words only: `changeme`, `YOUR_TOKEN_HERE`, `my-secret-key`, `xxxx`. */
export function isDummyValue(value: string): boolean {
  return !hasOwnPart(value, /[A-Z]?[a-z]+|[A-Z]+|[^A-Za-z\s._-]/g);
}

/** The same, with digits beside the words: `test123`, `Password1!`. */
export function isTestValue(value: string): boolean {
  return !hasOwnPart(value, /[A-Z]?[a-z]+|[A-Z]+/g);
}

/** Whether at least three characters belong to no placeholder word. */
function hasOwnPart(value: string, word: RegExp): boolean {
  const words = dummies();
  let left = 0;
  for (const [part] of value.slice(0, judged).matchAll(word)) {
    if (!words.has(part.toLowerCase()) && !/^(.)\1+$/i.test(part)) left += part.length;
    if (left >= 3) return true;
  }
  return false;
}

const dummyWords = `
  a an the this that is are be it of for to in on at by with and or not no from as if
  your my our some any one two three first second other another same
  here there change changeme changeit me replace insert enter put set add use fill type provide provided given
  example examples sample dummy fake mock stub test tests testing tester demo foo bar baz qux quux
  placeholder todo fixme tbd none null nil undefined empty blank default disabled enabled false true yes off auto prompt
  redacted hidden masked removed omitted censored stdin
  abc abcd abcde abcdef abcdefg abcdefgh def qwerty qwertz asdf letmein hello world
  credential credentials secret secrets password passwords passwd passphrase pass pwd pw passwort token tokens key keys api apikey auth authorization
  access refresh bearer basic client server user username admin administrator root guest login account session csrf xsrf
  id value values string text name names number boolean object function var variable field param parameter arg option
  service app application private public super very strong random long short secure insecure safe django old new invalid valid wrong bad good
  fail failed expired missing unknown real actual required optional custom own personal shared master
  postgres postgresql pg mysql mariadb mongo mongodb redis rabbitmq minio minioadmin sa docker db database host localhost
  github gitlab google openai anthropic aws amazon azure slack stripe npm pypi
  hash hashed encrypted encoded plain plaintext base hex sha md utf argon bcrypt scrypt jwt oauth file path url uri
  generated local dev development staging production prod env environment
  int uint float array buffer bytes char str bool`.trim();
