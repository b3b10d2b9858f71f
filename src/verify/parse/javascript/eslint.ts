import { listIn, numberIn, parsed, textIn } from "../json.ts";
import { localPath } from "../place.ts";
import { clipError, countsOf, FailureList, type OutputReading, type Reader, type Scene } from "../reading.ts";

interface Problem {
  readonly file: string;
  readonly line: number;
  readonly message: string;
  readonly isError: boolean;
}

const stylish = /^ +(\d+):\d+ +(error|warning) +(\S.*)$/;
const compact = /^(\S.*): line (\d+), col \d+, (Error|Warning) - (.*)$/;
const unix = /^(\S[^:]*):(\d+):\d+: (.*) \[(Error|Warning)(?:\/[^\]]*)?\]$/;
const total = /^[✖✕x] (\d+) problems? \((\d+) errors?, (\d+) warnings?\)/;
const plainTotal = /^(\d+) problems?$/;
export class EslintReader implements Reader {
  private readonly scene: Scene;
  private readonly list = new FailureList();
  private readonly warnings = new FailureList();
  private file: string | null = null;
  private said: { errors: number; warnings: number } | null = null;
  private isSeen = false;
  private isOverdone = false;
  private isBroken = false;

  constructor(scene: Scene) {
    this.scene = scene;
  }

  line(text: string): void {
    const first = text.charCodeAt(0);
    if (first === 0x20) {
      this.problem(text);
      return;
    }
    if (first === 0x5b && text.startsWith('[{"filePath"')) {
      this.json(text);
      return;
    }
    if (text.startsWith("Oops! Something went wrong!")) this.isBroken = true;
    if (text.startsWith("ESLint found too many warnings")) this.isOverdone = true;
    if (this.oneLine(text)) return;
    const match = total.exec(text);
    if (match !== null) {
      this.isSeen = true;
      this.said = { errors: Number(match[2]), warnings: Number(match[3]) };
    } else if (plainTotal.test(text) && this.isSeen)
      this.said ??= { errors: this.list.total, warnings: this.warnings.total };
    else if (text !== "") this.file = /^(?:\/|[A-Z]:\\|\.{0,2}[\w@.-]+\/)?\S.*\.\w+$/.test(text) ? text : null;
  }

  /** A problem below the name of its file. */
  private problem(text: string): void {
    const match = this.file === null || text.length > 2000 ? null : stylish.exec(text);
    if (match?.[3] === undefined || this.file === null) return;
    const rule = match[3].replace(/ {2,}(\S+)$/, " ($1)");
    this.add({ file: this.file, line: Number(match[1]), message: rule, isError: match[2] === "error" });
  }

  private oneLine(text: string): boolean {
    if (text.length > 2000) return false;
    const one = text.includes(", col ") ? compact.exec(text) : null;
    if (one?.[1] !== undefined) {
      this.add({ file: one[1], line: Number(one[2]), message: one[4] ?? "", isError: one[3] === "Error" });
      return true;
    }
    const two = text.endsWith("]") ? unix.exec(text) : null;
    if (two?.[1] === undefined) return false;
    this.add({ file: two[1], line: Number(two[2]), message: two[3] ?? "", isError: two[4] === "Error" });
    return true;
  }

  private json(text: string): void {
    const documents = parsed(text);
    if (!Array.isArray(documents)) return;
    this.isSeen = true;
    this.said = { errors: 0, warnings: 0 };
    for (const one of documents) {
      this.said.errors += numberIn(one, "errorCount") ?? 0;
      this.said.warnings += numberIn(one, "warningCount") ?? 0;
      for (const told of listIn(one, "messages")) {
        const rule = textIn(told, "ruleId");
        const message = rule === "" ? textIn(told, "message") : `${textIn(told, "message")} (${rule})`;
        const isError = numberIn(told, "severity") === 2;
        this.add({ file: textIn(one, "filePath"), line: numberIn(told, "line") ?? 0, message, isError });
      }
    }
  }

  private add({ file, line, message, isError }: Problem): void {
    this.isSeen = true;
    const place = { file: localPath(this.scene.cwd, file), line: line > 0 ? line : null };
    const error = clipError(message);
    (isError ? this.list : this.warnings).add({ kind: "lint", test: null, ...place, error, context: "" });
  }

  end(): OutputReading {
    const errors = Math.max(this.said?.errors ?? 0, this.list.total);
    return {
      isSeen: this.isSeen,
      isComplete: !this.isBroken,
      counts: countsOf({ errors: errors === 0 && this.isOverdone ? this.warnings.total : errors }),
      // Warnings fail a run only where a limit is set for them.
      failures: errors === 0 && this.isOverdone ? this.warnings : this.list,
      isEmpty: false,
      isContradictory: false,
      passedUncounted: errors === 0 && !this.isOverdone,
    };
  }
}
