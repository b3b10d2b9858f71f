import { parsedJson } from "../../../contract/json.ts";
import { textIn } from "../json.ts";
import { isForeign, localPath, type Place, placeAt } from "../place.ts";
import { countsOf, type FailureKind, SummaryReader } from "../reading.ts";
import { GoPackages } from "./go-package.ts";

const resultLine = /^( *)--- (PASS|FAIL|SKIP|BENCH): (\S+) \(\d+(?:\.\d+)?s\)$/;
const running = /^=== (RUN|PAUSE|CONT|NAME) +(\S*)/;
const plainRun = "=== RUN   ";
const plainPass = "--- PASS: ";
const seconds = /^ \(\d+(?:\.\d+)?s\)$/;
const packageLine = /^(ok {2}|FAIL|\? {3})\t(\S+)\s+(\S.*)$/;
const buildLine = /^(?:vet: )?((?:\.{0,2}\/)?[\w@%+~.,/-]+\.(?:go|s|c|h)):(\d+)(:\d+)?: (.+)$/;
const goFrame = /^\t(\/\S+\.go):(\d+)(?: \+0x[0-9a-f]+)?$/;
const noPackage =
  /no required module provides package|missing go\.sum entry|cannot find module providing|is not in (?:GOROOT|std)|cannot find package|module lookup disabled by GOPROXY=off|: (?:Get "https?:|reading https?:)/;

/** `go test`, plain, with -v and with -json; also `go vet` and `go build`, which print nothing on success. */
export class GoReader extends SummaryReader {
  private readonly packages = new GoPackages(this.scene);
  private current: string | null = null;
  /** Indentation of `--- FAIL`, if the test's output follows below it. */
  private below: number | null = null;
  private inBuild = false;
  private panic: { lines: string[]; place: Place | null } | null = null;
  private lastBuild: string[] | null = null;
  private wanted: string | null = null;

  line(text: string): void {
    if (text.charCodeAt(0) === 0x7b && /^\{"(?:Time|Action|ImportPath)":/.test(text)) this.event(parsedJson(text));
    else this.plain(text);
  }

  private event(event: unknown): void {
    const test = textIn(event, "Test");
    const name = textIn(event, "Package");
    const action = textIn(event, "Action");
    const output = textIn(event, "Output").replace(/\n$/, "");
    if (action === "build-output") {
      this.plain(output);
      return;
    }
    if (name === "") return;
    this.packages.select(name);
    if (action === "output") this.output(test, output);
    else if (action === "run") this.packages.run(test);
    else if (action === "pass" || action === "fail" || action === "skip") this.settled(test, action, name);
  }

  private settled(test: string, action: "pass" | "fail" | "skip", name: string): void {
    if (test !== "") this.packages.settle(test, action);
    else {
      this.endPanic();
      this.packages.status(name, action === "skip" ? "none" : action, "");
    }
  }

  /** Only events decide; a line of the program cannot. */
  private output(test: string, text: string): void {
    if (running.test(text) || resultLine.test(text)) return;
    if (packageLine.test(text) || text === "PASS" || text === "FAIL") {
      if (test === "" && text.includes("[no tests to run]")) this.packages.noteEmpty();
      if (test === "" && text.endsWith("[build failed]")) this.packages.noteUnbuilt();
      return;
    }
    if (this.panicked(text, test || null)) return;
    if (test !== "") this.packages.say(test, text);
  }

  private plain(text: string): void {
    const first = text.charCodeAt(0);
    if ((first === 0x3d || first === 0x2d) && this.common(text, first)) return;
    const run = first === 0x3d ? running.exec(text) : null;
    const result = (first === 0x2d || first === 0x20) && text.includes("--- ") ? resultLine.exec(text) : null;
    const status = first === 0x6f || first === 0x46 || first === 0x3f ? packageLine.exec(text) : null;
    if (run?.[2] !== undefined) this.enter(run[1] ?? "", run[2]);
    else if (result?.[3] !== undefined) this.result(result[1]?.length ?? 0, result[2] ?? "", result[3]);
    else if (status?.[2] !== undefined) this.packageEnd(status[1] ?? "", status[2], status[3] ?? "");
    else if (first === 0x23 && text.startsWith("# ")) {
      this.inBuild = true;
      this.lastBuild = null;
      this.packages.header(text.slice(2).split(" ", 1)[0] ?? "");
    } else if (!this.panicked(text, this.current) && !this.belongs(text, first)) this.build(text, first);
  }

  /** The two most frequent lines, parsed without a pattern: there are hundreds of thousands of them. */
  private common(text: string, first: number): boolean {
    if (first === 0x3d) {
      const name = text.startsWith(plainRun) ? text.slice(plainRun.length) : " ";
      if (/\s/.test(name)) return false;
      this.enter("RUN", name);
      return true;
    }
    const end = text.startsWith(plainPass) ? text.indexOf(" ", plainPass.length) : -1;
    const name = text.slice(plainPass.length, end);
    if (name === "" || end < 0 || /\s/.test(name) || !seconds.test(text.slice(end))) return false;
    this.result(0, "PASS", name);
    return true;
  }

  private enter(word: string, name: string): void {
    this.below = null;
    this.inBuild = false;
    this.current = word === "PAUSE" ? null : name;
    if (word === "RUN") this.packages.run(name);
  }

  private result(indent: number, word: string, name: string): void {
    this.packages.settle(name, word === "FAIL" ? "fail" : word === "SKIP" ? "skip" : "pass");
    this.current = name;
    this.below = indent;
  }

  private packageEnd(word: string, name: string, rest: string): void {
    this.endPanic();
    this.current = null;
    this.below = null;
    this.inBuild = false;
    const isUnbuilt = rest.includes("[build failed]") || rest.includes("[setup failed]");
    const isEmpty = rest.includes("[no test files]") || rest.includes("[no tests to run]");
    this.packages.status(name, isEmpty ? "none" : word.startsWith("ok") ? "pass" : "fail", isUnbuilt ? "unbuilt" : "");
  }

  /** A test's output is indented below `--- FAIL`, or, with -v, above it. */
  private belongs(text: string, first: number): boolean {
    if (this.current === null || first !== 0x20) return false;
    if (this.below !== null && !text.startsWith(" ".repeat(this.below + 4))) return false;
    this.packages.say(this.current, text);
    return true;
  }

  private panicked(text: string, test: string | null): boolean {
    if (this.panic === null) {
      if (!text.startsWith("panic: ") && !text.startsWith("fatal error: ")) return false;
      this.panic = { lines: [text], place: null };
      this.packages.panic(test, text);
      return true;
    }
    const place = placeAt(goFrame.exec(text), this.scene.cwd);
    if (place !== null && !isForeign(place.file)) this.panic.place ??= place;
    if (this.panic.lines.length < 40) this.panic.lines.push(text);
    return true;
  }

  private endPanic(): void {
    if (this.panic !== null) this.packages.panicEnd(this.panic.lines, this.panic.place);
    this.panic = null;
  }

  private build(text: string, first: number): void {
    if (first === 0x09 && this.lastBuild !== null) {
      if (this.lastBuild.length < 10) this.lastBuild.push(text.trim());
      return;
    }
    this.wanted ??= /^go: downloading (\S+) v/.exec(text)?.[1] ?? null;
    const match = first !== 0x20 && text.length < 2000 ? buildLine.exec(text) : null;
    // Go's log package writes such lines too, but without a column.
    if (match?.[1] === undefined || (!this.inBuild && (match[3] === undefined || this.packages.isRunning))) return;
    const problem = match[4] ?? "";
    // go does not always name the module.
    const isNameless = this.wanted !== null && problem.startsWith("module lookup disabled");
    this.lastBuild = [isNameless ? `${this.wanted}: ${problem}` : problem];
    const kind: FailureKind = noPackage.test(problem) ? "missing" : "build";
    this.packages.unbuilt(localPath(this.scene.cwd, match[1]), Number(match[2]), this.lastBuild, kind);
  }

  end() {
    this.endPanic();
    const isTest = !/\bgo (?:build|vet|install|generate|mod)\b/.test(this.scene.command);
    const { list, counts, packages, isSeen, isRunning } = this.packages.end();
    const isQuiet = !isTest && list.total === 0;
    const hasEnded = packages.pass + packages.fail + packages.none > 0 && !isRunning;
    return this.reading({
      isSeen: isSeen || list.total > 0,
      isComplete: isQuiet || hasEnded,
      counts: isTest ? counts : countsOf({ errors: list.total }),
      failures: list,
      isEmpty: isTest && packages.pass + packages.fail === 0 && packages.none > 0,
      passedUncounted: isQuiet || (packages.pass > 0 && packages.fail === 0),
      ...(packages.pass > 0 ? { hasPassedBeside: true } : {}),
    });
  }
}
