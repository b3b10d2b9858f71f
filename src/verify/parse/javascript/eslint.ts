import { parsedJson } from "../../../contract/json.ts";
import { listIn, numberIn, textIn } from "../json.ts";
import { localPath } from "../place.ts";
import { clipError, countsOf, FailureList, SummaryReader } from "../reading.ts";

interface Problem {
  readonly file: string;
  readonly line: number;
  readonly message: string;
  readonly isError: boolean;
}

const stylish = /^ +(\d+):\d+ +(error|warning) +(\S.*)$/;
const compact = /^(?<file>\S.*): line (?<line>\d+), col \d+, (?<severity>Error|Warning) - (?<message>.*)$/;
const unix = /^(?<file>\S[^:]*):(?<line>\d+):\d+: (?<message>.*) \[(?<severity>Error|Warning)(?:\/[^\]]*)?\]$/;
const total = /^[✖✕x] (\d+) problems? \((\d+) errors?, (\d+) warnings?\)/;
const plainTotal = /^(\d+) problems?$/;
export class EslintReader extends SummaryReader {
  private readonly warnings = new FailureList();
  private file: string | null = null;
  private totals: { errors: number; warnings: number } | null = null;
  private isOverdone = false;
  private isBroken = false;

  line(text: string): void {
    const first = text.charCodeAt(0);
    if (first === 0x20) this.problem(text);
    else if (first === 0x5b && text.startsWith('[{"filePath"')) this.json(text);
    else this.outside(text);
  }

  private outside(text: string): void {
    if (text.startsWith("Oops! Something went wrong!")) this.isBroken = true;
    if (text.startsWith("ESLint found too many warnings")) this.isOverdone = true;
    if (this.oneLine(text)) return;
    const match = total.exec(text);
    if (match !== null) {
      this.isSeen = true;
      this.totals = { errors: Number(match[2]), warnings: Number(match[3]) };
    } else if (plainTotal.test(text) && this.isSeen)
      this.totals ??= { errors: this.list.total, warnings: this.warnings.total };
    else if (text !== "") this.file = /^(?:\/|[A-Z]:\\|\.{0,2}[\w@.-]+\/)?\S.*\.\w+$/.test(text) ? text : null;
  }

  private problem(text: string): void {
    const match = this.file === null || text.length > 2000 ? null : stylish.exec(text);
    if (match?.[3] === undefined || this.file === null) return;
    const rule = match[3].replace(/ {2,}(\S+)$/, " ($1)");
    this.add({ file: this.file, line: Number(match[1]), message: rule, isError: match[2] === "error" });
  }

  private oneLine(text: string): boolean {
    if (text.length > 2000) return false;
    const match =
      (text.includes(", col ") ? compact.exec(text) : null) ?? (text.endsWith("]") ? unix.exec(text) : null);
    const { file, line, message = "", severity } = match?.groups ?? {};
    if (file === undefined) return false;
    this.add({ file, line: Number(line), message, isError: severity === "Error" });
    return true;
  }

  private json(text: string): void {
    const documents = parsedJson(text);
    if (!Array.isArray(documents)) return;
    this.isSeen = true;
    this.totals = { errors: 0, warnings: 0 };
    for (const one of documents) {
      this.totals.errors += numberIn(one, "errorCount") ?? 0;
      this.totals.warnings += numberIn(one, "warningCount") ?? 0;
      for (const problem of listIn(one, "messages")) {
        const rule = textIn(problem, "ruleId");
        const message = rule === "" ? textIn(problem, "message") : `${textIn(problem, "message")} (${rule})`;
        const isError = numberIn(problem, "severity") === 2;
        this.add({ file: textIn(one, "filePath"), line: numberIn(problem, "line") ?? 0, message, isError });
      }
    }
  }

  private add({ file, line, message, isError }: Problem): void {
    this.isSeen = true;
    const place = { file: localPath(this.scene.cwd, file), line: line > 0 ? line : null };
    const error = clipError(message);
    (isError ? this.list : this.warnings).add({ kind: "lint", test: null, ...place, error, context: "" });
  }

  end() {
    const errors = Math.max(this.totals?.errors ?? 0, this.list.total);
    // Warnings fail a run only where a limit is set for them.
    const failures = errors === 0 && this.isOverdone ? this.warnings : this.list;
    return this.reading({
      isComplete: !this.isBroken,
      counts: countsOf({ errors: failures === this.warnings ? this.warnings.total : errors }),
      failures,
      passedUncounted: errors === 0 && !this.isOverdone,
    });
  }
}
