// Regular expressions that cannot run away: a thread per place of the pattern, all moved on together, so that the time is
// length × size for every pattern and text. The runtime's own engine backtracks, without end for patterns like (a+)+$.

type Node =
  | { readonly kind: "char"; readonly test: (char: string) => boolean }
  | { readonly kind: "assert"; readonly holds: (before: string, after: string) => boolean }
  | { readonly kind: "all" | "any"; readonly of: readonly Node[] }
  | { readonly kind: "repeat"; readonly of: Node; readonly min: number; readonly max: number };

type Place =
  | { readonly kind: "char"; readonly test: (char: string) => boolean; readonly next: number }
  | { readonly kind: "assert"; readonly holds: (before: string, after: string) => boolean; readonly next: number }
  | { readonly kind: "split"; first: number; readonly second: number }
  | { readonly kind: "match" };

/** Whether the pattern is found in a text; `spend` is told the work and may throw. */
export type Matcher = (text: string, spend: (work: number) => void) => boolean;

const maxPlaces = 5_000;
/** Longer ones are written by machines; reading one nests as deep as its brackets do. */
const maxSource = 2_000;
const ENDLESS = Number.POSITIVE_INFINITY;

/** What cannot be matched this way (or is no pattern at all) is refused in words. */
export function compilePattern(source: string): { readonly matches: Matcher } | { readonly problem: string } {
  if (source.length > maxSource) return { problem: `longer than ${maxSource} characters` };
  try {
    new RegExp(source, "u");
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { problem: error.message };
  }
  try {
    return { matches: matcherOf(new Parser(source).parse()) };
  } catch (error) {
    if (!(error instanceof Unsupported)) throw error;
    return { problem: error.message };
  }
}

class Unsupported extends Error {}

function matcherOf(tree: Node): Matcher {
  const places: Place[] = [{ kind: "match" }];
  const start = emit(places, tree, 0);
  return (text, spend) => {
    const chars = [...text];
    let now = new Set<number>();
    for (let at = 0; at <= chars.length; at++) {
      const before = chars[at - 1] ?? "";
      const after = chars[at] ?? "";
      now.add(start);
      const next = new Set<number>();
      // A set is walked in the order of adding, what is added meanwhile included: each place at most once.
      for (const one of now) {
        const place = places[one];
        if (!place || place.kind === "match") return true;
        if (place.kind === "split") now.add(place.first).add(place.second);
        else if (place.kind === "assert") place.holds(before, after) && now.add(place.next);
        else if (at < chars.length && place.test(after)) next.add(place.next);
      }
      spend(now.size);
      now = next;
    }
    return false;
  };
}

/** Puts a node in front of `next`; the answer is where it begins. */
function emit(places: Place[], node: Node, next: number): number {
  const put = (place: Place): number => {
    if (places.length >= maxPlaces) throw new Unsupported("the pattern is too large");
    return places.push(place) - 1;
  };
  switch (node.kind) {
    case "char":
      return put({ kind: "char", test: node.test, next });
    case "assert":
      return put({ kind: "assert", holds: node.holds, next });
    case "all":
      return node.of.reduceRight((behind, one) => emit(places, one, behind), next);
    case "any":
      return node.of
        .map((one) => emit(places, one, next))
        .reduceRight((second, first) => put({ kind: "split", first, second }));
    case "repeat": {
      let begin = next;
      if (node.max === ENDLESS) {
        const loop: Place = { kind: "split", first: next, second: next };
        begin = put(loop);
        loop.first = emit(places, node.of, begin);
      } else {
        for (let n = node.min; n < node.max; n++)
          begin = put({ kind: "split", first: emit(places, node.of, begin), second: next });
      }
      for (let n = 0; n < node.min; n++) begin = emit(places, node.of, begin);
      return begin;
    }
  }
}

const WORD = /^\w$/;
const isEdge = (before: string, after: string) => WORD.test(before) !== WORD.test(after);

/** Finds where each part ends; what a single part matches is left to the runtime. The syntax has been checked before. */
class Parser {
  private at = 0;
  private readonly source: string;

  constructor(source: string) {
    this.source = source;
  }

  parse(): Node {
    const branches: Node[] = [];
    do branches.push(this.branch());
    while (this.take("|"));
    return branches.length === 1 && branches[0] ? branches[0] : { kind: "any", of: branches };
  }

  private branch(): Node {
    const of: Node[] = [];
    while (this.at < this.source.length && !"|)".includes(this.source[this.at] ?? "")) of.push(this.term());
    return { kind: "all", of };
  }

  private take(text: string): boolean {
    if (!this.source.startsWith(text, this.at)) return false;
    this.at += text.length;
    return true;
  }

  private term(): Node {
    const of = this.atom();
    const [whole, mark = "", low, comma, high] = this.match(/([*+?])|\{(\d+)(,?)(\d*)\}/y) ?? [];
    if (whole === undefined) return of;
    this.take("?");
    if (low === undefined) return { kind: "repeat", of, min: mark === "+" ? 1 : 0, max: mark === "?" ? 1 : ENDLESS };
    const min = Number(low);
    const max = comma ? (high ? Number(high) : ENDLESS) : min;
    if (min > maxPlaces || (max !== ENDLESS && max > maxPlaces)) throw new Unsupported("the pattern is too large");
    return { kind: "repeat", of, min, max };
  }

  private match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.source);
    this.at += found?.[0].length ?? 0;
    return found;
  }

  private atom(): Node {
    if (this.take("^")) return { kind: "assert", holds: (before) => before === "" };
    if (this.take("$")) return { kind: "assert", holds: (_, after) => after === "" };
    if (this.take("\\b")) return { kind: "assert", holds: isEdge };
    if (this.take("\\B")) return { kind: "assert", holds: (before, after) => !isEdge(before, after) };
    if (this.take("(")) return this.group();
    if (/^\\[1-9k]/.test(this.source.slice(this.at, this.at + 2)))
      throw new Unsupported("references back to a group are not supported");
    const [part = ""] =
      this.match(
        /\\u[dD][89abAB]\w{2}\\u[dD][c-fC-F]\w{2}|\\u\{\w+\}|\\u\w{4}|\\x\w{2}|\\[pP]\{[^}]*\}|\\c\w|\\.|\[(?:\\.|[^\]\\])*\]|[\s\S]/uy,
      ) ?? [];
    const one = new RegExp(`^(?:${part})$`, "u");
    return { kind: "char", test: (char) => one.test(char) };
  }

  private group(): Node {
    if (this.source[this.at] === "?" && this.match(/\?:|\?<(?![=!])[^>]*>/y) === null)
      throw new Unsupported("looking ahead or behind, and flags within a pattern, are not supported");
    const inner = this.parse();
    this.take(")");
    return inner;
  }
}
