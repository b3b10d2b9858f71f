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
import { factOf, type JudgeDeps, type Judged, type JudgeMoment, questionOf, withContent } from "./judge.ts";
import { withPast } from "./past-secrets.ts";
import { formOf, mayPlantOf } from "./run-form.ts";
import { everyMention, factsOf, lossesOf, mentionsFor } from "./word-facts.ts";

const ordinary: Reach = { network: false, free: false };

/** A command line, as the bash tool would be asked to run it. */
export function judgeShell(
  deps: JudgeDeps,
  command: string,
  moment: JudgeMoment,
  reach: Reach = ordinary,
  { tool, role }: Pick<Call, "tool" | "role"> = { tool: "bash", role: "runs" },
): Judged {
  const confined = moment.sandbox === "ready" && !reach.free;
  const judgement = withAdded(deps, judgeCommand(command, shellFacts(deps, confined)));
  const seen = judgement.reads.flatMap((word) => factsOf(deps, word, confined, withContent));
  const paths = isOnlyListing(judgement) ? seen.map((fact) => withListing(deps, fact)) : seen;
  const { workspace, addDirs } = deps.settings;
  const written = judgement.writes.flatMap((word) => factsOf(deps, word, confined));
  const writes = markObeyed(written, [workspace, ...addDirs]);
  const mentions =
    moment.mode === "yolo" ? everyMention(deps, judgement) : mentionsFor(deps, judgement, moment, confined);
  const losses = confined && moment.mode !== "yolo" ? lossesOf(deps, judgement) : [];
  const mayAsk = moment.words !== undefined && confined && !reach.network && runsOnlyTests(judgement, writes);
  const isAsked = mayAsk && asksForChecks(moment.words ?? "");
  const asked = isAsked && moment.authority === undefined ? { ...moment, authority: "the person's words" } : moment;
  const shows = (reach.shows ?? []).map((path) => factOf(deps, path));
  const hosts = confined && reach.network ? dialledBy(judgement, shellFacts(deps, confined)) : null;
  const found = { judgement, paths, writes, mentions, losses, ...(hosts ? { hosts } : {}) } as const;
  const about = { tool, ...(role ? { role } : {}), access: "exec", ...found, reach, shows, riskReasons: [] } as const;
  const first = { ...questionOf(deps, asked), ...about };
  const { question, verdict, unknownObjects } = withPast(deps, first, asked);
  const form = formOf(question, verdict, moment, reach);
  const check = role === "checks" && form.confined ? { isCheck: true as const } : {};
  const mayPlant = mayPlantOf(form, writes, moment, reach);
  return {
    ...verdict,
    question,
    outside: [],
    form: { ...form, ...check, ...(mayPlant ? { mayPlant } : {}) },
    ...unknownObjects,
  };
}

/** Nothing that acts but test runners, and no file is written but those of theirs. */
function runsOnlyTests({ commands }: CommandJudgement, writes: readonly PathFact[]): boolean {
  const isSaying = ([name]: SimpleCommand["words"]): boolean =>
    name?.kind === "literal" && (name.value === "echo" || name.value === "printf");
  const acting = commands.filter(({ isReadOnly, words }) => !isReadOnly && !isSaying(words));
  const isOutput = ({ inside, exists }: PathFact): boolean => inside && !exists;
  return acting.length > 0 && acting.every(({ argv }) => argv !== null && isTestRun(argv)) && writes.every(isOutput);
}

/** What it starts when it is asked for a version, nothing of the workspace says, and whatever that does, it can change nothing. */
function isTame({ isManaged, settings: { workspace } }: JudgeDeps, program: string): boolean {
  return isManaged?.(program) === true && choosesPlainly(workspace);
}

/** Where the line opens something else as well, it could be led into a folder that is only shown to be listed. */
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

/** Of a word that is known only when the command runs, it is known that it leads to no other folders than the chosen ones. */
function withAdded({ settings: { addDirs } }: JudgeDeps, judgement: CommandJudgement): CommandJudgement {
  if (addDirs.length === 0 || !judgement.reads.some(({ anywhere }) => anywhere)) return judgement;
  const added = addDirs.map((path): PathWord => ({ path, isGlob: false, isDeep: true }));
  return { ...judgement, reads: [...judgement.reads, ...added] };
}

/** Git takes the nearest repository above, and a folder that has the names of one for one. */
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
