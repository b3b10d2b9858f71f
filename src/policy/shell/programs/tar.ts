import { phrase } from "../../../contract/text/catalogue.ts";
import { isQuestion, pathOf } from "../arguments.ts";
import type { Program, ProgramJudgement, Word } from "../verdict/judgement.ts";
import { cut } from "../verdict/tally.ts";

/** `tf`, `-tvzf`: lists the archive that follows. Compressed archives are unpacked by a program of the system. */
const list = /^(?=.*t)-?[tvzjJa]+f$/s;

/**
 * Listing only: other options write or start programs (`--to-command`, `-I`, `--checkpoint-action`). A name with a colon is an archive on
 * another machine, so no wildcard may stand for the name.
 */
export const tar: Program = {
  judge(args): ProgramJudgement {
    if (isQuestion(args)) return { reads: [] };
    const isLong = isWord(args[0], /^--list$/) || isWord(args[0], /^-tv?$/);
    const form = isLong ? isWord(args[1], /^-v?f$|^--file$/) : isWord(args[0], list);
    const [archive, ...members] = args.slice(isLong ? 2 : 1);
    const path = archive?.kind === "literal" && !archive.value.includes(":") ? pathOf(archive) : null;
    const odd = members.find((word) => !isWord(word, /^[^-]/));
    const isInput = isWord(archive, /^-$/);
    if (form && path !== null && (isInput || !path.path.startsWith("-")) && !odd)
      return { reads: isInput ? [] : [path] };
    return { problem: phrase("shell.operand", { program: "tar", part: cut((odd ?? args[0])?.text ?? "") }) };
  },
};

function isWord(word: Word | undefined, form: RegExp): boolean {
  return word?.kind === "literal" && form.test(word.value);
}
