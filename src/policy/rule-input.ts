import { isTailHarmless } from "./rule-prefix.ts";
import { baseName } from "./shell/destructive.ts";
import type { SimpleCommand, Word } from "./shell/judgement.ts";

/** They take their program from the file that they are given first, and data from their input. */
const runsItsFile = /^(?:python[0-9.]*|pypy3?|node|nodejs|bun|deno|tsx|ts-node|ruby|perl|php|lua[0-9.]*|Rscript|java)$/;
/** Not `-`, and no other name of the standard input. */
const isFile = /^(?!-|\/dev\/|\/proc\/).*[./]/;

/**
 * Whether what the command is fed may decide what it does: a program (`python3 - <<E`, `… | sh`, `psql <<E`), a patch, a list of
 * targets. Its words alone then say nothing, and a rule that names them would allow everything.
 */
export function takesOrders({ words, input }: SimpleCommand): boolean {
  return input !== undefined && !isTailHarmless(words) && !isScript(words);
}

function isScript([name, first]: readonly Word[]): boolean {
  if (name?.kind !== "literal" || first?.kind !== "literal") return false;
  return runsItsFile.test(baseName(name.value)) && isFile.test(first.value);
}
