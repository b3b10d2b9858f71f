// CX-2: the summary when no model wrote one: from statuses, titles and commands, never from outputs.
import { commandOf, type Entry } from "../../machine/history/entry.ts";
import type { History } from "../../machine/history/history.ts";
import type { TaskRecord } from "../../machine/history/task-record.ts";
import { type Sections, sectionsOf } from "./sections.ts";
import { unmarked } from "./words.ts";

interface RuledSections {
  readonly Goal: readonly string[];
  readonly Done: readonly string[];
  readonly "Decisions and risks": readonly string[];
  readonly "Next steps": readonly string[];
}

const MAX_TROUBLES = 12;
const MAX_TEXTS = 6;
const LINE = 240;

/** `notes`: a model's earlier summary. The newest lines come last, and those are kept when space is short. */
export function ruledSections(
  history: History,
  from: number,
  cut: number,
  notes: string,
  focus: string,
): RuledSections {
  const old: Sections = sectionsOf(notes);
  const entries = history.entries.slice(from, cut);
  const earlier = history.tasks.slice(0, -1).map(taskLine);
  return {
    Goal: [
      ...(focus === "" ? [] : [`To be kept in mind: ${oneLine(focus)}`]),
      `The current task: ${history.task?.title ?? ""}`,
    ],
    Done: [...linesOf(old.Done), ...earlier, ...currentLines(history.task)],
    "Decisions and risks": [...linesOf(old["Decisions and risks"]), ...troubles(entries)],
    "Next steps": texts(entries),
  };
}

function linesOf(text: string | undefined): readonly string[] {
  return text === undefined
    ? []
    : unmarked(text)
        .split("\n")
        .filter((line) => line.trim() !== "");
}

function taskLine({ title, summary, changes, undone }: TaskRecord): string {
  const files = new Set(changes.map(({ path }) => path)).size;
  const what = summary ? `${summary.outcome}, ${summary.stop_reason}` : "not finished";
  return `- ${oneLine(title)}: ${what}${files > 0 ? `, ${files} files changed` : ""}${undone ? ", taken back" : ""}`;
}

function currentLines(task: TaskRecord | undefined): readonly string[] {
  return (task?.commands ?? []).slice(-MAX_TROUBLES).map(({ command, status, exit_code }) => {
    return `- ran ${oneLine(command)}: ${exit_code === null ? status : `exit code ${exit_code}`}`;
  });
}

function troubles(entries: readonly Entry[]): readonly string[] {
  const found = entries.flatMap((entry) => {
    if (entry.kind !== "step" && (entry.kind !== "command" || entry.isUnsent)) return [];
    const calls = entry.kind === "step" ? entry.calls : [entry.call];
    return calls.flatMap((call) => {
      const result = entry.results.get(call.id);
      if (!result || result.status === "done") return [];
      return [
        `- ${call.tool} ${oneLine(aboutOf(call))}: ${result.status}${result.error ? ` (${result.error.code})` : ""}`,
      ];
    });
  });
  return [...new Set(found)].slice(-MAX_TROUBLES);
}

function aboutOf(call: Parameters<typeof commandOf>[0]): string {
  const { input } = call;
  if (typeof input === "object" && input !== null && "path" in input) return String(input.path);
  const command = commandOf(call);
  return command === call.tool ? "" : command;
}

function texts(entries: readonly Entry[]): readonly string[] {
  const said = entries.flatMap((entry) => (entry.kind === "step" && entry.text.trim() !== "" ? [entry.text] : []));
  if (said.length === 0) return [];
  return [
    "What the agent said last, the newest at the end:",
    ...said.slice(-MAX_TEXTS).map((text) => `- ${oneLine(text)}`),
  ];
}

function oneLine(text: string): string {
  const flat = text
    .replace(/<\/?said[^>]*>/g, "")
    .replace(/\s+/g, " ")
    .trim();
  return flat.length > LINE ? `${flat.slice(0, LINE)} […]` : flat;
}
