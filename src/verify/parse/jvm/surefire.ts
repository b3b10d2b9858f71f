import { addCounts, clipError, countsOf } from "../reading.ts";
import { JvmReader } from "./java.ts";

const total = /^Tests run: (\d+), Failures: (\d+), Errors: (\d+), Skipped: (\d+)$/;
const broken = /^(\S.*?)(?: --)? {1,2}Time elapsed: .* <<< (?:FAILURE|ERROR)!$/;
const level = /^\[(INFO|ERROR|WARNING|DEBUG)\] ?/;

export class SurefireReader extends JvmReader {
  private modules = countsOf({});
  private isResults = false;
  private sawResults = false;
  private isBuilt: boolean | null = null;

  line(text: string): void {
    const match = text.charCodeAt(0) === 0x5b ? level.exec(text) : null;
    if (match !== null) this.log(text.slice(match[0].length).trimEnd(), match[1] === "ERROR", text);
    else if (this.open !== null) {
      if (text === "") this.close();
      else this.addLine(this.open, text);
    } else if (this.compile !== null) {
      if (/^\s+\S/.test(text)) this.compile.excerpt.err(text.trimEnd());
      else this.endCompile();
    }
  }

  private log(body: string, isError: boolean, raw: string): void {
    this.close();
    this.endCompile();
    if (body === "Results:") {
      this.isResults = true;
      this.isSeen = true;
    } else if (body === "BUILD SUCCESS" || body === "BUILD FAILURE") this.isBuilt = body === "BUILD SUCCESS";
    else if (body === "No tests to run." || body.startsWith("No tests were executed")) this.isEmpty = true;
    else if (body.startsWith("Scanning for projects")) this.isSeen = true;
    else if (body.startsWith("Tests run:")) this.total(body);
    else if (isError) this.error(body, raw);
  }

  private total(body: string): void {
    const match = total.exec(body);
    if (match === null) return;
    const [run = 0, failed = 0, errors = 0, skipped = 0] = match.slice(1).map(Number);
    const counts = countsOf({ passed: run - failed - errors - skipped, failed, errors, skipped });
    this.isSeen = true;
    if (this.isResults) {
      this.modules = addCounts(this.modules, counts);
      this.sawResults = true;
    } else this.summaries.say(counts);
    this.isResults = false;
  }

  private error(body: string, raw: string): void {
    const match = body.includes("<<< ") && body.length < 2000 ? broken.exec(body) : null;
    if (match?.[1] !== undefined) {
      this.isSeen = true;
      this.open = { test: nameOf(match[1]), lines: [] };
    } else if (!this.startCompile(raw) && body.startsWith("The forked VM terminated"))
      this.list.add({ kind: "test", test: null, file: null, line: null, error: clipError(body), context: "" });
  }

  end() {
    this.close();
    this.endCompile();
    const counts = this.sawResults ? this.modules : this.summaries.last;
    // With -q the last line is missing: Surefire's own totals, or its reports, have to do.
    const isQuiet = /(?:^|\s)(?:-q|--quiet)(?:\s|$)/.test(this.scene.command);
    const isBuildBroken = this.compileErrors > 0;
    const uncounted = isBuildBroken
      ? { passed: 0, failed: 0, errors: this.compileErrors }
      : this.isEmpty
        ? { passed: 0, failed: 0 }
        : {};
    return this.reading({
      isSeen: this.isSeen || this.isBuilt !== null || counts !== null || this.list.total > 0,
      isComplete: this.isBuilt !== null || (isQuiet && (counts !== null || isBuildBroken)),
      counts: counts ?? countsOf(uncounted),
      isEmpty: this.isEmpty && counts === null,
      isContradictory: this.isBuilt === true && this.list.total > 0,
    });
  }
}

/** Older versions write `method(package.Class)`. */
function nameOf(title: string): string {
  const match = /^(\S+)\(([\w.$]+\.[\w$]+)\)$/.exec(title);
  return match === null ? title : `${match[2]}.${match[1]}`;
}
