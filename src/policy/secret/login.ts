// Secrets recognized by the file or command they appear in: .netrc, .pgpass, password hashes, cookie jars, `curl -u`.
import { lineHead, once } from "./pattern.ts";
import type { Secret } from "./span.ts";
import { isDummyValue, isReference, shapeOf } from "./value.ts";

interface LoginForm {
  readonly kind: string;
  /** Sticky; the group `secret` ends the match. */
  readonly pattern: RegExp;
  readonly isSecret: (secret: string, before: string) => boolean;
}

const shellWord = String.raw`(?:\\{0,7}["'])?`;
// Unbounded is safe: the text inside cannot begin another form, so it is read once.
const plainWord = String.raw`(?<secret>[^\s"'\\]+)`;

const isActualSecret = (secret: string): boolean => secret.length >= 4 && !isDummyValue(secret) && !isReference(secret);
const client = /(?:^|[\s"'|;&(/])(?:curl|wget|https?|xh|redis-cli|mongosh?)(?:\s[^\n]*)?$/;
const mysql =
  /(?:^|[\s"'|;&(/])(?:mysql\w*|mariadb[\w-]*|sshpass|docker login|docker\.io login|podman login|helm registry login)(?:\s[^\n]*)?$/;

const buildForms = (): Readonly<Record<string, LoginForm>> => ({
  identified: {
    kind: "password",
    pattern: /identified(?: with ["'\w]{1,40})? by (?:password )?'(?<secret>[^\s']{1,256})(?=')/iy,
    isSecret: isActualSecret,
  },
  login: {
    kind: "netrc-password",
    pattern: new RegExp(
      String.raw`login[ \t]{1,40}[^\s"']{1,128}(?:[ \t]{0,40}\r?\n${lineHead}|[ \t]{1,40})passw(?:ord|d)[ \t]{1,40}${plainWord}`,
      "y",
    ),
    isSecret: isActualSecret,
  },
  $: {
    kind: "password-hash",
    pattern:
      /(?<secret>\$(?:apr1|1|2[abxy]|5|6|7|y|gy|sha1|argon2(?:id?|d)|scrypt|pbkdf2(?:-\w{1,12})?)\$(?:[./A-Za-z0-9=,+-]{0,128}\$){0,4}[./A-Za-z0-9+=-]{20,128})/y,
    isSecret: (secret) => shapeOf(secret).letters > 8,
  },
  "{": {
    kind: "password-hash",
    pattern:
      /\{(?:SHA|SSHA|SSHA256|SSHA512|SHA256|SHA512|CRYPT|PBKDF2[\w-]{0,16})\}(?<secret>[A-Za-z0-9+/$.]{20,512}={0,2})/y,
    isSecret: () => true,
  },
  ":": {
    kind: "pgpass-password",
    pattern:
      /:(?:54[0-9]{2}|6432|\*):[\w.*-]{1,64}:[\w.*@-]{1,64}:(?<secret>(?:[^\s:"'\\]|\\[:\\])+)(?=[ \t]*(?:[\r\n"]|\\n|$))/y,
    isSecret: isActualSecret,
  },
  // `host FLAG path SECURE expires name value`, as curl and browsers write their cookies.
  "\t": {
    kind: "cookie",
    pattern: /\t(?:TRUE|FALSE)\t[^\t\n]{1,128}\t(?:TRUE|FALSE)\t[0-9]{1,16}\t[^\t\n]{1,128}\t(?<secret>[^\s]{8,})/y,
    isSecret: (secret) => !isDummyValue(secret),
  },
  "-u": {
    kind: "basic-auth",
    pattern: new RegExp(
      String.raw`-(?:u|U|-user|-proxy-user)[ \t=]?${shellWord}[^\s:"'\\]{0,128}:(?!//)${plainWord}`,
      "y",
    ),
    isSecret: (secret, before) => isActualSecret(secret) && client.test(before),
  },
  "-b": {
    kind: "cookie",
    pattern: new RegExp(String.raw`-b[ \t]?${shellWord}[\w.%-]{1,80}=(?<secret>[^\s"'\\;]{8,})`, "y"),
    isSecret: (secret, before) => isActualSecret(secret) && client.test(before),
  },
  "-a": {
    kind: "password",
    pattern: new RegExp(String.raw`-a[ \t]${shellWord}${plainWord}`, "y"),
    isSecret: (secret, before) => isActualSecret(secret) && /(?:^|[\s/])redis-cli(?:\s[^\n]*)?$/.test(before),
  },
  "-p": {
    kind: "password",
    pattern: new RegExp(String.raw`-p[ \t]?${shellWord}${plainWord}`, "y"),
    isSecret: (secret, before) => isActualSecret(secret) && mysql.test(before),
  },
});

const forms = once(buildForms);

/** How far before an option its program may stand. */
const reach = 400;

/** The secret of the form that begins with `start` at `at`. `redact` searches for the starts. */
export function loginAt(text: string, at: number, start: string): Secret | null {
  const form = forms()[start];
  if (form === undefined) return null;
  form.pattern.lastIndex = at;
  const match = form.pattern.exec(text);
  const secret = match?.groups?.secret;
  if (match === null || secret === undefined) return null;
  const before = text.slice(Math.max(0, at - reach), at);
  if (!form.isSecret(secret, before)) return null;
  const to = at + match[0].length;
  return { kind: form.kind, from: to - secret.length, to };
}
