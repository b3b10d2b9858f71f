import { parsedJson } from "../../../contract/json.ts";
import type { VerificationCounts } from "../../../contract/verification.ts";
import { numberIn, textIn } from "../json.ts";
import { firstPlace, localPath, type Place, placeAt, whereOf } from "../place.ts";
import { addCounts, clipError, countsOf, Excerpt, SummaryReader } from "../reading.ts";
import { arrow, CargoBuild } from "./cargo-build.ts";

interface Target {
  readonly expected: number;
  result: VerificationCounts | null;
  measured: number;
}

const started = /^running (\d+) tests?$/;
const result =
  /^test result: (ok|FAILED)\. (\d+) passed; (\d+) failed; (\d+) ignored; (\d+) measured; \d+ filtered out(?:; finished in \d+(?:\.\d+)?s)?$/;
const block = /^---- (.+) std(?:out|err) ----$/;
const panicked = /panicked at (?:'(.*)', )?([^\s'][^']*?):(\d+):\d+:?$/;
/** Before Rust 1.73 the place follows the message, which may span lines. */
const opened = /panicked at '(.*)$/;
const closed = /^(.*)', ([^\s'][^']*?):(\d+):\d+$/;
const died = /process didn't exit successfully: .*\((signal: .*)\)/;
const maxLines = 60;

export class CargoReader extends SummaryReader {
  private readonly build = new CargoBuild(this.scene, this.list);
  private readonly targets: Target[] = [];
  private open: { name: string; lines: string[] } | null = null;

  line(text: string): void {
    switch (text.charCodeAt(0)) {
      case 0x7b: // {
        if (text.startsWith('{ "type": ') || text.startsWith('{"type":')) {
          this.event(parsedJson(text));
          return;
        }
        break;
      case 0x72: // r
        if (this.start(started.exec(text)?.[1])) return;
        break;
      case 0x74: // t
        if (this.result(result.exec(text))) return;
        break;
      case 0x2d: // -
        if (this.block(block.exec(text)?.[1])) return;
        break;
      case 0x66: // f
        if (text === "failures:") this.close();
        break;
      case 0x20: {
        const signal = text.includes("process didn't exit") ? died.exec(text)?.[1] : undefined;
        if (signal !== undefined) this.crashed(text, signal);
      }
    }
    if (this.open === null) this.build.line(text);
    else if (this.open.lines.length < maxLines) this.open.lines.push(text.slice(0, 600));
  }

  private start(count: string | undefined): boolean {
    if (count === undefined) return false;
    this.close();
    this.build.close();
    this.targets.push({ expected: Number(count), result: null, measured: 0 });
    return true;
  }

  /** The last result of a target counts: with --nocapture a test can print one too. */
  private result(match: RegExpExecArray | null): boolean {
    const target = this.targets.at(-1);
    if (match === null || target === undefined) return false;
    this.close();
    const [passed, failed, skipped, measured] = match.slice(2, 6).map(Number);
    const broken = match[1] === "FAILED" ? Math.max(failed ?? 0, 1) : (failed ?? 0);
    target.result = countsOf({ passed: passed ?? 0, failed: broken, skipped: skipped ?? 0, errors: 0 });
    target.measured = measured ?? 0;
    return true;
  }

  private block(name: string | undefined): boolean {
    if (name === undefined) return false;
    this.close();
    this.open = { name, lines: [] };
    return true;
  }

  private crashed(text: string, signal: string): void {
    const target = this.targets.at(-1);
    if (target !== undefined && target.result === null)
      target.result = countsOf({ passed: 0, failed: 0, skipped: 0, errors: 1 });
    const error = clipError([signal, text.trim()]);
    this.list.add({ kind: "test", test: null, file: null, line: null, error, context: "" });
  }

  private event(event: unknown): void {
    const name = textIn(event, "event");
    if (textIn(event, "type") === "suite") {
      if (name === "started")
        this.targets.push({ expected: numberIn(event, "test_count") ?? 0, result: null, measured: 0 });
      const target = this.targets.at(-1);
      if (target === undefined || (name !== "ok" && name !== "failed")) return;
      const count = (key: string) => numberIn(event, key) ?? 0;
      const counts = { passed: count("passed"), failed: count("failed"), skipped: count("ignored"), errors: 0 };
      target.result = countsOf(counts);
      target.measured = count("measured");
    } else if (name === "failed") {
      const lines = (textIn(event, "stdout") || textIn(event, "message")).slice(0, 20_000).split("\n");
      this.addTest(textIn(event, "name"), lines.slice(0, maxLines));
    }
  }

  private close(): void {
    const open = this.open;
    this.open = null;
    if (open !== null) this.addTest(open.name, open.lines);
  }

  private addTest(name: string, lines: readonly string[]): void {
    const { excerpt, place } = divide(lines, this.scene.cwd);
    const { error, context } = excerpt;
    this.list.add({ kind: "test", test: name, ...whereOf(place), error: error || name, context });
  }

  end() {
    this.close();
    this.build.close();
    let counts = countsOf({ passed: 0, failed: 0, skipped: 0, errors: this.build.errors });
    for (const target of this.targets) if (target.result !== null) counts = addCounts(counts, target.result);
    const isOff = ({ expected, result, measured }: Target) =>
      result !== null &&
      (result.errors ?? 0) === 0 &&
      (result.passed ?? 0) + (result.failed ?? 0) + (result.skipped ?? 0) + measured !== expected;
    const isTest = !/\bcargo (?:\+\S+ )?(?:build|check|clippy|fmt|doc|b|c)\b/.test(this.scene.command);
    const isQuiet = !isTest && this.list.total === 0;
    const isWhole = this.targets.length > 0 && this.targets.every((target) => target.result !== null);
    const isCounted = isTest && (this.targets.length > 0 || this.build.errors > 0);
    return this.reading({
      isSeen: this.targets.length > 0 || this.build.isSeen,
      isComplete: isQuiet || isWhole,
      counts: isCounted ? counts : countsOf({ errors: this.build.errors }),
      isContradictory: this.targets.some(isOff),
      passedUncounted: isQuiet,
    });
  }
}

function divide(lines: readonly string[], cwd: string): { excerpt: Excerpt; place: Place | null } {
  const excerpt = new Excerpt();
  const { at, from, head, place } = panicIn(lines, cwd);
  for (const line of head) excerpt.err(line);
  let isMessage = true;
  for (const line of lines.slice(at < 0 ? 0 : from)) {
    if (/^(?:stack backtrace:|note: run with|note: Some details)/.test(line)) isMessage = false;
    else if (line.startsWith("note: panic did not contain")) {
      isMessage = true;
      excerpt.err(line);
    } else if (isMessage) excerpt.err(line);
    else if (!line.includes("/rustc/") && line !== "") excerpt.ctx(line);
  }
  // A documentation test that does not compile has the compiler's place.
  return { excerpt, place: place ?? firstPlace(lines, (line) => placeAt(arrow.exec(line), cwd)) };
}

interface Panic {
  /** Where the panic begins, or -1; `from` is the line after it. */
  readonly at: number;
  readonly from: number;
  readonly head: readonly string[];
  readonly place: Place | null;
}

function panicIn(lines: readonly string[], cwd: string): Panic {
  const at = lines.findIndex((line) => line.startsWith("thread '") && line.includes(" panicked at "));
  const first = lines[at] ?? "";
  const match = panicked.exec(first);
  if (match?.[2] !== undefined) {
    const place = { file: localPath(cwd, match[2]), line: Number(match[3]) };
    return { at, from: at + 1, head: match[1] === undefined ? [] : [match[1]], place };
  }
  const start = opened.exec(first)?.[1];
  const end = start === undefined ? -1 : lines.findIndex((line, n) => n > at && closed.test(line));
  const last = end < 0 ? null : closed.exec(lines[end] ?? "");
  if (start === undefined || last?.[2] === undefined) return { at: -1, from: 0, head: [], place: null };
  const head = [start, ...lines.slice(at + 1, end), last[1] ?? ""];
  return { at, from: end + 1, head, place: { file: localPath(cwd, last[2]), line: Number(last[3]) } };
}
