import type { Runner, VerificationCounts } from "../../../contract/verification.ts";
import { isForeign, localPath, missingPackage, ownFrame, type Place } from "../place.ts";
import type { OutputReading, Scene } from "../reading.ts";
import {
  addCounts,
  brokenIn,
  clipContext,
  clipError,
  countsOf,
  type Failure,
  FailureList,
  SummaryReader,
} from "../reading.ts";
import { isLibraryFrame, javaPlace } from "./java.ts";
import { scanXml } from "./xml.ts";

interface Case {
  readonly name: string;
  readonly group: string;
  readonly file: string | null;
  readonly line: number | null;
  outcome: "passed" | "failed" | "errors" | "skipped" | "todo";
  message: string;
  type: string;
  text: string;
}

const maxText = 20_000;

class Report {
  readonly list = new FailureList();
  counts: VerificationCounts = countsOf({ passed: 0, failed: 0, errors: 0, skipped: 0 });
  claimsBroken = false;
  private readonly scene: Scene;
  private readonly runner: Runner | null;
  private readonly suites: string[] = [];
  private current: Case | null = null;
  private inFailure = false;

  constructor(scene: Scene, runner: Runner | null) {
    this.scene = scene;
    this.runner = runner;
  }

  open(name: string, attributes: ReadonlyMap<string, string>): void {
    if (name === "testsuite" || name === "testsuites") {
      const broken = Number(attributes.get("failures") ?? 0) + Number(attributes.get("errors") ?? 0);
      this.claimsBroken ||= broken > 0;
      this.suites.push(name === "testsuite" ? (attributes.get("name") ?? "") : "");
    } else if (name === "testcase") this.current = caseOf(attributes, this.suites, this.runner);
    else if (this.current !== null) this.outcome(this.current, name, attributes);
  }

  private outcome(current: Case, name: string, attributes: ReadonlyMap<string, string>): void {
    if (name === "skipped" && current.outcome === "passed") {
      current.outcome = attributes.get("type") === "todo" ? "todo" : "skipped";
    }
    if (name !== "failure" && name !== "error") return;
    current.outcome = name === "failure" ? "failed" : "errors";
    current.message = attributes.get("message") ?? "";
    current.type = attributes.get("type") ?? "";
    this.inFailure = true;
  }

  text(text: string): void {
    if (this.inFailure && this.current !== null && this.current.text.length < maxText) this.current.text += text;
  }

  close(name: string): void {
    if (name === "failure" || name === "error") this.inFailure = false;
    else if (name === "testsuite" || name === "testsuites") this.suites.pop();
    else if (name === "testcase" && this.current !== null) {
      const { outcome } = this.current;
      this.counts = addCounts(this.counts, countsOf({ [outcome]: 1 }));
      if (outcome === "failed" || outcome === "errors") this.list.add(failureOf(this.current, this.scene, this.runner));
      this.current = null;
    }
  }
}

function caseOf(attributes: ReadonlyMap<string, string>, suites: readonly string[], runner: Runner | null): Case {
  const name = attributes.get("name") ?? "";
  const of = attributes.get("classname") ?? "";
  const line = Number(attributes.get("line"));
  const file = attributes.get("file") ?? (runner === "vitest" ? of : null);
  // The class of node's cases is always "test", so the enclosing suites name the group.
  const group = runner === "node:test" ? suites.filter((one) => one !== "").join(" > ") : runner === "vitest" ? "" : of;
  return {
    ...{ name, group, file, outcome: "passed", message: "", type: "", text: "" },
    // pytest counts lines from 0 here.
    line: Number.isInteger(line) && line > 0 ? line + (runner === "pytest" ? 1 : 0) : null,
  };
}

const joints: Partial<Record<Runner, string>> = { mocha: " ", jest: " ", "node:test": " > ", bun: " > ", gradle: "." };

function failureOf(one: Case, scene: Scene, runner: Runner | null): Failure {
  const test = nameOf(one, runner);
  const lines = one.text.split("\n");
  const place = placeIn(lines, scene);
  // go-junit-report writes nothing but "Failed" into this attribute.
  const message = one.message !== "" && one.message !== "Failed" ? one.message : errorLines(lines).join("\n");
  const isNamed = one.type !== "" && runner !== "node:test" && !message.includes(one.type);
  const error = clipError(isNamed ? `${one.type}: ${message}` : message);
  return {
    kind: missingPackage(error) === null ? "test" : "missing",
    test: test === "" ? null : test,
    file: place?.file ?? (one.file === null ? null : localPath(scene.cwd, one.file)),
    line: place?.line ?? one.line,
    error: error || test,
    context: clipContext(lines.filter((line) => !isLibraryFrame(line) && !line.includes("node_modules/"))),
  };
}

function nameOf({ group, name }: Case, runner: Runner | null): string {
  if (group === "" || name.startsWith(group)) return name.trim();
  if (runner !== "pytest") return `${group}${(runner === null ? undefined : joints[runner]) ?? "."}${name}`.trim();
  // `tests.test_a.TestB`: module names are lowercase, classes start with a capital.
  const parts = group.split(".");
  const first = parts.findIndex((part) => /^[A-Z]/.test(part));
  const cut = first <= 0 ? parts.length : first;
  return [`${parts.slice(0, cut).join("/")}.py`, ...parts.slice(cut), name].join("::");
}

function errorLines(lines: readonly string[]): readonly string[] {
  const end = lines.findIndex((line) => /^\s+(?:at |❯ )/.test(line));
  return end <= 0 ? lines : lines.slice(0, end);
}

const pythonPlace = /^([^\s:][^:]*\.py):(\d+):/;
const goPlace = /^ *([\w./-]+\.go):(\d+): /;

function placeIn(lines: readonly string[], scene: Scene): Place | null {
  const script = ownFrame(lines, scene.cwd);
  if (script !== null) return script;
  const java = javaPlace(lines, scene);
  if (java !== null) return java;
  let python: Place | null = null;
  for (const line of lines) {
    const match = pythonPlace.exec(line) ?? goPlace.exec(line);
    const file = match?.[1] === undefined ? null : localPath(scene.cwd, match[1]);
    if (match !== null && file !== null && !isForeign(file)) python = { file, line: Number(match[2]) };
  }
  return python;
}

/** Reports that a tool wrote to files; `null` if none is readable. */
export function readReports(texts: readonly string[], scene: Scene, runner: Runner | null): OutputReading | null {
  const failures = new FailureList();
  let counts = countsOf({ passed: 0, failed: 0, errors: 0, skipped: 0 });
  let isWhole = true;
  let isContradictory = false;
  let read = 0;
  for (const text of texts) {
    const report = new Report(scene, runner);
    if (!scanXml(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text, report)) {
      isWhole = false;
      continue;
    }
    read++;
    counts = addCounts(counts, report.counts);
    failures.addAll(report.list);
    isContradictory ||= report.claimsBroken && brokenIn(report.counts) === 0;
  }
  if (read === 0) return null;
  const shape = { isSeen: true, isEmpty: false, passedUncounted: false };
  return { ...shape, isComplete: isWhole, counts, failures, isContradictory };
}

const maxDocument = 16 * 1024 * 1024;

/** A report printed to the output, from its first tag to the end of its root. */
export class XmlReader extends SummaryReader {
  private readonly runner: Runner;
  private lines: string[] | null = null;
  private size = 0;
  private root = "";
  private last: string | null = null;
  private isOpen = false;

  constructor(scene: Scene, runner: Runner) {
    super(scene);
    this.runner = runner;
  }

  line(text: string): void {
    if (this.lines === null) {
      if (text.charCodeAt(0) !== 0x3c || !/^<(?:\?xml|testsuites?[\s>])/.test(text)) return;
      this.lines = [];
      this.size = 0;
      this.root = "";
    }
    if (this.root === "" && !this.begin(text)) return;
    this.size += text.length;
    if (this.size < maxDocument) this.lines.push(text);
    if (this.root === "" || !text.trimEnd().endsWith(`</${this.root}>`) || text.startsWith("  ")) return;
    this.last = this.lines.join("\n");
    this.lines = null;
    this.isOpen = false;
  }

  /** Programs print XML of other kinds too; a suite makes it a report. */
  private begin(text: string): boolean {
    const match = /<(testsuites?)[\s>]/.exec(text.slice(0, 500));
    if (match?.[1] !== undefined) {
      this.root = match[1];
      this.isOpen = true;
    } else if (text !== "" && !text.startsWith("<?xml")) this.lines = null;
    return this.lines !== null;
  }

  end() {
    const report = this.last === null ? null : readReports([this.last], this.scene, this.runner);
    const isSeen = this.isOpen || this.last !== null;
    return this.reading({ ...report, isSeen, isComplete: report?.isComplete === true && !this.isOpen });
  }
}
