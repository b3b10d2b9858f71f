// Values that are secret because of the name they are assigned to: in env, ini, yaml, json, toml, xml, code, flags, URLs and logs.
import { bareValue, isAlone, quotedValue } from "./assigned-value.ts";
import { isSecretValue, type Place } from "./judge.ts";
import { isWordCode, lineHead, once } from "./pattern.ts";
import type { Secret } from "./span.ts";

/** The last word of such a name begins with one of these. */
export const nameStems = "pass|pwd|secret|token|credential|key|_auth(?==)";
export const wideStems = "密码|口令|密钥";

const stemEnd = "(?:(?<=pass)(?<pass>word|wd|phrase|code)|(?<=credential)s)?";
const suffix =
  "(?:[-_.]?(?:access[-_.]?key|key(?:[-_.]?base)?|value|text|string|data|base64|b64|raw|plain|prod|production|dev|staging|test|live|old|new|primary|secondary|current|default|v?[0-9]{1,3}))?";
const quote = String.raw`(?:\\{0,7}["'\x60]|%22|%27|&quot;|&#34;)`;
const typed = String.raw`(?:[?!]?[ \t]{0,4}:[ \t]{0,4}&?(?:'static )?[A-Za-z][\w.]{0,24}\??(?=[ \t]{0,4}=[^=>]))?`;
const block = String.raw`(?:[|>][+-]?[ \t]{0,8}\r?\n${lineHead})?`;
const separators = [
  // `name=…`, `"name": …`, `name: Type = …`, `name => …`, `name := …`, `name || …`; never a comparison.
  String.raw`${quote}?\]?${typed}[ \t]{0,20}(?<sign>:=|=>|：|:(?![:=/])|=(?![=~>])|%3[aAdD]|\|\||\?\?)[ \t]{0,20}${block}`,
  // `{"name": "DB_PASSWORD", "value": …}`, also spread over two lines of YAML.
  String.raw`${quote}?[ \t]{0,8},?(?:[ \t]{1,40}|\r?\n${lineHead}|(?=["'\\]))${quote}?value${quote}?[ \t]{0,8}[:=][ \t]{0,8}`,
  String.raw`${quote}\)?[ \t]{0,4}(?<comma>,)[ \t]{0,8}(?=\\{0,7}["'\x60])`,
  "(?<tag>>)",
  String.raw`(?<blank>[ \t]{1,8})`,
];
const opening = `(?:[bBrRuUfF@$]{0,2}(?<quote>${quote}))?`;

const betweenForm = once(() => new RegExp(`${stemEnd}${suffix}(?:${separators.join("|")})${opening}`, "iy"));

/** A name and the text between it and its value. */
interface NamedValue {
  readonly text: string;
  /** Where the name, its last word and the value begin. */
  readonly from: number;
  readonly at: number;
  readonly start: number;
  /** `pass` in `DB_PASSWORD`, and the whole name. */
  readonly stem: string;
  readonly name: string;
  readonly between: string;
  readonly groups: Readonly<Record<string, string | undefined>>;
}

/** The value assigned to the name whose last word begins with `stem` at `at`. */
export function assignedAt(text: string, at: number, stem: string): Secret | null {
  const named = namedValueAt(text, at, stem);
  if (named === null || !isSecretName(named)) return null;
  const { start, groups } = named;
  const place = placeOf(named);
  const value =
    groups.quote === undefined ? bareValue(text, start, place) : quotedValue(text, start, groups.quote, place);
  if (value === null || !isSecretValue(value, place)) return null;
  return { kind: place.isPassword ? "password" : "secret", from: start, to: start + value.length };
}

function namedValueAt(text: string, at: number, stem: string): NamedValue | null {
  const between = betweenForm();
  between.lastIndex = at + stem.length;
  const match = between.exec(text);
  if (match === null) return null;
  const from = identifierStart(text, at);
  const groups = match.groups ?? {};
  const name = text.slice(from, at) + stem + (groups.pass ?? "");
  return { text, from, at, start: between.lastIndex, stem: stem.toLowerCase(), name, between: match[0], groups };
}

/** `key` alone is too common: a key is secret only with one of these words before it. */
const keyed =
  /(?:api|access|private|auth|account|storage|shared|master|signing|encryption|session|subscription|app|application|consumer|service|admin|licen[cs]e|deploy|webhook|jwt|hmac|server|functions)[-_. ]?$/i;
const harmless =
  /(?:next|page|paging|pagination|continuation|sync|cursor|public|publishable|cancellation|cancel)[-_.]?token$|(?:public|publishable)[-_.]?key$/i;

function isSecretName(named: NamedValue): boolean {
  const { text, from, at, stem, name, groups } = named;
  if (stem === "key" && !keyed.test(text.slice(Math.max(0, at - 16), at))) return false;
  if (harmless.test(name)) return false;
  // The shell's working directory; `UID=me;PWD=…` is a connection string.
  if (/^(?:OLD)?PWD$/.test(name) && text[from - 1] !== ";") return false;
  // `/etc/passwd`
  if (text[from - 1] === "/" && groups.tag === undefined) return false;
  if (/pass$/i.test(name) && !isPassName(named)) return false;
  if (/^-[^-]/.test(name) && !isFlagName(name)) return false;
  if (groups.blank !== undefined) return isFlagName(name) || followsSetter(named);
  return groups.tag === undefined || /<[\w:.-]{0,80}$/.test(text.slice(Math.max(0, from - 81), at));
}

/** `bypass` and `compass` are ordinary words, and `PASS: test_3` is output of a test runner. */
function isPassName({ text, from, name, groups }: NamedValue): boolean {
  if (/(?:by|com|sur|over|tres|under|buy)pass$/i.test(name)) return false;
  if (name.length > 4 || groups.quote !== undefined || groups.sign !== ":") return true;
  return /-pass(?:in|out)? $/.test(text.slice(Math.max(0, from - 9), from));
}

/** `ENV NAME value` in a Dockerfile, `setx NAME value`, and `PASSWORD '…'` in SQL. */
function followsSetter({ text, from, stem, groups }: NamedValue): boolean {
  if (stem === "pass" && groups.quote === "'") return true;
  return /(?:^|\s)(?:ENV|ARG|setx|setenv)[ \t]{1,8}$/.test(text.slice(Math.max(0, from - 16), from));
}

// `-debug-pass=…` and `-Rpass=…` are compiler flags.
const isFlagName = (name: string): boolean =>
  /^--?[A-Za-z]/.test(name) && !/^-(?!-|[a-z]*(?:store|key)pass$).+pass$/i.test(name);

function placeOf(named: NamedValue): Place {
  const { text, from, start, stem, name, between, groups } = named;
  const isPassword = /^(?:pass|pwd|密码|口令)$/.test(stem);
  const isQuoted = groups.quote !== undefined || groups.tag !== undefined;
  const isFlag = isFlagName(name) && (groups.blank !== undefined || groups.sign === "=");
  const isEnv =
    text[from - 1] !== ";" && /^[A-Z0-9_]+$/.test(name) && /^[A-Z0-9_]*(?:=|%3[dD])(?:\\{0,7}["'])?$/.test(between);
  const isLine = isPassword && /^\w*=$/.test(between) && isOwnLine(text, from) && isAlone(text, start);
  const isStrong = isFlag || isEnv || isLine || isConnection(named);
  const isLoose = !isQuoted && !isStrong && !isOwnLine(text, from);
  return { isPassword, isQuoted, isStrong, isEnv, isFlag, isLoose, isListed: groups.comma !== undefined };
}

const longestName = 80;
const dot = 46;

function identifierStart(text: string, at: number): number {
  let from = at;
  const least = Math.max(0, at - longestName);
  while (from > least && (isWordCode(text.charCodeAt(from - 1)) || text.charCodeAt(from - 1) === dot)) from--;
  // An escaped line end before the name is not part of it, nor is the `file-12-` prefix of a context line in search results.
  if (text[from - 1] === "\\" && /[nrt]/.test(text[from] ?? "")) from++;
  return from + (/^[\w.-]*-[0-9]{1,7}-(?=[A-Za-z_])/.exec(text.slice(from, at))?.[0].length ?? 0);
}

const ownLine =
  /^(?:[^\s:]{1,160}[:-][0-9]{1,7}[:-]|[ ]{0,8}[0-9]{1,7}[\t:|→ ])?[-+><|#/*;!$ \t]{0,40}(?:(?:export|set|setx|setenv|env|ENV|ARG|declare -x|typeset -x|local|readonly|let|const|var)[ \t]+){0,2}["']?$/;
/** Covers a line prefix with a long file name. */
const lineReach = 240;

/** Nothing precedes the name on its line except prefixes added by tools and shells. */
function isOwnLine(text: string, from: number): boolean {
  const before = text.slice(Math.max(0, from - lineReach), from);
  const written = before.lastIndexOf("\\n");
  const start = Math.max(before.lastIndexOf("\n") + 1, written < 0 ? 0 : written + 2);
  return (start > 0 || from <= lineReach) && ownLine.test(before.slice(start));
}

const connection =
  /(?:server|data source|host|hostname|user id|uid|user|username|database|initial catalog|endpoint|accountname|sharedaccesskeyname|port|driver|dbname)[ ]?=[^;&?,()\n ]{1,64}[; &]/i;

/** `Server=db;User Id=app;Password=…;`, `host=db password=…`, `?user=app&password=…`. */
function isConnection({ text, from, at, groups }: NamedValue): boolean {
  if (!/^(?:=|%3d)$/i.test(groups.sign ?? "") || !/[;&? ]/.test(text[from - 1] ?? "")) return false;
  return connection.test(text.slice(Math.max(0, at - lineReach), at));
}
