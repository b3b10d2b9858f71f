import type { VerificationCounts } from "../../contract/verification.ts";
import { Crash } from "./crash.ts";
import { indentOf } from "./lines.ts";
import { isForeign, localPath, ownFrame, type Place, placeOf } from "./place.ts";
import type { Scene } from "./reading.ts";
import {
  brokenIn,
  clipContext,
  clipError,
  countsOf,
  type Failure,
  FailureList,
  type Reader,
  type Reading,
} from "./reading.ts";

interface Point {
  readonly depth: number;
  readonly title: string;
  readonly path: readonly string[];
  readonly lines: string[];
  /** What a file printed before it could not even be loaded. */
  readonly crash: Failure | null;
}

const point = /^(not )?ok (\d+)(?: -)?(?: (.*))?$/;
const totals = /^(tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) (\d+(?:\.\d+)?)$/;
const maxPointLines = 60;

/** TAP 13 and 14: node:test, mocha, vitest, and whatever else writes it. */
export class TapReader implements Reader {
  private readonly scene: Scene;
  private readonly list = new FailureList();
  private readonly path: string[] = [];
  private readonly tally = { passed: 0, failed: 0, skipped: 0, todo: 0 };
  private said: Record<string, number> = {};
  private readonly crash: Crash;
  private open: Point | null = null;
  private plan: number | null = null;
  private top = 0;
  private isSeen = false;
  private hasSubtests = false;
  private braces = 0;
  private isBailed = false;
  private saidBroken = false;

  constructor(scene: Scene) {
    this.scene = scene;
    this.crash = new Crash(scene.cwd);
  }

  line(text: string): void {
    const indent = indentOf(text);
    const body = indent === 0 ? text : text.slice(indent);
    const first = body.charCodeAt(0);
    if ((first === 0x6f || first === 0x6e) && this.point(body, indent)) return;
    if (first === 0x7d && body === "}") this.braces--;
    if (first === 0x23) {
      this.comment(body, indent);
      return;
    }
    if (indent === 0 && first === 0x31 && body.startsWith("1..")) this.plan = planOf(body) ?? this.plan;
    else if (indent === 0 && body.startsWith("TAP version ")) this.isSeen = true;
    else if (indent === 0 && body.startsWith("Bail out!")) this.isBailed = true;
    else if (this.open !== null && this.open.lines.length < maxPointLines) {
      if (indent > this.open.depth || body === "") this.open.lines.push(text.slice(this.open.depth, 500));
    }
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
      this.open = { depth: indent, title, path: this.path.slice(0, Math.floor(depth)), lines: [], crash };
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
    const match = indent === 0 ? totals.exec(body.slice(2)) : null;
    if (match?.[1] === undefined) return;
    if (match[1] === "tests") {
      this.saidBroken ||= (this.said.fail ?? 0) + (this.said.cancelled ?? 0) > 0;
      this.said = {};
    }
    this.said[match[1]] = Number(match[2]);
  }

  /** A point is only told to its end when the next one begins. */
  private flush(): void {
    const open = this.open;
    this.open = null;
    if (open === null || open.lines.some((line) => line.includes("failureType: 'subtestsFailed'"))) return;
    this.tally.failed++;
    if (open.crash !== null && open.lines.some((line) => /^ *error: 'test failed'/.test(line))) {
      this.list.add({ ...open.crash, test: localPath(this.scene.cwd, open.title) });
      return;
    }
    const diagnosis = diagnose(open.lines, this.scene.cwd);
    const path = [...open.path, open.title];
    const isFile = path.length > 1 && /\.[cm]?[jt]sx?$/.test(path[0] ?? "");
    const flat = !isFile && / > /.test(open.title) && /^\S+\.[cm]?[jt]sx? > /.test(open.title);
    const test = flat ? open.title.slice(open.title.indexOf(" > ") + 3) : (isFile ? path.slice(1) : path).join(" > ");
    const file = diagnosis.place?.file ?? (isFile ? localPath(this.scene.cwd, path[0] ?? "") : null);
    const error = diagnosis.error || open.title;
    this.list.add({ kind: "test", test, file, line: diagnosis.place?.line ?? null, error, context: diagnosis.context });
  }

  end(): Reading {
    this.flush();
    const isTotalled = this.said.tests !== undefined && this.said.pass !== undefined && this.said.fail !== undefined;
    const isPlanned = this.plan !== null && this.top === this.plan;
    const counts = isTotalled ? this.saidCounts() : countsOf(this.tally);
    // node goes on after its plan, with the totals, down to the time it took; vitest ends with its last point.
    const isClosed = this.isSeen && this.braces === 0 && !this.scene.isOpenEnded;
    const isWhole = this.hasSubtests ? this.said.duration_ms !== undefined : isTotalled || isClosed;
    const hidden = brokenIn(counts) === 0 && (this.tally.failed > 0 || this.saidBroken);
    return {
      isSeen: this.isSeen || this.top > 0,
      isComplete: isWhole && isPlanned && !this.isBailed,
      counts,
      failures: this.list,
      isEmpty: this.plan === 0,
      isContradictory: hidden,
      passedUncounted: false,
    };
  }

  private saidCounts(): VerificationCounts {
    const { pass = 0, fail = 0, cancelled = 0 } = this.said;
    return countsOf({
      passed: pass,
      failed: fail,
      errors: cancelled,
      skipped: this.said.skipped ?? this.tally.skipped,
      todo: this.said.todo ?? this.tally.todo,
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
  readonly context: string;
  readonly place: Place | null;
}

/** The YAML below a point, or the bare text that mocha puts there. */
function diagnose(lines: readonly string[], cwd: string): Diagnosis {
  const start = lines.findIndex((line) => line.trim() === "---");
  if (start < 0) return bareDiagnosis(lines, cwd);
  const fields = yaml(lines.slice(start + 1));
  const stack = fields.get("stack")?.split("\n") ?? [];
  const said = fields.get("at") ?? fields.get("location");
  const place =
    ownFrame(
      stack.map((line) => (line.includes("(") ? line : `at ${line}`)),
      cwd,
    ) ?? placeOf(said ?? "", cwd);
  const name = fields.get("name");
  const message = fields.get("error") || fields.get("message") || "";
  const error = name !== undefined && !message.startsWith(name) ? `${name}: ${message}` : message;
  return { error: clipError(error), context: clipContext(stack.filter((line) => !line.includes("node:"))), place };
}

function bareDiagnosis(lines: readonly string[], cwd: string): Diagnosis {
  const isFrame = (line: string) => /^\s+at /.test(line);
  const place = ownFrame(lines.filter(isFrame), cwd) ?? tailPlace(lines[0] ?? "", cwd);
  const message = lines.filter((line) => !isFrame(line)).map((line) => line.replace(/^ {2}/, ""));
  const own = lines.filter((line) => isFrame(line) && !line.includes("(node:"));
  return { error: clipError(message), context: clipContext(own), place };
}

/** mocha's time-outs have no frame of the project, but name the file at their end. */
export function tailPlace(message: string, cwd: string): Place | null {
  const match = /\((\/[^()]+)\)$/.exec(message.slice(-500).trimEnd());
  const file = match?.[1] === undefined ? null : localPath(cwd, match[1]);
  return file === null || isForeign(file) ? null : { file, line: null };
}

/** As much of YAML as diagnostics use: `key: value`, `key: |-`, and nested maps flattened by their last key. */
function yaml(lines: readonly string[]): Map<string, string> {
  const fields = new Map<string, string>();
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? "";
    const match = /^( *)([\w-]+):(?: (.*))?$/.exec(line);
    if (match?.[2] === undefined) continue;
    const value = match[3] ?? "";
    if (!/^[|>]-?$/.test(value)) {
      if (value !== "" && !fields.has(match[2])) fields.set(match[2], unquoted(value));
      continue;
    }
    const depth = (match[1]?.length ?? 0) + 2;
    const block: string[] = [];
    while (at + 1 < lines.length && (indentOf(lines[at + 1] ?? "") >= depth || lines[at + 1]?.trim() === "")) {
      block.push((lines[++at] ?? "").slice(depth));
    }
    fields.set(match[2], block.join("\n").trim());
  }
  return fields;
}

function unquoted(value: string): string {
  if (value.startsWith("'") && value.endsWith("'") && value.length > 1) return value.slice(1, -1).replaceAll("''", "'");
  if (!value.startsWith('"') || !value.endsWith('"') || value.length < 2) return value;
  return value.slice(1, -1).replaceAll('\\"', '"').replaceAll("\\n", "\n").replaceAll("\\\\", "\\");
}
