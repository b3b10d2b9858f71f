// Judges command lines. Loaded with the first of them: the parser and its tables take milliseconds.
import type { RunForm } from "../contract/sandbox.ts";
import type { PathFact, Reach } from "../contract/tool.ts";
import { firstBelow } from "../platform/files/below.ts";
import { expandGlob } from "../platform/files/glob.ts";
import { judgeCommand } from "../policy/command.ts";
import { decide, type PolicyVerdict } from "../policy/decide.ts";
import { isSecretPath } from "../policy/paths.ts";
import type { Mention } from "../policy/rule.ts";
import type { CommandJudgement, PathWord } from "../policy/shell/judgement.ts";
import { factOf, type JudgeDeps, type Judged, type JudgeMoment, questionOf } from "./judge.ts";

const ordinary: Reach = { network: false, free: false };
/** More names than anybody reads: what they are is then not looked up. */
const MAX_GLOB = 1000;

/** A command line, as the bash tool would be asked to run it. */
export function judgeShell(
  deps: JudgeDeps,
  command: string,
  moment: JudgeMoment,
  reach: Reach = ordinary,
  tool = "bash",
): Judged {
  const judgement = judgeCommand(command, {
    // What is proved to only read is started with a PATH that leads around the workspace.
    isPathShadowed: false,
    isItself: deps.isItself,
    get gitProblem() {
      return deps.gitProblem();
    },
  });
  const paths = judgement.reads.flatMap((word) => factsOf(deps, word));
  const writes = judgement.writes.flatMap((word) => factsOf(deps, word));
  const mentions = mentionsFor(deps, judgement);
  const about = { tool, access: "exec", judgement, paths, writes, mentions, reach, riskReasons: [] } as const;
  const question = { ...questionOf(deps, moment), ...about };
  const verdict = decide(question);
  return { ...verdict, question, outside: [], form: formOf(judgement, verdict, moment, reach) };
}

/** Only rules about paths ask for them. A command has as many words as it likes; a rule is not walked around by more of them. */
function mentionsFor(deps: JudgeDeps, { mentions }: CommandJudgement): readonly Mention[] {
  const isAsked = deps.rules.some(({ decision, path }) => decision !== "allow" && path !== undefined);
  if (!isAsked) return [];
  return mentions.map(({ path, isGlob, isDeep = false, isChanged }) => ({
    fact: isGlob ? unknown(path) : factOf(deps, path),
    isGlob,
    isDeep,
    isChanged,
  }));
}

/** Who was proved to only read may write nowhere: should the proof be wrong, nothing happens. */
function formOf(judgement: CommandJudgement, verdict: PolicyVerdict, moment: JudgeMoment, reach: Reach): RunForm {
  const confined = moment.sandbox === "ready" && !reach.free;
  const isProved = judgement.isReadOnly && verdict.decision === "allow" && moment.mode !== "yolo";
  return { confined, readOnly: isProved, network: reach.network };
}

function factsOf(deps: JudgeDeps, { path, isGlob, isDeep }: PathWord): readonly PathFact[] {
  const names = isGlob ? expandGlob(path, deps.settings.workspace, MAX_GLOB) : [path];
  // A file may be called like an option: `*` would hand it to the program as one.
  if (names === null || (isGlob && names.some((name) => name.startsWith("-")))) return [unknown(path)];
  const facts = names.map((name) => factOf(deps, name));
  return isDeep ? [...facts, ...facts.flatMap((fact) => secretBelow(deps, fact))] : facts;
}

/** Whoever reads a whole folder reads the secrets in it. */
function secretBelow(deps: JudgeDeps, { given, real, kind }: PathFact): readonly PathFact[] {
  if (real === null || kind !== "folder") return [];
  const found = firstBelow(real, isSecretPath);
  if (found === null) return [];
  return [found === undefined ? unknown(`${given}/…`) : factOf(deps, found)];
}

function unknown(given: string): PathFact {
  return { given, real: null, inside: false, exists: false, kind: "none" };
}
