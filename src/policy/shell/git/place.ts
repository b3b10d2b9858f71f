import { type Phrase, phrase } from "../../../contract/text/catalogue.ts";
import { pathOf } from "../arguments.ts";
import type { Scope } from "../scope.ts";
import type { PathWord, Word } from "../verdict/judgement.ts";
import { judgeCd } from "../wrapper/builtins.ts";

/** Settings of the output format, and no pager but `cat`. */
const harmlessSetting = new RegExp(
  `^(?:${[
    "color\\.[a-z]+=(?:always|auto|never|true|false)|core\\.quotepath=(?:true|false|on|off)|core\\.abbrev=[0-9]+",
    "(?:core\\.pager|pager\\.[a-z]+)=(?:cat|false|)|advice\\.[a-z]+=(?:true|false)|column\\.ui=(?:always|auto|never)",
    "log\\.(?:decorate|date)=[a-z0-9-]+|log\\.showsignature=false|diff\\.(?:noprefix|mnemonicprefix|renames)=(?:true|false)",
  ].join("|")})$`,
  "i",
);

/** `git -C DIR …`: where git runs, and the remaining words; `null` = the directory is unknown. */
export function placeOfGit(
  args: readonly Word[],
  scope: Scope,
): { readonly args: readonly Word[]; readonly scope: Scope } | null {
  const before: Word[] = [];
  let inner = scope;
  let rest = args;
  for (;;) {
    const [option, folder, ...more] = rest;
    const value = option?.kind === "literal" ? option.value : "";
    if (value === "-c" && folder?.kind === "literal" && harmlessSetting.test(folder.value)) {
      rest = more;
      continue;
    }
    if (option && /^(?:--no-pager|-P|--no-optional-locks)$/.test(value)) {
      before.push(option);
      rest = rest.slice(1);
      continue;
    }
    if (value !== "-C") return { args: [...before, ...rest], scope: inner };
    if (folder === undefined || pathOf(folder) === null) return null;
    const moved = { ...inner };
    const from = moved.folders.length;
    // If the directory does not exist, git fails.
    if (judgeCd([folder], moved).problems.length > 0) return null;
    inner = { ...moved, folders: moved.folders.slice(from) };
    rest = more;
  }
}

/** Why git may not run there, or its reads as seen from there. */
export function judgeGitIn(
  { facts, folders }: Scope,
  reads: readonly PathWord[],
): { readonly problem: Phrase } | { readonly reads: readonly PathWord[] } {
  if (folders.length === 0) return { problem: phrase("shell.git_elsewhere") };
  if (folders.every((folder) => folder === "")) return facts.gitProblem ? { problem: facts.gitProblem } : { reads };
  const places = folders.map((folder) =>
    folder === "" ? { problem: facts.gitProblem, isSame: true } : facts.gitIn?.(folder),
  );
  for (const place of places) {
    const problem = place === undefined ? phrase("shell.git_elsewhere") : place.problem;
    if (problem) return { problem };
  }
  const isShown = reads.some(({ tracked, past }) => tracked !== undefined || past !== undefined);
  // The contents and history of another repository have not been checked.
  if (isShown && places.some((place) => !place?.isSame)) return { problem: phrase("shell.git_elsewhere") };
  return { reads: reads.map(fromAnywhere) };
}

/** Its paths are looked up relative to another directory: each may be a revision, and all tracked content counts as shown. */
function fromAnywhere(read: PathWord): PathWord {
  const { tracked, past } = read;
  return {
    ...read,
    ...(tracked === undefined ? {} : { tracked: [], isChangedOnly: false }),
    ...(past === undefined ? {} : { past: { ...past, isCertain: true } }),
  };
}
