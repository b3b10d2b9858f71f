import { parsedJson } from "../../../contract/json.ts";
import { listIn, numberIn, partIn, textIn } from "../json.ts";
import { localPath, ownFrame } from "../place.ts";
import { clipContext, clipError, countsOf, FailureList, SummaryReader } from "../reading.ts";

const maxDocument = 16 * 1024 * 1024;

/** The json reporter's document, over many lines, and json-stream's events, one per line. */
export class MochaJsonReader extends SummaryReader {
  private lines: string[] | null = null;
  private size = 0;
  private isOpen = false;

  line(text: string): void {
    if (this.lines !== null) this.addLine(this.lines, text);
    else if (text === "{") {
      this.lines = [text];
      this.size = 0;
    } else if (text.charCodeAt(0) === 0x5b && /^\["(?:start|pass|fail|end)",\{/.test(text))
      this.event(parsedJson(text));
  }

  private addLine(lines: string[], text: string): void {
    // Other programs print objects too; mocha's document begins with its totals.
    if (lines.length === 1 && !/^ +"stats": \{/.test(text)) {
      this.lines = null;
      this.line(text);
      return;
    }
    this.isSeen = true;
    this.isOpen = true;
    this.size += text.length;
    if (this.size < maxDocument) lines.push(text);
    if (text !== "}") return;
    this.lines = null;
    this.document(parsedJson(lines.join("\n")));
  }

  private document(document: unknown): void {
    const stats = partIn(document, "stats");
    if (numberIn(stats, "passes") === null) return;
    this.isOpen = false;
    this.list = new FailureList();
    for (const one of listIn(document, "failures")) {
      const err = partIn(one, "err");
      this.add(one, textIn(err, "message"), textIn(err, "stack"));
    }
    this.total(stats);
  }

  private event(event: unknown): void {
    const [name, data] = Array.isArray(event) ? event : [];
    this.isSeen = true;
    if (name === "fail") this.add(data, textIn(data, "err"), textIn(data, "stack"));
    if (name === "start") this.isOpen = true;
    if (name !== "end") return;
    this.isOpen = false;
    this.total(data);
  }

  private total(stats: unknown): void {
    const number = (key: string) => numberIn(stats, key) ?? 0;
    const counts = { passed: number("passes"), failed: number("failures"), skipped: number("pending"), errors: 0 };
    this.summaries.say(countsOf(counts));
  }

  private add(one: unknown, message: string, stack: string): void {
    const { cwd } = this.scene;
    const frames = stack.slice(0, 20_000).split("\n");
    const place = ownFrame(frames, cwd) ?? { file: localPath(cwd, textIn(one, "file")), line: null };
    const name = stack.split("\n", 1)[0] ?? "";
    const error = clipError(name.includes(message.split("\n", 1)[0] ?? "") ? errorPart(frames) : message);
    const context = clipContext(frames.filter((line) => /^ +at /.test(line) && !line.includes("node:")));
    this.list.add({ kind: "test", test: textIn(one, "fullTitle"), ...place, error: error || message, context });
  }

  end() {
    return this.reading({ isComplete: this.summaries.last !== null && !this.isOpen });
  }
}

function errorPart(lines: readonly string[]): readonly string[] {
  const end = lines.findIndex((line) => /^ +at /.test(line));
  return end < 0 ? lines : lines.slice(0, end);
}
