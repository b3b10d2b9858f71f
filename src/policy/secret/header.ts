import { once } from "./pattern.ts";
import type { Secret } from "./span.ts";

// `Bearer YOUR_TOKEN_HERE` and `Bearer xxxx` in documents, `Bearer undefined` in the log of a broken client.
const isPlaceholderToken = (secret: string): boolean => /^(?:[A-Z_-]+|[xX*._-]+|undefined)$/.test(secret);

const isLikely = (secret: string): boolean => secret.length >= 16 && /[0-9]|[a-z][A-Z]/.test(secret);

// Four dashes end the token: matching them would hide the marker of a private key from the next pass.
const token = String.raw`(?<secret>[\w.~+/]+(?:-(?!---)[\w.~+/]*)*={0,2})`;
const scheme = String.raw`(?:(?<scheme>basic|bearer|token|apikey|api-key|negotiate)[ \t]{1,8})?`;
// Also as `"Authorization": "…"`, `\"Authorization\": …` and `headers["Authorization"] = "…"`.
const open = String.raw`(?:\\{0,7}["'])?`;
const name = String.raw`authorization${open}\]?[ \t]{0,8}[:=][ \t]{0,8}${open}`;

const authorizationForm = once(() => new RegExp(name + scheme + token, "iy"));
const bearerForm = once(() => new RegExp(String.raw`(?<!\w)bearer(?:[ \t]|%20|\+){1,8}${token}`, "iy"));

/** The credentials of an `Authorization` header whose name begins at `at`. */
export function authorizationAt(text: string, at: number): Secret | null {
  const authorization = authorizationForm();
  authorization.lastIndex = at;
  const match = authorization.exec(text);
  const { secret = "", scheme: given } = match?.groups ?? {};
  const isSecret =
    given === undefined
      ? isLikely(secret) && /[0-9]/.test(secret) && !isOtherScheme(text, authorization.lastIndex)
      : secret.length >= 8 && !isPlaceholderToken(secret);
  return isSecret ? secretBefore(authorization.lastIndex, secret, "auth-header") : null;
}

/** `base64.decode(…)` in code, `AWS4-HMAC-SHA256 Credential=…` and `Digest username=…` in headers. */
function isOtherScheme(text: string, end: number): boolean {
  return /^(?:\(| {1,8}\w{1,40}=)/.test(text.slice(end, end + 50));
}

/** A bearer token without the header, as opposed to prose (`bearer authentication-scheme`). */
export function bearerAt(text: string, at: number): Secret | null {
  const bearer = bearerForm();
  bearer.lastIndex = at;
  const secret = bearer.exec(text)?.groups?.secret ?? "";
  return isLikely(secret) ? secretBefore(bearer.lastIndex, secret, "bearer") : null;
}

function secretBefore(to: number, secret: string, kind: string): Secret {
  return { kind, from: to - secret.length, to };
}

const cookieName = String.raw`cookie${open}\]?(?:[ \t]{0,8}[:=]|(?<=--cookie)[ \t])[ \t]{0,8}${open}(?=[\w.%-]{1,80}=)`;
const cookiePair = String.raw`(?<name>[\w.%-]{1,80})=(?<secret>[^\s;,"'\\]*)(?:;[ \t]{0,4})?`;
const attributes = /^(?:path|domain|expires|max-age|samesite|httponly|secure|version|priority)$/i;

const cookieForms = once(() => ({ head: new RegExp(cookieName, "iy"), pair: new RegExp(cookiePair, "y") }));

/** The values of a `Cookie` or `Set-Cookie` header; names, attributes and short settings (`theme=dark`) stay readable. */
export function cookiesAt(text: string, at: number): { readonly secrets: readonly Secret[]; readonly to: number } {
  const { head: cookieHead, pair: cookie } = cookieForms();
  cookieHead.lastIndex = at;
  if (!cookieHead.test(text)) return { secrets: [], to: at };
  const secrets: Secret[] = [];
  let to = cookieHead.lastIndex;
  for (;;) {
    cookie.lastIndex = to;
    const pair = cookie.exec(text);
    if (pair === null) return { secrets, to };
    to = cookie.lastIndex;
    const { name = "", secret = "" } = pair.groups ?? {};
    const from = pair.index + name.length + 1;
    if (isSession(name, secret)) secrets.push({ kind: "cookie", from, to: from + secret.length });
  }
}

function isSession(name: string, value: string): boolean {
  if (attributes.test(name) || value.length < 8 || isPlaceholderToken(value)) return false;
  return value.length >= 16 ? /[0-9]|[a-z][A-Z]/.test(value) : /[0-9]/.test(value) && /[A-Za-z]/.test(value);
}
