import { resolve } from "node:path";
import { isSecretPath } from "../../contract/path/secret-path.ts";
import { isSystemPlace } from "../../contract/path/system-places.ts";
import type { RunForm } from "../../contract/sandbox.ts";
import type { PathFact, Reach } from "../../contract/tool.ts";
import { type Way, wayTo } from "../../platform/files/way.ts";
import type { PolicyQuestion, PolicyVerdict } from "../../policy/decide.ts";
import { isBound, isLetRun } from "../../policy/findings.ts";
import { isProtectedPath, namesOf } from "../../policy/paths.ts";
import { asksOwnConfig } from "../../policy/shell/git/config.ts";
import { readsOnlyNamed, showsOnlyNames } from "../../policy/shell/git/only-named.ts";
import type { CommandJudgement } from "../../policy/shell/verdict/judgement.ts";
import type { JudgeMoment } from "./judge.ts";

/** Of each process. What is proved to only read may still never end; git may look through a long history. */
const cpuSeconds = { text: 10, git: 60 };

/** Who was proved to only read may write nowhere: should the proof be wrong, nothing happens. */
export function formOf(question: PolicyQuestion, verdict: PolicyVerdict, moment: JudgeMoment, reach: Reach): RunForm {
  const { judgement } = question;
  const confined = moment.sandbox === "ready" && !reach.free;
  const isProved = judgement?.isReadOnly === true && verdict.decision === "allow" && moment.mode !== "yolo";
  const limit = isProved ? { cpuSeconds: judgement.usesGit ? cpuSeconds.git : cpuSeconds.text } : {};
  // What reads no path of anybody's choice has nothing that could be swapped; it may say something of the machine.
  const ownConfig = isProved && asksOwnConfig(judgement) ? { ownConfig: true as const } : {};
  const usesGit = isProved && judgement.usesGit && !ownConfig.ownConfig;
  const isNarrow = isProved && confined && (usesGit || judgement.reads.length > 0 || judgement.unsettled.length > 0);
  const judged = isNarrow ? judgedAlone(question, judgement) : null;
  const names =
    isNarrow && judgement.unsettled.length === 0 && showsOnlyNames(judgement) ? { names: true as const } : {};
  const narrow = isNarrow ? { narrow: true as const, ...names, ...(judged ? { judged } : {}) } : {};
  const shows = confined ? shownTo(question) : [];
  const seen = shows.length > 0 ? { shows } : {};
  const isUnasked = verdict.decision === "allow" && isLetRun(question) ? { isUnasked: true as const } : {};
  const roams = isNarrow && judgement.reads.some(({ anywhere }) => anywhere) ? { roams: true as const } : {};
  const bound = verdict.decision === "allow" && isBound(question) ? { isBound: true as const } : {};
  const deep = confined && [...(judgement?.reads ?? []), ...(judgement?.writes ?? [])].some(({ isDeep }) => isDeep);
  return {
    confined,
    readOnly: isProved || reach.onlyReads === true,
    network: reach.network,
    ...limit,
    ...narrow,
    ...roams,
    ...isUnasked,
    ...ownConfig,
    ...bound,
    ...seen,
    ...(deep ? { deep } : {}),
  };
}

/** Each is mounted by itself, which takes time. */
const MOST_JUDGED = 8;

/** All that the command reads, where that is known path by path, with the links that lead there. */
function judgedAlone({ paths, workspace }: PolicyQuestion, judgement: CommandJudgement): RunForm["judged"] | null {
  if (judgement.unsettled.length > 0 || !readsOnlyNamed(judgement)) return null;
  const ways = judgement.reads.map(({ path }): Way | null => {
    const fact = paths.find(({ given }) => given === path);
    const isSeen = fact?.inside || isSystemPlace(fact?.real ?? "");
    if (!fact || !isSeen || (fact.kind !== "file" && fact.kind !== "folder")) return null;
    const whole = resolve(workspace, path);
    if (fact.real === whole) return { real: whole, links: [] };
    const way = wayTo(whole);
    // Else it is just being swapped: whether it is still what was judged is asked when it is opened.
    return way?.real === fact.real ? way : { real: whole, links: [] };
  });
  const found = ways.filter((way) => way !== null);
  // What belongs to the machine is there in any case; only the links that lead to it are made anew.
  const isBound = (real: string): boolean =>
    !isSystemPlace(real) || paths.some((fact) => fact.inside && fact.real === real);
  const reals = [...new Set(found.map(({ real }) => real).filter(isBound))];
  if (found.length < ways.length || reals.length > MOST_JUDGED) return null;
  return {
    paths: reals,
    links: [...new Map(found.flatMap(({ links }) => links).map((one) => [one.path, one])).values()],
  };
}

/** What is asked about for its own sake: who allows the command allows it to see that. A list of commands allows nothing of it. */
function shownTo({ paths, writes = [], shows = [], authority }: PolicyQuestion): readonly string[] {
  const isGrave = ({ real, inside, ...fact }: PathFact): boolean =>
    !(fact.isNamed && inside) &&
    ((!inside && real !== "/" && !isSystemPlace(real ?? "")) || namesOf({ ...fact, real, inside }).some(isSecretPath));
  const facts = [...shows, ...(authority === undefined ? [...paths, ...writes].filter(isGrave) : [])];
  return [...new Set(facts.flatMap(({ real, exists }) => (real === null || !exists ? [] : [real])))];
}

/**
 * What it may leave for other programs to run. Where that is everything, the person has been asked about just that, or has said
 * beforehand that all may be done; of the files it names, the reasons have told.
 */
export function mayPlantOf(
  { confined }: RunForm,
  writes: readonly PathFact[],
  { mode }: JudgeMoment,
  { free }: Reach,
): RunForm["mayPlant"] {
  if (free || (mode === "yolo" && !confined)) return true;
  const isMeant = (fact: PathFact): boolean => fact.isObeyed === true || namesOf(fact).some(isProtectedPath);
  const named = mode === "yolo" ? [] : writes.filter(isMeant).flatMap(({ real }) => real ?? []);
  return named.length > 0 ? named : undefined;
}
