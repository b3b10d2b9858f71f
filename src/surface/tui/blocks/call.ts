import type { Event } from "../../../contract/event.ts";
import type { Call, CallResult } from "../../../contract/message.ts";
import type { Phrase, TextKey } from "../../../contract/text/catalogue.ts";
import { cut, oneLine, wrap } from "../terminal/fit.ts";
import { type Look, words } from "../terminal/look.ts";
import { counted, runningTime, shownTime, withKey } from "../terminal/measure.ts";
import { visibleWidth } from "../terminal/width.ts";
import { type Detail, type Group, perWidth, WholeBlock } from "./block.ts";
import { callDetail } from "./call-detail.ts";
import { type CalledBy, changeFacts, resultBody, resultFacts } from "./call-result.ts";
import { commandWords, toolWords } from "./call-words.ts";
import { diffLines } from "./diff.ts";
import { countsIn, type FileCount } from "./diff-rows.ts";
import { OutputTail } from "./output.ts";
import { howFar, itemLines, planItems, todoItems } from "./todos.ts";

/** `problem`: the fault, if the diff could not be computed. */
export type AskDiff = (id: string, done: (text: string | null, problem: string) => void) => void;

export interface CallDeps {
  readonly look: Look;
  readonly now: () => number;
  /** The key that shows everything. */
  readonly key: string;
  /** `null`: its changes are shown elsewhere. */
  readonly diffs: AskDiff | null;
  readonly lists: () => Lists;
}

type Items = ReturnType<typeof todoItems>;
export interface Lists {
  readonly todos: Items;
  readonly plan: Items;
}

type State = "queued" | "asking" | "running" | CallResult["status"];

const shownTail = 5;
const shownDiff = 40;
const leastMs = 1_000;
const patienceMs = 10_000;

export class CallBlock extends WholeBlock {
  readonly group: Group;
  readonly by: CalledBy;
  call: Call;
  private readonly deps: CallDeps;
  private readonly tail = new OutputTail();
  private state: State = "queued";
  private began = 0;
  private reasons: readonly Phrase[] = [];
  private answer = "";
  private result: CallResult | null = null;
  private before: Lists = { todos: [], plan: [] };
  /** When the diff was requested; `null`: it is not waited for. */
  private askedAt: number | null = null;
  private diff: string | null = null;
  private counts: readonly FileCount[] = [];
  private problem = "";
  private readonly finished: () => readonly string[];

  constructor(call: Call, by: CalledBy, deps: CallDeps) {
    super();
    this.call = call;
    this.by = by;
    this.group = by === "shell" ? "below" : by === "tool" ? "card" : "step";
    this.deps = deps;
    this.finished = perWidth(deps.look, () => this.resultLines());
  }

  hear(event: Event): void {
    if (this.result) return;
    if (event.type === "tool.decided") {
      this.reasons = event.reasons;
      if (event.decision === "ask") this.state = "asking";
    } else if (event.type === "approval.answered") {
      this.answer = event.words;
      this.call = event.call ?? this.call;
      this.state = "queued";
    } else if (event.type === "tool.intended") {
      this.state = "running";
      this.began = this.deps.now();
    } else if (event.type === "tool.settled") this.settle(event.result);
  }

  output(stream: "stdout" | "stderr", text: string): void {
    this.tail.push(stream, text);
  }

  /** The task has ended without a result for this call. */
  close(): void {
    if (this.result === null) this.settle({ status: "unknown", output: "", key: "", ms: 0 });
    this.askedAt = null;
  }

  get isSettled(): boolean {
    return this.result !== null;
  }

  get isIdle(): boolean {
    return this.state === "queued";
  }

  get isOver(): boolean {
    return this.isSettled && (this.askedAt === null || this.deps.now() - this.askedAt > patienceMs);
  }

  override live(room: number): readonly string[] {
    if (room < 1 || (this.by === "plan" && this.result === null)) return [];
    return this.result ? super.live(room) : [this.head(), ...this.tailLines(Math.min(room - 1, shownTail))];
  }

  protected lines(): readonly string[] {
    return this.isOver ? this.finished() : this.resultLines();
  }

  get detail(): Detail | null {
    const { call, result, reasons, answer, diff } = this;
    const { look } = this.deps;
    if (this.isSilent()) return null;
    const output = result ? null : this.tail.tail(Number.MAX_SAFE_INTEGER).join("\n");
    return {
      title: this.title(),
      lines: (width) => callDetail(look, { call, result, reasons, answer, diff, output }, width),
    };
  }

  title(): string {
    const { look } = this.deps;
    return this.by === "shell" ? commandWords(this.call.input) : toolWords(look, this.call.tool, this.call.input);
  }

  head(): string {
    const { look } = this.deps;
    const [sign, style] = this.sign();
    const width = look.width();
    const title = this.title();
    const facts = cut(this.facts(), Math.max(Math.floor(width / 2), width - 4 - visibleWidth(title)));
    const room = width - 2 - (facts === "" ? 0 : visibleWidth(facts) + 2);
    return `${style(sign)} ${cut(title, room)}${facts === "" ? "" : `  ${look.theme.dim(facts)}`}`;
  }

  private settle(result: CallResult): void {
    this.result = result;
    this.state = result.status;
    this.before = this.deps.lists();
    const { diffs } = this.deps;
    const isChange = (result.changes ?? []).length > 0 && this.call.role !== "undoes" && this.call.role !== "commits";
    if (!isChange || diffs === null) return;
    this.askedAt = this.deps.now();
    diffs(this.call.id, (text, problem) => {
      this.askedAt = null;
      this.problem = problem;
      this.diff = text;
      this.counts = text === null ? [] : countsIn(text);
    });
  }

  private sign(): readonly [string, (text: string) => string] {
    const { dim, accent, warn, good, bad } = this.deps.look.theme;
    const signs: Readonly<Record<State, readonly [string, (text: string) => string]>> = {
      ...{ queued: ["·", dim], running: ["•", accent], asking: ["?", warn] },
      ...{ done: ["✓", good], failed: ["✗", bad], unknown: ["?", warn] },
      ...{ denied: ["⊘", warn], cancelled: ["⊘", warn], refused: ["⊘", warn] },
    };
    return signs[this.state];
  }

  private facts(): string {
    const { look, now } = this.deps;
    const { result, state } = this;
    if (state === "asking") return words(look, "block.asks");
    if (state === "running") {
      const ms = now() - this.began;
      return ms < leastMs ? "" : runningTime(look, ms);
    }
    if (result === null) return "";
    const found = resultFacts(look, result, this.by);
    const status: TextKey | null =
      state === "done" || (state === "failed" && found !== "") ? null : `block.status.${result.status}`;
    const lists = this.items();
    return [
      ...(status === null ? [] : [words(look, status)]),
      ...[found, changeFacts(this.counts), lists ? howFar(look, lists[0]) : ""].filter((part) => part !== ""),
      ...(result.ms < leastMs ? [] : [shownTime(look, result.ms)]),
    ].join(" · ");
  }

  private resultLines(): readonly string[] {
    const { result } = this;
    if (result === null || this.isSilent()) return [];
    const { look, key } = this.deps;
    const lists = this.items();
    return [
      this.head(),
      ...resultBody(look, { call: this.call, result, by: this.by, words: this.answer, key }),
      ...(lists ? itemLines(look, ...lists) : []),
      ...this.diffLines(),
      ...this.unkeptLines(result),
    ];
  }

  /** A list says nothing when the plan above shows it, when the model only reads it, or when it did not change. */
  private isSilent(): boolean {
    const { call, result } = this;
    if (result?.status !== "done") return false;
    if (this.by !== "model") return this.by === "plan";
    return call.role === "lists" && result.todos === undefined;
  }

  private items(): readonly [Items, Items] | null {
    if (this.result?.plan) return [planItems(this.result.plan), this.before.plan];
    return this.result?.todos ? [todoItems(this.result.todos), this.before.todos] : null;
  }

  private diffLines(): readonly string[] {
    const { look, key } = this.deps;
    const { theme } = look;
    if (this.problem !== "")
      return wrap(theme.dim(words(look, "block.no_diff", { why: oneLine(this.problem) })), look.width(), "  ");
    if (this.diff === null) return [];
    const isNamed = this.counts.length === 1 && this.title().includes(oneLine(this.counts[0]?.path ?? "?"));
    const shape = { most: shownDiff + 1, ...(isNamed ? { isNameless: true as const } : {}) };
    const lines = diffLines(this.diff, Math.max(10, look.width() - 2), theme, shape).map((line) => `  ${line}`);
    if (lines.length <= shownDiff) return lines;
    return [
      ...lines.slice(0, shownDiff),
      ...wrap(theme.dim(withKey(look, words(look, "block.more_key"), key)), look.width(), "  "),
    ];
  }

  private unkeptLines({ unkept = [], changes = [] }: CallResult): readonly string[] {
    // For a command that was cut off, no file is known and a notice tells the user; changes by others were never ours to restore.
    const lost = unkept.filter(({ why }) => why !== "cut_off" && why !== "background" && why !== "others");
    const all = [...lost, ...changes.filter(({ doubt }) => doubt !== undefined)];
    if (all.length === 0) return [];
    const { look } = this.deps;
    const names = all.slice(0, 3).map(({ path }) => oneLine(path));
    const files = all.length > 3 ? `${names.join(", ")} …` : names.join(", ");
    const text = words(look, "block.unkept", { n: counted(look, "block.files.n", all.length), files });
    return wrap(look.theme.warn(text), look.width(), "  ");
  }

  private tailLines(most: number): readonly string[] {
    if (most < 1 || this.tail.total === 0) return [];
    const { look } = this.deps;
    const width = look.width() - 2;
    const shown = this.tail.tail(most).map((line) => `  ${look.theme.dim(cut(line, width))}`);
    const above = this.tail.total - shown.length;
    if (above <= 0 || shown.length < 2) return shown;
    const more = cut(withKey(look, words(look, "block.above", { n: above + 1 }), this.deps.key), width);
    return [`  ${look.theme.dim(more)}`, ...shown.slice(1)];
  }
}
