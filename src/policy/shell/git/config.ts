// `git config KEY` with the user's own config: the only git command that needs it, and one that starts nothing.
import type { Phrase } from "../../../contract/text/catalogue.ts";
import { phrase } from "../../../contract/text/catalogue.ts";
import { ownKey } from "../programs/git.ts";
import { baseName } from "../verdict/destructive.ts";
import type { CommandJudgement, SimpleCommand } from "../verdict/judgement.ts";
import { cut } from "../verdict/tally.ts";

type Asked = Pick<CommandJudgement, "commands" | "reads">;

/** No other git command is in the line and no path is read, so it may see config that is hidden from other git commands and readers. */
export function asksOwnConfig({ commands, reads }: Asked): boolean {
  const gits = commands.filter(isGit);
  return gits.length > 0 &&
    gits.every(({ words: [, second] }) => second?.kind === "literal" && second.value === "config")
    ? reads.length === 0
    : false;
}

/** Next to other commands the user's config is hidden, so git would report that the setting does not exist. */
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
