import { Crash } from "../crash.ts";
import { indentOf } from "../lines.ts";
import { localPath, ownFrame, placeOf, whereOf } from "../place.ts";
import { countsOf, excerptOf, type Failure, SummaryReader } from "../reading.ts";

interface Failed {
  readonly title: string;
  readonly path: readonly string[];
  readonly indent: number;
  lines: string[];
  at: string | null;
  crash: Failure | null;
}

const maxLines = 60;
const marker = /^( *)([✔✖﹣▶⚠]) (.*)$/;
const time = / \(\d+(?:\.\d+)?ms\)/;
const total = /^ℹ (tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) (\d+(?:\.\d+)?)$/;

export class NodeSpecReader extends SummaryReader {
  private readonly crash = new Crash(this.scene.cwd);
  private readonly failed: Failed[] = [];
  private readonly unlisted = new Map<string, Failed[]>();
  private path: string[] = [];
  private totals: Record<string, number> = {};
  private open: Failed | null = null;
  private isListing = false;
  private at: string | null = null;

  line(text: string): void {
    const first = text.charCodeAt(0);
    const match = text.charCodeAt(indentOf(text)) > 0x2000 ? marker.exec(text) : null;
    if (first === 0x2139) this.total(text);
    else if (match?.[3] !== undefined) this.mark(match[1]?.length ?? 0, match[2] ?? "", match[3]);
    else if (this.isListing && text.startsWith("test at ")) {
      this.open = null;
      this.at = text.slice(8);
    } else if (this.open !== null && (text === "" || text.startsWith(" ".repeat(this.open.indent + 1)))) {
      if (this.open.lines.length < maxLines) this.open.lines.push(text.slice(this.open.indent + 2, 600));
    } else {
      this.open = null;
      this.crash.line(text);
    }
  }

  private mark(indent: number, sign: string, rest: string): void {
    this.open = null;
    if (rest === "failing tests:") {
      this.isListing = true;
      return;
    }
    const level = indent / 2;
    const cut = time.exec(rest);
    const title = cut === null ? rest : rest.slice(0, cut.index);
    if (sign === "▶" && cut === null) {
      this.path.length = Math.min(this.path.length, level);
      this.path[level] = title;
    } else if (this.path[level] === title && !this.isListing) this.path.length = level;
    else if (sign === "✖" && cut !== null && !rest.endsWith("# TODO")) this.fail(title, indent);
  }

  private fail(title: string, indent: number): void {
    if (!this.isListing) {
      const path = this.path.slice(0, indent / 2);
      const crash = this.crash.take(null);
      this.open = { title, path, indent, lines: [], at: null, crash };
      this.failed.push(this.open);
      const same = this.unlisted.get(title);
      if (same === undefined) this.unlisted.set(title, [this.open]);
      else same.push(this.open);
      return;
    }
    const known = this.unlisted.get(title)?.shift();
    const one = known ?? { title, path: [], indent, lines: [], at: null, crash: null };
    if (known === undefined) this.failed.push(one);
    one.at = this.at;
    // Newer versions print the details only here, older ones twice.
    this.open = { ...one, indent, lines: [] };
    if (one.lines.every((line) => line === "")) one.lines = this.open.lines;
  }

  private total(text: string): void {
    this.open = null;
    const match = total.exec(text);
    if (match?.[1] === undefined) return;
    if (match[1] === "tests") this.totals = {};
    this.totals[match[1]] = Number(match[2]);
    if (match[1] !== "duration_ms" || this.totals.pass === undefined || this.totals.fail === undefined) return;
    const { pass = 0, fail = 0, cancelled = 0, skipped = 0, todo = 0 } = this.totals;
    this.summaries.say(countsOf({ passed: pass, failed: fail, errors: cancelled, skipped, todo }));
  }

  end() {
    for (const one of this.failed) {
      const failure = this.failureOf(one);
      // The dot reporter lists groups too, which fail together with their tests.
      if (!/^\d+ subtests? failed$/.test(failure.error)) this.list.add(failure);
    }
    return this.reading({ isSeen: this.summaries.last !== null || this.failed.length > 0 });
  }

  private failureOf(one: Failed): Failure {
    const { cwd } = this.scene;
    const excerpt = excerptOf(one.lines, /^ +at /, (line) => !line.includes("node:"));
    const error = excerpt.error.replace(/^'([^']*)'$/, "$1");
    const test = localPath(cwd, [...one.path, one.title].join(" > "));
    if (error === "test failed" && one.crash !== null) return { ...one.crash, test };
    const place = ownFrame(one.lines, cwd) ?? placeOf(one.at ?? "", cwd);
    return { kind: "test", test, ...whereOf(place), error: error || test, context: excerpt.context };
  }
}
