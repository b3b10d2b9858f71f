import type { Lang } from "../contract/text/catalogue.ts";
import { type Runner, runners, type VerificationResult } from "../contract/verification.ts";
import { runnersOf } from "./detect/runner-of.ts";
import { readReports } from "./parse/jvm/junit-xml.ts";
import { endsOf, isOpenEnded, linesOf } from "./parse/lines.ts";
import { brokenIn, FailureList, type OutputReading, type Scene } from "./parse/reading.ts";
import { readAll } from "./parse/segments.ts";
import { installCommand, isDeclared, isOwn, missingIn, type Project } from "./relate/own-code.ts";
import { troubleIn } from "./result/trouble.ts";
import { verdict } from "./result/verdict.ts";

export interface Ran {
  readonly runner: Runner | "auto";
  readonly command: string;
  readonly exitCode: number | null;
  readonly output: string;
  readonly timedOut: boolean;
  readonly reports?: readonly string[];
  readonly cwd: string;
  readonly lang?: Lang;
  /** Whether a path relative to `cwd` exists; completes bare names of Go and Java files. */
  readonly exists?: (path: string) => boolean;
  readonly textOf?: Project["textOf"];
  readonly touched?: Project["touched"];
}

/** VF-4. */
export function parseOutput(ran: Ran): VerificationResult {
  const { command, exitCode, output, timedOut } = ran;
  const named = ran.runner === "auto" ? runnersOf(command, output) : [ran.runner];
  const scene: Scene = { cwd: ran.cwd, command, isOpenEnded: isOpenEnded(output), exists: ran.exists ?? null };
  const found = read(named, ran, scene);
  const { exists = () => false, textOf = () => "", touched = [] } = ran;
  const project: Project = { exists, textOf, touched };
  return verdict({
    lang: ran.lang ?? "en",
    command,
    exitCode,
    timedOut,
    runner: label(found.runner, command),
    reading: withOwnMissing(withReports(found, ran.reports ?? [], scene), project),
    trouble: () => troubleIn(output, exitCode, project),
    install: (text) => {
      const missing = missingIn(text);
      return missing && { what: missing.name, how: installCommand(missing, project) };
    },
    tail: () => tailOf(output),
  });
}

interface RunnerReading {
  readonly runner: Runner;
  readonly reading: OutputReading;
}

/** The named runner, or any other that explains the failure: scripts run more than one program. */
function read([runner = "other", ...others]: readonly Runner[], ran: Ran, scene: Scene): RunnerReading {
  const { exitCode, output, timedOut } = ran;
  const found = { runner, reading: readAll(runner, output, scene) };
  const { isSeen, isEmpty, isLoose, failures } = found.reading;
  if (exitCode === 0) return broken(others, output, scene) ?? passed(found, output, scene);
  const isExplained = failures.total > 0 || isEmpty;
  if (timedOut || (isExplained && !isLoose)) return found;
  const rest = [...linters, ...(isExplained ? exact : runners)].filter((one) => one !== runner && one !== "other");
  const ends = endsOf(output, reach);
  const best = broken(rest, ends, scene);
  return best ?? (isSeen || runner === "other" ? found : (broken(["other"], ends, scene) ?? found));
}

/** A reporter of the project's own has a format of its own, so its output is read like that of an unknown runner. */
function passed({ runner, reading }: RunnerReading, output: string, scene: Scene): RunnerReading {
  const head = `${scene.command}\n${output.slice(0, 2000)}`;
  const hasDots = dotReporter.test(head) && [...linesOf(head)].some(isDots);
  const isOwnForm = !reading.isSeen && (hasDots || ownReporter.test(head));
  const found = isOwnForm
    ? { runner: "other" as const, reading: readAll("other", output, scene) }
    : { runner, reading };
  // Failure-like words are the program's own output if neither the counts nor the exit code confirm them.
  const isFine = found.reading.isLoose && brokenIn(found.reading.counts) === 0;
  return isFine ? { ...found, reading: { ...found.reading, failures: new FailureList() } } : found;
}

const ownReporter = /(?:^|\n[>$]).*\s(?:--(?:test-)?reporters?|-R)[= ]["']?[\w@./-]*(?:[./]|reporter)/;
/** node's own reporter that prints nothing but dots on success; without a dot no test ran. */
const dotReporter = /(?:^|\n[>$]).*\s--test-reporter[= ]["']?dot\b/;
const isDots = (line: string): boolean => /^\.+$/.test(line);

function broken(some: readonly Runner[], output: string, scene: Scene): RunnerReading | null {
  for (const runner of some) {
    const reading = readAll(runner, output, scene);
    if (reading.failures.total > 0) return { runner, reading };
  }
  return null;
}

/** Scripts lint before they test. */
const linters = ["tsc", "eslint"] as const;
/** Runners whose output is unmistakable; many programs write TAP. */
const exact = ["pytest", "jest", "go", "cargo", "surefire", "gradle"] as const;

/** Twelve readers over everything would cost twelve times as much; what broke a script stands at one of the ends. */
const reach = 128 * 1024;

/** A missing module of the workspace is the code's fault; a dependency it only declares is the machine's. */
function withOwnMissing(reading: OutputReading, project: Project): OutputReading {
  if (reading.failures.kept.every(({ error }) => missingIn(error) === null)) return reading;
  const failures = new FailureList();
  failures.addAll(reading.failures, (one) => {
    const missing = one.kind === "lint" || one.kind === "build" ? null : missingIn(one.error);
    if (missing === null) return one;
    if (one.kind === "test")
      return isDeclared(missing, project) && !isOwn(missing, project) ? { ...one, kind: "missing" } : one;
    if (!isOwn(missing, project)) return one;
    const isBuild = missing.language === "go" || missing.language === "rust" || /^TS\d+: /.test(one.error);
    return { ...one, kind: isBuild ? "build" : "test" };
  });
  return { ...reading, failures };
}

/** Reports tell more than the text, but neither may hide a failure of the other. */
function withReports({ runner, reading }: RunnerReading, texts: readonly string[], scene: Scene): OutputReading {
  const reports = texts.length === 0 ? null : readReports(texts, scene, runner);
  if (reports === null || runner === "other") return reading;
  const isHidden = brokenIn(reports.counts) > 0 !== brokenIn(reading.counts) > 0 && reading.counts.failed !== null;
  const isBuildBroken = reading.failures.kinds.build > 0;
  // The text of the Java tools leaves out most; other runners name tests there as users know them.
  const isRicher = runner === "surefire" || runner === "gradle" || reports.failures.total > reading.failures.total;
  const failures = reports.failures.total > 0 && isRicher && !isBuildBroken ? reports.failures : reading.failures;
  const hasText = reading.counts.passed !== null;
  return {
    isSeen: true,
    isComplete: hasText ? reading.isComplete : reading.isComplete || (reports.isComplete && isSilent(reading, scene)),
    counts: hasText || isBuildBroken ? reading.counts : reports.counts,
    failures,
    isEmpty: reading.isEmpty,
    isContradictory: reading.isContradictory || reports.isContradictory || (isHidden && !isBuildBroken),
    passedUncounted: false,
  };
}

/** `mvn -q` and `gradle -q` print nothing on success, so the reports are the summary. */
function isSilent(reading: OutputReading, { command }: Scene): boolean {
  return !reading.isSeen && /(?:^|\s)(?:-q|--quiet)(?:\s|$)/.test(command);
}

function label(runner: Runner, command: string): string {
  if (runner === "surefire") return "maven";
  return runner === "other" ? command.trim().split(/\s+/, 2).join(" ").slice(0, 60) || "tests" : runner;
}

const tailLines = 15;

function tailOf(output: string): string {
  const lines = [...linesOf(output.slice(-8000))].filter((line) => line.trim() !== "");
  return lines
    .slice(-tailLines)
    .map((line) => line.slice(0, 300))
    .join("\n");
}
