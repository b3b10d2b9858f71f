import { phrase } from "../../../contract/text/catalogue.ts";
import { anyOf, pathOf } from "../arguments.ts";
import type { PathWord, Program, ProgramJudgement, Word } from "../verdict/judgement.ts";

const ofText = new Set(["-n", "-z"]);
const ofFile = new Set("bcdefgGhkLNOprsSuwx".split("").map((letter) => `-${letter}`));
const comparing = new Set(["=", "==", "!=", "<", ">", "-eq", "-ne", "-lt", "-le", "-gt", "-ge"]);
const comparingFiles = new Set(["-nt", "-ot", "-ef"]);

/** `-v` and `-R` evaluate the name they are given, which may run commands; so only forms with known operators are allowed. */
export const test: Program = { judge: (args) => judgeTest("test", args), isBuiltin: true };

export const bracket: Program = {
  judge(args) {
    const last = args.at(-1);
    if (last?.kind !== "literal" || last.value !== "]") return problem("[", last);
    return judgeTest("[", args.slice(0, -1));
  },
  isBuiltin: true,
};

/** Terms joined by `-a` and `-o`, each `X`, `! X`, `-op X` or `X op X`. */
function judgeTest(program: string, args: readonly Word[]): ProgramJudgement {
  const reads: PathWord[] = [];
  let rest = args;
  // With more than four words the shell itself looks for the operators, so each word must be known.
  const mustKnow = args.length > 4;
  if (mustKnow && args.some(({ kind }) => kind !== "literal")) return problem(program, args.find(isUnknown));
  while (rest.length > 0) {
    const end = mustKnow ? rest.findIndex((word) => isOneOf(word, joins)) : -1;
    const term = end === -1 ? rest : rest.slice(0, end);
    rest = end === -1 ? [] : rest.slice(end + 1);
    if (end !== -1 && rest.length === 0) return problem(program, args.at(-1));
    const found = judgeTerm(term);
    if (found === null) return problem(program, term[0] ?? args[0]);
    reads.push(...found);
  }
  return { reads };
}

const joins = new Set(["-a", "-o"]);

function judgeTerm(words: readonly Word[]): readonly PathWord[] | null {
  const term = isOneOf(words[0], new Set(["!"])) && words.length > 1 ? words.slice(1) : words;
  const [first, second, third] = term;
  // If a count is empty, the test is only an error.
  const isCompared = term.length === 3 && isOneOf(second, comparing);
  if (term.some((word) => word.kind === "glob" || (word.kind === "any" && !(isCompared && word.isCount)))) return null;
  if (term.length === 1) return [];
  if (term.length === 2 && isOneOf(first, ofText)) return [];
  if (term.length === 2 && isOneOf(first, ofFile)) return pathsOf([second]);
  if (isCompared) return [];
  if (term.length === 3 && isOneOf(second, comparingFiles)) return pathsOf([first, third]);
  return null;
}

function pathsOf(words: readonly (Word | undefined)[]): readonly PathWord[] | null {
  const paths: PathWord[] = [];
  for (const word of words) {
    const path = word ? pathOf(word) : null;
    if (word === undefined || (path === null && word.kind !== "one")) return null;
    paths.push(path ? { ...path, isNamed: true } : anyOf(word));
  }
  return paths;
}

function isOneOf(word: Word | undefined, values: ReadonlySet<string>): boolean {
  return word?.kind === "literal" && values.has(word.value);
}

function isUnknown({ kind }: Word): boolean {
  return kind !== "literal";
}

function problem(program: string, word: Word | undefined): ProgramJudgement {
  return { problem: phrase("shell.operand", { program, part: word?.text ?? "" }) };
}
