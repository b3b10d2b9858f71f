// A command may print the content of a secret file in any form, so its values are learned as known secrets.
import { isSecretPath } from "../../contract/path/secret-path.ts";
import type { PathFact } from "../../contract/tool.ts";
import { namesOf } from "../../policy/paths.ts";
import { secretsIn } from "../../policy/secret/content.ts";
import { bytesAt } from "./file-bytes.ts";
import { knowSecrets } from "./redact.ts";

const mostFiles = 16;
/** Secret files are small; in a larger file keys are found by their shape. */
const mostBytes = 1024 * 1024;
const mostKnown = 500;

const seen = new Set<string>();
let known = 0;

/** `isPart`: only part of a file may be shown, so any file with a private key counts, whose markers may be elsewhere. */
export function learnFrom(facts: readonly PathFact[], isPart: boolean): void {
  for (const fact of facts.slice(0, mostFiles)) {
    if (fact.kind !== "file" || fact.real === null || known >= mostKnown) continue;
    const isNamed = namesOf(fact).some(isSecretPath);
    const bytes = isNamed || isPart ? freshBytes(fact.real) : null;
    if (bytes === null || !(isNamed || bytes.includes("PRIVATE KEY"))) continue;
    const values = secretsIn(bytes.toString("utf8"));
    known += values.length;
    knowSecrets(() => values);
  }
}

/** `null`: read before, or unreadable. */
function freshBytes(real: string): Buffer | null {
  return bytesAt(real, mostBytes, (moment) => {
    if (seen.has(moment)) return false;
    seen.add(moment);
    return true;
  });
}
