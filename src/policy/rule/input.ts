import type { SimpleCommand } from "../shell/verdict/judgement.ts";
import { isDeafToInput } from "./prefix.ts";

/**
 * Whether the command's input may decide what it does: a program (`python3 - <<E`, `… | sh`, `psql <<E`), a patch, a list of targets. A
 * rule that names only its words would then allow everything.
 */
export function takesOrders({ words, input }: SimpleCommand): boolean {
  return input !== undefined && !isDeafToInput(words);
}
