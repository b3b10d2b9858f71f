import type { Usage } from "../../contract/message.ts";
import { dollars, inDollars } from "../../contract/show/money.ts";
import { type Lang, phrase, say } from "../../contract/text/catalogue.ts";
import { type ExportHead, headLine } from "./head.ts";
import type { TimelineRow } from "./rows.ts";
import { addLines, type TaskLine, type Totals } from "./timeline.ts";
import { fit, oneLine } from "./visible.ts";

const columns = 80;

export function* traceText(head: ExportHead, tasks: Iterable<TaskLine>, lang: Lang): Generator<string> {
  const line = (text: string): string => `${fit(oneLine(text), columns)}\n`;
  yield line(`${head.id}  ${head.title}`);
  for (const part of headLine(head, lang).split(" · ")) yield line(part);
  let all: Totals | null = null;
  let count = 0;
  for (const task of tasks) {
    count += 1;
    all = addLines(all, task);
    yield `\n${line(`${say(lang, phrase("export.task", { id: task.id }))}: ${task.input}`)}`;
    for (const row of task.rows) yield `${fit(`${shownMs(row.at).padStart(9)}  ${rowText(row, lang)}`, columns)}\n`;
    yield ending(task, lang);
  }
  if (all === null) yield `\n${say(lang, phrase("trace.no_tasks"))}\n`;
  else if (count > 1) yield `\n${say(lang, phrase("trace.total", { tasks: count }))}\n${totalLines(all, lang)}`;
}

export function rowText(row: TimelineRow, lang: Lang): string {
  const text = (key: Parameters<typeof phrase>[0], args?: Parameters<typeof phrase>[1]): string =>
    say(lang, phrase(key, args));
  switch (row.kind) {
    case "states":
      return row.states.join(" → ");
    case "model":
      return `${text("trace.step", { n: row.step })}  ${shownMs(row.ms)}  ${tokens(row.usage, lang)}${shownCost(row.cost)}`;
    case "failure": {
      const next =
        row.retryInMs === null ? text("trace.no_retry") : text("trace.retry", { time: shownMs(row.retryInMs) });
      const what = text("trace.failed", { fault: row.fault, n: row.attempt });
      return `${text("trace.step", { n: row.step })}  ${shownMs(row.ms)}  ${what}; ${next}`;
    }
    case "call": {
      const judged =
        row.decision === null ? [] : [text("trace.decision", { decision: row.decision, source: row.source ?? "" })];
      const answered = row.answer ? [text("trace.answer", { ...row.answer })] : [];
      const ended = row.status === null ? [text("trace.open")] : [`${row.status} ${shownMs(row.ms ?? 0)}`];
      const about = fit(oneLine(row.about), 28);
      const name = about === "" ? row.tool : `${row.tool} ${about}`;
      return oneLine(`${name}  ${[...ended, ...judged, ...answered].join(", ")}  ${row.call}`);
    }
    case "compaction":
      return text("export.compacted", { stage: row.stage, before: row.before, after: row.after });
    case "input":
      return oneLine(text("trace.said", { text: row.text }));
    case "note":
      return oneLine(say(lang, row.text));
  }
}

function tokens({ input, cachedInput: cached, output }: Usage, lang: Lang): string {
  return say(lang, phrase("trace.tokens", { input, cached, output }));
}

function ending(task: TaskLine, lang: Lang): string {
  const { outcome, stopReason: stop } = task;
  const end =
    outcome === null || stop === null
      ? say(lang, phrase("trace.open"))
      : say(lang, phrase("export.ended", { outcome: phrase(`workflow.outcome.word.${outcome}`), stop }));
  return `  ${end}\n${totalLines(task, lang)}`;
}

export function totalLines({ ms, counts, usage, cost }: Totals, lang: Lang): string {
  const shown = Object.fromEntries(Object.entries(ms).map(([kind, value]) => [kind, shownMs(value)]));
  const lines = [
    say(lang, phrase("trace.time", shown)),
    [phrase("trace.rest", shown), ...(ms.away > 0 ? [phrase("trace.away", { time: shownMs(ms.away) })] : [])]
      .map((part) => say(lang, part))
      .join(lang === "zh" ? "，" : ", "),
    say(lang, phrase("trace.counts", { ...counts })),
    `${say(lang, phrase("export.tokens", { input: usage.input, cached: usage.cachedInput, output: usage.output }))}${shownCost(cost)}`,
  ];
  return lines.map((line) => `  ${fit(line, columns - 2)}\n`).join("");
}

export function shownCost(cost: number | null | undefined): string {
  return cost === null || cost === undefined ? "" : `, ${dollars(inDollars(cost))}`;
}

export function shownMs(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(2)} s`;
  const [unit, big, small] = ms < 3_600_000 ? (["min", 60_000, 1_000] as const) : (["h", 3_600_000, 60_000] as const);
  return `${Math.floor(ms / big)}:${String(Math.floor((ms % big) / small)).padStart(2, "0")} ${unit}`;
}
