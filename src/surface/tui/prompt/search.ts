import { decodePrintableKey, matchesKey } from "@earendil-works/pi-tui/dist/keys.js";
import { plain } from "../../../contract/show/visible.ts";
import type { Keys } from "../app/keys.ts";
import { cutFront } from "../terminal/fit.ts";
import { getGraphemeSegmenter } from "../terminal/width.ts";
import { sanitized } from "./input-text.ts";
import { Menu } from "./menu.ts";

const most = 50;
const mostChars = 20_000;
const shownChars = 300;

type Outcome = "open" | "closed" | { readonly chosen: string };

export class Search {
  private readonly keys: Keys;
  private readonly entries: readonly { readonly text: string; readonly lower: string }[];
  private readonly labelled: (text: string) => string;
  query = "";
  menu: Menu;

  /** `entries`: newest first. `labelled`: renders folded pastes as labels. */
  constructor(keys: Keys, entries: readonly string[], labelled: (text: string) => string) {
    this.keys = keys;
    this.labelled = labelled;
    this.entries = entries.map((text) => ({ text, lower: labelled(text).slice(0, mostChars).toLowerCase() }));
    this.menu = this.found();
  }

  get pressed(): { readonly send: string; readonly cancel: string } {
    return { send: this.keys.shown("send"), cancel: this.keys.shown("cancel") };
  }

  key(data: string): Outcome {
    const { keys, menu } = this;
    if (keys.is(data, "cancel")) return "closed";
    if (keys.is(data, "send") || matchesKey(data, "tab"))
      return menu.chosen === null ? "closed" : { chosen: menu.chosen.value };
    if (keys.is(data, "search") || matchesKey(data, "down")) menu.move(1);
    else if (matchesKey(data, "up")) menu.move(-1);
    else if (matchesKey(data, "backspace")) this.ask(withoutLast(this.query));
    else if (matchesKey(data, "ctrl+u")) this.ask("");
    else this.type(decodePrintableKey(data) ?? (data >= " " && data !== "\x7f" ? data : ""));
    return "open";
  }

  type(text: string): void {
    if (text !== "") this.ask(this.query + (sanitized(text).split("\n", 1)[0] ?? "").replaceAll("\t", " "));
  }

  asked(width: number): string {
    return cutFront(this.query, width);
  }

  private ask(query: string): void {
    this.query = query;
    this.menu = this.found();
  }

  private found(): Menu {
    const wanted = this.query.toLowerCase().split(/\s+/);
    const found = this.entries.filter(({ lower }) => wanted.every((word) => lower.includes(word))).slice(0, most);
    return new Menu(found.map(({ text }) => ({ value: text, label: this.oneLine(text) })));
  }

  private oneLine(text: string): string {
    return plain(this.labelled(text).trim().slice(0, shownChars))
      .replace(/\s*\n\s*/g, " ↵ ")
      .replaceAll("\t", " ");
  }
}

function withoutLast(text: string): string {
  const last = [...getGraphemeSegmenter().segment(text)].at(-1);
  return text.slice(0, last?.index ?? 0);
}
