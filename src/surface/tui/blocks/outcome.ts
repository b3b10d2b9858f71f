// The end of a task: changes, evidence, cost, and how to undo. Nothing when there is nothing to say.

import { risksToTell, shownReason } from "../../../command/text/verification.ts";
import type { ErrorInfo } from "../../../contract/error.ts";
import type { InputKind } from "../../../contract/event.ts";
import type { TaskId } from "../../../contract/ids.ts";
import type { Usage } from "../../../contract/message.ts";
import { visible } from "../../../contract/show/visible.ts";
import type { Outcome, TaskSummary } from "../../../contract/task.ts";
import { type Phrase, say } from "../../../contract/text/catalogue.ts";
import { clean, cut, oneLine, signed, wrap } from "../terminal/fit.ts";
import { type Look, words } from "../terminal/look.ts";
import { counted, shownCost, shownCount, shownTime } from "../terminal/measure.ts";
import { visibleWidth } from "../terminal/width.ts";
import { WholeBlock } from "./block.ts";
import type { CallDeps } from "./call.ts";
import { changeFacts } from "./call-result.ts";
import { checkFacts } from "./checks.ts";
import { countsIn, type FileCount } from "./diff-rows.ts";
import { faultLines } from "./note.ts";

export interface EndedTask {
  readonly taskId: TaskId;
  readonly kind: InputKind;
  readonly summary: TaskSummary;
  readonly ms: number;
  readonly usage: Usage;
  /** In micro-dollars; `null`: a price was unknown. */
  readonly cost: number | null;
  /** By path: the number of calls that changed it. */
  readonly edits: ReadonlyMap<string, number>;
  readonly error: ErrorInfo | null;
  readonly note: Phrase | null;
}

/** With what its files gained and lost in the end: a line that was changed twice counts once. */
interface Counted extends EndedTask {
  readonly counts: readonly FileCount[];
}

const patienceMs = 2_000;

export class OutcomeBlock extends WholeBlock {
  readonly group = "card";
  readonly detail = null;
  private readonly ended: EndedTask;
  private readonly deps: Pick<CallDeps, "look" | "now">;
  private counts: readonly FileCount[] = [];
  /** When the net changes were requested; `null`: they are not waited for. */
  private askedAt: number | null = null;

  constructor(ended: EndedTask, deps: Pick<CallDeps, "look" | "now" | "diffs">) {
    super();
    this.ended = ended;
    this.deps = deps;
    const { diffs } = deps;
    if (diffs === null || ended.kind !== "task" || ended.summary.changed_files.length === 0) return;
    this.askedAt = deps.now();
    diffs(ended.taskId, (text) => {
      this.askedAt = null;
      this.counts = text === null ? [] : countsIn(text);
    });
  }

  get isOver(): boolean {
    return this.askedAt === null || this.deps.now() - this.askedAt > patienceMs;
  }

  protected lines(): readonly string[] {
    const ended = { ...this.ended, counts: this.counts };
    const { look } = this.deps;
    return ended.summary.stop_reason === "CANCELLED" ? stoppedLines(look, ended) : endedLines(look, ended);
  }
}

function stoppedLines(look: Look, ended: Counted): readonly string[] {
  const { changed_files: files } = ended.summary;
  return [...cancelledLines(look), ...(files.length === 0 ? [] : [...fileLines(look, ended), undoLine(look)])];
}

/** CAN-3: exactly these lines. The second is left for the terminal to wrap. */
export function cancelledLines(look: Look): readonly string[] {
  return [
    look.theme.warn(words(look, "cancel.line1")),
    words(look, "cancel.line2"),
    ...(look.lang === "zh" ? wrap(look.theme.dim(words(look, "block.cancelled")), look.width()) : []),
  ];
}

function endedLines(look: Look, ended: Counted): readonly string[] {
  const { kind, summary, error, note } = ended;
  const { changed_files: files, verification, stop_reason: stop } = summary;
  // A command the user ran needs no summary.
  if (kind !== "task") return [];
  const isCard = files.length > 0 || verification.results !== undefined || stop !== "COMPLETED";
  const known = measures(look, ended);
  const risks = risksToTell(look.lang, summary).flatMap((risk) => bullet(look, risk, "▲"));
  if (!isCard) return [...(known.length === 0 ? [] : [look.theme.dim(fitting(known, look.width()))]), ...risks];
  return [
    headLine(look, ended),
    ...(isCheckFailure(error, summary) ? [] : errorLines(look, error)),
    ...[...new Set([note ? say(look.lang, note) : "", summary.blocked ?? ""])].flatMap((text) =>
      bullet(look, text, "▲"),
    ),
    ...questionLines(look, summary),
    ...fileLines(look, ended),
    ...evidenceLines(look, summary),
    ...risks,
    ...(files.length === 0 ? [] : [undoLine(look)]),
    ...nextLines(look, ended),
  ];
}

function errorLines(look: Look, error: ErrorInfo | null): readonly string[] {
  return (error ? faultLines({ ...look, width: () => look.width() - 2 }, error) : []).map((line) => `  ${line}`);
}

/** The failed check is shown below, with what to do about it. */
function isCheckFailure(error: ErrorInfo | null, { verification: { results = [] } }: TaskSummary): boolean {
  return error?.text.key === "check.failed" && results.some(({ ok }) => !ok);
}

function styleOf({ theme }: Look, outcome: Outcome): (text: string) => string {
  return outcome === "VERIFIED" ? theme.good : outcome === "FAILED" ? theme.bad : theme.warn;
}

function headLine(look: Look, ended: EndedTask): string {
  const { outcome, changed_files: files, stop_reason: stop } = ended.summary;
  const changed = files.length === 0 ? [] : [counted(look, "block.changed.n", files.length)];
  const why = stop === "COMPLETED" ? [] : [words(look, `block.stop.${stop}`)];
  const word = words(look, `workflow.outcome.word.${outcome}`);
  const facts = fitting([...why, ...changed, ...measures(look, ended)], look.width() - visibleWidth(word) - 2);
  return `${look.theme.bold(styleOf(look, outcome)(word))}  ${look.theme.dim(facts)}`;
}

/** As many as fit: half a number would be wrong. */
function fitting(facts: readonly string[], width: number): string {
  const [first = "", ...more] = facts;
  return more.reduce(
    (all, fact) => (visibleWidth(`${all} · ${fact}`) > width ? all : `${all} · ${fact}`),
    cut(first, width),
  );
}

const leastMs = 100;

function measures(look: Look, { ms, usage, cost }: EndedTask): readonly string[] {
  const { input, output } = usage;
  const tokens = words(look, "block.tokens", { input: shownCount(input), output: shownCount(output) });
  return [
    ...(ms < leastMs ? [] : [shownTime(look, ms)]),
    ...(cost === null || cost === 0 ? [] : [shownCost(cost)]),
    ...(input + output === 0 ? [] : [tokens]),
  ];
}

const signs = { create: "A", modify: "M", delete: "D" } as const;
const shownFiles = 20;

function fileLines(look: Look, { summary, edits, counts }: Counted): readonly string[] {
  const { theme } = look;
  const files = summary.changed_files;
  const lines = files.slice(0, shownFiles).map(({ path, change }) => {
    const facts = changeFacts(counts.filter((one) => one.path === path));
    const n = edits.get(path) ?? 0;
    const times = n > 1 ? ` ${words(look, "block.edits", { n })}` : "";
    const behind = facts === "" ? "" : `  ${facts}${times}`;
    const name = cut(visible(path), look.width() - 4 - visibleWidth(behind));
    return `  ${theme.accent(signs[change])} ${name}${theme.dim(behind)}`;
  });
  const rest = files.length - lines.length;
  return rest > 0 ? [...lines, theme.dim(cut(`  ${counted(look, "block.more_files.n", rest)}`, look.width()))] : lines;
}

const shownCommands = 3;

/** VF-6: the checks that prove the outcome, or why there are none, then the last commands. */
function evidenceLines(look: Look, { verification, commands, changed_files: files }: TaskSummary): readonly string[] {
  const { results = [], reason, status } = verification;
  const { theme } = look;
  const checked = results.flatMap((result) => {
    const sign = result.ok ? theme.good("✓") : theme.bad("✗");
    return wrap(`${oneLine(result.command)}: ${checkFacts(look, result)}`, look.width(), `  ${sign} `, "    ");
  });
  if (status !== "none") return checked;
  const isShown = results.some(({ summary }) => summary !== "" && reason.includes(summary));
  const isWorthShowing = reason !== "" && !isShown && (files.length > 0 || results.length > 0);
  const why = !isWorthShowing ? [] : wrap(theme.dim(oneLine(shownReason(look.lang, reason))), look.width(), "  ");
  const others = commands.filter(({ command }) => !results.some((result) => result.command === command));
  const ran = (files.length === 0 ? [] : others.slice(-shownCommands)).map(
    ({ command, status: how, exit_code: code }) => {
      const sign = how === "done" ? theme.good("✓") : how === "failed" ? theme.bad("✗") : theme.warn("⊘");
      const behind = code === null || code === 0 ? "" : `  ${words(look, "block.exit_code", { code })}`;
      return `  ${sign} ${cut(oneLine(command), look.width() - 4 - visibleWidth(behind))}${theme.dim(behind)}`;
    },
  );
  return [...checked, ...why, ...ran];
}

function undoLine(look: Look): string {
  return look.theme.dim(cut(`  ${words(look, "block.undo")}`, look.width()));
}

const shownSteps = 5;

function nextLines(look: Look, { summary, note }: EndedTask): readonly string[] {
  const noted = note ? say(look.lang, note) : null;
  return summary.next_steps
    .filter((step) => step !== noted)
    .slice(0, shownSteps)
    .flatMap((step) => bullet(look, step, "→"));
}

function questionLines(look: Look, { questions = [] }: TaskSummary): readonly string[] {
  return questions.flatMap(({ question, options }) => [
    ...bullet(look, question, "?"),
    ...options.flatMap((option) => wrap(oneLine(option), look.width(), "    - ", "      ")),
  ]);
}

function bullet(look: Look, text: string, sign: string): readonly string[] {
  return text === "" ? [] : signed(clean(text), look.width(), `  ${look.theme.accent(sign)} `);
}
