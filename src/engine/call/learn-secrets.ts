// Whoever reads a file with secrets may print them in other ways: what is in it is known from then on.
import { isSecretPath } from "../../contract/path/secret-path.ts";
import type { PathFact } from "../../contract/tool.ts";
import { namesOf } from "../../policy/paths.ts";
import { secretsIn } from "../../policy/secret/content.ts";
import { bytesAt } from "./file-bytes.ts";
import { knowSecrets } from "./redact.ts";

/** Of a call with more paths the first are looked at. */
const mostFiles = 16;
/** Files for secrets are small; in a larger one a key is known by its look. */
const mostBytes = 1024 * 1024;
const mostKnown = 500;

/** Files as they were when they were looked at. */
const seen = new Set<string>();
let known = 0;

/**
 * Files whose names say that they hold secrets; where only a part of them may be shown (`isPart`) also any other that holds a
 * private key, whose markers stand elsewhere then.
 */
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

/** `null`: it was looked at before, or cannot be. */
function freshBytes(real: string): Buffer | null {
  return bytesAt(real, mostBytes, (moment) => {
    if (seen.has(moment)) return false;
    seen.add(moment);
    return true;
  });
}
