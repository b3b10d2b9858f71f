import type { VerificationCounts } from "../../../contract/verification.ts";
import { isFrame } from "../place.ts";
import { addCounts, countsOf, FailureList, SummaryReader } from "../reading.ts";
import { type FoundFailure, failureFrom } from "./other-failure.ts";
import { type Counted, countedIn } from "./summary-line.ts";

interface PlainBlock {
  name: string | null;
  readonly indent: number;
  readonly lines: string[];
}

const maxLines = 80;
const maxBlocks = 400;

/** `✖ adds`, `not ok 3 adds`, `FAIL "adds"`, `✘ [fail]: adds`, `FAIL: test_add (CalcTest)`, `[  FAILED  ] Calc.Adds`. */
const marked =
  /^(\s*)(?:[✖✗✘✕×⨯❌]\s*(?:\[\w+\]:?\s+)?|not ok (?:\d+ )?(?:- )?|(?:--- )?(?:\[ *)?FAIL(?:ED|URE)?(?: *\])?:? +|ERROR: (?=\S+ \())(\S.*)$/;
/** `Calc adds FAILED`, `test_add (CalcTest) ... ERROR`, `adds ... FAILED (3ms)`. */
const behind = /^(\s*)(?!Result:)(\S.*?)(?: \.\.\.|\.\.\.)? (?:FAILED|FAIL|ERROR|not ok)(?: \([\d.]+ ?m?s\))?$/;
const numbered = /^(\s{0,4})(\d+)\) (\S.*)$/;
const good = /^\s*(?:[✔✓√•]|ok \d+|PASS\b)|^\S.* \.\.\. (?:ok|skipped\b.*|expected failure)$/;
const thrown =
  /^\s*(?:Uncaught |Unhandled |error: )?(?:[\w.$]*(?:Error|Exception|Failure|Panic)\b(?: \[\w+\])?(?::|$)|Traceback \(most recent call last\):|panic: |thread '.*' panicked at |operator: )|\bassert(?:ion)?\b.*\bfailed\b/i;
const nothing =
  /^\W*(?:\w*error:? +)?(?:no (?:tests?|specs?)(?: files?)?(?: \w+)* (?:found|ran|run|executed|specified|matched)|no tests|ran 0 tests|0 tests)\b/i;
/** `make: 'test' is up to date.`, if a folder has the target's name. Among others, make says so about a part. */
const idleMake = /^make(?:\[\d+\])?: (?:Nothing to be done for |.* is up to date\.$)/;
const byMake = /^make(?:\[\d+\])?: |^(?:> |(?:\S*\/)?make |cd )/;

/** Commands whose exit code says nothing about the tests: `node t.js || true`, `> node t.js | tee log`, `- node t.js` of make. */
const hidden =
  /\S *(?:\|\||;) *(?:true|:|exit 0)(?: --watch=false)?$|^[>$] .*(?:\|\| *echo\b|\| *(?:tee|cat|grep|head|tail|sed|awk)\b)[^|]*$|^make(?:\[\d+\])?: \[.*\] Error \d+ \(ignored\)$/;

const ofManager =
  /^(?:npm (?:warn|error|notice|ERR!|WARN)\b|\s*ELIFECYCLE\b|error Command failed|error: Test failed$|info Visit https|make(?:\[\d+\])?: \*\*\* )/;
/** `a.test.js exited with a non-zero exit code: 1`, printed below the actual failure. */
const ended = /\bexited (?:with a non-zero exit code|due to)\b/;

/** Any other runner: its counts, and each failure with name, message and place. */
export class OtherReader extends SummaryReader {
  private readonly blocks: PlainBlock[] = [];
  private open: PlainBlock | null = null;
  /** The last summary: its broken counts alone, and all of its counts. */
  private last: VerificationCounts | null = null;
  private counts: VerificationCounts | null = null;
  private sum: Counted["fields"] = {};
  private isOfTests = false;
  private title = "";
  private titleIndent = 0;
  private wasEmpty = true;
  private listed = 0;
  private isIdle = false;
  private isHidden = false;
  private isByOthers = false;

  line(text: string): void {
    this.isIdle ||= idleMake.test(text);
    this.isHidden ||= text.length < 1000 && hidden.test(text);
    this.isByOthers ||= text.trim() !== "" && !ofManager.test(text) && !byMake.test(text);
    if (ofManager.test(text)) {
      this.open = null;
      return;
    }
    const isEmpty = text.trim() === "";
    if (!isEmpty && !this.counted(text)) this.other(text);
    else this.open?.lines.push("");
    this.wasEmpty = isEmpty;
  }

  /** The rows of one summary stand together. */
  private counted(text: string): boolean {
    const found = countedIn(text);
    if (found === null) {
      this.say();
      return false;
    }
    if (Object.keys(found.fields).some((field) => field in this.sum)) this.say();
    this.sum = { ...this.sum, ...found.fields };
    this.isOfTests ||= found.isOfTests;
    this.open = null;
    return true;
  }

  private other(text: string): void {
    if (nothing.test(text)) this.isEmpty = true;
    const heading = this.headingIn(text);
    if (heading !== null) this.start(heading.name, heading.indent);
    else if (good.test(text)) this.open = null;
    else if (this.reopen(text.trim())) return;
    else if (this.isThrown(text)) this.start(null, 0, text);
    else if (this.open !== null && !this.isNextTitle(text)) {
      if (this.open.lines.length < maxLines) this.open.lines.push(text.slice(0, 600));
    } else this.titled(text);
  }

  private headingIn(text: string): { name: string; indent: number } | null {
    if (text.length > 500 || isFrame(text)) return null;
    const number = numbered.exec(text);
    if (number?.[3] !== undefined && Number(number[2]) === this.listed + 1) {
      this.listed++;
      return { name: number[3], indent: number[1]?.length ?? 0 };
    }
    const match = marked.exec(text) ?? behind.exec(text);
    return match?.[2] === undefined ? null : { name: match[2], indent: match[1]?.length ?? 0 };
  }

  private isThrown(text: string): boolean {
    if (!thrown.test(text)) return false;
    if (this.open === null) return true;
    // Without marks, the next failure begins with its own diagnosis.
    return /^\s*operator: /.test(text) && this.open.lines.some((line) => /^\s*operator: /.test(line));
  }

  /** `  adds` between empty lines, indented less than the failure: the next group. */
  private isNextTitle(text: string): boolean {
    const indent = text.length - text.trimStart().length;
    if (/^#+ \S/.test(text)) return true;
    return this.wasEmpty && this.open !== null && this.open.name !== null && indent < this.open.indent && indent > 0;
  }

  private titled(text: string): void {
    this.open = null;
    const isTitle =
      text.length < 200 && !text.startsWith("> ") && (this.wasEmpty || text.startsWith("#")) && !isFrame(text);
    if (!isTitle) return;
    this.title = text.trim().replace(/^#+ /, "");
    this.titleIndent = text.length - text.trimStart().length;
  }

  /** Some runners list the names first and give the details later, below each name again. */
  private reopen(title: string): boolean {
    const isNamed = ({ name, lines }: PlainBlock) =>
      name !== null && (name === title || name.startsWith(`${title} `)) && lines.every((line) => line === "");
    const block = title.length < 3 || !this.wasEmpty ? undefined : this.blocks.find(isNamed);
    if (block === undefined) return false;
    block.name = title;
    this.open = block;
    return true;
  }

  private start(name: string | null, indent: number, first?: string): void {
    const group = name !== null && indent > this.titleIndent && this.title !== "" ? `${this.title} > ` : "";
    const place = / (at \S.*:\d+:\d+\))$/.exec(name ?? "")?.[1] ?? first;
    const block = { name: name === null ? null : `${group}${plainName(name)}`, indent, lines: place ? [place] : [] };
    this.open = block;
    if (this.blocks.length < maxBlocks) this.blocks.push(block);
  }

  private say(): void {
    const { total, ...counts } = this.sum;
    const isRest = total === undefined && counts.passed === undefined && counts.failed === undefined;
    if (this.isOfTests && isRest && this.counts !== null && this.last !== null) {
      // `1 known failure` and `1 test todo` below `3 tests passed` continue that summary.
      this.counts = addCounts(this.counts, countsOf(counts));
      this.last = addCounts(this.last, countsOf({ errors: counts.errors ?? 0 }));
    } else if (this.isOfTests) {
      // `1/3 passed` on the way to `3/3 passed` is not a failure; `1 failed` remains one.
      if (this.last !== null) this.summaries.say(this.last);
      this.last = countsOf({ failed: counts.failed ?? 0, errors: counts.errors ?? 0 });
      this.counts = wholeCounts(counts, total);
    }
    this.sum = {};
    this.isOfTests = false;
  }

  end() {
    this.say();
    const { counts } = this;
    if (counts !== null) this.summaries.say(counts);
    const failures = this.failures(counts?.failed ?? null);
    const isZero = counts !== null && Object.values(counts).every((n) => !n);
    // `0 failing` alone says neither that tests ran nor that none did.
    const isUncounted = counts === null || (isZero && counts.passed === null);
    const isNothing = isUncounted ? this.isEmpty || (this.isIdle && !this.isByOthers) : isZero;
    return this.reading({
      isSeen: counts !== null || failures.total > 0 || isNothing,
      isComplete: !isUncounted || !this.isHidden,
      counts: counts ?? countsOf({}),
      failures,
      isEmpty: isNothing && this.blocks.every(({ name }) => name === null),
      passedUncounted: isUncounted,
      isLoose: true,
    });
  }

  /** Once all failures are found, names without details are group names. */
  private failures(failed: number | null): FailureList {
    const list = new FailureList();
    const all = this.blocks.map((block) => failureFrom(block.name, block.lines, this.scene));
    const detailed = all.filter((one) => one.hasDetails);
    const isWhole = failed !== null && detailed.length >= failed && detailed.length > 0;
    const isShown = ({ failure, hasDetails }: FoundFailure) =>
      hasDetails || (!isWhole && !ended.test(failure.test ?? ""));
    const seen = new Set<string>();
    for (const { failure } of detailed.length > 0 ? all.filter(isShown) : all) {
      const key = failure.test ?? failure.error;
      if (!seen.has(key)) list.add(failure);
      seen.add(key);
    }
    return list;
  }
}

function plainName(name: string): string {
  const quoted = /^(?:(.*) )?"(.+)"$/.exec(name);
  const plain = quoted?.[2] === undefined ? name : [quoted[1], quoted[2]].filter(Boolean).join(" ");
  return (
    plain
      .replace(/^\[\d+\] /, "")
      .replace(/ at \S.*:\d+:\d+\)$|\s+(?:---|\[[\d.]+ ?m?s\]|\([\d.]+ ?m?s\))$/, "")
      // karma puts the browser first.
      .replace(/^[A-Z][\w ]* [\d.]+ \([^()]*\) (?=\S)/, "")
      .trim()
  );
}

/** Counts that a runner leaves out follow from the rest. */
function wholeCounts(counts: Counted["fields"], total: number | undefined) {
  const { passed, failed, errors = 0, skipped = 0, todo = 0 } = counts;
  const rest = (n: number) => Math.max(0, (total ?? 0) - n - errors - skipped - todo);
  return countsOf({
    passed: passed ?? (total === undefined ? null : rest(failed ?? 0)),
    failed: failed ?? (total === undefined || passed === undefined ? 0 : rest(passed)),
    errors,
    skipped,
    todo,
  });
}
