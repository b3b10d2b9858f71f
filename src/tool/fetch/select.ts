// Matches selectors of names, classes, ids, attributes and combinators against elements.
import { type Declarations, type StyleRule, splitAt } from "./css.ts";

export interface Described {
  readonly name: string;
  readonly id: string;
  readonly classes: readonly string[];
  readonly attributes: ReadonlyMap<string, string>;
}

export interface ElementPlace {
  readonly self: Described;
  readonly row: readonly Described[];
  readonly at: number;
}

type Test = (one: Described) => boolean;

interface SelectorPart {
  readonly tests: readonly Test[];
  /** The combinator between this part and the one to its left. */
  readonly relation: " " | ">" | "+" | "~";
}

interface Selector {
  readonly parts: readonly SelectorPart[];
  readonly weight: number;
}

interface Row extends Selector {
  readonly order: number;
  readonly declarations: Declarations;
}

const none: readonly never[] = [];
const longest = 1_000;
/** More comparisons than any honest page needs; see `isLost`. */
const mostWork = 3_000_000;

export class StyleSheet {
  private readonly rows = new Map<string, Row[]>();
  private work = 0;
  readonly variables = new Map<string, string>();

  constructor(rules: readonly StyleRule[]) {
    for (const [order, { selectors, declarations }] of rules.entries()) {
      for (const [property, { value }] of declarations)
        if (property.startsWith("--")) this.variables.set(property, value);
      for (const text of declarations.size === 0 ? [] : selectors) this.add(text, order, declarations);
    }
  }

  get isEmpty(): boolean {
    return this.rows.size === 0;
  }

  /** The work limit was exceeded, so hidden elements cannot be told apart any more. */
  get isLost(): boolean {
    return this.work > mostWork;
  }

  private add(text: string, order: number, declarations: Declarations): void {
    const selector = selectorOf(text);
    if (selector === null) return;
    const key = keyOf(text);
    const rows = this.rows.get(key) ?? [];
    rows.push({ ...selector, order, declarations });
    this.rows.set(key, rows);
  }

  /** The declarations for an element, in ascending order of precedence. `around`: its ancestors, outermost first. */
  matching(place: ElementPlace, around: readonly ElementPlace[]): readonly Declarations[] {
    const found: Row[] = [];
    const look = (key: string): void => {
      for (const row of this.rows.get(key) ?? none) {
        if (this.fits(row.parts, row.parts.length - 1, place, around, around.length)) found.push(row);
      }
    };
    const { name, id, classes } = place.self;
    look("*");
    look(name);
    if (id !== "") look(`#${id}`);
    for (const one of classes) if (one !== "") look(`.${one}`);
    if (found.length === 0) return none;
    return found.toSorted((a, b) => a.weight - b.weight || a.order - b.order).map(({ declarations }) => declarations);
  }

  private fits(
    parts: readonly SelectorPart[],
    last: number,
    place: ElementPlace,
    around: readonly ElementPlace[],
    depth: number,
  ): boolean {
    this.work++;
    const part = parts[last];
    if (!part || this.isLost || !part.tests.every((test) => test(place.self))) return false;
    if (last === 0) return true;
    if (part.relation === "+" || part.relation === "~") {
      const { row, at } = place;
      for (let elder = at - 1; elder >= (part.relation === "+" ? Math.max(0, at - 1) : 0); elder--) {
        const self = row[elder];
        if (self && this.fits(parts, last - 1, { self, row, at: elder }, around, depth)) return true;
      }
      return false;
    }
    const outermost = part.relation === ">" ? Math.max(0, depth - 1) : 0;
    for (let outer = depth - 1; outer >= outermost; outer--) {
      const one = around[outer];
      if (one && this.fits(parts, last - 1, one, around, outer)) return true;
    }
    return false;
  }
}

/** The index key of a selector: the id, class or name in its last part. */
function keyOf(text: string): string {
  const last =
    splitParts(text.slice(-longest))
      .at(-1)
      ?.text.replace(/:[\w-]+(?:\([^)]*\))?|\[[^\]]*\]/g, "") ?? "";
  const [id] = /#[^.#[:\s]+/.exec(last) ?? [];
  const [name] = /\.[^.#[:\s]+/.exec(last) ?? [];
  const [tag] = /^[\w-]+/.exec(last) ?? [];
  return id ?? name ?? tag?.toLowerCase() ?? "*";
}

function splitParts(text: string): readonly { readonly text: string; readonly relation: SelectorPart["relation"] }[] {
  const spaced = text.replace(/\s*([>+~])\s*(?![^[(]*[\])])/g, " $1 ");
  const found: { text: string; relation: SelectorPart["relation"] }[] = [];
  let relation: SelectorPart["relation"] = " ";
  for (const word of splitAt(spaced.trim().replace(/\s+(?![^[(]*[\])])/g, " "), " ")) {
    if (word === ">" || word === "+" || word === "~") relation = word;
    else {
      found.push({ text: word, relation });
      relation = " ";
    }
  }
  return found;
}

/** `null` = it matches only pseudo-elements or states that need interaction. */
function selectorOf(text: string): Selector | null {
  // Nobody writes such a long selector by hand; assume it matches everything that its last part can match.
  if (text.length > longest) return { parts: [{ tests: [], relation: " " }], weight: 1_000_000 };
  const parts: SelectorPart[] = [];
  let weight = 0;
  for (const { text: word, relation } of splitParts(text)) {
    const part = partOf(word);
    if (part === null) return null;
    parts.push({ tests: part.tests, relation });
    weight += part.weight;
  }
  return parts.length === 0 || parts.length > 20 ? null : { parts, weight };
}

const form = /([#.]?)((?:[\w-]|[^\0-\x7f])+)|\*|\[([^\]]*)\]|(::?)([\w-]+)(?:\(((?:[^()]|\([^()]*\))*)\))?/gy;

function partOf(word: string): { readonly tests: readonly Test[]; readonly weight: number } | null {
  const tests: Test[] = [];
  let weight = 0;
  let read = 0;
  form.lastIndex = 0;
  for (const found of word.matchAll(form)) {
    const [all, mark, name, attribute, colons, pseudo = "", inner = ""] = found;
    read += all.length;
    if (name !== undefined) tests.push(nameTest(mark ?? "", name));
    else if (attribute !== undefined) tests.push(attributeTest(attribute));
    else if (colons !== undefined) {
      const test = colons === "::" ? null : pseudoTest(pseudo.toLowerCase(), inner);
      if (test === null) return null;
      tests.push(test);
    }
    weight += mark === "#" ? 10_000 : mark === "." || attribute !== undefined || colons !== undefined ? 100 : 1;
  }
  return read === word.length ? { tests, weight } : null;
}

function nameTest(mark: string, name: string): Test {
  if (mark === "#") return ({ id }) => id === name;
  if (mark === ".") return ({ classes }) => classes.includes(name);
  const tag = name.toLowerCase();
  return (one) => one.name === tag;
}

function attributeTest(text: string): Test {
  const [, name = "", sign = "", given = ""] = /^\s*([^\s=~|^$*]+)\s*([~|^$*]?=)?\s*(.*?)\s*$/s.exec(text) ?? [];
  const value = given.replace(/\s+[is]$/i, "").replace(/^(["'])(.*)\1$/s, "$2");
  const key = name.toLowerCase();
  return ({ attributes }) => {
    const actual = attributes.get(key);
    if (actual === undefined) return false;
    if (sign === "") return true;
    if (sign === "~=") return actual.split(/\s+/).includes(value);
    if (sign === "^=") return value !== "" && actual.startsWith(value);
    if (sign === "$=") return value !== "" && actual.endsWith(value);
    if (sign === "*=") return value !== "" && actual.includes(value);
    return actual === value || (sign === "|=" && actual.startsWith(`${value}-`));
  };
}

/** States that need interaction or scripts. */
const states =
  /^(?:hover|focus(?:-.+)?|active|visited|target(?:-.+)?|checked|indeterminate|disabled|open|popover-open|modal|fullscreen|playing|paused|autofill|user-.+|invalid|valid|placeholder-shown|defined)$/;

function pseudoTest(name: string, inner: string): Test | null {
  if (name === "root") return (one) => one.name === "html";
  if (["is", "where", "not", "matches", "any"].includes(name)) {
    const inside = splitAt(inner, ",").map((one) => (/[\s>+~]/.test(one.trim()) ? null : partOf(one.trim())));
    const isAny: Test = (one) => inside.some((part) => part?.tests.every((test) => test(one)) === true);
    return name === "not" ? (one) => !isAny(one) : isAny;
  }
  // A position among siblings is unknown until the page ends, so assume a match.
  return states.test(name) || ["before", "after", "first-line", "first-letter"].includes(name) ? null : () => true;
}
