// The elements that are open while a page is read, and what of them shows. Ends that pages leave out are put in as browsers do: hidden
// text must not come to light because a tag is missing, nor the rest of the page be lost with it.
import { declarationsOf } from "./css.ts";
import { empty, endedBy, endsParagraph, formatting, left, ofTables, set, special, tableWalls, walls } from "./names.ts";
import type { Described, ElementPlace, StyleSheet } from "./select.ts";
import type { Attributes } from "./tokens.ts";
import { type Inherited, inheritedBy, isGone, isUnreadable, type Style } from "./unseen.ts";

interface Element extends ElementPlace {
  readonly name: string;
  /** It does not show, with all that is in it. */
  readonly isGone: boolean;
  /** Because it is no text of the page, whoever looks at it. */
  readonly isLeft: boolean;
  readonly inherited: Inherited;
  /** Those that were opened in it so far. */
  readonly inside: Described[];
}

interface CutOff {
  readonly name: string;
  readonly attributes: Attributes;
  readonly isGone: boolean;
}

/** How far a missing end is looked for; nobody nests deeper between the two. */
const reach = 100;
/** Deeper, an end could not be told from another, and nothing shows any more. */
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
  /** Elements of `formatting` that were cut off and begin again with the next words. */
  private tooDeep = 0;
  private cutOff: CutOff[] = [];

  /** `isPlain`: no style sheet from elsewhere says more, so that what is not said is as browsers have it. */
  constructor(sheet: StyleSheet, isPlain: boolean) {
    this.sheet = sheet;
    const [colour, background] = isPlain
      ? ([
          [0, 0, 0, 1],
          [255, 255, 255, 1],
        ] as const)
      : [null, null];
    this.root = { fontSize: 16, isVisible: true, colour, background };
    for (const name of pageNames) this.push(name, new Map());
  }

  /** Nothing that stands here shows. */
  get isGone(): boolean {
    return (this.open.at(-1)?.isGone ?? false) || this.tooDeep > 0 || this.sheet.isLost;
  }

  /** Words that stand here do not show. */
  get isUnread(): boolean {
    return this.isGone || isUnreadable(this.open.at(-1)?.inherited ?? this.root);
  }

  /** Those words are no text of the page at all. */
  get isLeft(): boolean {
    return this.open.at(-1)?.isLeft ?? false;
  }

  /** Before words are put down. */
  words(): void {
    if (this.cutOff.length === 0) return;
    const again = this.cutOff;
    this.cutOff = [];
    for (const { name, attributes } of again) this.push(name, attributes);
  }

  /** Whether the element shows. */
  start(name: string, attributes: Attributes, isShort = false): boolean {
    const page = pageNames.indexOf(name);
    if (page !== -1) return this.restart(page, name, attributes);
    this.endBefore(name);
    if (!special.has(name)) this.words();
    // Only here the slash at the end of a tag means something.
    if (isShort && name === "svg") return false;
    if (empty.has(name)) return !this.isGone && !this.isHidden(this.place(name, attributes), attributes).isGone;
    if (this.open.length >= maxDepth) this.tooDeep++;
    if (this.open.length >= maxDepth) return false;
    return !this.push(name, attributes).isGone;
  }

  /** Whether the end is one of something that shows. */
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

  /** Every page has these two, whether it says so or not; what it says counts from here on. */
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

  /** Where the element is that an end of this name ends; -1 = there is none, and the end means nothing. */
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

  /** Without the element at `at` and all in it. What is cut off goes on behind it, unless it was a wall. */
  private cutTo(at: number, isWall: boolean): void {
    for (const { name, self, isGone: wasGone } of this.open.splice(at).slice(1)) {
      this.count(name, -1);
      if (isWall || !formatting.has(name)) continue;
      const one = { name, attributes: self.attributes, isGone: wasGone };
      const isSame = (other: CutOff): boolean =>
        other.name === name && other.isGone === wasGone && looksOf(other) === looksOf(one);
      // As browsers have it: three of the same at most.
      if (this.cutOff.filter(isSame).length < 3) this.cutOff.push(one);
      if (this.cutOff.length > maxCutOff)
        this.cutOff.splice(
          Math.max(
            0,
            this.cutOff.findIndex((old) => !old.isGone),
          ),
          1,
        );
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
    // Scripts bring back what is hidden as a whole while it loads; a person sees all of it then.
    const isPage = name === "html" || name === "body";
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
    for (let round = 0; round < 5 && known.includes("var(") && known.length < 10_000; round++) {
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

/** Attributes that mean the same as declarations. */
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
