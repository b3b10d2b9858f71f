import { sessionJson } from "../../command/text/rows.ts";
import { inDollars } from "../../contract/show/money.ts";
import { plainJson } from "../../contract/show/visible.ts";
import type { ExportHead } from "./head.ts";
import type { TimelineRow } from "./rows.ts";
import { addLines, type TaskLine, type Totals } from "./timeline.ts";

/** Version of the format in docs/guide/sessions.md. */
const version = 1;

export function* traceJson(head: ExportHead, tasks: Iterable<TaskLine>): Generator<string> {
  yield `{"v":${version},"session":${plainJson(sessionJson(head))},\n"tasks":[`;
  let all: Totals | null = null;
  for (const task of tasks) {
    yield `${all === null ? "\n" : ",\n"}${plainJson(taskJson(task))}`;
    all = addLines(all, task);
  }
  yield `],\n"totals":${plainJson(all === null ? null : totalsJson(all))}}\n`;
}

function taskJson(task: TaskLine) {
  const { id, input, startedAt, outcome, stopReason, rows, spans } = task;
  const end = { outcome, stop_reason: stopReason };
  return { id, input, started_at: startedAt, ...end, ...totalsJson(task), rows: rows.map(rowJson), spans };
}

function totalsJson({ ms, counts, usage, cost }: Totals) {
  const { input, output, cachedInput: cached, reasoning } = usage;
  return { ms, ...counts, tokens: { input, cached, output, reasoning }, ...costJson(cost) };
}

function costJson(cost: number | null | undefined): { readonly cost_usd?: number } {
  return cost === null || cost === undefined ? {} : { cost_usd: inDollars(cost) };
}

function rowJson(row: TimelineRow) {
  if (row.kind === "failure") {
    const { retryInMs, ...rest } = row;
    return { ...rest, retry_in_ms: retryInMs };
  }
  if (row.kind !== "model") return row;
  const { usage, cost, ...rest } = row;
  const tokens = { input: usage.input, cached: usage.cachedInput, output: usage.output };
  return { ...rest, tokens, ...costJson(cost) };
}
