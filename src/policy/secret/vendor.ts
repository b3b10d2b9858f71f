import { isWordCode, literal, once } from "./pattern.ts";
import type { Secret } from "./span.ts";
import { isMasked, isTokenLike } from "./value.ts";
import { type Format, formats } from "./vendor-formats.ts";

interface Row {
  readonly format: Format;
  /** Compiled when its beginning is met for the first time: most never are. */
  readonly pattern: () => RegExp;
}

interface Table {
  /** Any beginning of any format. */
  readonly start: RegExp;
  readonly rows: ReadonlyMap<string, readonly Row[]>;
}

const table = once(buildTable);
/** Longer texts are searched faster with the table, once it is there. */
const shortText = 4_096;

/** Keys and tokens that say by their form whose they are. */
export function findVendorTokens(text: string): readonly Secret[] {
  if (text.length <= shortText && !mayBegin(text)) return [];
  const { start, rows } = table();
  const found: Secret[] = [];
  for (let match = start.exec(text); match !== null; match = start.exec(text)) {
    const at = match.index;
    if (!isFresh(text, at, match[0])) continue;
    for (const row of rows.get(match[0]) as readonly Row[]) {
      const secret = tokenAt(row, text, at);
      if (secret === null) continue;
      found.push(secret);
      start.lastIndex = Math.max(start.lastIndex, secret.to);
    }
  }
  return found;
}

function tokenAt(row: Row, text: string, at: number): Secret | null {
  const { kind, check } = row.format;
  // Before the pattern: what turns out to be no key is looked at again from every beginning inside it.
  if (check === "pem" && !isPem(text.slice(at, at + 96))) return null;
  const pattern = row.pattern();
  pattern.lastIndex = at;
  const match = pattern.exec(text);
  if (match === null) return null;
  const secret = match.groups?.secret ?? match[0];
  if (check === "jwt" && !isJwt(secret)) return null;
  if (check === "random" && !isTokenLike(secret)) return null;
  if (check !== "jwt" && check !== "pem" && isMasked(secret)) return null;
  const to = at + match[0].length;
  return { kind, from: to - secret.length, to };
}

/** The header of a real one is JSON; three words with dots between them are not. */
function isJwt(token: string): boolean {
  const header = token.slice(0, Math.min(token.indexOf("."), 4096));
  return /"(?:alg|typ|kid|enc|cty)"\s*:/.test(decoded(header));
}

/** Base64 over a whole PEM block, as kubeconfig files and CI variables hold it. A certificate is no secret. */
function isPem(token: string): boolean {
  return /-----BEGIN [A-Z ]{0,40}PRIVATE KEY/.test(decoded(token));
}

function decoded(base64: string): string {
  const whole = base64.slice(0, base64.length - (base64.length % 4));
  try {
    return atob(whole.replaceAll("-", "+").replaceAll("_", "/"));
  } catch {
    // Not base64 at all, so not what it was taken for.
    return "";
  }
}

/** Some beginnings stand in the middle of their token; their patterns look back for themselves. */
const isInner = (start: string): boolean => /^[:.-]|^[78]Q~$/.test(start);

const escaped =
  /(?:\\[nrtbf]|%[0-9A-F]{2}|\\u[0-9A-F]{4}|\\x[0-9A-F]{2}|(?:\u001b|\\u001b|\\x1b|\\033|\\e)\[[0-9;:]{0,12}m)$/i;

const isUnmistakable =
  /^(?:gh[a-z]_|github_pat_|gl[a-z]+-|npm_|hf_|xox|sk_live_|rk_live_|whsec_|AKIA|ASIA|AIza|pypi-|dckr_pat_|dop_v1_|shpat_)/;

/** A token begins where no other word goes on; an escaped character before it is no word. */
function isFresh(text: string, at: number, start: string): boolean {
  if (isInner(start)) return true;
  const before = text.charCodeAt(at - 1);
  // Behind another word: `--token-ghp_…`, `backup_ghp_…`. Beginnings that are part of ordinary words do not count there.
  if ((before === 45 || before === 95) && isUnmistakable.test(start)) return true;
  // A dash at the beginning of a line is the mark of a diff.
  if (before === 45) return !isWordCode(text.charCodeAt(at - 2));
  if (!isWordCode(before)) return true;
  return escaped.test(text.slice(Math.max(0, at - 20), at));
}

/** All beginnings, by their first two letters. */
const beginnings = once(() => {
  const found = new Map<number, string[]>();
  for (const { starts } of formats)
    for (const start of starts.split(" ")) {
      const pair = start.charCodeAt(0) * 128 + start.charCodeAt(1);
      const same = found.get(pair);
      if (same === undefined) found.set(pair, [start]);
      else same.push(start);
    }
  return found;
});

/** Whether any beginning stands in it: most small texts hold none, and the table takes longer to make than to look. */
function mayBegin(text: string): boolean {
  const all = beginnings();
  let before = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const starts = all.get(before * 128 + code);
    before = code;
    if (starts === undefined) continue;
    for (const start of starts) if (text.startsWith(start, at - 1)) return true;
  }
  return false;
}

function buildTable(): Table {
  const rows = new Map<string, Row[]>();
  const looks = new Map<string, string>();
  for (const format of formats) {
    const { starts, look, rest } = format;
    for (const start of starts.split(" ")) {
      const row = { format, pattern: once(() => new RegExp(literal(start) + rest, "y")) };
      rows.set(start, [...(rows.get(start) ?? []), row]);
      looks.set(start, look === undefined ? "" : `(?=${look})`);
    }
  }
  // The longer first: `sk-` must not hide `sk-ant-`.
  const all = [...looks.keys()].sort((one, other) => other.length - one.length);
  const start = new RegExp(all.map((one) => literal(one) + looks.get(one)).join("|"), "g");
  return { start, rows };
}
