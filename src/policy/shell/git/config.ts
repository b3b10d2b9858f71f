// `git config KEY`, where the person's own config answers as well: the one git command that needs it, and starts nothing.
import type { Phrase } from "../../../contract/text/catalogue.ts";
import { phrase } from "../../../contract/text/catalogue.ts";
import { ownKey } from "../programs/git.ts";
import { baseName } from "../verdict/destructive.ts";
import type { CommandJudgement, SimpleCommand } from "../verdict/judgement.ts";
import { cut } from "../verdict/tally.ts";

type Asked = Pick<CommandJudgement, "commands" | "reads">;

/** Nothing else of git is in the line, and no path is read: so it may see what other git commands, and readers, may not. */
export function asksOwnConfig({ commands, reads }: Asked): boolean {
  const gits = commands.filter(isGit);
  return gits.length > 0 &&
    gits.every(({ words: [, second] }) => second?.kind === "literal" && second.value === "config")
    ? reads.length === 0
    : false;
}

/** Beside other commands git would say that there is no such setting. */
export function configProblem(asked: Asked): Phrase | null {
  if (asksOwnConfig(asked)) return null;
  const words = asked.commands
    .filter(isGit)
    .flatMap((command) => (command.argv?.includes("config") ? command.argv : []));
  const key = words.find((word) => ownKey.test(word));
  return key === undefined ? null : phrase("shell.value", { program: "git config", part: cut(key) });
}

function isGit({ words: [name] }: SimpleCommand): boolean {
  return name?.kind === "literal" && baseName(name.value) === "git";
}
