import {
  isForeign,
  localPath,
  missingPackage,
  ownFrame,
  type Place,
  placeAt,
  whereOf,
  withoutForeign,
} from "./place.ts";
import { clipContext, clipError, type Failure } from "./reading.ts";

const header = /^(?:Exception during run: )?((?:file:\/\/)?\/[^:]+):(\d+)$/;
const thrown = /^(?:Exception during run: )?(?:Uncaught )?(\w*(?:Error|Exception)(?: \[[\w ]+\])?: .*)$/;

export class Crash {
  private readonly cwd: string;
  private before: Place | null = null;
  private lines: string[] = [];
  private isOpen = false;

  constructor(cwd: string) {
    this.cwd = cwd;
  }

  line(raw: string): void {
    const text = raw.trim();
    const first = text.charCodeAt(0);
    if (first === 0x2f || first === 0x66 || first === 0x45) this.head(text);
    const match = first >= 0x41 && first <= 0x5a && !this.isOpen ? thrown.exec(text) : null;
    if (match?.[1] !== undefined) {
      this.lines = [match[1]];
      this.isOpen = true;
    } else if (this.isOpen) {
      if (text.startsWith("Node.js v") || this.lines.length >= 40) this.isOpen = false;
      else this.lines.push(raw);
    }
  }

  private head(text: string): void {
    const place = placeAt(header.exec(text), this.cwd);
    if (place === null) return;
    this.before = isForeign(place.file) ? null : place;
    this.isOpen = false;
  }

  take(test: string | null): Failure | null {
    const lines = this.lines;
    const before = this.before;
    this.lines = [];
    this.before = null;
    this.isOpen = false;
    if (lines.length === 0) return null;
    const isFrame = (line: string) => /^\s+at /.test(line);
    const first = lines.findIndex(isFrame);
    const error = clipError(first < 0 ? lines : lines.slice(0, first));
    const importer = / imported from (\/\S+)$/m.exec(error)?.[1];
    const place =
      before ?? ownFrame(lines, this.cwd) ?? (importer ? { file: localPath(this.cwd, importer), line: null } : null);
    const context = clipContext(withoutForeign(lines.filter(isFrame), this.cwd));
    return { kind: kindOf(error), test, ...whereOf(place), error, context };
  }
}

function kindOf(error: string): Failure["kind"] {
  if (error.startsWith("SyntaxError")) return "build";
  return missingPackage(error) === null ? "test" : "missing";
}
