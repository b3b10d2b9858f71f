import { firstPlace, localPath, missingPackage, ownFrame, type Place, placeAt } from "../place.ts";
import { countsOf, type Excerpt, excerptOf, type Failure, SummaryReader } from "../reading.ts";

interface VitestFailures {
  /** Tests that failed in the same way are listed together. */
  readonly names: string[];
  readonly lines: string[];
}

const maxLines = 80;
const part = /^(\d+) (failed|passed|skipped|todo|errors?)$/;
const files = /^ Test Files {2}\S/;
const tests = /^ {6}Tests {2}(\S.*)$/;
const errors = /^ {5}Errors {2}(\d+) errors?/;
const done = /^ {3}Duration {2}\S/;
const esbuildPlace = /^ *(?:File: )?(\/?[^\s:][^:]*):(\d+):\d+(?:: ERROR: |$)/;

export class VitestReader extends SummaryReader {
  private root = "";
  private open: VitestFailures | null = null;
  /** A summary counts only when it is complete, down to the duration. */
  private pending: Record<string, number> | null = null;
  private brokenSuites = 0;
  private hasContradiction = false;

  line(text: string): void {
    if (text.charCodeAt(0) === 0x20 && this.structure(text)) return;
    if (text.startsWith("⎯⎯")) this.rail(text);
    else if (text.startsWith("No test files found")) {
      this.isEmpty = true;
      this.isSeen = true;
    } else if (this.open !== null && this.open.lines.length < maxLines) this.open.lines.push(text.slice(0, 600));
  }

  private structure(text: string): boolean {
    if (text.startsWith(" FAIL  ")) {
      this.fail(text.slice(7).trim());
      return true;
    }
    if (text.startsWith(" RUN  v")) {
      this.isSeen = true;
      this.root = text.slice(text.indexOf(" ", 7) + 1).trim();
      return true;
    }
    if (files.test(text)) {
      this.close();
      this.pending = {};
      return true;
    }
    return this.pending !== null && this.summary(this.pending, text);
  }

  private summary(pending: Record<string, number>, text: string): boolean {
    const match = tests.exec(text);
    if (match?.[1] !== undefined) {
      const parts = partsOf(match[1]);
      if (parts !== null) Object.assign(pending, parts, { isCounted: 1 });
      return true;
    }
    const broken = errors.exec(text);
    if (broken !== null) pending.errors = Number(broken[1]);
    if (!done.test(text) || pending.isCounted === undefined) return broken !== null;
    this.pending = null;
    const { passed = 0, failed = 0, skipped = 0, todo = 0, total = 0 } = pending;
    if (passed + failed + skipped + todo !== total) this.hasContradiction = true;
    const counts = { passed, failed, skipped, todo, errors: (pending.errors ?? 0) + this.brokenSuites };
    this.summaries.say(countsOf(counts));
    this.brokenSuites = 0;
    return true;
  }

  private fail(title: string): void {
    this.isSeen = true;
    if (this.open === null || this.open.lines.length > 0) this.close();
    this.open ??= { names: [], lines: [] };
    this.open.names.push(title.replace(/^\|[^|]+\| /, ""));
  }

  /** `⎯⎯⎯ Uncaught Exception ⎯⎯⎯` opens a block without a test; any other rail ends one. */
  private rail(text: string): void {
    this.close();
    const title = text.replace(/⎯+/g, "").trim();
    if (/^(?:Uncaught Exception|Unhandled Rejection|Unhandled Error)$/.test(title))
      this.open = { names: [], lines: [] };
  }

  private close(): void {
    const open = this.open;
    this.open = null;
    if (open === null || (open.names.length === 0 && open.lines.length === 0)) return;
    const { error, context } = divide(open.lines);
    const { cwd } = this.scene;
    const transformed = (line: string) => placeAt(esbuildPlace.exec(line), cwd);
    const place = ownFrame(open.lines, cwd) ?? firstPlace(open.lines, transformed);
    const shared = { error, context };
    if (open.names.length === 0) this.list.add({ kind: "test", test: null, ...this.inside(place, null), ...shared });
    for (const title of open.names) {
      const cut = title.indexOf(" > ");
      const isSuite = cut < 0;
      if (isSuite) this.brokenSuites++;
      const file = isSuite ? (title.split(" [ ", 1)[0] ?? title) : title.slice(0, cut);
      const test = isSuite ? file : title.slice(cut + 3);
      this.list.add({ kind: isSuite ? suiteKind(error) : "test", test, ...this.inside(place, file), ...shared });
    }
  }

  /** vitest's paths are relative to its root, which may lie below the command's folder. */
  private inside(place: Place | null, file: string | null): { file: string | null; line: number | null } {
    const raw = place?.file ?? file;
    if (raw === null) return { file: null, line: null };
    const root = localPath(this.scene.cwd, this.root);
    const isBelow = root !== "" && !root.startsWith("/") && root !== this.scene.cwd;
    const path = isBelow && !raw.startsWith("/") && !raw.startsWith(`${root}/`) ? `${root}/${raw}` : raw;
    return { file: localPath(this.scene.cwd, path), line: place?.line ?? null };
  }

  end() {
    this.close();
    return this.reading({
      isSeen: this.isSeen || this.summaries.last !== null,
      isContradictory: this.hasContradiction || this.summaries.isContradictory,
    });
  }
}

/** `4 failed | 1 passed (5)`; a line without the number in brackets was cut off. */
function partsOf(text: string): Record<string, number> | null {
  if (text.trim() === "no tests") return { total: 0 };
  const open = text.lastIndexOf(" (");
  const total = /^ \((\d+)\)$/.exec(text.slice(open).trimEnd());
  if (open < 0 || total === null) return null;
  const found: Record<string, number> = { total: Number(total[1]) };
  for (const one of text.slice(0, open).split(" | ")) {
    const match = part.exec(one.trim());
    if (match?.[2] === undefined) return null;
    found[match[2]] = Number(match[1]);
  }
  return found;
}

function divide(lines: readonly string[]): Excerpt {
  const end = lines.findIndex((line) => line.startsWith("This error originated in"));
  const own = end < 0 ? lines : lines.slice(0, end);
  return excerptOf(own, /^ ❯ |^\s*\d+\| |^Caused by: /, (line) => !line.includes("node_modules/"));
}

function suiteKind(error: string): Failure["kind"] {
  if (missingPackage(error) !== null) return "missing";
  return /SyntaxError|Transform failed|PARSE_ERROR|Parse failure|Unexpected token/.test(error) ? "build" : "test";
}
