// Judges command lines. Loaded with the first of them: the parser and its tables take milliseconds.
import { homedir } from "node:os";
import { dirname } from "node:path";
import type { Call } from "../../contract/message.ts";
import { phrase } from "../../contract/text/catalogue.ts";
import type { PathFact, Reach } from "../../contract/tool.ts";
import { namesIn } from "../../platform/files/entry.ts";
import { isWithin } from "../../platform/files/path.ts";
import { gitProblem } from "../../platform/git/facts.ts";
import { markObeyed, repositoryTop } from "../../platform/git/git-folder.ts";
import { SAFE_ENVIRONMENT } from "../../platform/process/gate.ts";
import { choosesPlainly } from "../../platform/version-choice.ts";
import { judgeCommand } from "../../policy/command.ts";
import { type DeedFacts, type DeedVerdict, decideDeed } from "../../policy/decide-deed.ts";
import { dialledBy } from "../../policy/rule/network.ts";
import { hardening } from "../../policy/shell/programs/hardening.ts";
import type {
  CommandJudgement,
  GitPlace,
  PathWord,
  ShellFacts,
  SimpleCommand,
} from "../../policy/shell/verdict/judgement.ts";
import { isTestRun } from "../../verify/relate/narrow.ts";
import { asksForChecks } from "../../words/check/wish-for-checks.ts";
import { factOf, type JudgeDeps, type Judged, type JudgeMoment, questionOf, withContent } from "./deed-facts.ts";
import { pastFacts } from "./past-secrets.ts";
import { formOf } from "./run-form.ts";
import { everyMention, factsOf, lossesOf, mentionsFor } from "./word-facts.ts";

const ordinary: Reach = { network: false, free: false };

/** What the command line would do. */
function shellDeed(
  deps: JudgeDeps,
  command: string,
  moment: JudgeMoment,
  reach: Reach = ordinary,
  { tool, role }: Pick<Call, "tool" | "role"> = { tool: "bash", role: "runs" },
): DeedFacts {
  const confined = moment.sandbox === "ready" && !reach.free;
  const facts = shellFacts(deps, confined);
  const judgement = withAdded(deps, judgeCommand(command, facts));
  const seen = judgement.reads.flatMap((word) => factsOf(deps, word, confined, withContent));
  const paths = isOnlyListing(judgement) ? seen.map((fact) => withListing(deps, fact)) : seen;
  const { workspace, addDirs } = deps.settings;
  const written = judgement.writes.flatMap((word) => factsOf(deps, word, confined));
  const writes = markObeyed(written, [workspace, ...addDirs]);
  const mentions =
    moment.mode === "yolo" ? everyMention(deps, judgement) : mentionsFor(deps, judgement, moment, confined);
  const losses = confined && moment.mode !== "yolo" ? lossesOf(deps, judgement) : [];
  const shows = (reach.shows ?? []).map((path) => factOf(deps, path));
  const hosts = confined && reach.network ? dialledBy(judgement, facts) : null;
  const found = { judgement, paths, writes, mentions, losses, ...(hosts ? { hosts } : {}) } as const;
  const about = { tool, ...(role ? { role } : {}), access: "exec", ...found, reach, shows, riskReasons: [] } as const;
  const isTests = confined && !reach.network && runsOnlyTests(judgement, writes);
  return {
    question: { ...questionOf(deps, moment), ...about },
    isAskedFor: () => isTests && asksForChecks(moment.words ?? ""),
    past: (question) => pastFacts(deps, question, moment.past),
  };
}

function withForm(verdict: DeedVerdict): Judged {
  return { ...verdict, outside: [], form: formOf(verdict.question, verdict) };
}

/** What `Judge` needs of this file, which it imports with the first command. */
export const shellJudge = { deed: shellDeed, withForm };

/** A command line as the bash tool would be asked to run it, decided by rules alone. */
export function judgeShell(...about: Parameters<typeof shellDeed>): Judged {
  return withForm(decideDeed(shellDeed(...about)));
}

/** Every command that changes something is a test runner, and redirections create files only. */
function runsOnlyTests({ commands }: CommandJudgement, writes: readonly PathFact[]): boolean {
  const isSaying = ([name]: SimpleCommand["words"]): boolean =>
    name?.kind === "literal" && (name.value === "echo" || name.value === "printf");
  const acting = commands.filter(({ isReadOnly, words }) => !isReadOnly && !isSaying(words));
  const isOutput = ({ inside, exists }: PathFact): boolean => inside && !exists;
  return acting.length > 0 && acting.every(({ argv }) => argv !== null && isTestRun(argv)) && writes.every(isOutput);
}

/** A version manager starts it, and no file of the workspace chooses the version. */
function isTame({ isManaged, settings: { workspace } }: JudgeDeps, program: string): boolean {
  return isManaged?.(program) === true && choosesPlainly(workspace);
}

/** A line that also opens files could be led into a folder that may only be listed. */
function isOnlyListing({ reads, usesGit }: CommandJudgement): boolean {
  return !usesGit && reads.every(({ isListed, isGlob }) => isListed && !isGlob);
}

function withListing({ settings: { workspace } }: JudgeDeps, fact: PathFact): PathFact {
  const isAround = fact.real === dirname(workspace) && fact.kind === "folder" && !fact.inside;
  return isAround ? { ...fact, isListing: true } : fact;
}

function shellFacts(deps: JudgeDeps, confined: boolean): ShellFacts {
  return {
    digest,
    isRealProgram: (program, isHere) => deps.isRealProgram(program) || (confined && isHere && isTame(deps, program)),
    isHarmless: (program, isHere) => confined && isHere && (!deps.isShim(program) || isTame(deps, program)),
    isShim: deps.isShim,
    holds: (names) => namesIn(deps.settings.workspace)?.some((one) => names.test(one)) ?? true,
    get gitProblem() {
      return deps.gitProblem();
    },
    gitIn: (folder) => gitPlace(deps, folder),
    folder: deps.settings.workspace,
    home: homedir(),
    isExported: (name) => [process.env, SAFE_ENVIRONMENT, hardening].some((one) => Object.hasOwn(one, name)),
  };
}

/** A word that is known only when the command runs can lead to added folders, and to no others. */
function withAdded({ settings: { addDirs } }: JudgeDeps, judgement: CommandJudgement): CommandJudgement {
  if (addDirs.length === 0 || !judgement.reads.some(({ anywhere }) => anywhere)) return judgement;
  const added = addDirs.map((path): PathWord => ({ path, isGlob: false, isDeep: true }));
  return { ...judgement, reads: [...judgement.reads, ...added] };
}

/** Git uses the nearest repository above; any folder with the right names in it counts as one. */
function gitPlace(deps: JudgeDeps, folder: string): GitPlace {
  const { workspace, addDirs } = deps.settings;
  const { real, inside, kind } = factOf(deps, folder === "" ? "." : folder);
  const root = [workspace, ...addDirs].find((one) => real !== null && isWithin(real, one));
  if (real === null || !inside || kind !== "folder" || root === undefined) {
    return { problem: phrase("shell.git_elsewhere"), isSame: false };
  }
  const top = repositoryTop(real, root);
  if (top === workspace) return { problem: deps.gitProblem(), isSame: true };
  return { problem: top === null ? phrase("shell.git_elsewhere") : gitProblem(top), isSame: false };
}

function digest(text: string): string {
  return `sha256:${Bun.CryptoHasher.hash("sha256", text, "hex")}`;
}
