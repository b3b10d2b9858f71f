// A look into files whose names alone say too little.
import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { basename, dirname, join } from "node:path";

const MOST_BYTES = 1024 * 1024;

/** `false` only for certificates and public keys: tools bring many of them along under the same ending as private ones. */
export function holdsKey(path: string): boolean {
  if (!/\.pem$/i.test(path)) return true;
  const text = smallText(path);
  return text === null || mayBeKey(text);
}

function mayBeKey(text: string): boolean {
  const isPublic = /-----BEGIN (?:CERTIFICATE|TRUSTED CERTIFICATE|X509 CRL|PUBLIC KEY|RSA PUBLIC KEY)-----/;
  return !isPublic.test(text) || text.includes("PRIVATE KEY");
}

/** Whether a text of that name is a secret; `null`: the name alone says so. */
export function toldByContent(name: string): ((text: string) => boolean) | null {
  if (/\.pem$/i.test(name)) return mayBeKey;
  return isSettings.test(`/${name}`) ? hasLogin : null;
}

/** Needed for what they say beside a login; most of them hold none. */
export const isSettings = /\/\.(?:npmrc|yarnrc\.yml)$/i;

/** `null`: not there, no plain file, not for us, or too much of it. */
export function smallText(path: string, most = MOST_BYTES): string | null {
  try {
    // A pipe would keep us waiting for ever.
    const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const stat = fstatSync(fd);
      if (!stat.isFile() || stat.size > most) return null;
      const bytes = Buffer.alloc(stat.size);
      return bytes.toString("utf8", 0, readSync(fd, bytes, 0, stat.size, 0));
    } finally {
      closeSync(fd);
    }
  } catch {
    return null;
  }
}

/** A file of variables in which nothing stands but what a form to fill in beside it says: nobody has put a secret there yet. */
export function isLikeSample(path: string): boolean {
  if (!/^\.env/i.test(basename(path))) return false;
  const lines = linesOf(path);
  if (lines === null || lines.length === 0) return lines !== null;
  const samples = ["example", "sample", "template", "dist", "defaults"].map((word) =>
    join(dirname(path), `.env.${word}`),
  );
  const known = new Set(samples.flatMap((sample) => linesOf(sample) ?? []));
  return lines.every((line) => known.has(line));
}

function linesOf(path: string): readonly string[] | null {
  const lines = smallText(path)?.split("\n") ?? null;
  return lines?.map((line) => line.trim()).filter((line) => line !== "" && !line.startsWith("#")) ?? null;
}

/** A login by its name, or inside an address. What only refers to the environment is none. */
const login =
  /_auth|auth_?ident|passw|token|secret|username|\bemail\b|api[-_]?key|credential|certfile|keyfile|^\s*(?:cert|key)\s*=|:\/\/[^/\s"'@]+@/i;

/** Settings as most tools write them, one in a line, without those that open something. */
export function withoutLogins(settings: string): string {
  const kept: string[] = [];
  /** Of a login whose value stands in the lines below it, further in. */
  let within = Number.POSITIVE_INFINITY;
  for (const line of settings.split("\n")) {
    const depth = line.search(/\S/);
    if (depth > within) continue;
    if (depth !== -1) within = Number.POSITIVE_INFINITY;
    const isLogin = login.test(line) && !/[:=]\s*["']?\$\{?\w+\}?["']?\s*$/.test(line);
    if (!isLogin) kept.push(line);
    else if (/(?:[:=]|[|>][-+]?)\s*$/.test(line)) within = depth;
  }
  return kept.join("\n");
}

/** Whether anything would be missing without logins. */
export function holdsLogin(path: string): boolean {
  const text = smallText(path);
  return text === null || hasLogin(text);
}

function hasLogin(text: string): boolean {
  return withoutLogins(text) !== text;
}

export function isLogin(text: string): boolean {
  return login.test(text);
}
