// Screening: many changes are tried in one command that writes no file; only those with which the tests pass are tried in earnest.
import { phrase } from "../../contract/text/catalogue.ts";
import type { Candidate } from "../find/candidates.ts";
import { type Ask, ask, type Play } from "../play.ts";
import type { Project } from "../project.ts";
import type { Report } from "../report.ts";
import { type Facts, say } from "../words.ts";
import { pythonText } from "./python-text.ts";
import { scriptText } from "./script-text.ts";

/** `survivors`: with each of them the tests that were run pass. `better`: fewer fail. Both: the likeliest first. */
export interface Screened {
  readonly tried: number;
  readonly survivors: readonly Candidate[];
  readonly better: readonly Candidate[];
}

const seconds = 60;
/** How long others are looked for when one was found. */
const afterFirst = 1;
/** A command is one argument of a shell; Linux allows 128 KiB. */
const longestTries = 80_000;

/** `null`: it cannot be done here, or somebody did not want it. `stop`: as ever. */
export function* screen(
  facts: Facts,
  project: Project,
  report: Report,
  all: readonly Candidate[],
): Play<Screened | null | "stop"> {
  const found = jobFor(project, report, all);
  if (found === null) return null;
  const { asked, tries } = found;
  const answer = yield* ask(say(facts, phrase("mechanic.screens", { n: tries.length })), asked.tool, asked.input);
  if (answer === null) return "stop";
  const said = answer.error === null ? /^screened (\{.*\})$/m.exec(answer.text)?.[1] : undefined;
  return said === undefined ? null : screenedIn(said, tries);
}

interface Said {
  readonly why: string;
  readonly tried?: number;
  readonly passed?: readonly number[];
  readonly better?: readonly (readonly [index: number, cured: number])[];
}

function screenedIn(json: string, tries: readonly Candidate[]): Screened | null {
  const { why, tried = 0, passed = [], better = [] } = JSON.parse(json) as Said;
  if (why !== "done" && why !== "time") return null;
  const at = (index: number): readonly Candidate[] => tries.slice(index, index + 1);
  return { tried, survivors: passed.flatMap(at), better: better.flatMap(([index]) => at(index)) };
}

interface Job {
  readonly asked: Ask;
  readonly tries: readonly Candidate[];
}

function jobFor({ command, folder }: Project, { failures }: Report, all: readonly Candidate[]): Job | null {
  const isPython = command === "pytest -q";
  const isScript = /^(?:npm|pnpm|yarn) test\b/.test(command);
  const language = isPython ? "python" : "script";
  const own = all.filter(
    ({ source }) => source.language === language && (folder === "." || inside(folder, source.path)),
  );
  if (own.length === 0 || (!isPython && !isScript)) return null;
  const sources = [...new Set(own.map(({ source }) => source))];
  const rows: string[] = [];
  let length = 0;
  for (const { source, start, end, line, weight, text } of own) {
    const row = JSON.stringify([sources.indexOf(source), start, end, line, Number(weight.toPrecision(3)), text]);
    length += row.length + 2;
    if (length > longestTries) break;
    rows.push(row);
  }
  const files = sources.map(({ path, text }) => [within(folder, path), text.length]);
  const tests = isPython
    ? [...new Set(failures.flatMap(({ test }) => /^(\S+\.py)::/.exec(test ?? "")?.[1] ?? []))]
    : [];
  const head = JSON.stringify({ files, tests, seconds, after: afterFirst }).slice(0, -1);
  const job = `JOB = ${head}, "tries": [\n${rows.join(",\n")}\n]}`;
  const program = isPython ? `python3 - <<'SCREENING'\n${job}` : `node - <<'SCREENING'\nconst ${job};`;
  const where = folder === "." ? "" : `cd -- '${folder.replaceAll("'", "'\\''")}' && `;
  const line = `${where}${program}${isPython ? pythonText : scriptText}SCREENING`;
  return {
    asked: { tool: "bash", input: { command: line, timeout_s: 2 * seconds } },
    tries: own.slice(0, rows.length),
  };
}

function inside(folder: string, path: string): boolean {
  return path.startsWith(`${folder}/`);
}

function within(folder: string, path: string): string {
  return folder === "." ? path : path.slice(folder.length + 1);
}
