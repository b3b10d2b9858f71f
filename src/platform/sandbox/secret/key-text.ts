// Inspects the content of files whose names alone do not tell whether they are secret.
import { constants, fstatSync, readSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { orNull, withOpen } from "../../files/probe.ts";

const MOST_BYTES = 1024 * 1024;

/** `false` only for certificates and public keys, many of which have the same extension as private keys. */
export function holdsKey(path: string): boolean {
  if (!/\.pem$/i.test(path)) return true;
  const text = smallText(path);
  return text === null || mayBeKey(text);
}

function mayBeKey(text: string): boolean {
  const isPublic = /-----BEGIN (?:CERTIFICATE|TRUSTED CERTIFICATE|X509 CRL|PUBLIC KEY|RSA PUBLIC KEY)-----/;
  return !isPublic.test(text) || text.includes("PRIVATE KEY");
}

/** A test of the content of a file of this name; `null`: the name alone decides. */
export function toldByContent(name: string): ((text: string) => boolean) | null {
  if (/\.pem$/i.test(name)) return mayBeKey;
  return isSettings.test(`/${name}`) ? hasLogin : null;
}

/** Tools need the settings in them; most hold no login. */
export const isSettings = /\/\.(?:npmrc|yarnrc\.yml)$/i;

/** `null`: missing, not a regular file, unreadable or too large. Without O_NONBLOCK, opening a pipe would block forever. */
export function smallText(path: string, most = MOST_BYTES): string | null {
  const read = (fd: number): string | null => {
    const stat = fstatSync(fd);
    if (!stat.isFile() || stat.size > most) return null;
    const bytes = Buffer.alloc(stat.size);
    return bytes.toString("utf8", 0, readSync(fd, bytes, 0, stat.size, 0));
  };
  return orNull(() => withOpen(path, constants.O_RDONLY | constants.O_NONBLOCK, read));
}

/** An `.env` file whose lines all occur in the sample beside it: nobody has entered a secret yet. */
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

const login =
  /_auth|auth_?ident|passw|token|secret|username|\bemail\b|api[-_]?key|credential|certfile|keyfile|^\s*(?:cert|key)\s*=|:\/\/[^/\s"'@]+@/i;

/** Drops the logins from settings with one entry per line. A mere reference to an environment variable is not a login. */
export function withoutLogins(settings: string): string {
  const kept: string[] = [];
  /** Indentation of a login whose value is on the more deeply indented lines below it. */
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
