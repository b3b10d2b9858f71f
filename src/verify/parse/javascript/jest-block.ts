import { firstPlace, localPath, missingPackage, ownFrame, type Place, placeAt } from "../place.ts";
import { clipError, type Excerpt, excerptOf, type Failure, FailureList, type Scene } from "../reading.ts";
import { tscError } from "./tsc.ts";

interface JestFailure {
  readonly name: string;
  readonly isSuite: boolean;
  readonly lines: string[];
}

const maxLines = 120;
const marked = /^\s*>\s*(\d+) \|/;
const stack = /^\s+at /;
const syntax = /^SyntaxError: (\/?[^:]+): .*\((\d+):\d+\)/;

export class JestBlocks {
  readonly list = new FailureList();
  brokenSuites = 0;
  hasComplaint = false;
  private readonly scene: Scene;
  private open: JestFailure | null = null;
  private file: string | null = null;

  constructor(scene: Scene) {
    this.scene = scene;
  }

  /** ` FAIL  project  ./a.test.js (5.1 s)` */
  suite(text: string): void {
    this.close();
    const words = text
      .trim()
      .replace(/ \([\d.]+ m?s\)$/, "")
      .split(/\s+/);
    this.file = words.length < 2 ? null : localPath(this.scene.cwd, words.at(-1) ?? "");
  }

  inFile(file: string): void {
    this.close();
    this.file = localPath(this.scene.cwd, file);
  }

  line(text: string): void {
    if (text.startsWith("  ● ")) this.start(text.slice(4).trim());
    else if (this.open === null) return;
    else if (text !== "" && !text.startsWith("    ")) this.close();
    else if (this.open.lines.length < maxLines) this.open.lines.push(text.slice(4, 600));
  }

  private start(name: string): void {
    this.close();
    if (name === "Console" || name === "") return;
    const isSuite = name === "Test suite failed to run";
    if (isSuite) this.brokenSuites++;
    this.open = { name, isSuite, lines: [] };
  }

  /** jest objects to the whole run, such as to low coverage. */
  complain(text: string): void {
    this.close();
    this.hasComplaint = true;
    this.list.add({ kind: "test", test: null, file: null, line: null, error: clipError(text), context: "" });
  }

  close(): void {
    const open = this.open;
    this.open = null;
    if (open === null || open.lines.every((line) => line === "")) return;
    if (open.isSuite && this.compileErrors(open.lines)) return;
    const { excerpt, frames } = divide(open.lines);
    const { error, context } = excerpt;
    const place = this.placeIn(open, error) ?? ownFrame(frames, this.scene.cwd) ?? this.markedLine(open.lines);
    this.list.add({
      kind: open.isSuite ? suiteKind(error) : "test",
      test: open.isSuite ? this.file : open.name,
      file: place?.file ?? this.file,
      line: place?.line ?? null,
      error,
      context,
    });
  }

  /** ts-jest passes on the compiler's own lines; each is a failure of its own. */
  private compileErrors(lines: readonly string[]): boolean {
    let found = false;
    for (const line of lines) {
      const one = tscError(line, this.scene.cwd);
      if (one === null) continue;
      found = true;
      this.list.add({ kind: "build", test: this.file, ...one.place, error: clipError(one.message), context: "" });
    }
    return found;
  }

  private placeIn(open: JestFailure, error: string): Place | null {
    const lines = open.isSuite ? error.split("\n") : [];
    return firstPlace(lines, (line) => placeAt(syntax.exec(line), this.scene.cwd));
  }

  private markedLine(lines: readonly string[]): Place | null {
    const { file } = this;
    const line = lines.map((one) => marked.exec(one)?.[1]).find((one) => one !== undefined);
    return file === null || line === undefined ? null : { file, line: Number(line) };
  }
}

/** Message, code and trace; jest's explanation of a syntax error ends at `Details:`. */
function divide(lines: readonly string[]): { excerpt: Excerpt; frames: readonly string[] } {
  const details = lines.indexOf("Details:");
  const body = details < 0 ? lines : lines.slice(details + 1);
  const excerpt = excerptOf(body, /^\s*>?\s*\d+ \||^\s+at /, (line) => !line.includes("node_modules/"));
  return { excerpt, frames: body.filter((line) => stack.test(line)) };
}

function suiteKind(error: string): Failure["kind"] {
  if (/(?:^|\n)SyntaxError: /.test(error)) return "build";
  return missingPackage(error) === null ? "test" : "missing";
}
