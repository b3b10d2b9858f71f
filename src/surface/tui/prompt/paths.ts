// Finds paths by typed letters in order; the name counts more than its directories. Every key searches up to 50,000 paths, so everything
// that depends on the path alone is computed in advance.

const most = 50;
/** Fewer letters would match nearly every path. */
const leastScattered = 3;
/** Paths per slice; a pending key is handled between two slices. */
const slice = 4_000;

/** Matches of a prefix of the query: a longer query matches a subset. */
interface Fitting {
  readonly query: string;
  readonly fitting: Int32Array;
}

interface KnownPaths {
  readonly all: readonly string[];
  readonly lower: readonly string[];
  /** The set of letters and digits in the path, as bits. */
  readonly letters: Int32Array;
  readonly nameAt: Int32Array;
  readonly first: Uint16Array;
}

const none: KnownPaths = {
  ...{ all: [], lower: [], letters: new Int32Array(0), nameAt: new Int32Array(0), first: new Uint16Array(0) },
};

export class Paths {
  private known: KnownPaths = none;
  private levels: Fitting[] = [];

  async set(all: readonly string[]): Promise<void> {
    if (all.length === this.known.all.length && all.every((path, at) => path === this.known.all[at])) return;
    this.known = await lookedAt(all);
    this.levels = [];
  }

  *find(query: string): Generator<void, readonly string[]> {
    const { all } = this.known;
    const wanted = query.toLowerCase();
    if (wanted === "") return all.slice(0, most);
    const best = new Best();
    this.byName(wanted, best);
    // Nothing beats a name with this prefix.
    if (!best.isFull) yield* this.byLetters(wanted, best);
    return best.places.map((at) => all[at] ?? "");
  }

  private byName(wanted: string, best: Best): void {
    const { lower, first, nameAt } = this.known;
    const begin = wanted.charCodeAt(0);
    for (let at = 0; at < first.length; at++) {
      if (first[at] !== begin) continue;
      const path = lower[at] ?? "";
      const name = nameAt[at] ?? 0;
      if (path.startsWith(wanted, name)) best.add(at, whole(path, name, wanted) + path.length, path);
    }
  }

  private *byLetters(wanted: string, best: Best): Generator<void, void> {
    const { known } = this;
    const { lower, letters, nameAt } = known;
    while (this.levels.length > 0 && !wanted.startsWith(this.levels.at(-1)?.query ?? "")) this.levels.pop();
    const from = this.levels.at(-1)?.fitting;
    const total = from?.length ?? lower.length;
    const fitting = new Int32Array(total);
    const needed = lettersIn(wanted);
    let count = 0;
    for (let n = 0; n < total; n++) {
      if (n % slice === slice - 1) yield;
      const at = from === undefined ? n : (from[n] ?? 0);
      if (((letters[at] ?? 0) & needed) !== needed) continue;
      const path = lower[at] ?? "";
      const name = nameAt[at] ?? 0;
      const score = together(path, name, wanted) ?? scattered(path, name, wanted);
      if (score === null) continue;
      fitting[count++] = at;
      if (score > 0) best.add(at, score + path.length, path);
    }
    // Another list may have arrived between two slices.
    const isKept = wanted.length >= leastScattered && this.known === known;
    if (isKept) this.levels.push({ query: wanted, fitting: fitting.slice(0, count) });
  }
}

/** Scores, lower is better: the kind of match and its gaps; the length of the path is added. */
function whole(path: string, name: number, wanted: string): number {
  return path.length - name === wanted.length ? 0 : 1_000;
}

/** `0`: the name has this prefix, so `byName` has found it already. */
function together(path: string, name: number, wanted: string): number | null {
  const inPath = path.indexOf(wanted);
  if (inPath === -1) return null;
  const inName = inPath >= name ? inPath : path.indexOf(wanted, name);
  if (inName === name) return 0;
  if (inName !== -1) return isStart(path, inName) ? 2_000 : 3_000;
  return isStart(path, inPath) ? 4_000 : 6_000;
}

function scattered(path: string, name: number, wanted: string): number | null {
  if (wanted.length < leastScattered) return null;
  const inName = gaps(path, wanted, name);
  if (inName !== null) return 5_000 + 40 * inName;
  const inPath = gaps(path, wanted, 0);
  return inPath === null ? null : 7_000 + 40 * inPath;
}

async function lookedAt(all: readonly string[]): Promise<KnownPaths> {
  const lower: string[] = [];
  const letters = new Int32Array(all.length);
  const nameAt = new Int32Array(all.length);
  const first = new Uint16Array(all.length);
  for (const [at, path] of all.entries()) {
    const small = path.toLowerCase();
    const name = small.lastIndexOf("/", small.length - 2) + 1;
    lower.push(small);
    letters[at] = lettersIn(small);
    nameAt[at] = name;
    first[at] = small.charCodeAt(name);
    if (at % slice === slice - 1) await new Promise(setImmediate);
  }
  return { all, lower, letters, nameAt, first };
}

class Best {
  readonly places: number[] = [];
  private readonly scores: number[] = [];
  private readonly names: string[] = [];

  get isFull(): boolean {
    return this.places.length === most;
  }

  add(place: number, score: number, name: string): void {
    let at = this.places.length;
    if (at === most && score > (this.scores[at - 1] ?? 0)) return;
    const isAfter = (n: number): boolean => {
      const other = this.scores[n] ?? 0;
      return other > score || (other === score && (this.names[n] ?? "") > name);
    };
    while (at > 0 && isAfter(at - 1)) at--;
    this.places.splice(at, 0, place);
    this.scores.splice(at, 0, score);
    this.names.splice(at, 0, name);
    if (this.places.length <= most) return;
    for (const list of [this.places, this.scores, this.names]) list.pop();
  }
}

/** The number of gaps between the matched letters, counted from `from`; `null`: not all letters match. */
function gaps(text: string, wanted: string, from: number): number | null {
  let at = from - 1;
  let count = 0;
  for (let n = 0; n < wanted.length; n++) {
    const next = text.indexOf(wanted[n] ?? "", at + 1);
    if (next === -1) return null;
    if (n > 0 && next !== at + 1) count += isStart(text, next) ? 1 : 2;
    at = next;
  }
  return count;
}

function isStart(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1);
  // A blank, `-`, `.`, `/` or `_`; or the beginning.
  return at === 0 || before === 32 || (before >= 45 && before <= 47) || before === 95;
}

function lettersIn(text: string): number {
  let bits = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code >= 97 && code <= 122) bits |= 1 << (code - 97);
    else if (code >= 48 && code <= 57) bits |= 1 << (26 + ((code - 48) >> 1));
  }
  return bits;
}
