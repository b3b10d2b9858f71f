// Completions at the cursor: commands, their arguments, paths. Gets the text passed in, and changes nothing itself.

import { fuzzy } from "../../../command/text/fuzzy.ts";
import type { SlashCommand } from "../../../engine/port.ts";
import { type Look, words } from "../terminal/look.ts";
import { mentionOf, type OpenMention, openMention, sanitized } from "./input-text.ts";
import { type Choice, Menu } from "./menu.ts";
import { Paths } from "./paths.ts";
import type { Cursor } from "./unsent.ts";

export interface Sources {
  readonly look: Look;
  readonly commands: () => Promise<readonly SlashCommand[]>;
  readonly files: (signal: AbortSignal) => Promise<readonly string[]>;
  readonly arguments?: (command: string) => Promise<readonly Choice[]>;
}

export interface Change {
  readonly from: number;
  readonly to: number;
  readonly text: string;
  /** Moves the cursor this far back from the end of the new text. */
  readonly back: number;
  /** Sends the whole input afterwards. */
  readonly isSent: boolean;
}

type CompletionPlace = SlashPlace | (OpenMention & { readonly kind: "path" });

/** An older list of files is reloaded while it stays in use. */
const freshMs = 5_000;
const listingMs = 10_000;
/** Per key: a longer search continues after the next keys were handled. */
const searchMs = 6;

export class Completion {
  private readonly sources: Sources;
  private readonly redraw: () => void;
  private readonly paths = new Paths();
  private place: CompletionPlace | null = null;
  private line = "";
  private col = 0;
  private isAlone = true;
  /** Where the menu was closed: it stays closed while the same word is typed. */
  private closed: string | null = null;
  private commands: readonly SlashCommand[] | null = null;
  private arguments: { readonly of: string; readonly choices: readonly Choice[] } | null = null;
  private listing: Promise<void> | null = null;
  private listedAt = Number.NEGATIVE_INFINITY;
  private search: Generator<void, readonly string[]> | null = null;
  menu: Menu | null = null;

  constructor(sources: Sources, redraw: () => void) {
    this.sources = sources;
    this.redraw = redraw;
  }

  /** The arguments of the command, until the user types one. */
  get hint(): string {
    const { place } = this;
    if (place?.kind !== "argument" || place.typed !== "") return "";
    return this.commands?.find(({ name }) => name === place.command)?.args ?? "";
  }

  /** Called after each change of the text, and of the cursor while the menu is open. */
  update(lines: readonly string[], { line, col }: Cursor): void {
    this.line = lines[line] ?? "";
    this.col = col;
    this.isAlone = lines.length === 1;
    this.search = null;
    const isShell = /^\s*!/.test(lines[0] ?? "");
    this.place = isShell ? null : placeAt(this.line.slice(0, col), line);
    if (this.place?.kind !== "argument") this.arguments = null;
    if (this.place === null || this.closed !== keyOf(this.place, line)) this.closed = null;
    if (this.place === null || this.closed !== null) this.menu = null;
    else this.fill(this.place);
  }

  reopen(lines: readonly string[], cursor: Cursor): void {
    this.closed = null;
    this.update(lines, cursor);
  }

  close(line: number): void {
    const { place } = this;
    this.forget();
    this.closed = place && keyOf(place, line);
  }

  /** Offers nothing until the text changes. */
  forget(): void {
    this.place = null;
    this.closed = null;
    this.search = null;
    this.menu = null;
  }

  /** `null`: there is nothing to choose, or the text is there already. */
  accept(isEnter: boolean): Change | null {
    if (this.search !== null) this.finish();
    const { place, menu } = this;
    if (place === null || menu === null) return null;
    const chosen = menu.chosen ?? (isEnter ? null : (menu.choices[0] ?? null));
    if (chosen === null) return null;
    if (place.kind === "command") return this.acceptCommand(chosen, place, isEnter);
    const end = this.endOf(place);
    if (place.kind !== "path") {
      if (chosen.value === place.typed) return null;
      return { from: place.from, to: end, text: chosen.value, back: 0, isSent: false };
    }
    const isThere = mentionOf(chosen.value) === this.line.slice(place.from, end);
    const other = isThere && !isEnter ? menu.next : chosen;
    return (isThere && isEnter) || other === null ? null : this.acceptPath(other.value, place, end);
  }

  private acceptCommand({ value, args = "" }: Choice, { typed }: SlashPlace, isEnter: boolean): Change {
    // A full name counts as chosen; its optional arguments may be left out.
    const isWhole = args === "" || (args.startsWith("[") && typed === value);
    const text = args === "" || (isEnter && isWhole) ? `/${value}` : `/${value} `;
    const to = this.col + (/^[\w-]*/.exec(this.line.slice(this.col))?.[0].length ?? 0);
    const isAll = this.isAlone && this.line.slice(to).trim() === "";
    return { from: 0, to, text, back: 0, isSent: isEnter && isWhole && isAll };
  }

  private acceptPath(path: string, { from }: OpenMention, to: number): Change {
    const text = mentionOf(path);
    if (path.endsWith("/")) return { from, to, text, back: /["']$/.test(text) ? 1 : 0, isSent: false };
    const isApart = /^\s/.test(this.line.slice(to));
    return { from, to, text: isApart ? text : `${text} `, back: 0, isSent: false };
  }

  /** Replaces the rest of the word behind the cursor too. */
  private endOf(place: CompletionPlace): number {
    const rest = this.line.slice(this.col);
    if (place.kind !== "path") return this.col + (/^\S*/.exec(rest)?.[0].length ?? 0);
    if (place.quote === "") return this.col + (/^[\w./-]*/.exec(rest)?.[0].length ?? 0);
    const close = rest.indexOf(place.quote);
    return close === -1 ? this.col : this.col + close + 1;
  }

  private fill(place: CompletionPlace): void {
    if (place.kind === "command") {
      if (this.commands === null) void this.loadCommands();
      else this.offer(commandChoices(this.commands, place.typed, this.sources.look));
    } else if (place.kind === "argument") {
      if (this.arguments?.of !== place.command) void this.loadArguments(place.command);
      // Nothing is marked at first, so that Enter sends the command alone.
      else this.offer(argumentChoices(this.arguments.choices, place.typed), place.typed === "" ? -1 : 0);
    } else {
      this.list();
      this.search = this.paths.find(place.typed);
      this.find(this.search);
    }
  }

  private offer(choices: readonly Choice[], marked = 0): void {
    this.menu = choices.length === 0 ? null : new Menu(choices, marked);
  }

  private find(search: Generator<void, readonly string[]>): void {
    const until = performance.now() + searchMs;
    for (let step = search.next(); ; step = search.next()) {
      if (step.done) {
        this.found(step.value);
        return;
      }
      if (performance.now() > until) break;
    }
    setImmediate(() => {
      if (this.search !== search) return;
      this.find(search);
      this.redraw();
    });
  }

  private found(paths: readonly string[]): void {
    this.search = null;
    // A path with a line break or control characters cannot be written as a mention.
    const fine = paths.filter((path) => sanitized(path) === path && !/[\n\t]/.test(path));
    this.offer(fine.map((path) => ({ value: path, label: path, isPath: true })));
  }

  private finish(): void {
    for (let step = this.search?.next(); step; step = this.search?.next()) if (step.done) this.found(step.value);
  }

  private list(): void {
    if (this.listing !== null || performance.now() - this.listedAt < freshMs) return;
    this.listing = this.sources
      .files(AbortSignal.timeout(listingMs))
      .then((all) => this.paths.set(all))
      .then(() => {
        this.listedAt = performance.now();
        this.listing = null;
        this.again("path");
      });
  }

  private async loadCommands(): Promise<void> {
    this.commands = [];
    this.commands = await this.sources.commands();
    this.again("command");
  }

  private async loadArguments(of: string): Promise<void> {
    const waiting = { of, choices: [] };
    this.arguments = waiting;
    this.menu = null;
    const choices = (await this.sources.arguments?.(of)) ?? [];
    if (this.arguments !== waiting) return;
    this.arguments = { of, choices };
    this.again("argument");
  }

  private again(kind: CompletionPlace["kind"]): void {
    if (this.place?.kind !== kind) return;
    const marked = this.menu?.chosen?.value;
    this.fill(this.place);
    const at = this.menu?.choices.findIndex(({ value }) => value === marked) ?? -1;
    if (this.menu !== null && at > 0) this.menu = new Menu(this.menu.choices, at);
    this.redraw();
  }
}

function placeAt(before: string, line: number): CompletionPlace | null {
  const slash = line === 0 ? slashAt(before) : null;
  if (slash !== null) return slash;
  const mention = openMention(before);
  return mention && { ...mention, kind: "path" };
}

function keyOf({ kind, from }: CompletionPlace, line: number): string {
  return `${kind} ${line}:${from}`;
}

interface SlashPlace {
  readonly kind: "command" | "argument";
  readonly command: string;
  readonly typed: string;
  readonly from: number;
}

function slashAt(before: string): SlashPlace | null {
  const name = /^\/([\w-]*)$/.exec(before)?.[1];
  if (name !== undefined) return { kind: "command", command: name, typed: name, from: 0 };
  const [, command = "", typed = ""] = /^\/([\w-]+) (\S*)$/.exec(before) ?? [];
  if (command === "") return null;
  return { kind: "argument", command, typed, from: before.length - typed.length };
}

/** Matches names only: descriptions would match too many letters. */
function commandChoices(all: readonly SlashCommand[], typed: string, look: Look): readonly Choice[] {
  const named = fuzzy(typed, all, ({ name }) => name);
  return named.map(({ name, args, help }) => ({
    ...{ value: name, label: `/${name}`, args, about: words(look, help) },
  }));
}

function argumentChoices(all: readonly Choice[], typed: string): readonly Choice[] {
  return fuzzy(typed, all, ({ value, about = "" }) => `${value} ${about}`);
}
