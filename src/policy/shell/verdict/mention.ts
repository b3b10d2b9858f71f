import { pathOf } from "../arguments.ts";
import { readClient } from "../wrapper/client.ts";
import { baseName, isDestructive } from "./destructive.ts";
import type { MentionWord, Word } from "./judgement.ts";

/** Besides the destructive programs: these may change their operands. */
const changing = new Set("cp tee touch mkdir ln install rsync patch sed perl ed ex tar unzip".split(" "));

/** Words that may be paths, of a command about which nothing more is known: `cp a b`, `dd if=a`, `--file=a`. */
export function mentionsOf(words: readonly Word[]): readonly MentionWord[] {
  const [name, ...args] = words;
  const program = name?.kind === "literal" ? name.value : "";
  const isChanged = isDestructive(program) || changing.has(baseName(program));
  // `rm -r .` and `cp -a .` include everything below; `mv` and `chown` affect a directory as a whole.
  const isDeep =
    isDestructive(program) || args.some((word) => word.kind === "literal" && /^-\w*[rRa]/.test(word.value));
  const mentioned = args.flatMap((word) => {
    const path = pathOf(named(word));
    return path === null || path.path === "" ? [] : [{ ...path, isDeep, isChanged }];
  });
  const saved = (readClient(words)?.saves ?? []).flatMap((word) => pathOf(word) ?? []);
  return [...mentioned, ...saved.map((path) => ({ ...path, isDeep: false, isChanged: true }))];
}

/** Strips the name of an option or setting. */
function named(word: Word): Word {
  if (word.kind !== "literal") return word;
  return { ...word, value: word.value.replace(/^-[^=]*=|^\w+=|^-.*$/s, "") };
}
