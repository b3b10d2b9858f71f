// Ranks files by importance: those that define names which many, and above all important, files use (PageRank).
import { type IndexFile, mustBe } from "../database.ts";
import { plainWeight } from "../symbol/names.ts";
import { type Pace, pace } from "../update/pace.ts";
import type { IndexUpdate } from "../update/update.ts";
import { unrankedIn } from "./known.ts";

const perRead = 500;
const perWrite = 500;
const passes = 12;
const damping = 0.85;
/** A name with more definitions does not tell which one is meant. */
const maxDefiners = 8;

interface Graph {
  readonly ids: readonly number[];
  /** Per file the start of its edges; one more entry at the end. */
  readonly starts: Int32Array;
  readonly targets: Int32Array;
  readonly weights: Float32Array;
}

/** Ranks are updated when this share of the files has changed; in small repositories always. */
const rankShare = 0.02;
const smallFiles = 2000;

export async function rankWhenDue(index: IndexFile, update: IndexUpdate, signal: AbortSignal): Promise<void> {
  const { files, changed, removed } = update;
  const before = unrankedIn(index);
  const unranked = (before ?? files) + changed + removed;
  const isDue = unranked > (files <= smallFiles ? 0 : files * rankShare);
  const left = isDue && (await rankFiles(index, signal)) ? 0 : unranked;
  if (left !== before)
    await index.transact(() => index.run("insert or replace into notes values ('unranked', ?)", left));
}

/** Returns false if aborted. */
async function rankFiles(index: IndexFile, signal: AbortSignal): Promise<boolean> {
  const slice = pace();
  const graph = await readGraph(index, slice, signal);
  if (graph === null) return false;
  const ranks = await ranksOf(graph, slice, signal);
  if (ranks === null) return false;
  const { ids } = graph;
  for (let at = 0; at < ids.length && !signal.aborted; at += perWrite) {
    await index.transact(() => {
      for (let one = at; one < Math.min(at + perWrite, ids.length); one++) {
        index.run("insert or replace into ranks values (?, ?)", ids[one]!, ranks[one]! * ids.length);
      }
    });
    if (slice.isDue()) await slice.rest();
  }
  return !signal.aborted;
}

type GraphRow = [id: number, defs: Uint8Array, uses: Uint8Array];

async function readGraph(index: IndexFile, slice: Pace, signal: AbortSignal): Promise<Graph | null> {
  const ids: number[] = [];
  const uses: Uses = { ends: [], names: new Uint32Array(1024) };
  let used = 0;
  const definers = new Map<number, number | number[]>();
  const plain = new Set<number>();
  for (let last = 0; ; ) {
    const page = `select id, defs, uses from facts where id > ? order by id limit ${perRead}`;
    const rows = index.rows<GraphRow>(page, last);
    for (const [id, defs, names] of rows) {
      const [telling = 0, ...own] = numbersOf(defs);
      for (const [at, name] of own.entries()) {
        note(definers, name, ids.length);
        if (at >= telling) plain.add(name);
      }
      ids.push(id);
      const added = numbersOf(names);
      while (used + added.length > uses.names.length)
        uses.names = grown(uses.names, new Uint32Array(uses.names.length * 2));
      uses.names.set(added, used);
      used += added.length;
      uses.ends.push(used);
      last = id;
    }
    if (signal.aborted) return null;
    if (rows.length < perRead) break;
    if (slice.isDue()) await slice.rest();
  }
  return await edgesOf({ ids, uses, definers, plain }, slice, signal);
}

function numbersOf(bytes: Uint8Array): Uint32Array {
  mustBe(bytes instanceof Uint8Array && bytes.byteLength % 4 === 0);
  const isAligned = bytes.byteOffset % 4 === 0;
  const { buffer, byteOffset } = isAligned ? bytes : bytes.slice();
  return new Uint32Array(buffer, byteOffset, bytes.byteLength / 4);
}

function note(definers: Map<number, number | number[]>, name: number, file: number): void {
  const known = definers.get(name);
  if (known === undefined) definers.set(name, file);
  else if (typeof known === "number") definers.set(name, [known, file]);
  else if (known.length <= maxDefiners) known.push(file);
}

/** The names that each file uses, in one array: an array per file would take more memory than the index. */
interface Uses {
  readonly ends: number[];
  names: Uint32Array;
}

interface Names {
  readonly ids: readonly number[];
  readonly uses: Uses;
  readonly definers: ReadonlyMap<number, number | readonly number[]>;
  readonly plain: ReadonlySet<number>;
}

async function edgesOf({ ids, uses, definers, plain }: Names, slice: Pace, signal: AbortSignal): Promise<Graph | null> {
  const starts = new Int32Array(ids.length + 1);
  let targets = new Int32Array(1024);
  let weights = new Float32Array(1024);
  let size = 0;
  const add = (target: number, weight: number): void => {
    if (size === targets.length) {
      targets = grown(targets, new Int32Array(size * 2));
      weights = grown(weights, new Float32Array(size * 2));
    }
    targets[size] = target;
    weights[size++] = weight;
  };
  for (const [file, end] of uses.ends.entries()) {
    starts[file] = size;
    for (let at = uses.ends[file - 1] ?? 0; at < end; at++) {
      const name = uses.names[at]!;
      const found = definers.get(name);
      if (found === undefined) continue;
      const weight = plain.has(name) ? plainWeight : 1;
      if (typeof found === "number") {
        if (found !== file) add(found, weight);
      } else if (found.length <= maxDefiners && !found.includes(file)) {
        for (const target of found) add(target, weight / found.length);
      }
    }
    if (slice.isDue()) await slice.rest();
    if (signal.aborted) return null;
  }
  starts[ids.length] = size;
  return { ids, starts, targets, weights };
}

function grown<T extends Int32Array | Uint32Array | Float32Array>(old: T, fresh: T): T {
  fresh.set(old);
  return fresh;
}

async function ranksOf(graph: Graph, slice: Pace, signal: AbortSignal): Promise<Float64Array | null> {
  const { ids, starts, targets, weights } = graph;
  const count = ids.length;
  let ranks = new Float64Array(count).fill(1 / Math.max(count, 1));
  for (let pass = 0; pass < passes; pass++) {
    const next = new Float64Array(count).fill((1 - damping) / Math.max(count, 1));
    for (let file = 0; file < count; file++) {
      const from = starts[file]!;
      const to = starts[file + 1]!;
      let total = 0;
      for (let at = from; at < to; at++) total += weights[at]!;
      const share = total === 0 ? 0 : (damping * ranks[file]!) / total;
      for (let at = from; at < to; at++) next[targets[at]!]! += share * weights[at]!;
      if (file % 256 === 0 && slice.isDue()) await slice.rest();
    }
    if (signal.aborted) return null;
    ranks = next;
  }
  return ranks;
}
