// Changes of names: another variable, another member, the opposite function.
import { type Area, type Changes, type Clues, each, replace } from "../area.ts";
import { isKeyword } from "../text/span.ts";

const groups =
  `min max|Math.min Math.max|any all|some every|append extend|append add|push unshift|pop shift|lower upper|toLowerCase toUpperCase
floor ceil round trunc|strip lstrip rstrip|trim trimStart trimEnd|startswith endswith|startsWith endsWith|find rfind
index find|indexOf lastIndexOf|keys values items|keys values entries|sorted reversed|first last|left right|start end
begin end|width height|row col|rows cols|row column|x y|i j|low high|lo hi|head tail|prev next|previous next|before after
isupper islower|isalpha isalnum isdigit|issubset issuperset|union intersection difference|add remove|add discard
remove discard|remove pop|insert append|slice splice|map filter|find filter|forEach map|concat push|parseInt parseFloat
ljust rjust|padStart padEnd|title capitalize|partition rpartition|split rsplit|popleft pop|appendleft append|sum len
get pop|has get|heappop heappush|most_common elements|ascending descending|plus minus|key value|total count|sum mean`
    .split(/[|\n]/)
    .map((group) => group.trim().split(/\s+/));

/** For each word the others of its groups, weighted by how close they stand there. */
const others = new Map<string, Map<string, number>>();
for (const group of groups) {
  for (const [at, one] of group.entries()) {
    const known = others.get(one) ?? new Map<string, number>();
    for (const [place, other] of group.entries()) if (other !== one) known.set(other, 1 / Math.abs(place - at));
    others.set(one, known);
  }
}

export function* wordChanges(area: Area): Changes {
  const { tokens } = area.source;
  for (const [at, { kind, text }] of each(area)) {
    if (kind !== "name" || at < (area.routine?.body ?? 0)) continue;
    if (!isMember(tokens, at) && tokens[at + 1]?.text !== "(") continue;
    for (const [other, odds] of others.get(text) ?? []) yield replace(area, "word", at, at + 1, other, odds);
  }
}

interface Scope {
  readonly names: ReadonlySet<string>;
  /** Never read: most likely another name was written in their place. */
  readonly unused: ReadonlySet<string>;
}

export function scopeOf({ source, routine }: Area): Scope {
  if (routine === null) return { names: new Set(), unused: new Set() };
  const { tokens } = source;
  const names = new Set<string>(routine.params.filter((name) => name !== "self" && name !== "cls" && name !== "this"));
  const reads = new Map<string, number>();
  for (let at = routine.body; at < routine.to; at++) {
    const { kind, text } = tokens[at]!;
    if (kind !== "name" || isKeyword(text) || isMember(source.tokens, at)) continue;
    if (isTarget(tokens, at)) names.add(text);
    else reads.set(text, (reads.get(text) ?? 0) + 1);
  }
  return { names, unused: new Set([...names].filter((name) => !reads.has(name))) };
}

type Tokens = Area["source"]["tokens"];

function isMember(tokens: Tokens, at: number): boolean {
  return tokens[at - 1]?.text === "." || tokens[at - 1]?.text === "?.";
}

/** `x = `, `for x in`, `const x`, `x, y = `. */
function isTarget(tokens: Tokens, at: number): boolean {
  const [before, next] = [tokens[at - 1]?.text ?? "", tokens[at + 1]?.text ?? ""];
  if (["for", "const", "let", "var", "as"].includes(before) || isTakenApart(tokens, at)) return true;
  if (next === "=" || next === ":=") return tokens[at + 2]?.text !== "=";
  if (next !== "," && before !== ",") return false;
  for (let i = at; i < at + 12 && i < tokens.length; i++) {
    const { text, kind } = tokens[i]!;
    if (text === "=" || (text === "in" && before !== "(") || text === "of") return true;
    if (kind === "end" || text === "(" || text === ";") return false;
  }
  return false;
}

/** `const [x, y]` and `const { x, y }`. */
function isTakenApart(tokens: Tokens, at: number): boolean {
  for (let i = at - 1; i > 0 && i > at - 16; i--) {
    const { kind, text } = tokens[i]!;
    if (text === "[" || text === "{") return ["const", "let", "var"].includes(tokens[i - 1]?.text ?? "");
    if (kind !== "name" && text !== ",") return false;
  }
  return false;
}

/** A function with more names is not a fault in one name. */
const mostNames = 40;

export function* nameChanges(area: Area, clues: Clues): Changes {
  const { source, routine } = area;
  const { tokens } = source;
  const { names, unused } = scopeOf(area);
  const missing = missingName(clues.evidence.map(({ message }) => message));
  const outer = new Set(
    source.routines.flatMap((one) =>
      routine !== null && one.from < routine.from && routine.to <= one.to ? one.params : [],
    ),
  );
  for (const [at, { kind, text }] of each(area)) {
    if (kind !== "name" || isKeyword(text) || isMember(tokens, at) || isKeyOrLabel(area, at)) continue;
    if (routine !== null && at < routine.body) continue;
    const isCall = tokens[at + 1]?.text === "(";
    if (text === missing) {
      for (const other of [...names, ...clues.words]) {
        const near = names.has(other) ? 1.5 : 0.5;
        if (other !== text) yield replace(area, "name", at, at + 1, other, near * (0.2 + 2 * likeness(text, other)));
      }
      continue;
    }
    if (isCall || !(names.has(text) || outer.has(text))) continue;
    if (isTarget(tokens, at) && tokens[at + 1]?.text !== "=") continue;
    for (const other of [...names].slice(0, mostNames)) {
      if (other === text) continue;
      const many = Math.sqrt(4 / Math.max(4, names.size));
      const place = (isTarget(tokens, at) ? 0.4 : 1) * (isTwice(tokens, at, other) ? 0.3 : 1);
      const odds = many * (unused.has(other) ? 2.5 : 1) * (0.5 + likeness(text, other)) * place;
      yield replace(area, "name", at, at + 1, other, odds);
    }
  }
}

/** `x + x`, `x < x`: hardly ever intended. */
function isTwice(tokens: Tokens, at: number, name: string): boolean {
  const isSign = (one: number): boolean => /^(?:[-+/%<>]|[<>=!]=|[=!]==|&&|\|\||and|or)$/.test(tokens[one]?.text ?? "");
  const isAlone = (one: number, next: number): boolean =>
    tokens[one]?.text === name && !/^[.([]|\?\.$/.test(tokens[next]?.text ?? "");
  return (isSign(at - 1) && isAlone(at - 2, at - 3)) || (isSign(at + 1) && isAlone(at + 2, at + 3));
}

/** `{ name: …}` and `f(name=…)` do not name a variable. */
function isKeyOrLabel({ source: { tokens, language } }: Area, at: number): boolean {
  const [before, next] = [tokens[at - 1]?.text ?? "", tokens[at + 1]?.text ?? ""];
  if (next === ":" && (before === "{" || before === ",") && language === "script") return true;
  return next === "=" && (before === "(" || before === ",") && language === "python";
}

/** The name that an error reports as undefined. */
function missingName(messages: readonly string[]): string | null {
  const undefinedName =
    /name '(\w+)' is not defined|(\w+) is not defined|has no attribute '(\w+)'|\.(\w+) is not a function|local variable '(\w+)'/;
  for (const message of messages) {
    const found = undefinedName.exec(message);
    if (found !== null) return found.slice(1).find((one) => one !== undefined) ?? null;
  }
  return null;
}

/** Another member of the same object, or a known name that is spelled like a missing member. */
export function* memberChanges(area: Area, clues: Clues): Changes {
  const { tokens } = area.source;
  const missing = missingName(clues.evidence.map(({ message }) => message));
  const members = new Map<string, Set<string>>();
  for (const [at, { kind, text }] of tokens.entries()) {
    const owner = tokens[at - 2]?.text ?? "";
    if (kind !== "name" || !isMember(tokens, at) || tokens[at + 1]?.text === "(") continue;
    const known = members.get(owner) ?? new Set<string>();
    members.set(owner, known.add(text));
  }
  for (const [at, { kind, text }] of each(area)) {
    if (kind !== "name" || !isMember(tokens, at)) continue;
    if (text === missing) {
      for (const other of clues.words) {
        const alike = likeness(text, other);
        if (other !== text && alike > 0.5) yield replace(area, "name", at, at + 1, other, 4 * alike);
      }
    }
    if (tokens[at + 1]?.text === "(") continue;
    for (const other of members.get(tokens[at - 2]?.text ?? "") ?? []) {
      if (other !== text) yield replace(area, "name", at, at + 1, other, 0.6 + 0.5 * likeness(text, other));
    }
  }
}

/** Similarity of two names from 0 to 1, by their longest common subsequence. */
function likeness(a: string, b: string): number {
  if (a.length === 1 && b.length === 1) return 0.7;
  const [x, y] = [a.toLowerCase().slice(0, 40), b.toLowerCase().slice(0, 40)];
  let row = new Array<number>(y.length + 1).fill(0);
  for (const one of x) {
    const next = [0];
    for (let at = 1; at <= y.length; at++) {
      next[at] = one === y[at - 1] ? (row[at - 1] ?? 0) + 1 : Math.max(row[at] ?? 0, next[at - 1] ?? 0);
    }
    row = next;
  }
  return (2 * (row[y.length] ?? 0)) / Math.max(1, x.length + y.length);
}
