import { isWordCode, literal, once } from "./pattern.ts";
import type { Secret } from "./span.ts";
import { isMasked, isTokenLike } from "./value.ts";
import { type Format, formats } from "./vendor-formats.ts";

interface VendorRow {
  readonly format: Format;
  /** Compiled when its prefix first occurs: most never do. */
  pattern: RegExp | null;
}

interface VendorStart {
  readonly text: string;
  look: RegExp | null;
  readonly rows: VendorRow[];
}

/** Keyed by the first three letters. Longer prefixes come first: `sk-` must not hide `sk-ant-`. */
interface Table {
  readonly likely: Uint8Array;
  readonly starts: ReadonlyMap<number, readonly VendorStart[]>;
}

const table = once(buildTable);

export function findVendorTokens(text: string): readonly Secret[] {
  const { likely, starts } = table();
  const found: Secret[] = [];
  let first = 0;
  let second = 0;
  // Runs for every character: a closure over the changing variables would make it four times slower.
  for (let at = 0; at < text.length; at++) {
    const third = text.charCodeAt(at);
    if (likely[((first << 9) ^ (second << 5) ^ (third << 11) ^ third) & likelyMask] === 1) {
      const end = tokensAt(starts.get(key(first, second, third)), text, at - 2, found);
      if (end > at) {
        at = end - 1;
        first = text.charCodeAt(at - 1);
        second = text.charCodeAt(at);
        continue;
      }
    }
    first = second;
    second = third;
  }
  return found;
}

const likelyMask = 0xffff;
const key = (first: number, second: number, third: number): number => (first * 128 + second) * 128 + third;

function isStart(start: VendorStart, text: string, at: number): boolean {
  if (!text.startsWith(start.text, at)) return false;
  const ahead = start.rows.at(-1)?.format.look;
  if (ahead === undefined) return true;
  start.look ??= new RegExp(ahead, "y");
  start.look.lastIndex = at + start.text.length;
  return start.look.test(text);
}

/** Adds the tokens that begin at `at`; returns where to continue, or `at` if no prefix matches. */
function tokensAt(starts: readonly VendorStart[] | undefined, text: string, at: number, found: Secret[]): number {
  const start = starts?.find((one) => isStart(one, text, at));
  if (start === undefined) return at;
  let end = at + start.text.length;
  if (!mayBeginToken(text, at, start.text)) return end;
  for (const row of start.rows) {
    const secret = tokenAt(row, start.text, text, at);
    if (secret === null) continue;
    found.push(secret);
    end = Math.max(end, secret.to);
  }
  return end;
}

function tokenAt(row: VendorRow, start: string, text: string, at: number): Secret | null {
  const { kind, check } = row.format;
  // Before the pattern: a match that is not a key would be scanned again from every prefix inside it.
  if (check === "pem" && !isPem(text.slice(at, at + 96))) return null;
  row.pattern ??= new RegExp(literal(start) + row.format.rest, "y");
  row.pattern.lastIndex = at;
  const match = row.pattern.exec(text);
  if (match === null) return null;
  const secret = match.groups?.secret ?? match[0];
  if (check === "jwt" && !isJwt(secret)) return null;
  if (check === "random" && !isTokenLike(secret)) return null;
  if (check !== "jwt" && check !== "pem" && isMasked(secret)) return null;
  const to = at + match[0].length;
  return { kind, from: to - secret.length, to };
}

/** The header of a real JWT is JSON; three words joined by dots are not. */
function isJwt(token: string): boolean {
  const header = token.slice(0, Math.min(token.indexOf("."), 4096));
  return /"(?:alg|typ|kid|enc|cty)"\s*:/.test(decoded(header));
}

/** Base64 over a whole PEM block, as in kubeconfig files and CI variables. A certificate is not secret. */
function isPem(token: string): boolean {
  return /-----BEGIN [A-Z ]{0,40}PRIVATE KEY/.test(decoded(token));
}

function decoded(base64: string): string {
  const whole = base64.slice(0, base64.length - (base64.length % 4));
  try {
    return atob(whole.replaceAll("-", "+").replaceAll("_", "/"));
  } catch {
    // Not base64.
    return "";
  }
}

/** These prefixes stand in the middle of their token; their patterns look back themselves. */
const isInner = (start: string): boolean => /^[:.-]|^[78]Q~$/.test(start);

const escaped =
  /(?:\\[nrtbf]|%[0-9A-F]{2}|\\u[0-9A-F]{4}|\\x[0-9A-F]{2}|(?:\u001b|\\u001b|\\x1b|\\033|\\e)\[[0-9;:]{0,12}m)$/i;

const isUnmistakable =
  /^(?:gh[a-z]_|github_pat_|gl[a-z]+-|npm_|hf_|xox|sk_live_|rk_live_|whsec_|AKIA|ASIA|AIza|pypi-|dckr_pat_|dop_v1_|shpat_)/;

/** Whether a token may begin here: no word may precede it, except an escaped character. */
function mayBeginToken(text: string, at: number, start: string): boolean {
  if (isInner(start)) return true;
  const before = text.charCodeAt(at - 1);
  // After another word: `--token-ghp_…`, `backup_ghp_…`. Prefixes that are part of ordinary words do not count there.
  if ((before === 45 || before === 95) && isUnmistakable.test(start)) return true;
  // A dash at the start of a line is a diff mark; `file-12-` is the prefix of a context line in search results.
  if (before === 45)
    return !isWordCode(text.charCodeAt(at - 2)) || /-[0-9]{1,7}-$/.test(text.slice(Math.max(0, at - 9), at));
  if (!isWordCode(before)) return true;
  return escaped.test(text.slice(Math.max(0, at - 20), at));
}

/** Plain loops without allocations that may not be needed: every start of the program waits for this. */
function buildTable(): Table {
  const likely = new Uint8Array(likelyMask + 1);
  const starts = new Map<number, VendorStart[]>();
  for (const format of formats) {
    for (const text of format.starts.split(" ")) {
      const [one, two] = [text.charCodeAt(0), text.charCodeAt(1)];
      // Two-letter prefixes are followed by hex digits.
      const thirds = text[2] ?? "0123456789abcdef";
      for (let at = 0; at < thirds.length; at++) {
        const three = thirds.charCodeAt(at);
        likely[((one << 9) ^ (two << 5) ^ (three << 11) ^ three) & likelyMask] = 1;
        addRow(starts, key(one, two, three), text, format);
      }
    }
  }
  for (const list of starts.values()) if (list.length > 1) list.sort((a, b) => b.text.length - a.text.length);
  return { likely, starts };
}

function addRow(starts: Map<number, VendorStart[]>, at: number, text: string, format: Format): void {
  const row = { format, pattern: null };
  const list = starts.get(at);
  if (list === undefined) {
    starts.set(at, [{ text, look: null, rows: [row] }]);
    return;
  }
  const known = list.find((start) => start.text === text);
  if (known === undefined) list.push({ text, look: null, rows: [row] });
  else known.rows.push(row);
}
