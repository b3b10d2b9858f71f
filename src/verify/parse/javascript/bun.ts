import { localPath, missingPackage, ownFrame, type Place } from "../place.ts";
import { countsOf, Excerpt, excerptOf, type Failure, SummaryReader } from "../reading.ts";

const result = /^(?:\((pass|fail|skip|todo)\)|([✓✗»✎])) (.*)$/;
const time = / \[\d+(?:\.\d+)?m?s\]$/;
const total = /^ ?(\d+) (pass|fail|skip|todo|errors?|filtered out|snapshots?.*|expect\(\) calls)$/;
const ran = /^Ran (\d+) tests? across \d+ files?\. +\[\d+(?:\.\d+)?m?s\]/;
const fileHeading = /^(\S.*\.[cm]?[jt]sx?):$/;
const thrown = /^(?:error|[A-Z]\w*(?:Error|Exception)?): /;
const maxBuffer = 80;

export class BunReader extends SummaryReader {
  private file: string | null = null;
  private buffer: string[] = [];
  private totals: Record<string, number> = {};
  private timedOut: string | null = null;
  private isUnhandled = false;

  line(text: string): void {
    const first = text.charCodeAt(0);
    const match = first === 0x28 || first > 0x2000 || first === 0xbb ? result.exec(text) : null;
    if (match?.[3] !== undefined) this.result(match[1] ?? match[2] ?? "", match[3]);
    else if (this.timedOut !== null && this.late(text)) return;
    else if ((first === 0x20 || (first >= 0x30 && first <= 0x39)) && this.total(text)) return;
    else if (first === 0x52 && ran.test(text)) this.ran();
    else if (!this.heading(text)) {
      if (this.buffer.length >= maxBuffer) this.buffer.shift();
      this.buffer.push(text.slice(0, 600));
    }
  }

  private heading(text: string): boolean {
    if (text.startsWith("bun test v")) this.isSeen = true;
    else if (
      /^(?:No tests found!|The following filters did not match any test files:|error: regex .* matched 0 tests)/.test(
        text,
      )
    ) {
      this.isEmpty = true;
      this.isSeen = true;
    } else if (text === "# Unhandled error between tests") this.isUnhandled = true;
    else if (this.isUnhandled && text.startsWith("-----")) {
      if (this.buffer.some((line) => line !== "")) this.unhandled();
    } else if (fileHeading.test(text)) {
      this.file = localPath(this.scene.cwd, text.slice(0, -1));
      this.buffer = [];
    } else return false;
    return true;
  }

  private result(word: string, rest: string): void {
    const name = rest.replace(time, "");
    if (word === "fail" || word === "✗") {
      const excerpt = divide(this.buffer);
      if (excerpt.errorLines.length === 0) this.timedOut = name;
      else this.add(name, excerpt, ownFrame(this.buffer, this.scene.cwd), "test");
    }
    this.buffer = [];
  }

  /** A failed test without an error above it may give the reason below. */
  private late(text: string): boolean {
    const name = this.timedOut;
    this.timedOut = null;
    const excerpt = new Excerpt();
    const isReason = text.startsWith("  ^ ");
    excerpt.err(isReason ? text.slice(4) : (name ?? ""));
    this.add(name, excerpt, null, "test");
    return isReason;
  }

  private unhandled(): void {
    const excerpt = divide(this.buffer);
    const error = excerpt.errorLines.join("\n");
    const from = /from '([^']+)'/.exec(error.slice(0, 1000))?.[1];
    const frame = ownFrame(this.buffer, this.scene.cwd);
    const place = frame ?? (from === undefined ? null : { file: localPath(this.scene.cwd, from), line: null });
    const isSyntax = /^(?:SyntaxError|error: (?:Unexpected|Expected|Syntax))/.test(error);
    const kind = missingPackage(error) !== null ? "missing" : isSyntax ? "build" : "test";
    this.add(this.file, excerpt, place, kind);
    this.isUnhandled = false;
    this.buffer = [];
  }

  private add(test: string | null, { error, context }: Excerpt, place: Place | null, kind: Failure["kind"]): void {
    this.list.add({ kind, test, file: place?.file ?? this.file, line: place?.line ?? null, error, context });
  }

  private total(text: string): boolean {
    const match = total.exec(text);
    if (match?.[2] === undefined) return false;
    if (match[2] === "pass") this.totals = {};
    this.totals[match[2] === "error" ? "errors" : match[2]] = Number(match[1]);
    return true;
  }

  private ran(): void {
    const { pass = 0, fail, errors = 0, skip = 0, todo = 0 } = this.totals;
    this.totals = {};
    this.buffer = [];
    if (fail === undefined) return;
    this.isSeen = true;
    this.summaries.say(countsOf({ passed: pass, failed: fail, errors, skipped: skip, todo }));
  }

  end() {
    if (this.timedOut !== null) this.late("");
    return this.reading();
  }
}

/** The code frame, the error and the trace; what the program printed before is left out. */
function divide(lines: readonly string[]): Excerpt {
  const caret = lines.findLastIndex((line) => /^ +\^$/.test(line));
  const after = lines.findIndex((line, at) => at > caret && thrown.test(line));
  const start = after >= 0 ? after : lines.findLastIndex((line) => thrown.test(line));
  if (start < 0) return new Excerpt();
  const excerpt = excerptOf(lines.slice(start), /^ +at /);
  let from = caret;
  while (from > 0 && /^ *\d+ \| /.test(lines[from - 1] ?? "")) from--;
  for (const line of lines.slice(Math.max(from, 0), Math.max(caret + 1, 0))) excerpt.ctx(line);
  return excerpt;
}
