import { Crash } from "../crash.ts";
import { ownFrame, whereOf } from "../place.ts";
import { countsOf, Excerpt, SummaryReader } from "../reading.ts";
import { tailPlace } from "./tap.ts";

interface MochaFailure {
  readonly titles: string[];
  readonly lines: string[];
  isNamed: boolean;
}

const maxLines = 80;
const total = /^ +(\d+) (passing|pending|failing)(?: \(\d+(?:\.\d+)?(?:ms|s|m|h|d)\))?$/;
const heading = /^ {2}(\d+)\) (.*)$/;

export class MochaReader extends SummaryReader {
  private readonly crash = new Crash(this.scene.cwd);
  private pending: Record<string, number> | null = null;
  private open: MochaFailure | null = null;
  private listed = 0;
  private hasCrashed = false;

  line(text: string): void {
    const match = text.charCodeAt(0) === 0x20 && text.length < 60 ? total.exec(text) : null;
    const head = this.pending === null ? null : heading.exec(text);
    if (match?.[2] !== undefined) this.total(match[2], Number(match[1]), text);
    // mocha numbers its list without gaps; any other number is the program's.
    else if (head !== null && Number(head[1]) === this.listed + 1) this.start(head[2] ?? "");
    else if (this.open !== null) this.addLine(this.open, text);
    else {
      this.hasCrashed ||= text.startsWith(" Exception during run:");
      this.isEmpty ||= text.startsWith("Error: No test files found");
      if (this.hasCrashed) this.crash.line(text);
    }
  }

  private total(word: string, count: number, text: string): void {
    if (word === "passing") {
      if (!text.endsWith(")")) return;
      this.close();
      this.say();
      this.pending = {};
      this.listed = 0;
    }
    if (this.pending !== null) this.pending[word] = count;
  }

  private say(): void {
    if (this.pending === null) return;
    const { passing = 0, pending = 0, failing = 0 } = this.pending;
    this.summaries.say(countsOf({ passed: passing, failed: failing, skipped: pending, errors: 0 }));
    this.pending = null;
  }

  private start(title: string): void {
    this.close();
    this.listed++;
    this.open = { titles: [], lines: [], isNamed: false };
    this.addLine(this.open, title);
  }

  /** Groups stand one below the other, down to the test, whose line ends with a colon. */
  private addLine(open: MochaFailure, text: string): void {
    if (open.isNamed) {
      if (open.lines.length < maxLines) open.lines.push(text.slice(0, 600));
      return;
    }
    const name = text.trim();
    open.isNamed = name.endsWith(":") || open.titles.length > 20;
    if (name !== "") open.titles.push(open.isNamed ? name.replace(/:$/, "") : name);
  }

  private close(): void {
    const open = this.open;
    this.open = null;
    if (open === null) return;
    const excerpt = new Excerpt();
    let isMessage = true;
    for (const line of open.lines) {
      isMessage &&= !/^ +at |^ +\+ expected - actual/.test(line);
      if (isMessage) excerpt.err(line.replace(/^ {5,6}/, ""));
      else if (line.trim() !== "" && !line.includes("(node:")) excerpt.ctx(line);
    }
    const { error, context } = excerpt;
    const place = ownFrame(open.lines, this.scene.cwd) ?? tailPlace(error.split("\n", 1)[0] ?? "", this.scene.cwd);
    const test = open.titles.join(" ");
    this.list.add({ kind: "test", test, ...whereOf(place), error: error || test, context });
  }

  end() {
    this.close();
    this.say();
    const crash = this.hasCrashed ? this.crash.take(null) : null;
    if (crash !== null) this.list.add(crash);
    const isUnseen = this.summaries.last === null && !this.isEmpty;
    return this.reading({
      isSeen: !isUnseen || this.hasCrashed,
      ...(isUnseen && crash !== null ? { counts: countsOf({ errors: 1 }) } : {}),
    });
  }
}
