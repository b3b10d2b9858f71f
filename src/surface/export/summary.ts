import type { Usage } from "../../contract/message.ts";
import type { TaskSummary } from "../../contract/task.ts";
import { type Lang, phrase, say, type TextKey } from "../../contract/text/catalogue.ts";
import { shownCost } from "./trace-text.ts";

/** The end of a task, one fact per line, without the model's words: they are in its last reply. */
export function summaryLines(summary: TaskSummary, usage: Usage, cost: number | null, lang: Lang): readonly string[] {
  const { outcome, stop_reason: stop, changed_files: files, commands, verification, risks, next_steps: next } = summary;
  const list = (key: TextKey, items: readonly string[]): readonly string[] =>
    items.length === 0 ? [] : [`${say(lang, phrase(key))}: ${items.join("; ")}`];
  const { input, output, cachedInput: cached } = usage;
  return [
    say(lang, phrase("export.ended", { outcome: phrase(`workflow.outcome.word.${outcome}`), stop })),
    ...list(
      "export.changed",
      files.map(({ path, change }) => `${change} ${path}`),
    ),
    ...list(
      "export.commands",
      commands.map(
        ({ command, status, exit_code: code }) => `${command} (${status}${code === null ? "" : ` ${code}`})`,
      ),
    ),
    ...list("export.verification", [verification.reason]),
    ...list("export.risks", risks),
    ...list("export.next", next),
    `${say(lang, phrase("export.tokens", { input, cached, output }))}${shownCost(cost)}`,
  ];
}
