import { Crash } from "../crash.ts";
import { indentOf } from "../lines.ts";
import { frameIn, isForeign, localPath, ownFrame, type Place, placeOf, withoutForeign } from "../place.ts";
import { brokenIn, clipContext, clipError, countsOf, type Failure, SummaryReader } from "../reading.ts";

interface Point {
  readonly depth: number;
  readonly title: string;
  readonly path: readonly string[];
  readonly lines: string[];
  readonly crash: Failure | null;
  /** Closes a group with a failure inside. */
  readonly isOuter: boolean;
}

const point = /^(not )?ok (\d+)(?: -)?(?: (.*))?$/;
const totals = /^(tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) +(\d+(?:\.\d+)?)$/;
const tapTotals = /^\{ total: (?<tests>\d+), pass: (?<pass>\d+)(?:, fail: (?<fail>\d+))?.*\}$/;
const maxPointLines = 60;

/** TAP 13 and 14: node:test, mocha, vitest, and other programs that write it. */
export class TapReader extends SummaryReader {
  private readonly path: string[] = [];
  /** tape names a test in a comment and then numbers its assertions. */
  private group = "";
  private deepestFailed = 0;
  private readonly tally = { passed: 0, failed: 0, skipped: 0, todo: 0 };
  private totals: Record<string, number> = {};
  private readonly crash = new Crash(this.scene.cwd);
  private open: Point | null = null;
  private readonly ended: Point[] = [];
  private plan: number | null = null;
  private top = 0;
  private hasSubtests = false;
  private braces = 0;
  private isBailed = false;
  private sawBrokenTotals = false;

  line(text: string): void {
    const indent = indentOf(text);
    const body = indent === 0 ? text : text.slice(indent);
    const first = body.charCodeAt(0);
    if ((first === 0x6f || first === 0x6e) && this.point(body, indent)) return;
    if (first === 0x7d && body === "}") this.braces--;
    if (first === 0x23) this.comment(body, indent);
    else if (indent === 0 && first === 0x31 && body.startsWith("1..")) this.plan = planOf(body) ?? this.plan;
    else if (indent === 0 && body.startsWith("TAP version ")) this.isSeen = true;
    else if (indent === 0 && body.startsWith("Bail out!")) this.isBailed = true;
    else if (
      this.open !== null &&
      this.open.lines.at(-1)?.trim() !== "..." &&
      (indent > this.open.depth || body === "")
    ) {
      if (this.open.lines.length < maxPointLines) this.open.lines.push(text.slice(this.open.depth, 500));
    } else this.crash.line(text);
  }

  private point(body: string, indent: number): boolean {
    const match = point.exec(body);
    if (match === null || (indent > 0 && !this.isSeen && indent % 4 !== 0)) return false;
    if (indent === 0) this.top++;
    this.flush();
    const { title, directive, isParent } = titleOf(match[3] ?? "");
    const depth = indent / 4;
    this.path.length = Math.min(this.path.length, Math.floor(depth));
    if (isParent) {
      this.braces++;
      this.path[Math.floor(depth)] = title;
      return true;
    }
    if (directive === "SKIP") this.tally.skipped++;
    else if (directive === "TODO") this.tally.todo++;
    else if (match[1] === undefined) this.tally.passed++;
    else {
      const crash = this.crash.take(null);
      const isOuter = this.hasSubtests && this.deepestFailed > depth;
      this.deepestFailed = depth;
      const path = this.hasSubtests || this.group === "" ? this.path.slice(0, Math.floor(depth)) : [this.group];
      this.open = { depth: indent, title, path, lines: [], crash, isOuter };
    }
    return true;
  }

  /** `# Subtest: name` comes before its children; `# pass 3` ends the whole. */
  private comment(body: string, indent: number): void {
    if (body.startsWith("# Subtest: ")) {
      this.flush();
      this.isSeen = true;
      this.hasSubtests = true;
      const depth = Math.floor(indent / 4);
      this.path.length = Math.min(this.path.length, depth);
      this.path[depth] = body.slice(11);
      return;
    }
    this.crash.line(body.slice(2));
    const words = indent === 0 ? body.slice(2) : "";
    const tap = tapTotals.exec(words)?.groups;
    if (tap !== undefined)
      this.totals = { tests: Number(tap.tests), pass: Number(tap.pass), fail: Number(tap.fail ?? 0) };
    if (words.startsWith("time=")) this.totals.duration_ms = 0;
    const match = totals.exec(words);
    if (match?.[1] === undefined) {
      if (words !== "") this.group = words;
      return;
    }
    if (match[1] === "tests") {
      this.sawBrokenTotals ||= (this.totals.fail ?? 0) + (this.totals.cancelled ?? 0) > 0;
      this.totals = {};
    }
    this.totals[match[1]] = Number(match[2]);
  }

  /** A point is complete only when the next one begins. */
  private flush(): void {
    const open = this.open;
    this.open = null;
    if (open === null || open.isOuter || open.lines.some((line) => line.includes("failureType: 'subtestsFailed'")))
      return;
    this.tally.failed++;
    if (open.crash !== null && open.lines.some((line) => /^ *error: 'test failed'/.test(line)))
      this.list.add({ ...open.crash, test: localPath(this.scene.cwd, open.title) });
    else if (open.lines.some((line) => /^ *exitCode: [1-9]/.test(line))) this.ended.push(open);
    else this.addPoint(open);
  }

  /** The program behind the point exited; its output may stand anywhere. */
  private addEnded(): void {
    for (const open of this.ended) {
      const crash = open.crash ?? this.crash.take(null);
      if (crash === null) this.addPoint(open);
      else this.list.add({ ...crash, test: localPath(this.scene.cwd, open.title) });
    }
  }

  private addPoint(open: Point): void {
    const diagnosis = diagnose(open.lines, this.scene.cwd);
    const path = [...open.path, open.title];
    const isFile = path.length > 1 && /\.[cm]?[jt]sx?$/.test(path[0] ?? "");
    const flat = !isFile && / > /.test(open.title) && /^\S+\.[cm]?[jt]sx? > /.test(open.title);
    const test = flat ? open.title.slice(open.title.indexOf(" > ") + 3) : (isFile ? path.slice(1) : path).join(" > ");
    const file = diagnosis.place?.file ?? (isFile ? localPath(this.scene.cwd, path[0] ?? "") : null);
    // Without a message from the assertion library, the title is what was asserted.
    const hasMessage = diagnosis.error !== "" && diagnosis.error !== "failed";
    const error = hasMessage
      ? diagnosis.error
      : [open.title, diagnosis.values].filter((part) => part !== "").join("\n");
    this.list.add({ kind: "test", test, file, line: diagnosis.place?.line ?? null, error, context: diagnosis.context });
  }

  end() {
    this.flush();
    this.addEnded();
    const { tests, pass, fail, cancelled = 0, skipped = this.tally.skipped, todo = this.tally.todo } = this.totals;
    const isTotalled = tests !== undefined && pass !== undefined && fail !== undefined;
    const isPlanned = this.plan !== null && this.top === this.plan;
    const counts = countsOf(isTotalled ? { passed: pass, failed: fail, errors: cancelled, skipped, todo } : this.tally);
    // node prints the totals after its plan, down to the duration; vitest ends with its last point.
    const isClosed = this.isSeen && this.braces === 0 && !this.scene.isOpenEnded;
    const isWhole = this.hasSubtests ? this.totals.duration_ms !== undefined : isTotalled || isClosed;
    return this.reading({
      isSeen: this.isSeen || this.top > 0,
      isComplete: isWhole && isPlanned && !this.isBailed,
      counts,
      isEmpty: this.plan === 0,
      isContradictory: brokenIn(counts) === 0 && (this.tally.failed > 0 || this.sawBrokenTotals),
    });
  }
}

function planOf(body: string): number | null {
  const match = /^1\.\.(\d+)(?: #.*)?$/.exec(body);
  return match === null ? null : Number(match[1]);
}

function titleOf(rest: string): { title: string; directive: string | null; isParent: boolean } {
  const isParent = rest.endsWith(" {");
  const text = isParent ? rest.slice(0, -2) : rest;
  const directive = / # (SKIP|TODO|time=)/i.exec(text);
  const title = directive === null ? text : text.slice(0, directive.index);
  const word = directive?.[1]?.toUpperCase() ?? null;
  return { title: title.trimEnd(), directive: word === "SKIP" || word === "TODO" ? word : null, isParent };
}

interface Diagnosis {
  readonly error: string;
  readonly values: string;
  readonly context: string;
  readonly place: Place | null;
}

function diagnose(lines: readonly string[], cwd: string): Diagnosis {
  const start = lines.findIndex((line) => line.trim() === "---");
  if (start < 0) return bareDiagnosis(lines, cwd);
  const fields = yaml(lines.slice(start + 1));
  const stack = (fields.get("stack")?.split("\n") ?? []).map((line) =>
    /^\s*at |^\S+: |^\w*Error/.test(line) ? line : `    at ${line.trim()}`,
  );
  const at = fields.get("at") ?? fields.get("location") ?? "";
  const found = ownFrame(stack, cwd) ?? frameIn(`at ${at}`, cwd) ?? placeOf(at, cwd);
  const place = found === null || isForeign(found.file) ? null : found;
  const name = fields.get("name");
  const message = fields.get("error") || fields.get("message") || "";
  const text = message !== "" && name !== undefined && !message.startsWith(name) ? `${name}: ${message}` : message;
  const own = withoutForeign(stack, cwd).filter((line) => !line.includes("node:"));
  return { error: clipError(text), values: valuesIn(fields), context: clipContext(own), place };
}

function valuesIn(fields: ReadonlyMap<string, string>): string {
  const names = [...fields.keys()].filter((name) =>
    /^(?:expected|actual|wanted|found|diff|Difference|Value)\b/.test(name),
  );
  return names.map((name) => `${name.replace(/:$/, "")}: ${fields.get(name)}`).join("\n");
}

function bareDiagnosis(lines: readonly string[], cwd: string): Diagnosis {
  const isFrame = (line: string) => /^\s+at /.test(line);
  const place = ownFrame(lines.filter(isFrame), cwd) ?? tailPlace(lines[0] ?? "", cwd);
  const message = lines.filter((line) => !isFrame(line)).map((line) => line.replace(/^ {2}/, ""));
  const own = withoutForeign(lines.filter(isFrame), cwd);
  return { error: clipError(message), values: "", context: clipContext(own), place };
}

/** mocha's timeouts have no frame of the project, but end with the file's name. */
export function tailPlace(message: string, cwd: string): Place | null {
  const match = /\((\/[^()]+)\)$/.exec(message.slice(-500).trimEnd());
  const file = match?.[1] === undefined ? null : localPath(cwd, match[1]);
  return file === null || isForeign(file) ? null : { file, line: null };
}

/** The part of YAML that diagnostics use: `key: value`, `key: |-`, and nested maps flattened by their last key. */
function yaml(lines: readonly string[]): Map<string, string> {
  const fields = new Map<string, string>();
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? "";
    const match = /^( *)(?:([\w-]+)|'([^']+)') *:(?: (.*))?$/.exec(line);
    const key = match?.[2] ?? match?.[3];
    if (match === null || key === undefined) continue;
    const value = match[4] ?? "";
    if (!/^[|>][-+]?$/.test(value)) {
      if (value !== "" && !fields.has(key)) fields.set(key, unquoted(value));
      continue;
    }
    const depth = (match[1]?.length ?? 0) + 2;
    const block: string[] = [];
    while (at + 1 < lines.length && (indentOf(lines[at + 1] ?? "") >= depth || lines[at + 1]?.trim() === "")) {
      block.push((lines[++at] ?? "").slice(depth));
    }
    fields.set(key, block.join("\n").trim());
  }
  return fields;
}

function unquoted(value: string): string {
  if (value.startsWith("'") && value.endsWith("'") && value.length > 1) return value.slice(1, -1).replaceAll("''", "'");
  if (!value.startsWith('"') || !value.endsWith('"') || value.length < 2) return value;
  return value.slice(1, -1).replaceAll('\\"', '"').replaceAll("\\n", "\n").replaceAll("\\\\", "\\");
}
