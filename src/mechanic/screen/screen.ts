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
  /** Time was up before all were tried. */
  readonly isOut: boolean;
}

const seconds = 60;
/** How long others are looked for when one was found, beyond the time that it took: the likeliest of several is right more often. */
const afterFirst = 1;
const mostSurvivors = 8;
/** The policy reads commands of up to 64 Ki characters, the program among them. */
const longestTries = 44_000;
/** What does not fit into one command goes into the next. */
const maxCommands = 3;

/** `null`: it cannot be done here, or somebody did not want it. `stop`: as ever. */
export function* screen(
  facts: Facts,
  project: Project,
  report: Report,
  all: readonly Candidate[],
): Play<Screened | null | "stop"> {
  let sum = null as Screened | null;
  let left = all;
  for (let command = 0; command < maxCommands; command++) {
    const found = jobFor(project, report, left);
    if (found === null) return sum;
    const { asked, tries } = found;
    const answer = yield* ask(say(facts, phrase("mechanic.screens", { n: tries.length })), asked.tool, asked.input);
    if (answer === null) return "stop";
    const said = answer.error === null ? /^screened (\{.*\})$/m.exec(answer.text)?.[1] : undefined;
    const one: Screened | null = said === undefined ? null : screenedIn(said, tries);
    if (one === null) return sum;
    const [tried, better]: [number, readonly Candidate[]] = [
      (sum?.tried ?? 0) + one.tried,
      [...(sum?.better ?? []), ...one.better],
    ];
    const done = new Set(tries);
    sum = { tried, survivors: one.survivors, better, isOut: one.isOut };
    if (one.survivors.length > 0 || one.isOut) return sum;
    left = left.filter((change) => !done.has(change));
  }
  return sum;
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
  return {
    tried,
    survivors: passed.flatMap(at),
    better: better.flatMap(([index]) => at(index)),
    isOut: why === "time",
  };
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
  const head = JSON.stringify({ files, tests, seconds, after: afterFirst, most: mostSurvivors }).slice(0, -1);
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
