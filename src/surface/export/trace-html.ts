import { type Lang, phrase, say } from "../../contract/text/catalogue.ts";
import { type ExportHead, headLine } from "./head.ts";
import { escaped, pageEnd, pageStart } from "./page.ts";
import type { TimelineRow } from "./rows.ts";
import { addLines, type SpanKind, spanKinds, type TaskLine, type Totals } from "./timeline.ts";
import { rowText, shownMs, totalLines } from "./trace-text.ts";

export function* traceHtml(head: ExportHead, tasks: Iterable<TaskLine>, lang: Lang): Generator<string> {
  yield pageStart(lang, head.title || say(lang, phrase("export.session", { id: head.id })));
  yield `<p class="head">${escaped(headLine(head, lang))}</p>\n${legend(lang)}`;
  let all: Totals | null = null;
  let count = 0;
  for (const task of tasks) {
    count += 1;
    all = addLines(all, task);
    yield taskHtml(task, lang);
  }
  if (all === null) yield `<p>${escaped(say(lang, phrase("trace.no_tasks")))}</p>\n`;
  else if (count > 1)
    yield `<h2>${escaped(say(lang, phrase("trace.total", { tasks: count })))}</h2>\n${totalHtml(all, lang)}`;
  yield pageEnd;
}

function legend(lang: Lang): string {
  const items = spanKinds.map((kind) => {
    const name = escaped(say(lang, phrase(`trace.legend.${kind}`)));
    return `<svg class="key" viewBox="0 0 1 1"><rect class="${kind}" width="1" height="1"/></svg> ${name}`;
  });
  return `<p class="head">${items.join(" &nbsp; ")}</p>\n`;
}

function taskHtml(task: TaskLine, lang: Lang): string {
  const end = { outcome: task.outcome ?? "–", stop: task.stopReason ?? say(lang, phrase("trace.open")) };
  const rows = task.rows.map((row) => {
    const cells = [shownMs(row.at), rowText(row, lang)].map((text) => `<td>${escaped(text)}</td>`);
    return `<tr>${cells.join("")}<td>${rowBar(row, task.ms.total)}</td></tr>\n`;
  });
  return [
    `<h2>${escaped(say(lang, phrase("export.task", { id: task.id })))}</h2>\n`,
    `<div class="text said">${escaped(task.input)}</div>\n`,
    `<p>${escaped(say(lang, phrase("export.ended", end)))}</p>\n`,
    bars(task.spans, task.ms.total),
    totalHtml(task, lang),
    `<table>\n${rows.join("")}</table>\n`,
  ].join("");
}

function totalHtml(totals: Totals, lang: Lang): string {
  return `<pre>\n${escaped(totalLines(totals, lang))}</pre>\n`;
}

function rowBar(row: TimelineRow, total: number): string {
  if (row.kind === "model") return bars([{ kind: "model", at: row.at, ms: row.ms }], total);
  if (row.kind === "failure") return bars([{ kind: "retry", at: row.at, ms: row.ms }], total);
  return row.kind === "call" && row.ms !== null ? bars([{ kind: "tool", at: row.at, ms: row.ms }], total) : "";
}

/** Drawn by attributes, because the page allows no inline style. */
function bars(spans: readonly { kind: SpanKind; at: number; ms: number }[], total: number): string {
  const part = (ms: number): string => ((ms / Math.max(1, total)) * 100).toFixed(2);
  const rects = spans.map(
    ({ kind, at, ms }) =>
      `<rect class="${kind}" x="${part(at)}%" width="${part(ms)}%" height="100%"><title>${escaped(shownMs(ms))}</title></rect>`,
  );
  return `<svg>${rects.join("")}</svg>\n`;
}
