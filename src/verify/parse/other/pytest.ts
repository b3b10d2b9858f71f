import type { VerificationCounts } from "../../../contract/verification.ts";
import { isForeign, localPath, type Place } from "../place.ts";
import { clipError, countsOf, Excerpt, type Failure, FailureList, SummaryReader } from "../reading.ts";
import {
  collectionKind,
  conftest,
  headerOf,
  isLocationTail,
  plainHeader,
  splitEntry,
  unrailed,
} from "./pytest-names.ts";

interface FailureBlock {
  readonly header: string;
  readonly isError: boolean;
  readonly excerpt: Excerpt;
  first: Place | null;
  place: Place | null;
  isNative: boolean;
  isCaptured: boolean;
}

interface Entry {
  readonly id: string;
  readonly message: string;
  readonly more: string[];
  readonly isError: boolean;
}

const maxBlocks = 400;
const maxMore = 20;
const otherEntry = /^(?:SKIPPED|XFAIL|XPASS|PASSED|RERUN|SUBFAIL\w*|SUBPASS\w*) /;
const location = /^([^\s:][^:]*):(\d+):(?: (.*))?$/;
const nativeLocation = /^(?:E\s+)? *File "([^"]+)", line (\d+)/;
const dots = /^(?:\S+ )?([.FEsxXR]+) +\[ *(\d+)%\]$/;
const words: Readonly<Record<string, keyof VerificationCounts>> = {
  ...{ passed: "passed", xpassed: "passed", failed: "failed", error: "errors", errors: "errors" },
  ...{ skipped: "skipped", xfailed: "todo" },
};

const internal = "INTERNALERROR>";

export class PytestReader extends SummaryReader {
  private readonly blocks: FailureBlock[] = [];
  private readonly entries: Entry[] = [];
  /** `--tb=line`: a place and a message, without a name. */
  private readonly bare = new Map<string, Place[]>();
  private section: "none" | "blocks" | "short" = "none";
  private block: FailureBlock | null = null;
  private raised: Place | null = null;
  private raisedError = "";
  private entry: Entry | null = null;
  private isErrors = false;
  private hasRails = false;
  private progress = { passed: 0, failed: 0, skipped: 0, percent: 0 };

  line(text: string): void {
    const first = text.charCodeAt(0);
    if (first === 0x49 && text.startsWith(internal)) this.internal(text.slice(internal.length));
    else if (first === 0x3d && this.rail(text)) return;
    else if (first >= 0x30 && first <= 0x6e && this.summary(text)) return;
    else if (this.section === "short") this.short(text);
    else if (this.section === "blocks") this.inBlocks(text, first);
    else if (first === 0x2e || text.endsWith("%]")) this.dotted(text);
    else if (text.startsWith("ImportError while loading conftest"))
      this.open(`ERROR collecting ${conftest(text)}`, true);
    else if (this.block !== null) this.blockLine(text);
  }

  /** An internal error of pytest may come from a project file: `sys.exit()` in a module, a hook in conftest.py. */
  private internal(text: string): void {
    const frame = /^\s+File "([^"]+)", line (\d+)/.exec(text);
    if (frame?.[1] !== undefined) this.raised = this.at(frame[1], frame[2]);
    else if (/^ \S/.test(text) && !text.startsWith(" Traceback")) this.raisedError = text.trim();
  }

  /** `===== NAME =====`: a new section, or the summary between its rails. */
  private rail(text: string): boolean {
    if (!text.startsWith("== ") && !text.startsWith("=== ") && !text.startsWith("====") && !text.startsWith("= "))
      return false;
    const name = unrailed(text, 0x3d);
    if (name === null) return false;
    if (this.summary(name)) return true;
    this.hasRails = true;
    this.block = null;
    this.section =
      name === "ERRORS" || name === "FAILURES" ? "blocks" : name === "short test summary info" ? "short" : "none";
    this.isErrors = name === "ERRORS";
    if (this.section !== "none" || name === "test session starts") this.isSeen = true;
    return true;
  }

  /** `2 failed, 3 passed in 0.12s`, in any order. */
  private summary(text: string): boolean {
    const at = text.lastIndexOf(" in ");
    if (at < 0 || text.length > 300 || !/^\d+(?:\.\d+)?s(?: \([\w:, ]+\))?$/.test(text.slice(at + 4))) return false;
    const head = text.slice(0, at);
    if (head === "no tests ran") {
      this.summaries.say(countsOf({ passed: 0, failed: 0, errors: 0, skipped: 0 }));
    } else {
      const counts: Record<string, number> = { passed: 0, failed: 0, errors: 0, skipped: 0 };
      for (const part of head.split(", ")) {
        const match = /^(\d+) ([a-z]+(?: [a-z]+)?)$/.exec(part);
        if (match === null) return false;
        const key = words[match[2] ?? ""];
        if (key !== undefined) counts[key] = (counts[key] ?? 0) + Number(match[1]);
      }
      this.summaries.say(countsOf(counts));
    }
    this.isSeen = true;
    this.section = "none";
    this.block = null;
    return true;
  }

  private short(text: string): void {
    const isError = text.startsWith("ERROR ");
    if (!isError && !text.startsWith("FAILED ")) {
      if (otherEntry.test(text)) this.entry = null;
      else if (this.entry !== null && this.entry.more.length < maxMore) this.entry.more.push(text.slice(0, 500));
      return;
    }
    const { id, message } = splitEntry(text.slice(isError ? 6 : 7));
    this.entry = { id, message, more: [], isError };
    if (this.entries.length < 100_000) this.entries.push(this.entry);
  }

  private inBlocks(text: string, first: number): void {
    const header = first === 0x5f && !text.startsWith("_ _") ? unrailed(text, 0x5f) : null;
    const match = this.block === null ? location.exec(text) : null;
    if (header !== null) this.open(header, this.isErrors);
    else if (this.block !== null) this.blockLine(text);
    else if (match?.[1] && match[3]) this.addBare(match[3], this.at(match[1], match[2]));
  }

  private open(header: string, isError: boolean): void {
    this.block = {
      header,
      isError,
      excerpt: new Excerpt(),
      first: null,
      place: null,
      isNative: false,
      isCaptured: false,
    };
    this.isSeen = true;
    if (this.blocks.length < maxBlocks) this.blocks.push(this.block);
  }

  private blockLine(text: string): void {
    const block = this.block;
    if (block === null || block.isCaptured) return;
    if (text.startsWith("-----") && text.includes(" Captured ")) {
      block.isCaptured = true;
      return;
    }
    if (text.startsWith("During handling of the above") || text.startsWith("The above exception was the direct")) {
      for (const line of block.excerpt.errorLines.splice(0)) block.excerpt.ctx(line);
      return;
    }
    const native = nativeLocation.exec(text);
    const match = native ?? location.exec(text);
    if (match?.[1] && (native !== null || isLocationTail(match[3]))) this.locate(block, this.at(match[1], match[2]));
    if (text.startsWith("E  ") || text === "E") block.excerpt.err(text.slice(1).replace(/^ {1,7}/, ""));
    else if (text.startsWith("Traceback (most recent")) block.isNative = true;
    else if (block.isNative && text !== "" && text.charCodeAt(0) !== 0x20) block.excerpt.err(text);
    else if (text !== "" && !text.startsWith("_ _")) block.excerpt.ctx(text);
  }

  private locate(block: FailureBlock, place: Place): void {
    if (isForeign(place.file)) return;
    block.first ??= place;
    block.place = place;
  }

  private at(file: string, line: string | undefined): Place {
    return { file: localPath(this.scene.cwd, file), line: Number(line) };
  }

  private dotted(text: string): void {
    const match = dots.exec(text);
    if (match === null) return;
    this.isSeen = true;
    for (const letter of match[1] ?? "") {
      if (letter === "." || letter === "X") this.progress.passed++;
      else if (letter === "s" || letter === "x") this.progress.skipped++;
      else this.progress.failed++;
    }
    this.progress.percent = Number(match[2]);
  }

  end() {
    const { passed, failed, skipped, percent } = this.progress;
    // `-q` twice (once in a config file) omits the summary; the last dot then stands at 100 %.
    const quiet = percent === 100 && !this.hasRails ? countsOf({ passed, failed, skipped, errors: 0 }) : null;
    const counts = this.summaries.last ?? quiet;
    return this.reading({
      isSeen: this.isSeen || counts !== null,
      isComplete: counts !== null,
      counts: counts ?? countsOf({}),
      failures: this.failures(),
    });
  }

  private failures(): FailureList {
    const list = new FailureList();
    const open = Map.groupBy(this.blocks, ({ isError, header }) => `${isError} ${plainHeader(header)}`);
    for (const entry of this.entries) {
      const block = open.get(`${entry.isError} ${headerOf(entry.id)}`)?.shift();
      list.add(this.failureOf(entry, block));
    }
    for (const block of [...open.values()].flat()) list.add(this.failureOf(null, block));
    if (this.raised !== null && !isForeign(this.raised.file))
      list.add({ kind: "test", test: null, ...this.raised, error: this.raisedError, context: "" });
    return list;
  }

  private failureOf(entry: Entry | null, block: FailureBlock | undefined): Failure {
    const error = clipError(
      block && block.excerpt.errorLines.length > 0
        ? headFirst(block.excerpt.errorLines)
        : [entry?.message ?? "", ...(entry?.more ?? [])].join("\n").trimEnd(),
    );
    const file = entry === null ? null : (entry.id.split("::", 1)[0] ?? null);
    const bare = block?.place ? undefined : this.bareFor(entry?.message ?? "");
    const place = block?.place ?? bare ?? null;
    const isCollection = block?.header.startsWith("ERROR collecting ") ?? (entry !== null && !entry.id.includes("::"));
    return {
      kind: isCollection ? collectionKind(error) : "test",
      test: entry?.id ?? nameOf(block),
      file: place?.file ?? file,
      line: place?.line ?? null,
      error: error || (entry?.id ?? block?.header ?? ""),
      context: block?.excerpt.context ?? "",
    };
  }

  private addBare(message: string, place: Place): void {
    const same = this.bare.get(message);
    if (same !== undefined) same.push(place);
    else if (this.bare.size < maxBlocks) this.bare.set(message, [place]);
  }

  /** The short summary cuts messages to the width of its line. */
  private bareFor(message: string): Place | undefined {
    const exact = this.bare.get(message)?.shift();
    if (exact !== undefined || !message.endsWith("...")) return exact;
    for (const [text, places] of this.bare)
      if (text.startsWith(message.slice(0, -3)) && places.length > 0) return places.shift();
    return undefined;
  }
}

/** A syntax error shows the code before the message. */
function headFirst(lines: readonly string[]): readonly string[] {
  const at = lines[0]?.startsWith("File ") ? lines.findIndex((line) => /^\w*Error: /.test(line)) : 0;
  return at <= 0 ? lines : [lines[at] ?? "", ...lines.slice(0, at), ...lines.slice(at + 1)];
}

function nameOf(block: FailureBlock | undefined): string | null {
  if (block === undefined) return null;
  const name = plainHeader(block.header);
  if (block.header.startsWith("ERROR collecting ") || block.first === null) return name;
  return `${block.first.file}::${name.split(".").join("::")}`;
}
