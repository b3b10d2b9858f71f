import type { Ask, Play } from "./play.ts";
import type { Project } from "./project.ts";
import { type Report, reportOf, secondsIn } from "./report.ts";

/** The outcome of a test run. `refused`: the run, or a change before it, was not carried out; `why` says the reason. */
export type Checked =
  | { readonly kind: "report"; readonly report: Report }
  | { readonly kind: "stop" }
  /** `made`: the changes that were carried out nevertheless. */
  | { readonly kind: "refused"; readonly why: string; readonly made: readonly Ask[] };

const mostRepeats = 3;

/** Makes changes and runs the tests in one step. `first`: the first run, whose duration sets the timeout. */
export function* check(
  project: Project,
  text: string,
  first: Report | null,
  before: readonly Ask[] = [],
): Play<Checked> {
  const { command, folder } = project;
  const input = { command, path: folder, timeout_s: timeoutFor(first) };
  const asks = [...before, { tool: "diagnostics", input }];
  const answers = yield { text, asks };
  if (answers === "stop") return { kind: "stop" };
  const undone = before.findIndex((_, at) => (answers[at]?.error ?? null) !== null);
  if (undone !== -1) {
    const made = before.filter((_, at) => answers[at]?.error === null);
    return { kind: "refused", why: answers[undone]?.text ?? "", made };
  }
  let output = answers[before.length]?.text ?? "";
  // coder itself was ended during the run; tests can be run again.
  for (let again = 0; again < mostRepeats && /^E_CANCELLED: .*outcome unknown/.test(output); again++) {
    const repeated = yield { text: "", asks: asks.slice(-1) };
    if (repeated === "stop") return { kind: "refused", why: "", made: before };
    output = repeated[0]?.text ?? "";
  }
  const report = reportOf(output);
  return report === null ? { kind: "refused", why: output, made: before } : { kind: "report", report };
}

/** A change can make a loop endless, so a run may take little longer than the first one. */
function timeoutFor(first: Report | null): number {
  if (first === null) return 90;
  const seconds = first.kind === "timeout" ? null : secondsIn(first.output);
  return seconds === null ? 20 : Math.min(120, Math.ceil(8 + 5 * seconds));
}
