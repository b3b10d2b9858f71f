import type { Ask, Play } from "./play.ts";
import type { Project } from "./project.ts";
import { type Report, reportOf, secondsIn } from "./report.ts";

/** What a run of the tests came to. `refused`: it was not run, or a change before it was not made; `why` says it. */
export type Checked =
  | { readonly kind: "report"; readonly report: Report }
  | { readonly kind: "stop" }
  /** `made`: those of the changes that were made all the same. */
  | { readonly kind: "refused"; readonly why: string; readonly made: readonly Ask[] };

const mostRepeats = 3;

/** Makes changes and runs the tests, in one step. `first`: how they went before, which says how long they take. */
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
  let said = answers[before.length]?.text ?? "";
  // Cut off when coder itself was ended: tests can be run again.
  for (let again = 0; again < mostRepeats && /^E_CANCELLED: .*outcome unknown/.test(said); again++) {
    const repeated = yield { text: "", asks: asks.slice(-1) };
    if (repeated === "stop") return { kind: "refused", why: "", made: before };
    said = repeated[0]?.text ?? "";
  }
  const report = reportOf(said);
  return report === null ? { kind: "refused", why: said, made: before } : { kind: "report", report };
}

/** A change can make a loop endless: nobody waits much longer than the tests took. */
function timeoutFor(first: Report | null): number {
  if (first === null) return 90;
  const seconds = first.kind === "timeout" ? null : secondsIn(first.output);
  return seconds === null ? 20 : Math.min(120, Math.ceil(8 + 5 * seconds));
}
