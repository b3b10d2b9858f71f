import { findPrivateKeys, type Span } from "./private-key.ts";

/** One kind of secret. `find` must take linear time on any input, and must not find a placeholder. */
interface SecretKind {
  readonly kind: string;
  readonly find: (text: string) => readonly Span[];
}

/** The group `secret` is the end of the match. */
function byPattern(pattern: RegExp, isSecret: (secret: string, scheme: string | undefined) => boolean) {
  return (text: string): readonly Span[] => {
    const spans: Span[] = [];
    pattern.lastIndex = 0;
    for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
      const { secret = "", scheme } = match.groups ?? {};
      const to = pattern.lastIndex;
      if (isSecret(secret, scheme)) spans.push({ from: to - secret.length, to });
      // What was taken for a value may be the name of the next header.
      else pattern.lastIndex = match.index + 1;
    }
    return spans;
  };
}

// `Bearer YOUR_TOKEN_HERE` and `Bearer xxxx` in documents, `Bearer undefined` in the log of a broken client.
const isStandIn = (secret: string): boolean => /^(?:[A-Z_-]+|[xX*._-]+|undefined)$/.test(secret);

const isRandom = (secret: string): boolean => secret.length >= 16 && /[0-9]|[a-z][A-Z]/.test(secret);

// Four dashes begin something else: eaten, they would hide the marker of a private key from the next look.
const token = String.raw`(?<secret>[\w.~+/]+(?:-(?!---)[\w.~+/]*)*={0,2})`;
const scheme = String.raw`(?:(?<scheme>basic|bearer|token|apikey|api-key|negotiate)[ \t]{1,8})?`;
// Also as `"Authorization": "…"`, `\"Authorization\": …` and `headers["Authorization"] = "…"`.
const name = String.raw`authorization(?:\\?["'])?\]?[ \t]{0,8}[:=][ \t]{0,8}(?:\\?["'])?`;
const header = new RegExp(name + scheme + token, "gi");
const bearer = new RegExp(String.raw`\bbearer[ \t]{1,8}${token}`, "gi");

/** In this order: what an earlier row replaced, a later one no longer sees. */
const secretKinds: readonly SecretKind[] = [
  { kind: "private-key", find: findPrivateKeys },
  {
    kind: "auth-header",
    find: byPattern(header, (secret, scheme) =>
      scheme === undefined ? isRandom(secret) && /[0-9]/.test(secret) : secret.length >= 8 && !isStandIn(secret),
    ),
  },
  // Without a header around it, prose (`bearer authentication-scheme`) has to be told apart.
  { kind: "bearer", find: byPattern(bearer, isRandom) },
];

/** Replaces secrets by placeholders: the same secret always by the same one. */
export function redact(text: string): { readonly text: string; readonly count: number } {
  let count = 0;
  let now = text;
  for (const { kind, find } of secretKinds) {
    const spans = find(now);
    if (spans.length === 0) continue;
    count += spans.length;
    now = replaceSpans(now, spans, kind);
  }
  return { text: now, count };
}

const placeholder = /\[REDACTED:[a-z-]+:[0-9a-f]{8}\]/;

/** The first placeholder in a text, so that it is never written into a file. */
export function findPlaceholder(text: string): string | null {
  return placeholder.exec(text)?.[0] ?? null;
}

function replaceSpans(text: string, spans: readonly Span[], kind: string): string {
  const parts: string[] = [];
  let done = 0;
  for (const { from, to } of spans) {
    parts.push(text.slice(done, from), `[REDACTED:${kind}:${fingerprint(text.slice(from, to))}]`);
    done = to;
  }
  parts.push(text.slice(done));
  return parts.join("");
}

/** FNV-1a, 32 bits: tells secrets apart, says nothing about them. */
function fingerprint(secret: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < secret.length; i++) hash = Math.imul(hash ^ secret.charCodeAt(i), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, "0");
}
