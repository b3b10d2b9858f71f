// The stack of open elements and what of them is visible. Closes elements with missing end tags as browsers do: a missing tag must
// neither reveal hidden text nor hide the rest of the page.
import { colourOf } from "./colour.ts";
import { declarationsOf } from "./css.ts";
import { empty, endedBy, endsParagraph, formatting, left, ofTables, set, special, tableWalls, walls } from "./names.ts";
import type { Described, ElementPlace, StyleSheet } from "./select.ts";
import type { Attributes } from "./tokens.ts";
import { type Inherited, inheritedBy, isGone, isUnreadable, type Style } from "./unseen.ts";

interface Element extends ElementPlace {
  readonly name: string;
  /** Neither this element nor its content is visible. */
  readonly isGone: boolean;
  /** Its content is not text of the page, visible or not. */
  readonly isLeft: boolean;
  readonly inherited: Inherited;
  readonly inside: Described[];
}

interface CutOff {
  readonly name: string;
  readonly attributes: Attributes;
  readonly isGone: boolean;
}

/** How far up the stack a missing end tag is looked for. */
const reach = 100;
/** Deeper content is not shown. */
const maxDepth = 5_000;
const maxCutOff = 12;
const heading = /^h[1-6]$/;
const pageNames: readonly string[] = ["html", "body"];
const paragraph = set("p");
const none: readonly never[] = [];
const noStyle: Style = new Map();

export class Elements {
  private readonly open: Element[] = [];
  private readonly counts = new Map<string, number>();
  private readonly sheet: StyleSheet;
  private readonly root: Inherited;
  private readonly first: Described[] = [];
  /** `cutOff`: formatting elements that were cut off and reopen with the next words. */
  private tooDeep = 0;
  private cutOff: CutOff[] = [];

  /** `isPlain`: all style sheets are known, so browser defaults apply to everything else. */
  constructor(sheet: StyleSheet, isPlain: boolean) {
    this.sheet = sheet;
    const [colour = null, background = null] = isPlain ? ["black", "white"].map(colourOf) : [];
    this.root = { fontSize: 16, isVisible: true, colour, background };
    for (const name of pageNames) this.push(name, new Map());
  }

  get isGone(): boolean {
    return (this.open.at(-1)?.isGone ?? false) || this.tooDeep > 0 || this.sheet.isLost;
  }

  get isUnread(): boolean {
    return this.isGone || isUnreadable(this.open.at(-1)?.inherited ?? this.root);
  }

  /** Whether text at this place does not belong to the page at all. */
  get isLeft(): boolean {
    return this.open.at(-1)?.isLeft ?? false;
  }

  /** Reopens formatting elements before text is added. */
  words(): void {
    if (this.cutOff.length === 0) return;
    const again = this.cutOff;
    this.cutOff = [];
    for (const { name, attributes } of again) this.push(name, attributes);
  }

  start(name: string, attributes: Attributes, isShort = false): boolean {
    const page = pageNames.indexOf(name);
    if (page !== -1) return this.restart(page, name, attributes);
    this.endBefore(name);
    if (!special.has(name)) this.words();
    // HTML honours a self-closing slash only here.
    if (isShort && name === "svg") return false;
    if (empty.has(name)) return !this.isGone && !this.isHidden(this.place(name, attributes), attributes).isGone;
    if (this.open.length < maxDepth) return !this.push(name, attributes).isGone;
    this.tooDeep++;
    return false;
  }

  /** Returns whether the end tag closed something visible. */
  end(name: string): boolean {
    if (pageNames.includes(name)) return !this.isGone;
    if (this.tooDeep > 0) {
      this.tooDeep--;
      return false;
    }
    const at = this.find(name);
    if (at === -1) {
      this.cutOff = this.cutOff.filter((one) => one.name !== name);
      return !this.isGone;
    }
    const { isGone: wasGone = false, name: ended = name } = this.open[at] ?? {};
    if (formatting.has(name)) this.open.splice(at, 1);
    else this.cutTo(at, walls.has(name));
    this.count(ended, -1);
    return !wasGone;
  }

  /** Every page has html and body, with or without tags; the attributes of a late tag apply from here on. */
  private restart(at: number, name: string, attributes: Attributes): boolean {
    const inside = this.open.splice(at);
    this.push(name, attributes);
    if (at === 0 && inside.length > 1) this.push("body", inside[1]?.self.attributes ?? new Map());
    for (const one of inside) this.count(one.name, -1);
    return true;
  }

  private endBefore(name: string): void {
    const [ended, within] = endedBy[name] ?? [];
    if (ended && within) this.endWithin(ended, within);
    if (endsParagraph.has(name)) this.endWithin(paragraph, walls);
    const top = this.open.at(-1)?.name ?? "";
    if (heading.test(name) && heading.test(top)) this.end(top);
  }

  private endWithin(ended: ReadonlySet<string>, within: ReadonlySet<string>): void {
    if (![...ended].some((name) => (this.counts.get(name) ?? 0) > 0)) return;
    let found = -1;
    for (let at = this.open.length - 1; at >= Math.max(0, this.open.length - reach); at--) {
      const { name = "" } = this.open[at] ?? {};
      if (within.has(name)) break;
      if (ended.has(name)) found = at;
    }
    const { name } = this.open[found] ?? {};
    if (name === undefined) return;
    this.cutTo(found, walls.has(name));
    this.count(name, -1);
  }

  /** The index of the element that this end tag closes; -1 = none, and the tag is ignored. */
  private find(name: string): number {
    const isHeading = heading.test(name);
    if ((this.counts.get(name) ?? 0) === 0 && !isHeading) return -1;
    const stop = ofTables.has(name) ? tableWalls : formatting.has(name) || special.has(name) ? walls : special;
    for (let at = this.open.length - 1; at >= 0; at--) {
      const { name: here = "" } = this.open[at] ?? {};
      if (here === name || (isHeading && heading.test(here))) return at;
      if (stop.has(here)) return -1;
    }
    return -1;
  }

  /** Closes the element at `at` and all inside it. Formatting elements that are cut off reopen after it, unless it was a wall. */
  private cutTo(at: number, isWall: boolean): void {
    for (const { name, self, isGone: wasGone } of this.open.splice(at).slice(1)) {
      this.count(name, -1);
      if (isWall || !formatting.has(name)) continue;
      const one = { name, attributes: self.attributes, isGone: wasGone };
      const isSame = (other: CutOff): boolean =>
        other.name === name && other.isGone === wasGone && looksOf(other) === looksOf(one);
      // Browsers keep at most three equal ones.
      if (this.cutOff.filter(isSame).length < 3) this.cutOff.push(one);
      const visible = this.cutOff.findIndex((old) => !old.isGone);
      if (this.cutOff.length > maxCutOff) this.cutOff.splice(Math.max(0, visible), 1);
    }
  }

  private push(name: string, attributes: Attributes): Element {
    const place = this.place(name, attributes);
    const { isGone: gone, inherited } = this.isHidden(place, attributes);
    const isLeft = this.isLeft || left.has(name);
    const element = { ...place, name, isGone: gone, isLeft, inherited, inside: [] };
    if (!this.sheet.isEmpty) (this.open.at(-1)?.inside ?? this.first).push(place.self);
    this.open.push(element);
    this.count(name, 1);
    return element;
  }

  private place(name: string, attributes: Attributes): ElementPlace {
    if (this.sheet.isEmpty) return { self: { name, id: "", classes: none, attributes }, row: none, at: 0 };
    const classes = (attributes.get("class") ?? "").split(/\s+/);
    const row = this.open.at(-1)?.inside ?? this.first;
    return { self: { name, id: attributes.get("id") ?? "", classes, attributes }, row, at: row.length };
  }

  private isHidden(place: ElementPlace, attributes: Attributes): Pick<Element, "isGone" | "inherited"> {
    const { name } = place.self;
    const outer = this.open.at(-1);
    const inherited = outer?.inherited ?? this.root;
    if (outer?.isGone === true || left.has(name)) return { isGone: true, inherited };
    if (attributes.size === 0 && this.sheet.isEmpty) return { isGone: false, inherited };
    const style = this.styleOf(place, attributes);
    // Scripts show pages that hide html or body while they load, so a person sees all of it.
    const isPage = pageNames.includes(name);
    const isOff = attributes.has("hidden") || attributes.has("popover") || attributes.get("aria-hidden") === "true";
    return {
      isGone: !isPage && (isOff || isGone(style)),
      inherited: inheritedBy(inherited, isPage ? shownPage(style) : style),
    };
  }

  private styleOf(place: ElementPlace, attributes: Attributes): Style {
    const text = attributes.get("style");
    const presented = hints(place.self.name, attributes);
    const ruled = this.sheet.isEmpty ? none : this.sheet.matching(place, this.open);
    if (text === undefined && presented.size === 0 && ruled.length === 0) return noStyle;
    const lists = [presented, ...ruled, ...(text === undefined ? [] : [declarationsOf(text)])];
    const style = new Map<string, string>();
    for (const isImportant of [false, true]) {
      for (const list of lists) {
        for (const [property, said] of list) if (said.isImportant === isImportant) style.set(property, said.value);
      }
    }
    for (const [property, value] of style) if (value.includes("var(")) style.set(property, this.resolved(value, style));
    return style;
  }

  private resolved(value: string, style: Style): string {
    let known = value;
    for (let level = 0; level < 5 && known.includes("var(") && known.length < 10_000; level++) {
      known = known.replace(
        /var\(\s*(--[^\s,()]+)\s*(?:,([^()]*))?\)/g,
        (_, name: string, fallback: string | undefined) =>
          (style.get(name) ?? this.sheet.variables.get(name) ?? fallback ?? "").trim(),
      );
    }
    return known;
  }

  private count(name: string, by: number): void {
    this.counts.set(name, (this.counts.get(name) ?? 0) + by);
  }
}

/** Presentational attributes. */
function hints(name: string, attributes: Attributes): ReturnType<typeof declarationsOf> {
  const found = new Map<string, { value: string; isImportant: boolean }>();
  const paper = attributes.get("bgcolor");
  const ink = name === "font" ? attributes.get("color") : name === "body" ? attributes.get("text") : undefined;
  if (paper !== undefined) found.set("background-color", { value: paper.toLowerCase(), isImportant: false });
  if (attributes.has("background")) found.set("background", { value: "url()", isImportant: false });
  if (ink !== undefined) found.set("color", { value: ink.toLowerCase(), isImportant: false });
  return found;
}

function looksOf({ attributes }: CutOff): string {
  return ["style", "class", "id", "color"].map((name) => attributes.get(name) ?? "").join(" ");
}

function shownPage(style: Style): Style {
  return new Map([...style].filter(([property]) => property !== "visibility"));
}
