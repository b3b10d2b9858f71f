export interface Failure {
  readonly test: string | null;
  readonly file: string | null;
  readonly line: number | null;
  readonly error: string;
}

type ReportKind = "passed" | "test_failure" | "build_failure" | "lint_failure" | "environment" | "timeout";

export interface Report {
  readonly kind: ReportKind;
  readonly summary: string;
  readonly failures: readonly Failure[];
  readonly output: string;
}

const head = /^(passed|test_failure|build_failure|lint_failure|environment|timeout): (.*)$/;

/** `null` if the text is not the result of a check. */
export function reportOf(text: string): Report | null {
  const [first = "", ...rest] = text.split("\n");
  const found = head.exec(first);
  if (found === null) return null;
  const blocks: string[][] = [];
  let at = 0;
  for (; at < rest.length; at++) {
    const line = rest[at] ?? "";
    if (line.startsWith("- ")) blocks.push([line.slice(2)]);
    else if (blocks.length > 0 && line.startsWith("  ")) blocks.at(-1)?.push(line.slice(2));
    else break;
  }
  const output = rest.slice(at).join("\n");
  return { kind: found[1] as ReportKind, summary: found[2] ?? "", failures: blocks.map(failureOf), output };
}

function failureOf([place = "", ...error]: readonly string[]): Failure {
  const placed = /^(.+?):(\d+)(?:: (.*))?$/.exec(place);
  if (placed !== null) {
    const [, file = "", line = "", test = null] = placed;
    return { file, line: Number(line), test, error: error.join("\n") };
  }
  const isBare = error.length === 0;
  return { file: null, line: null, test: isBare ? null : place, error: isBare ? place : error.join("\n") };
}

/** The same for the same test, wherever it fails. */
export function nameOf({ test, file, error }: Failure): string {
  return test ?? file ?? error.split("\n", 1)[0] ?? "";
}

export interface Frame {
  readonly file: string;
  readonly line: number;
}

const pythonFrame = /^(?:E\s+)?\s*File "([^"]+)", line (\d+)|^([^\s:][^:\n]*\.pyi?):(\d+): /gm;
const scriptFrame = /(?:file:\/\/)?((?:\/|\.{1,2}\/|\w)[^\s():'"]*\.[cm]?[jt]sx?):(\d+)(?::\d+)?/g;

export function framesIn(output: string): readonly Frame[] {
  const python = [...output.matchAll(pythonFrame)].map(([, a, b, c, d]) => ({
    file: a ?? c ?? "",
    line: Number(b ?? d),
  }));
  const script = [...output.matchAll(scriptFrame)].map(([, file = "", line]) => ({ file, line: Number(line) }));
  return [...python, ...script].filter(
    ({ file }) => !/node_modules|site-packages|\/lib\/python|^node:|^internal\//.test(file),
  );
}

export function secondsIn(output: string): number | null {
  const duration = /\bin (\d+(?:\.\d+)?)s\b|duration_ms:? (\d+(?:\.\d+)?)\s*$|^Time:\s+(\d+(?:\.\d+)?) s/gm;
  const all = [...output.matchAll(duration)].at(-1);
  if (all === undefined) return null;
  return all[2] === undefined ? Number(all[1] ?? all[3]) : Number(all[2]) / 1000;
}

/** How many tests passed, and how many ran; `null` if the summary does not tell. */
export function countsIn({ summary }: Report): { readonly passed: number; readonly run: number } | null {
  const number = (pattern: RegExp): number | null => {
    const found = pattern.exec(summary);
    return found === null ? null : Number(found[1] ?? found[2]);
  };
  const passed = number(/(\d+) passed|通过 (\d+)/);
  return passed === null ? null : { passed, run: passed + (number(/(\d+) failed|失败 (\d+)/) ?? 0) };
}
