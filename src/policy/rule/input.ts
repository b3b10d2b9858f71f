import type { SimpleCommand } from "../shell/verdict/judgement.ts";
import { isDeafToInput } from "./prefix.ts";

/**
 * Whether what the command is fed may decide what it does: a program (`python3 - <<E`, `… | sh`, `psql <<E`), a patch, a list of
 * targets. Its words alone then say nothing, and a rule that names them would allow everything.
 */
export function takesOrders({ words, input }: SimpleCommand): boolean {
  return input !== undefined && !isDeafToInput(words);
}
