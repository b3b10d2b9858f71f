import { secretFinder } from "../redact.ts";
import { once } from "./pattern.ts";
import { isMasked, isRandom, isReference } from "./value.ts";

const find = once(() => secretFinder([]));

/** One word, as machines make them: no path, no address, no list. */
const bareWord = /^[\w+/=.~-]{20,}$/;
const isPath = /^[~./]/;
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const hex = /^[0-9a-f]{20,}$/i;
/** What is called like this holds a digest or the number of something. */
const digestName = /(?:SHA|HASH|DIGEST|CHECKSUM|COMMIT|REV|REVISION|GPG|FINGERPRINT|BUILD|INVOCATION)|(?:^|_)ID$/i;

/** Whether a variable of the environment holds a secret, by its value: as a line `NAME=value`, and as a word of its own. */
export function isSecretVariable(name: string, value: string): boolean {
  if (value.length < 4) return false;
  const bare = value.trim().replace(/^(["'])(.*)\1$/, "$2");
  if (isRandomWord(name, bare) || wordsIn(bare).some((word) => isRandomWord(name, word))) return true;
  const start = name.length + 1;
  return mayHoldOne(name, value) && find()(`${name}=${value}`).some(({ to }) => to > start);
}

/** Of `user:word`, `Basic word`, `{"key":"word"}`: without slashes and dots, which are of paths and addresses. No digests. */
function wordsIn(value: string): readonly string[] {
  if (value.length < 20 || value.includes("://") || /\bsha\d+[-:]/i.test(value)) return [];
  return value.split(/[\s"'{}[\],;:&|]+/).filter((word) => /^[\w+=~-]{20,}$/.test(word) && !hex.test(word));
}

function isRandomWord(name: string, value: string): boolean {
  if (!bareWord.test(value) || isPath.test(value) || uuid.test(value)) return false;
  if (hex.test(value)) return value.length >= 32 && !digestName.test(name) && isRandom(value);
  return isRandom(value) && !isMasked(value) && !isReference(value);
}

/** Most are settings and paths: the patterns take long to make ready, and no start should wait for them. */
function mayHoldOne(name: string, value: string): boolean {
  if (/^[~./][\w.,@ /:+-]*$/.test(value)) return false;
  if (/pass|pwd|secret|token|cred|key|auth|cookie|login|bearer|webhook|hook|sig=|密/i.test(`${name}=${value}`))
    return true;
  if (/:\/\/[^/]*@|\$[0-9a-z]{1,8}\$|-----/.test(value)) return true;
  return value.split(/[^\w+=~-]+/).some((word) => word.length >= 16 && /[0-9]|[a-z][A-Z]|[A-Z]{12}/.test(word));
}
