import { isPackageName, type Place, placeAt } from "../place.ts";
import { countsOf, Excerpt, type Failure, SummaryReader } from "../reading.ts";

const plain = /^([^\s(][^(]*)\((\d+),\d+\): error (TS\d+: .*)$/;
const pretty = /^([^\s:][^:]*):(\d+):\d+ - error (TS\d+: .*)$/;
const found = /^Found (\d+) errors?\b/;
const missing = /^TS(?:2307|2688|7016): [^'"]*['"]([^'"]+)['"]/;

export function tscError(line: string, cwd: string): { place: Place; message: string } | null {
  if (!line.includes("error TS") || line.length > 2000) return null;
  const match = plain.exec(line) ?? pretty.exec(line);
  const place = placeAt(match, cwd);
  return place && { place, message: match?.[3] ?? "" };
}

export class TscReader extends SummaryReader {
  private open: { place: Place; excerpt: Excerpt; isMessage: boolean } | null = null;
  private found: number | null = null;

  line(text: string): void {
    const one = tscError(text, this.scene.cwd);
    const match = text.charCodeAt(0) === 0x46 ? found.exec(text) : null;
    if (one !== null) {
      this.close();
      this.isSeen = true;
      this.open = { place: one.place, excerpt: new Excerpt(), isMessage: true };
      this.open.excerpt.err(one.message);
    } else if (match !== null) {
      this.close();
      this.isSeen = true;
      this.found = Number(match[1]);
    } else if (this.open !== null) this.addLine(text);
  }

  /** A chain of reasons is indented below its error; the code frame follows an empty line. */
  private addLine(text: string): void {
    const open = this.open;
    if (open === null) return;
    if (text === "") open.isMessage = false;
    else if (open.isMessage && text.startsWith("  ")) open.excerpt.err(text);
    else if (open.isMessage) this.close();
    else open.excerpt.ctx(text);
  }

  private close(): void {
    const open = this.open;
    this.open = null;
    if (open === null) return;
    const { error, context } = open.excerpt;
    this.list.add({ kind: kindOf(error), test: null, ...open.place, error, context });
  }

  end() {
    this.close();
    const errors = Math.max(this.list.total, this.found ?? 0);
    // A compiler prints nothing on success; its exit code decides.
    return this.reading({ isComplete: true, counts: countsOf({ errors }), passedUncounted: errors === 0 });
  }
}

function kindOf(error: string): Failure["kind"] {
  const name = missing.exec(error)?.[1];
  return name !== undefined && isPackageName(name) ? "missing" : "build";
}
