import { type Phrase, phrase } from "../contract/text/catalogue.ts";
import { configProblem } from "./shell/git/config.ts";
import { judgeScript } from "./shell/script.ts";
import { baseName } from "./shell/verdict/destructive.ts";
import type { CommandJudgement, ShellFacts, SimpleCommand } from "./shell/verdict/judgement.ts";
import { against, cut, emptyTally, strangeIn, summary, type Tally, unread } from "./shell/verdict/tally.ts";
import { judgeSource } from "./shell/word/source.ts";
import { Variables } from "./shell/word/variables.ts";

// Longer commands are not analysed: the analysis never gives up half-way and allows.
const maxLength = 64 * 1024;

const gitFolder = /(?<![\w.-])\.git(?![\w-])/i;

/** Judges a shell command from its text. Anything that is not understood is never read-only. */
export function judgeCommand(command: string, facts: ShellFacts): CommandJudgement {
  const tally = emptyTally();
  tally.namesGitFolder = gitFolder.test(command);
  if (command.length > maxLength) return unanalysed(tally, phrase("shell.too_long", { limit: maxLength }));
  const strange = strangeIn(command);
  if (strange) unanalysed(tally, strange);
  try {
    judgeText(command, facts, tally);
  } catch (error) {
    // A parser that fails, or runs out of stack, has not understood the text.
    unanalysed(tally, phrase("shell.failed", { part: cut(command), message: String(error) }));
  }
  const problem = configProblem(tally);
  if (problem) against(tally, problem);
  return summary(withHistory(tally));
}

/** If git keeps a removed file, a command that reads any file may be led to it: then git's history counts as shown. */
function withHistory(tally: Tally): Tally {
  const isOpen = tally.reads.some(({ anywhere }) => anywhere) && tally.commands.some(showsHistory);
  const past = { shows: "ever", revisions: [], isCertain: true } as const;
  if (isOpen) tally.reads.push({ path: ".", isGlob: false, tracked: [], past });
  return tally;
}

/** Other commands run without access to git's history. */
function showsHistory({ words: [name, subcommand] }: SimpleCommand): boolean {
  const isGit = name?.kind === "literal" && baseName(name.value) === "git";
  return isGit && !(subcommand?.kind === "literal" && subcommand.value === "ls-files");
}

function judgeText(command: string, facts: ShellFacts, tally: Tally): void {
  const script = judgeSource(command, {
    ...{ facts, tally, source: command, variables: new Variables(), folders: [""], through: [], depth: 0 },
    enter: judgeScript,
  });
  if (script.commands.length === 0) unanalysed(tally, phrase("shell.empty"));
}

function unanalysed(tally: Tally, reason: Phrase): CommandJudgement {
  tally.isWhole = false;
  unread(tally, reason);
  return summary(tally);
}
