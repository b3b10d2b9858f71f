import { assignedAt, nameStems, wideStems } from "./secret/assigned.ts";
import { findBareKeys } from "./secret/bare.ts";
import { unfold } from "./secret/fold.ts";
import { authorizationAt, bearerAt, cookiesAt } from "./secret/header.ts";
import { findKeyLines } from "./secret/key-lines.ts";
import { KnownSecrets } from "./secret/known/known.ts";
import { loginAt } from "./secret/login.ts";
import { once } from "./secret/pattern.ts";
import { findPrivateKeys } from "./secret/private-key.ts";
import { mergeSecrets, type Secret, type Span, withoutSpans } from "./secret/span.ts";
import { isDummyValue, isMasked, isRandom, isReference } from "./secret/value.ts";
import { findVendorTokens } from "./secret/vendor.ts";

export interface Redacted {
  readonly text: string;
  readonly count: number;
}

/** Replaces secrets by placeholders, and the exact values that the process knows. Equal secrets get equal placeholders. */
export function redactor(known: readonly string[] | KnownSecrets): (text: string) => Redacted {
  const find = secretFinder(known);
  return (text) => {
    let count = 0;
    let current = text;
    // Text after a replaced secret may match differently. Each further pass is needed by fewer texts.
    for (let pass = 0; pass < maxPasses; pass++) {
      const secrets = find(current);
      if (secrets.length === 0) break;
      count += secrets.filter(({ isRest }) => !isRest).length;
      current = replaceSecrets(current, secrets);
    }
    return { text: current, count };
  };
}

const maxPasses = 4;

/** Sorted, without overlap, and never inside a placeholder. */
export function secretFinder(secrets: readonly string[] | KnownSecrets): (text: string) => readonly Secret[] {
  const known = secrets instanceof KnownSecrets ? secrets : deepKnown(secrets);
  const findIn = (text: string): readonly Secret[] => [
    ...findPrivateKeys(text).map((span) => ({ ...span, kind: "private-key" })),
    ...findVendorTokens(text),
    ...findNamed(text),
    ...findPlaced(text),
    ...known.find(text),
    ...findBareKeys(text),
    ...findKeyLines(text).map((span) => ({ ...span, kind: "private-key" })),
  ];
  return (text) => {
    const placeholders = placeholdersIn(text);
    const covered = coverSpans(text, placeholders);
    const plain = unfold(covered);
    const found = findIn(plain.text).map((secret) => ({ ...secret, ...plain.origin(secret) }));
    // Also without folding: the fold may have joined two words into one that is not a secret.
    const folded = plain.text === covered ? [] : findIn(covered);
    return withoutSpans(mergeSecrets([...found, ...folded]), placeholders);
  };
}

function deepKnown(values: readonly string[]): KnownSecrets {
  const known = new KnownSecrets(values);
  known.deepen();
  return known;
}

/** Replaces the spans by text of the same length that no finder takes for a value or for the end of a word. */
function coverSpans(text: string, spans: readonly Span[]): string {
  return replaceSpans(text, spans, ({ from, to }) => "_".repeat(to - from));
}

function replaceSpans<S extends Span>(text: string, spans: readonly S[], replacement: (span: S) => string): string {
  if (spans.length === 0) return text;
  const parts: string[] = [];
  let done = 0;
  for (const span of spans) {
    parts.push(text.slice(done, span.from), replacement(span));
    done = span.to;
  }
  parts.push(text.slice(done));
  return parts.join("");
}

// Two patterns: combined they are slower.
const nameForms = once(() => [
  new RegExp(`authorization|bearer|cookie|${nameStems}`, "gi"),
  new RegExp(wideStems, "g"),
]);

/** Values revealed by the name before them. */
function findNamed(text: string): readonly Secret[] {
  const found: Secret[] = [];
  for (const names of nameForms()) {
    for (let match = names.exec(text); match !== null; match = names.exec(text)) {
      const { secrets, to } = namedAt(text, match.index, match[0]);
      // Not spread into arguments: a text may contain more secrets than a call can take arguments.
      for (const secret of secrets) found.push(secret);
      names.lastIndex = Math.max(names.lastIndex, to);
    }
  }
  return found;
}

/** The secrets that the name at `at` reveals, and where to continue. */
function namedAt(text: string, at: number, name: string): { readonly secrets: readonly Secret[]; readonly to: number } {
  const small = name.toLowerCase();
  if (small === "cookie") return cookiesAt(text, at);
  const read = small === "authorization" ? authorizationAt : small === "bearer" ? bearerAt : assignedAt;
  const secret = read(text, at, name);
  return secret === null ? { secrets: [], to: at } : { secrets: [secret], to: secret.to };
}

const places =
  /:\/\/|(?<=[ \t"'])-(?:[upaUb]|-user|-proxy-user)(?=[ \t="'\\\w])|\$(?=[0-9agpsy][\w-]{0,20}\$)|\{(?=[SCP][\w-]{2,24}\})|:(?=(?:54[0-9]{2}|6432|\*):)|\t(?=(?:TRUE|FALSE)\t)|login(?=[ \t])|identified(?= )|IDENTIFIED(?= )/g;

/** Values revealed by their position. */
function findPlaced(text: string): readonly Secret[] {
  const found: Secret[] = [];
  for (let match = places.exec(text); match !== null; match = places.exec(text)) {
    const start = match[0].toLowerCase().replace(/^-(?:-user|-proxy-user)$/, "-u");
    const secret = start === "://" ? passwordInUrl(text, match.index) : loginAt(text, match.index, start);
    if (secret === null) continue;
    found.push(secret);
    places.lastIndex = secret.to;
  }
  return found;
}

const placeholder = /\[REDACTED:[a-z-]+:[0-9a-f]{8}\]/;

/** The first placeholder in a text, so that it is never written into a file. */
export function findPlaceholder(text: string): string | null {
  return placeholder.exec(text)?.[0] ?? null;
}

function placeholdersIn(text: string): readonly Span[] {
  if (!text.includes("[REDACTED:")) return [];
  const all = text.matchAll(new RegExp(placeholder, "g"));
  return [...all].map((match) => ({ from: match.index, to: match.index + match[0].length }));
}

export function replaceSecrets(text: string, secrets: readonly Secret[]): string {
  return replaceSpans(text, secrets, ({ from, to, kind, value, isRest }) =>
    isRest ? "" : `[REDACTED:${kind}:${fingerprint(value ?? unfold(text.slice(from, to)).text)}]`,
  );
}

/** FNV-1a, 32 bits: distinguishes secrets without revealing them. */
function fingerprint(secret: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < secret.length; i++) hash = Math.imul(hash ^ secret.charCodeAt(i), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, "0");
}

// A password may contain an unescaped `@`: the last one before the host counts.
const userInfo = /:\/\/(?<user>[^\s/?#:@"'`<>\\]{0,128})(?::(?<password>[^\s/?#"'`<>\\]{1,256}))?@(?=[\w[*.%-])/y;

/** The password, or a token in place of the user, in a URL whose `://` stands at `at`. User and host stay readable. */
function passwordInUrl(text: string, at: number): Secret | null {
  userInfo.lastIndex = at;
  const match = userInfo.exec(text);
  if (match === null) return null;
  const { user = "", password } = match.groups ?? {};
  const from = at + 3;
  if (password === undefined) {
    return user.length >= 20 && isRandom(user) && !isMasked(user)
      ? { kind: "url-token", from, to: from + user.length }
      : null;
  }
  if (!isPassword(password, user)) return null;
  const start = from + user.length + 1;
  return { kind: "url-password", from: start, to: start + password.length };
}

function isPassword(password: string, user: string): boolean {
  if (password.length < 4 || password === user || /^\d+$/.test(password)) return false;
  return !isDummyValue(password) && !isReference(password) && !/^[.*xX•-]+$/.test(password);
}
