import { secretFinder } from "../redact.ts";
import { once } from "./pattern.ts";
import { isMasked, isRandom, isReference } from "./value.ts";

const find = once(() => secretFinder([]));

/** One machine-made word: not a path, an address or a list. */
const bareWord = /^[\w+/=.~-]{20,}$/;
const isPath = /^[~./]/;
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const hex = /^[0-9a-f]{20,}$/i;
/** Variables with such names hold digests or ids. */
const digestName = /(?:SHA|HASH|DIGEST|CHECKSUM|COMMIT|REV|REVISION|GPG|FINGERPRINT|BUILD|INVOCATION)|(?:^|_)ID$/i;

/** Whether an environment variable holds a secret, by its value: as a line `NAME=value`, and as a word of its own. */
export function isSecretVariable(name: string, value: string): boolean {
  if (value.length < 4) return false;
  const bare = value.trim().replace(/^(["'])(.*)\1$/, "$2");
  if (isRandomWord(name, bare) || wordsIn(bare).some((word) => isRandomWord(name, word))) return true;
  const start = name.length + 1;
  return mayHoldOne(name, value) && find()(`${name}=${value}`).some(({ to }) => to > start);
}

/** The words in `user:word`, `Basic word`, `{"key":"word"}`, without digests. No slashes and dots: those are paths and addresses. */
function wordsIn(value: string): readonly string[] {
  if (value.length < 20 || value.includes("://") || /\bsha\d+[-:]/i.test(value)) return [];
  return value.split(/[\s"'{}[\],;:&|]+/).filter((word) => /^[\w+=~-]{20,}$/.test(word) && !hex.test(word));
}

function isRandomWord(name: string, value: string): boolean {
  if (!bareWord.test(value) || isPath.test(value) || uuid.test(value)) return false;
  if (hex.test(value)) return value.length >= 32 && !digestName.test(name) && isRandom(value);
  return isRandom(value) && !isMasked(value) && !isReference(value);
}

/** Most variables are settings and paths: this check avoids compiling the patterns at startup. */
function mayHoldOne(name: string, value: string): boolean {
  if (/^[~./][\w.,@ /:+-]*$/.test(value)) return false;
  if (/pass|pwd|secret|token|cred|key|auth|cookie|login|bearer|webhook|hook|sig=|密/i.test(`${name}=${value}`))
    return true;
  if (/:\/\/[^/]*@|\$[0-9a-z]{1,8}\$|-----/.test(value)) return true;
  return value.split(/[^\w+=~-]+/).some((word) => word.length >= 16 && /[0-9]|[a-z][A-Z]|[A-Z]{12}/.test(word));
}
