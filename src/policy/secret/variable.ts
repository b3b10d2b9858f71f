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
  const start = name.length + 1;
  if (find()(`${name}=${value}`).some(({ to }) => to > start)) return true;
  if (!bareWord.test(value) || isPath.test(value) || uuid.test(value)) return false;
  if (hex.test(value)) return value.length >= 32 && !digestName.test(name) && isRandom(value);
  return isRandom(value) && !isMasked(value) && !isReference(value);
}
