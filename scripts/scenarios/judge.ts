// Whether a run came to the end that its scenario says. Answers what did not, in words.
import type { VerificationResult } from "../../src/contract/verification.ts";
import { type Carried, eventsOf } from "./carry.ts";
import type { Place, Run, Said } from "./scenario.ts";

export function judge({ ends }: Run, carried: Carried): readonly string[] {
  const { summary, events, exitCode, home, stderr } = carried;
  if (summary === null) return [`exit code ${exitCode} and no summary: ${stderr.slice(-2000)}`];
  const results = eventsOf(events, "check.judged").map(({ result }) => result);
  const places = eventsOf(events, "checks.chosen").flatMap(({ checks }) => checks.map(({ cwd }) => cwd));
  const problems = [
    ...differs("outcome", summary.outcome, ends.outcome),
    ...differs("exit code", exitCode, ends.exitCode),
    ...differs(
      "changed files",
      summary.changed_files.map(({ path }) => path),
      ends.changed,
    ),
    ...differs(
      "commands",
      results.map(({ command }) => command),
      ends.checks.map(({ command }) => command),
    ),
    ...differs(
      "folders of commands",
      places,
      ends.checks.map(({ cwd = "" }) => cwd),
    ),
    ...ends.checks.flatMap((said, at) => checkProblems(results[at], said, at + 1)),
    ...differs("last results in the summary", summary.verification.results ?? [], results.slice(-1)),
    ...differs("left in the home folder", home, []),
  ];
  if (ends.checks.length > 0) problems.push(...differs("attempts", summary.verification.attempts, ends.checks.length));
  const reason = summary.verification.reason ?? "";
  const next = summary.next_steps.join("\n");
  const file = carried.read(ends.changed[0] ?? "") ?? "";
  return [
    ...problems,
    ...(ends.reason ?? []).flatMap((part) => lacks("reason", reason, part)),
    ...lacks("advice", next, ends.next ?? ""),
    ...lacks("changed file", file, ends.holds),
  ];
}

function checkProblems(result: VerificationResult | undefined, said: Said, n: number): readonly string[] {
  if (result === undefined) return [];
  const { passed, failed } = result.counts;
  return [
    ...differs(`check ${n}`, result.type, said.type, `: ${result.summary}`),
    ...(said.counts ? differs(`counts of check ${n}`, { passed, failed: failed ?? 0 }, said.counts) : []),
    ...differs(`number of details of check ${n}`, result.details.length, said.details.length),
    ...said.details.flatMap((place, at) => placeProblems(result.details[at], place, n)),
  ];
}

function placeProblems(
  found: VerificationResult["details"][number] | undefined,
  { file, line, error, test = "" }: Place,
  n: number,
): readonly string[] {
  if (found === undefined) return [];
  const isSaid = found.error.includes(error) && (found.test ?? "").includes(test);
  return [
    ...differs(`place of check ${n}`, `${found.file}:${found.line}`, `${file}:${line}`),
    ...(isSaid ? [] : [`check ${n} says ${JSON.stringify(found)} and not ${JSON.stringify({ error, test })}`]),
  ];
}

function lacks(what: string, text: string, part: string): readonly string[] {
  return text.includes(part) ? [] : [`the ${what} ${JSON.stringify(text)} lacks ${JSON.stringify(part)}`];
}

function differs(what: string, found: unknown, expected: unknown, more = ""): readonly string[] {
  const [left, right] = [JSON.stringify(found), JSON.stringify(expected)];
  return left === right ? [] : [`${what}: ${left} instead of ${right}${more}`];
}
