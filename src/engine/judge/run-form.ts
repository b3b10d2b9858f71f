import { resolve } from "node:path";
import { isSecretPath } from "../../contract/path/secret-path.ts";
import { isSystemPlace } from "../../contract/path/system-places.ts";
import type { RunForm } from "../../contract/sandbox.ts";
import type { PathFact } from "../../contract/tool.ts";
import { type Way, wayTo } from "../../platform/files/way.ts";
import { isConfined, type PolicyQuestion, type PolicyVerdict } from "../../policy/decide.ts";
import { isBound, isLetRun } from "../../policy/findings.ts";
import { isProtectedPath, namesOf } from "../../policy/paths.ts";
import { asksOwnConfig } from "../../policy/shell/git/config.ts";
import { readsOnlyNamed, showsOnlyNames } from "../../policy/shell/git/only-named.ts";
import type { CommandJudgement } from "../../policy/shell/verdict/judgement.ts";

/** Per process. A command proved to only read may still run forever; git may search a long history. */
const cpuSeconds = { text: 10, git: 60 };

/** A command proved to only read may write nowhere: should the proof be wrong, nothing happens. */
export function formOf(question: PolicyQuestion, verdict: PolicyVerdict): RunForm {
  const { judgement, mode, role, reach } = question;
  const confined = isConfined(question);
  const isProved = judgement?.isReadOnly === true && verdict.decision === "allow" && mode !== "yolo";
  const limit = isProved ? { cpuSeconds: judgement.usesGit ? cpuSeconds.git : cpuSeconds.text } : {};
  // A command that takes no path has nothing that could be swapped, and may tell about the machine.
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
  const mayPlant = mayPlantOf(question);
  return {
    confined,
    readOnly: isProved || reach?.onlyReads === true,
    network: reach?.network === true,
    ...limit,
    ...narrow,
    ...roams,
    ...isUnasked,
    ...ownConfig,
    ...bound,
    ...seen,
    ...(deep ? { deep } : {}),
    ...(role === "checks" && confined ? { isCheck: true as const } : {}),
    ...(mayPlant ? { mayPlant } : {}),
  };
}

/** Each path is a mount of its own, which takes time. */
const MOST_JUDGED = 8;

/** Everything that the command reads with the links that lead there; `null` = not known path by path. */
function judgedAlone({ paths, workspace }: PolicyQuestion, judgement: CommandJudgement): RunForm["judged"] | null {
  if (judgement.unsettled.length > 0 || !readsOnlyNamed(judgement)) return null;
  const ways = judgement.reads.map(({ path }): Way | null => {
    const fact = paths.find(({ given }) => given === path);
    const isSeen = fact?.inside || isSystemPlace(fact?.real ?? "");
    if (!fact || !isSeen || (fact.kind !== "file" && fact.kind !== "folder")) return null;
    const whole = resolve(workspace, path);
    if (fact.real === whole) return { real: whole, links: [] };
    const way = wayTo(whole);
    // A link is being swapped right now: opening the path will check that it is still what was judged.
    return way?.real === fact.real ? way : { real: whole, links: [] };
  });
  const found = ways.filter((way) => way !== null);
  // System paths are mounted anyway; only links to them are created.
  const isBound = (real: string): boolean =>
    !isSystemPlace(real) || paths.some((fact) => fact.inside && fact.real === real);
  const reals = [...new Set(found.map(({ real }) => real).filter(isBound))];
  if (found.length < ways.length || reals.length > MOST_JUDGED) return null;
  return {
    paths: reals,
    links: [...new Map(found.flatMap(({ links }) => links).map((one) => [one.path, one])).values()],
  };
}

/** Paths the person was asked about by name: a yes to the command shows them to it. A list of commands shows nothing. */
function shownTo({ paths, writes = [], shows = [], authority }: PolicyQuestion): readonly string[] {
  const isGrave = ({ real, inside, ...fact }: PathFact): boolean =>
    !(fact.isNamed && inside) &&
    ((!inside && real !== "/" && !isSystemPlace(real ?? "")) || namesOf({ ...fact, real, inside }).some(isSecretPath));
  const facts = [...shows, ...(authority === undefined ? [...paths, ...writes].filter(isGrave) : [])];
  return [...new Set(facts.flatMap(({ real, exists }) => (real === null || !exists ? [] : [real])))];
}

/**
 * Files that it may leave although other programs obey them. All of them (`true`) where the person was asked about just that, or has
 * allowed everything; otherwise those that the command names, because the reasons of the question named them too.
 */
function mayPlantOf(question: PolicyQuestion): RunForm["mayPlant"] {
  const { mode, writes = [], reach } = question;
  if (reach?.free || (mode === "yolo" && !isConfined(question))) return true;
  const isMeant = (fact: PathFact): boolean => fact.isObeyed === true || namesOf(fact).some(isProtectedPath);
  const named = mode === "yolo" ? [] : writes.filter(isMeant).flatMap(({ real }) => real ?? []);
  return named.length > 0 ? named : undefined;
}
