// What of a file's content is obeyed, where programs write the rest all the time.
import { parseGitConfig } from "../git/config-file.ts";
import { isHarmless } from "../git/harmless.ts";
import type { Obeyed } from "./obeyed-entry.ts";

/** Two contents with equal parts make no difference to anybody; `""` = nothing in it is obeyed. */
export function obeyedPart({ path, isOfGit }: Pick<Obeyed, "path" | "isOfGit">, content: Buffer): string {
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  if (isOfGit && (name === "config" || name === "config.worktree")) return configPart(content);
  if (isOfGit && name === "git-rebase-todo") return linesOf(content, /^\s*(?:exec|x)\s/).join("\n");
  // Of a merge strategy git makes the name of a program, which a slash leads into the project.
  if (isOfGit && (name === "strategy" || name === "opts")) return linesOf(content, /\//).join("\n");
  if (name === "workspace.xml") return startedByIdea(content.toString("latin1"));
  return content.toString("latin1");
}

/** Also keys that are harmless only to commands that read, and only to a git that looks for hooks elsewhere. */
const leading = new Set(["hookspath", "url", "pushurl"]);

/** `git switch`, `branch -u` and others note branches and remotes in it. */
function configPart(content: Buffer): string {
  const settings = parseGitConfig(content.toString());
  if (settings === null) return content.toString("latin1");
  const obeyed = settings.filter((one) => leading.has(one.key) || !isHarmless(one));
  // Where nothing is set, there is a difference to no file at all all the same: it may be written for a later step.
  return `config ${JSON.stringify(obeyed)}`;
}

function linesOf(content: Buffer, form: RegExp): readonly string[] {
  return content
    .toString("latin1")
    .split("\n")
    .filter((line) => form.test(line));
}

/** Of the state of its windows, which IntelliJ writes every few seconds, what is started with the project or by a key. */
function startedByIdea(text: string): string {
  const components = text.match(/<component name="(?:RunManager|ProjectStartup\w*)"[\s\S]*?<\/component>/g) ?? [];
  return `idea ${components.join("\n").replace(/ selected="[^"]*"/, "")}`;
}
