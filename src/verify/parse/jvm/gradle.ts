import { firstPlace, type Place } from "../place.ts";
import { countsOf } from "../reading.ts";
import { JvmReader, javaFile } from "./java.ts";

const task = /^(?:> Task )?(:[\w:.-]+)(?: (FAILED|UP-TO-DATE|NO-SOURCE|FROM-CACHE|SKIPPED))?$/;
const testTask = /(?:^|:)\w*[tT]est$/;
const failed = /^(\S.* > .*\S) FAILED$/;
const shortPlace = /^ +([\w.$]+) at ([\w$-]+\.(?:java|kt|groovy|scala)):(\d+)$/;
const completed = /^(\d+) tests? completed(?:, (\d+) failed)?(?:, (\d+) skipped)?$/;
const built = /^BUILD (SUCCESSFUL|FAILED) in /;

export class GradleReader extends JvmReader {
  private ran = 0;
  private skippedTasks = 0;
  private isBuilt: boolean | null = null;

  line(text: string): void {
    const first = text.charCodeAt(0);
    if (this.open !== null) {
      if (first === 0x20 || first === 0x09) {
        this.addLine(this.open, text);
        return;
      }
      this.close(this.shortPlace);
    }
    if (first === 0x3e || first === 0x3a) this.task(text);
    else if (first === 0x42) this.built(built.exec(text)?.[1]);
    else if (text.endsWith(" FAILED")) this.fail(failed.exec(text)?.[1]);
    else if (first >= 0x30 && first <= 0x39) this.total(completed.exec(text));
    else this.compiled(text);
  }

  private task(text: string): void {
    const match = task.exec(text);
    if (match?.[1] === undefined) {
      this.glued(text);
      return;
    }
    this.endCompile();
    this.isSeen = true;
    if (!testTask.test(match[1])) return;
    if (match[2] === "NO-SOURCE" || match[2] === "SKIPPED") this.skippedTasks++;
    else this.ran++;
  }

  /** Old versions leave the line open, so the task's output follows on it. */
  private glued(text: string): void {
    if (!text.startsWith(":")) return;
    this.isSeen = true;
    if (/^:(?:[\w-]+:)*test(?!Classes)/.test(text)) this.ran++;
    const path = text.indexOf("/");
    if (path > 0) this.compiled(text.slice(path));
  }

  private built(word: string | undefined): void {
    if (word === undefined) return;
    this.endCompile();
    this.isSeen = true;
    this.isBuilt = word === "SUCCESSFUL" && this.isBuilt !== false;
  }

  private fail(test: string | undefined): void {
    if (test === undefined || test.startsWith("> Task")) return;
    this.endCompile();
    this.open = { test, lines: [] };
  }

  private total(match: RegExpExecArray | null): void {
    const [all = 0, bad = 0, skipped = 0] = match?.slice(1).map((one) => Number(one ?? 0)) ?? [];
    if (match === null) this.endCompile();
    else this.summaries.say(countsOf({ passed: all - bad - skipped, failed: bad, errors: 0, skipped }));
  }

  /** javac's own lines; the code and the caret follow. */
  private compiled(text: string): void {
    const isError = text.startsWith("e: ") || text.includes(": error: ");
    if ((isError && this.startCompile(text)) || this.compile === null) return;
    if (/^\s+(?:symbol|location|required|found|reason): /.test(text)) this.compile.excerpt.err(text.trimEnd());
    else if (/^\s/.test(text)) this.compile.excerpt.ctx(text);
    else this.endCompile();
  }

  protected override shown(line: string): string {
    return line.trim();
  }

  private readonly shortPlace = (lines: readonly string[], test: string): Place | null =>
    firstPlace(lines, (line) => {
      const match = shortPlace.exec(line);
      const group = test.split(" > ", 1)[0] ?? "";
      return match?.[2] ? { file: javaFile(`${group}.x`, match[2], this.scene), line: Number(match[3]) } : null;
    });

  end() {
    this.close(this.shortPlace);
    this.endCompile();
    const isUnbuilt = this.compileErrors > 0 && this.summaries.last === null;
    const isTest = !/\b(?:assemble|compile\w*|classes|build\b.*-x test)\b/.test(this.scene.command);
    const isGood = this.isBuilt === true && this.list.total === 0;
    return this.reading({
      isComplete: this.isBuilt !== null,
      ...(isUnbuilt ? { counts: countsOf({ passed: 0, failed: 0, errors: this.compileErrors }) } : {}),
      isEmpty: isTest && this.isBuilt === true && this.ran === 0 && this.skippedTasks > 0,
      isContradictory: this.isBuilt === true && this.list.total > 0,
      passedUncounted: isGood && (!isTest || this.ran > 0),
    });
  }
}
