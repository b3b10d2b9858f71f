// The keys of vim for the prompt: insert and normal mode, motions, operators, counts, undo. Insert mode is the editor as it is.
import { decodePrintableKey, matchesKey } from "@earendil-works/pi-tui/dist/keys.js";
import {
  found,
  indented,
  lineEnd,
  lineStart,
  motion,
  next,
  onCharacter,
  previous,
  type Span,
  type Target,
  textObject,
  vertically,
} from "./motions.ts";

/** The text as vim sees it: one string and a place in it. */
export interface VimText {
  readonly text: string;
  readonly at: number;
}

interface VimDeps {
  readonly read: () => VimText;
  readonly write: (now: VimText) => void;
  /** Vertical motions leave the text for earlier and later inputs. */
  readonly older: () => void;
  readonly newer: () => void;
}

interface Repeatable extends VimText {
  /** The keys that led to it, and what was typed then: for `.`. */
  readonly keys: readonly string[];
  readonly typed: string;
}

const mostUndo = 200;
const operators = "dcy";
/** They wait for one more character. */
const waiting = /^(?:[dcy]?[fFtT]|[dcy]?g|[dcy][ia]|r)$/;

export class Vim {
  private readonly deps: VimDeps;
  private mode: "insert" | "normal" = "insert";
  /** Keys of a command that is not complete: its operator, its motion so far. */
  private pending = "";
  private counts = "";
  /** The count before an operator. */
  private factor = 1;
  private keys: string[] = [];
  private before: VimText = { text: "", at: 0 };
  private register = { text: "", isLines: false };
  private lastFind: readonly [kind: string, sign: string] | null = null;
  private lastChange: Repeatable | null = null;
  private undone: VimText[] = [];
  private done: VimText[] = [];
  private column: number | null = null;

  constructor(deps: VimDeps) {
    this.deps = deps;
  }

  get label(): "insert" | "normal" {
    return this.mode;
  }

  /** The keys that were pressed for a command that is not complete. */
  get typed(): string {
    return `${this.factor > 1 ? this.factor : ""}${this.pending}${this.counts}`;
  }

  /** Escape leaves insert mode or an incomplete command. */
  get takesEscape(): boolean {
    return this.mode === "insert" || this.typed !== "";
  }

  /** Another text stands in the prompt. */
  reset(): void {
    this.mode = "insert";
    this.forget();
    [this.done, this.undone] = [[], []];
    this.before = this.deps.read();
  }

  /** `true`: the key is no text and no key of the editor. */
  handle(key: string): boolean {
    if (matchesKey(key, "escape")) return this.escape();
    if (this.mode === "insert") return false;
    if (matchesKey(key, "ctrl+r")) this.redo();
    else if (matchesKey(key, "backspace")) this.feed("h");
    else {
      const sign = decodePrintableKey(key) ?? (key >= " " && key.length <= 2 && !key.startsWith("\x1b") ? key : "");
      if (sign === "" || sign === "\x7f") return false;
      this.feed(sign);
    }
    return true;
  }

  private escape(): boolean {
    if (this.mode === "normal") {
      this.forget();
      return true;
    }
    this.mode = "normal";
    const { text, at } = this.deps.read();
    if (text !== this.before.text) {
      this.remember(this.before);
      const from = Math.min(this.before.at, at);
      this.lastChange = { ...this.before, keys: this.keys, typed: text.slice(from, at) };
    }
    this.forget();
    const to = at > lineStart(text, at) ? previous(text, at) : at;
    if (to !== at) this.deps.write({ text, at: to });
    return true;
  }

  private forget(): void {
    [this.pending, this.counts, this.factor, this.keys] = ["", "", 1, []];
  }

  private feed(sign: string): void {
    this.keys.push(sign);
    const isCount = /[1-9]/.test(sign) || (sign === "0" && this.counts !== "");
    if (isCount && !waiting.test(this.pending)) {
      this.counts += sign;
      return;
    }
    const command = `${this.pending}${sign}`;
    this.pending = command;
    if (command.length === 1 && operators.includes(command)) {
      [this.factor, this.counts] = [Number(this.counts || "1"), ""];
      return;
    }
    if (waiting.test(command)) return;
    const now = this.deps.read();
    if (sign !== "j" && sign !== "k") this.column = null;
    const isCounted = this.counts !== "" || this.factor > 1;
    const count = isCounted ? Math.min(9_999, Number(this.counts || "1") * this.factor) : null;
    const [operator = ""] = command;
    const isOperated = command.length > 1 && operators.includes(operator);
    if (isOperated) this.operate(operator, command.slice(1), now, count);
    else if (!this.move(command, now, count)) this.change(command, now, count);
    // The keys of an insertion are kept until it ends.
    if (this.mode === "normal") this.forget();
  }

  private target(command: string, { text, at }: VimText, count: number | null): Target | null {
    const [kind = "", sign = ""] = [...command];
    if ("fFtT".includes(kind) && sign !== "") {
      this.lastFind = [kind, sign];
      return found(kind, sign, text, at, count ?? 1);
    }
    if ((kind === ";" || kind === ",") && this.lastFind) {
      const [last, wanted] = this.lastFind;
      const turned = last === last.toLowerCase() ? last.toUpperCase() : last.toLowerCase();
      return found(kind === ";" ? last : turned, wanted, text, at, count ?? 1);
    }
    return motion(command, text, at, count);
  }

  private move(command: string, now: VimText, count: number | null): boolean {
    if (command === "j" || command === "k") {
      this.vertical(now, command === "j" ? (count ?? 1) : -(count ?? 1));
      return true;
    }
    const target = this.target(command, now, count);
    if (target) this.deps.write({ text: now.text, at: onCharacter(now.text, target.to) });
    return target !== null;
  }

  private vertical({ text, at }: VimText, lines: number): void {
    this.column ??= at - lineStart(text, at);
    const to = vertically(text, at, lines, this.column);
    if (to !== null) this.deps.write({ text, at: onCharacter(text, to) });
    else if (lines === 1) this.deps.newer();
    else if (lines === -1) this.deps.older();
  }

  private operate(operator: string, wanted: string, now: VimText, count: number | null): void {
    const { text, at } = now;
    const lines = wanted === operator ? (count ?? 1) - 1 : wanted === "j" ? (count ?? 1) : null;
    if (lines !== null || wanted === "k") {
      const other = vertically(text, at, lines ?? -(count ?? 1), 0) ?? (wanted === operator ? text.length : null);
      if (other !== null) this.applyLines(operator, now, Math.min(at, other), Math.max(at, other));
      return;
    }
    const [kind = "", sign = ""] = [...wanted];
    if (kind === "i" || kind === "a") {
      const span = textObject(sign, kind === "a", text, at);
      if (span) this.apply(operator, now, span);
      return;
    }
    // To change a word leaves the blanks behind it.
    const isWord = (wanted === "w" || wanted === "W") && operator === "c" && /\S/.test(text[at] ?? "");
    const target = this.target(
      isWord ? (wanted === "w" ? "e" : "E") : wanted,
      isWord ? { text, at: at - 1 } : now,
      count,
    );
    if (target === null) return;
    const [from, to] = [Math.min(at, target.to), Math.max(at, target.to)];
    if (target.span === "lines") this.applyLines(operator, now, from, to);
    else if (target.span === "with") this.apply(operator, now, { from, to: next(text, to) });
    // A word at the end of a line does not take the line break with it.
    else this.apply(operator, now, { from, to: /[wW]/.test(wanted) ? withinLine(text, from, to) : to });
  }

  private apply(operator: string, { text }: VimText, { from, to }: Span): void {
    this.register = { text: text.slice(from, to), isLines: false };
    if (operator === "y") this.deps.write({ text, at: from });
    else if (operator === "c") this.insert({ text: text.slice(0, from) + text.slice(to), at: from });
    else this.put({ text: text.slice(0, from) + text.slice(to), at: from });
  }

  private applyLines(operator: string, { text, at }: VimText, first: number, last: number): void {
    const [from, to] = [lineStart(text, first), lineEnd(text, last)];
    this.register = { text: text.slice(from, to), isLines: true };
    if (operator === "y") this.deps.write({ text, at: first < at ? from : at });
    else if (operator === "c") this.insert({ text: text.slice(0, from) + text.slice(to), at: from });
    else {
      const [start, end] = to < text.length ? [from, to + 1] : [Math.max(0, from - 1), to];
      const rest = text.slice(0, start) + text.slice(end);
      this.put({ text: rest, at: indented(rest, Math.min(start, rest.length)) });
    }
  }

  private change(command: string, now: VimText, count: number | null): void {
    const { text, at } = now;
    const times = count ?? 1;
    const same = sameAs[command];
    if (same !== undefined) {
      const [operator = "", ...wanted] = same;
      this.operate(operator, wanted.join(""), now, count);
      return;
    }
    if (command.startsWith("r")) this.replace(now, command.slice(1), times);
    else if (command === "~") this.toggle(now, times);
    else if (command === "J") this.join(now, times);
    else if (command === "p" || command === "P") this.paste(now, command === "p", times);
    else if (command === "u") for (let n = 0; n < times; n++) this.undo();
    else if (command === ".") this.repeat();
    else {
      const place = insertAt[command]?.(text, at);
      if (place !== undefined) this.insert({ text, at: place });
      else if (command === "o" || command === "O") {
        const line = command === "o" ? lineEnd(text, at) : lineStart(text, at);
        const made = `${text.slice(0, line)}\n${text.slice(line)}`;
        this.insert({ text: made, at: command === "o" ? line + 1 : line });
      }
    }
  }

  private replace({ text, at }: VimText, sign: string, times: number): void {
    let to = at;
    for (let n = 0; n < times; n++) {
      if (to >= lineEnd(text, at)) return;
      to = next(text, to);
    }
    const made = sign.repeat(times);
    this.put({ text: text.slice(0, at) + made + text.slice(to), at: at + made.length - sign.length });
  }

  private toggle({ text, at }: VimText, times: number): void {
    const to = Math.min(lineEnd(text, at), at + times);
    const turned = [...text.slice(at, to)].map((one) =>
      one === one.toLowerCase() ? one.toUpperCase() : one.toLowerCase(),
    );
    this.put({ text: text.slice(0, at) + turned.join("") + text.slice(to), at: to });
  }

  private join({ text, at }: VimText, times: number): void {
    let [joined, place] = [text, at];
    for (let n = 0; n < Math.max(1, times - 1); n++) {
      const end = lineEnd(joined, place);
      if (end === joined.length) break;
      const rest = joined.slice(end + 1).replace(/^[ \t]+/, "");
      const head = joined.slice(0, end).replace(/[ \t]+$/, "");
      joined = `${head}${rest === "" || rest.startsWith("\n") ? "" : " "}${rest}`;
      place = head.length;
    }
    this.put({ text: joined, at: place });
  }

  private paste({ text, at }: VimText, isBehind: boolean, times: number): void {
    const { text: kept, isLines } = this.register;
    if (kept === "") return;
    const all = isLines ? `${kept}\n`.repeat(times) : kept.repeat(times);
    if (!isLines) {
      const place = isBehind && lineEnd(text, at) > at ? next(text, at) : at;
      this.put({
        text: text.slice(0, place) + all + text.slice(place),
        at: previous(text.slice(0, place) + all, place + all.length),
      });
    } else if (isBehind) {
      const end = lineEnd(text, at);
      this.put({ text: `${text.slice(0, end)}\n${all.slice(0, -1)}${text.slice(end)}`, at: end + 1 });
    } else {
      const start = lineStart(text, at);
      this.put({ text: text.slice(0, start) + all + text.slice(start), at: start });
    }
  }

  /** A complete change; the cursor stands on a character again. */
  private put(now: VimText): void {
    const before = this.deps.read();
    if (now.text !== before.text) this.remember(before);
    this.lastChange = { ...before, keys: this.keys, typed: "" };
    this.deps.write({ text: now.text, at: onCharacter(now.text, Math.min(now.at, now.text.length)) });
  }

  /** What is typed from now on belongs to this change. */
  private insert(now: VimText): void {
    this.before = this.deps.read();
    this.mode = "insert";
    const { keys } = this;
    this.forget();
    this.keys = keys;
    this.deps.write(now);
    // Where typing starts, for `.`.
    this.before = { text: this.before.text, at: now.at };
  }

  private remember(before: VimText): void {
    this.done = [...this.done.slice(-mostUndo), before];
    this.undone = [];
  }

  private undo(): void {
    this.swap(this.done, this.undone);
  }

  private redo(): void {
    this.swap(this.undone, this.done);
    this.forget();
  }

  private swap(from: VimText[], to: VimText[]): void {
    const now = from.pop();
    if (now === undefined) return;
    to.push(this.deps.read());
    this.deps.write({ text: now.text, at: onCharacter(now.text, Math.min(now.at, now.text.length)) });
  }

  private repeat(): void {
    const last = this.lastChange;
    if (last === null) return;
    this.forget();
    for (const key of last.keys) this.feed(key);
    if (this.mode === "normal") return;
    const { text, at } = this.deps.read();
    this.deps.write({ text: text.slice(0, at) + last.typed + text.slice(at), at: at + last.typed.length });
    this.escape();
    this.lastChange = last;
  }
}

/** Short forms of an operator and a motion. */
const sameAs: Readonly<Record<string, string>> = {
  ...{ x: "dl", X: "dh", D: "d$", C: "c$", s: "cl", S: "cc", Y: "yy" },
};

/** Where insert mode begins. */
const insertAt: Readonly<Record<string, (text: string, at: number) => number>> = {
  i: (_, at) => at,
  a: (text, at) => (lineEnd(text, at) > at ? next(text, at) : at),
  I: (text, at) => indented(text, at),
  A: (text, at) => lineEnd(text, at),
};

function withinLine(text: string, from: number, to: number): number {
  const end = lineEnd(text, from);
  return to > end && end > from ? end : to;
}
