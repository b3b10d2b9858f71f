import { getKeybindings } from "@earendil-works/pi-tui/dist/keybindings.js";
import { decodePrintableKey, matchesKey } from "@earendil-works/pi-tui/dist/keys.js";
import type { InputHistory } from "../app/deps.ts";
import type { Keys } from "../app/keys.ts";
import { words } from "../terminal/look.ts";
import type { Frame } from "../terminal/screen.ts";
import { Completion, type Sources } from "./completion.ts";
import { frameOf } from "./draw.ts";
import { Folds, folded, linesIn } from "./folds.ts";
import { asImage, Pasting, sanitized } from "./input-text.ts";
import { Past, type Written } from "./past.ts";
import { Search } from "./search.ts";
import { Draft } from "./unsent.ts";
import type { Vim } from "./vim/vim.ts";

interface PromptDeps extends Sources {
  readonly keys: Keys;
  readonly rows: () => number;
  readonly redraw: () => void;
  readonly send: (text: string, delivery: "steer" | "queue") => void;
  readonly isBusy?: () => boolean;
  /** The prompt has the keys of vim. */
  readonly hasVim?: () => boolean;
  readonly history: InputHistory;
}

/** Limits for text that is set as a whole, such as from an editor, before it is folded. */
const mostLines = 2_000;
const mostChars = 100_000;
/** Wrapping a longer line would delay keys. */
const longLine = /[^\n]{5000}/;
/** Limit for folded pastes in the history; the oldest are dropped. */
const mostFolded = 16 * 2 ** 20;

export class Prompt {
  private readonly deps: PromptDeps;
  private readonly folds: Folds;
  private readonly draft: Draft;
  private readonly completion: Completion;
  private readonly past: Past;
  private readonly pasting = new Pasting();
  private search: Search | null = null;
  private vim: Vim | "loading" | null = null;
  /** The high surrogate of a character that came in two parts. */
  private half = "";

  constructor(deps: PromptDeps) {
    this.deps = deps;
    this.folds = new Folds(deps.look);
    this.draft = new Draft(deps.rows, (mark) => this.folds.labelOf(mark));
    this.completion = new Completion(deps, deps.redraw);
    this.past = new Past(deps.history);
  }

  get text(): string {
    return this.folds.unfolded(this.draft.text);
  }

  get isEmpty(): boolean {
    return this.draft.text === "";
  }

  /** A completion or a search is open and gets Esc. */
  get isMenuOpen(): boolean {
    return this.search !== null || this.completion.menu !== null;
  }

  /** Escape is for the prompt: for what is open in it, or to leave insert mode. On an empty prompt it stops what runs. */
  get takesCancel(): boolean {
    const isLeft = this.isEmpty && (this.deps.isBusy?.() ?? false);
    return this.isMenuOpen || (this.vimNow?.takesEscape === true && !isLeft);
  }

  private get vimNow(): Vim | null {
    return this.vim === "loading" ? null : this.vim;
  }

  /** Loaded when it is switched on; until then, keys are for insert mode, in which vim begins. */
  private followVim(): void {
    const isOn = this.deps.hasVim?.() ?? false;
    if (!isOn) this.vim = null;
    if (!isOn || this.vim !== null) return;
    this.vim = "loading";
    void import("./vim/vim.ts").then(({ Vim }) => {
      const { draft } = this;
      this.vim = new Vim({
        read: () => ({ text: draft.text, at: draft.at }),
        write: ({ text, at }) => {
          if (text !== draft.text) this.past.leave(text);
          draft.rewrite(text, at);
        },
        older: () => this.older(),
        newer: () => this.newer(),
      });
      this.deps.redraw();
    });
  }

  setText(text: string): void {
    const shown = this.fitting(sanitized(text));
    this.search = null;
    this.past.leave(shown);
    this.completion.forget();
    this.draft.show(shown);
    this.vimNow?.reset();
  }

  insert(text: string): void {
    const isClose = text.startsWith("@") && /\S$/.test(this.draft.before);
    this.search = null;
    this.put(this.fitting(sanitized(isClose ? ` ${text}` : text)));
  }

  /** Empties the prompt; the text becomes a history entry. */
  clear(): void {
    this.shelve();
    this.search = null;
    this.completion.forget();
    this.draft.clear();
    this.vimNow?.reset();
  }

  rememberSent(text: string): void {
    this.past.add(sanitized(text).trim(), text.trim());
  }

  frame(width: number, room: number): Frame {
    this.followVim();
    const { draft, search } = this;
    const { menu, hint } = this.completion;
    const shown = { look: this.deps.look, draft, search, menu, hint, placeholder: this.placeholder, vim: this.vimNow };
    return frameOf(shown, width, room);
  }

  private get placeholder(): string {
    const { look, keys, isBusy } = this.deps;
    const [send, queue] = [keys.shown("send"), keys.shown("queue")];
    if (!isBusy?.() || send === "" || queue === "") return words(look, "prompt.placeholder");
    return words(look, "prompt.placeholder.busy", { send, queue });
  }

  handle(data: string): void {
    const paste = this.pasting.read(data);
    if (paste !== null) {
      if (paste.keys !== "") this.handle(paste.keys);
      if (paste.text !== null) this.paste(paste.text);
      if (paste.rest !== "") this.handle(paste.rest);
      return;
    }
    const key = /^[\udc00-\udfff]$/.test(data) ? this.half + data : data;
    this.half = /^[\ud800-\udbff]$/.test(data) ? data : "";
    if (this.half !== "") return;
    this.followVim();
    if (!this.past.isLoaded) void this.past.load();
    if (this.search !== null) this.inSearch(this.search, key);
    else if (!this.inMenu(key) && !this.inVim(key) && !this.ownKey(key)) this.edit(key);
  }

  private inVim(key: string): boolean {
    if (this.vimNow?.handle(key) !== true) return false;
    this.completion.forget();
    return true;
  }

  private paste(pasted: string): void {
    const text = sanitized(pasted);
    const image = this.draft.text.startsWith("!") ? null : asImage(text);
    if (this.search !== null) this.search.type(text);
    else if (image !== null) this.insert(`${image} `);
    else this.put(this.folds.isLarge(text) ? this.folds.fold(text) : text);
  }

  private put(text: string): void {
    this.completion.forget();
    this.draft.insert(text);
    this.past.leave(this.draft.text);
  }

  private edit(key: string): void {
    const { draft } = this;
    const { text: before, cursor } = draft;
    const typed = decodePrintableKey(key) ?? (key >= " " && key !== "\x7f" ? key : "");
    const shown = sanitized(typed);
    if (shown !== typed) draft.insert(shown);
    else draft.key(key);
    const isChanged = draft.text !== before;
    if (isChanged) this.past.leave(draft.text);
    const isMoved = draft.cursor.col !== cursor.col || draft.cursor.line !== cursor.line;
    if (isChanged || (isMoved && this.completion.menu !== null)) this.completion.update(draft.lines, draft.cursor);
  }

  private inMenu(key: string): boolean {
    const { completion, deps } = this;
    const { menu } = completion;
    if (menu === null) return false;
    if (deps.keys.is(key, "cancel")) completion.close(this.draft.cursor.line);
    else if (matchesKey(key, "up") || matchesKey(key, "ctrl+p")) menu.move(-1);
    else if (matchesKey(key, "down") || matchesKey(key, "ctrl+n")) menu.move(1);
    else if (matchesKey(key, "tab")) this.accept(false);
    // A line feed means Enter on some terminals, but is Ctrl+J on all of them.
    else return deps.keys.is(key, "send") && !deps.keys.is(key, "newline") && this.accept(true);
    return true;
  }

  /** `false`: the chosen text is there already. */
  private accept(isEnter: boolean): boolean {
    const change = this.completion.accept(isEnter);
    if (change === null) return false;
    this.draft.replace(change.from, change.to, change.text, change.back);
    this.completion.update(this.draft.lines, this.draft.cursor);
    if (change.isSent) this.send("steer");
    return true;
  }

  private ownKey(key: string): boolean {
    const { keys } = this.deps;
    const bound = getKeybindings();
    if (keys.is(key, "queue")) this.send("queue");
    else if (keys.is(key, "newline")) this.newline(0);
    else if (keys.is(key, "send")) {
      if (this.draft.before.endsWith("\\")) this.newline(1);
      else this.send("steer");
    } else if (keys.is(key, "search")) this.openSearch();
    else if (matchesKey(key, "tab")) this.completion.reopen(this.draft.lines, this.draft.cursor);
    else if (bound.matches(key, "tui.editor.historyPrevious")) this.older();
    else if (bound.matches(key, "tui.editor.historyNext")) this.newer();
    else if (bound.matches(key, "tui.editor.cursorUp") && this.draft.isOnFirstRow) return this.older();
    else if (bound.matches(key, "tui.editor.cursorDown") && this.draft.isOnLastRow) return this.newer();
    else return false;
    return true;
  }

  /** Replaces that many characters before the cursor. */
  private newline(instead: number): void {
    const { col } = this.draft.cursor;
    if (instead > 0) this.draft.replace(col - instead, col, "");
    this.put("\n");
  }

  private send(delivery: "steer" | "queue"): void {
    const { text } = this.draft;
    if (text.trim() === "") return;
    const whole = this.folds.unfolded(text);
    this.past.leave(text);
    this.past.add(text.trim(), whole.trim());
    this.completion.forget();
    this.draft.clear();
    this.vimNow?.reset();
    this.prune();
    this.deps.send(whole, delivery);
  }

  private prune(): void {
    this.folds.keepOnly(this.past.entries);
    while (this.folds.chars > mostFolded) {
      this.past.drop((text) => text.search(folded) !== -1);
      this.folds.keepOnly(this.past.entries);
    }
  }

  /** `false`: the history is still loading, and `then` runs afterwards. */
  private isLoaded(then: () => void): boolean {
    const { text } = this.draft;
    if (this.past.isLoaded) return true;
    void this.past.load().then(() => {
      if (this.draft.text === text) then();
      this.deps.redraw();
    });
    return false;
  }

  private older(): boolean {
    const { draft, past } = this;
    if (!this.isLoaded(() => this.older())) return true;
    const found = past.older({ text: draft.text, cursor: draft.cursor });
    // The cursor goes to the first line, so that the next key reaches the entry before.
    if (found !== null) this.recall({ text: found, cursor: found.includes("\n") ? { line: 0, col: 0 } : null });
    return found !== null;
  }

  private newer(): boolean {
    const found = this.past.newer();
    if (found !== null) this.recall(found);
    return found !== null;
  }

  private recall({ text, cursor }: Written): void {
    this.completion.forget();
    const shown = this.fitting(text);
    this.draft.show(shown, shown === text ? cursor : null);
  }

  private openSearch(): void {
    this.completion.forget();
    if (!this.isLoaded(() => this.openSearch())) return;
    this.search = new Search(this.deps.keys, this.past.entries, (text) => this.folds.labelled(text));
  }

  private inSearch(search: Search, key: string): void {
    const outcome = search.key(key);
    if (outcome === "open") return;
    this.search = null;
    if (outcome === "closed") return;
    this.shelve();
    this.draft.show(this.fitting(outcome.chosen));
  }

  private shelve(): void {
    const { text } = this.draft;
    this.past.leave(text);
    if (text.trim() !== "") this.past.put(text);
  }

  /** Folds text that is too large to edit here, into its original folds if it was sent before. */
  private fitting(text: string): string {
    if (text.length <= mostChars && linesIn(text) <= mostLines && !longLine.test(text)) return text;
    const isSame = (one: string): boolean => this.folds.unfolded(one).trim() === text.trim();
    return this.past.entries.find((one) => one.search(folded) !== -1 && isSame(one)) ?? this.folds.fold(text);
  }
}
