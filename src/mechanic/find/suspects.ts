// Where the fault may be: functions that failing tests reach and passing ones do not, and lines that errors name.

import { type Failure, type Frame, nameOf } from "../report.ts";
import type { Scene } from "../scene.ts";
import type { Routine, Source } from "../text/outline.ts";
import { isKeyword } from "../text/span.ts";

export interface Suspect {
  readonly source: Source;
  readonly routine: Routine;
  readonly weight: number;
  /** The failures that lead here most directly, or all if none does. */
  readonly failures: readonly Failure[];
}

interface Region {
  readonly source: Source;
  readonly from: number;
  readonly to: number;
  readonly title: string;
}

const perHop = 0.75;
/** Of a function to which no name leads: callbacks, tables of functions and such lead there nevertheless. */
const unreached = 0.1;
const maxHops = 5;

export function suspectsOf(
  scene: Scene,
  failures: readonly Failure[],
  frames: readonly Frame[],
  request: string,
): readonly Suspect[] {
  const program = new Program(scene);
  const regions = scene.tests.flatMap(regionsIn);
  const failing = failures.map((failure) => ({ failure, region: regionOf(regions, failure) }));
  const broken = new Set(failing.map(({ region }) => region));
  const passing = regions
    .filter((region) => !broken.has(region))
    .map((region) => program.reach(mentioned(region, null)));
  const reached = failing.map(({ failure, region }) =>
    program.reach(region ? mentioned(region, failure.line) : new Map()),
  );
  const suspects = program.all.map(({ source, routine }) => {
    const weights = reached.map((one) => one.get(routine) ?? 0);
    const hits = weights.filter((one) => one > 0).length;
    const passes = passing.filter((one) => one.has(routine)).length;
    const mean = hits === 0 ? 0 : weights.reduce((sum, one) => sum + one, 0) / hits;
    // As a rule one fault explains all failures: a function that only some of them reach is less suspect.
    const spectrum = (hits / Math.max(1, failing.length)) ** 1.2 * (hits / Math.max(1, hits + passes)) ** 0.25;
    const framed = frames.some(({ file, line }) => sameFile(source, file) && holds(source, routine, line)) ? 0.9 : 0;
    // A failure's values say most about the function that the test calls itself.
    const near = Math.max(...weights) * 0.9;
    const own = failures.filter((one, at) => (near > 0 && (weights[at] ?? 0) >= near) || isAt(source, routine, one));
    const asked = request.includes(routine.name) && routine.name.length > 2 ? 1.4 : 1;
    const weight = Math.max(mean * spectrum, framed) * asked;
    return { source, routine, weight, failures: own.length > 0 ? own : failures };
  });
  const found = suspects.filter(({ weight }) => weight > 0);
  // Without any trace, all functions are equally suspect.
  const rest = found.length > 0 ? unreached : 0.5;
  return [
    ...suspects.map((one) => (one.weight > 0 ? one : { ...one, weight: rest })),
    ...scene.sources.map((source) => ({ source, routine: topOf(source), weight: rest, failures })),
  ];
}

/** What stands in no function, as if it were one. */
function topOf({ tokens }: Source): Routine {
  return { name: topName, owner: null, params: [], isAsync: false, from: 0, body: 0, to: tokens.length };
}

export const topName = "(module)";

function isAt(source: Source, routine: Routine, { file, line }: Failure): boolean {
  return file !== null && line !== null && sameFile(source, file) && holds(source, routine, line);
}

export function sameFile({ path }: Source, file: string): boolean {
  return path === file || file.endsWith(`/${path}`) || path.endsWith(`/${file}`);
}

export function holds({ tokens }: Source, { from, to }: Pick<Routine, "from" | "to">, line: number): boolean {
  return (tokens[from]?.line ?? 0) <= line && line <= (tokens[to - 1]?.line ?? 0);
}

/** The possible calls between functions, by name alone. */
class Program {
  readonly all: readonly Pick<Suspect, "source" | "routine">[];
  private readonly named: ReadonlyMap<string, readonly Routine[]>;
  private readonly uses = new Map<Routine, ReadonlySet<string>>();
  private readonly helping: ReadonlySet<Routine>;

  /** Tests define what is right, so they are never changed; their helpers lead to the functions under test. */
  constructor({ sources, tests }: Scene) {
    const placesIn = (some: readonly Source[]) =>
      some.flatMap((source) => source.routines.map((routine) => ({ source, routine })));
    this.all = placesIn(sources);
    const helpers = placesIn(tests).filter(({ routine }) => !/^test/i.test(routine.name));
    this.helping = new Set(helpers.map(({ routine }) => routine));
    const places = [...this.all, ...helpers];
    for (const { source, routine } of places) this.uses.set(routine, namesIn(source, routine.body, routine.to));
    this.named = Map.groupBy(
      places.map(({ routine }) => routine),
      ({ name, owner }) => (name === "__init__" || name === "constructor" ? (owner ?? name) : name),
    );
  }

  /** How near each function is to a test's own names. */
  reach(from: ReadonlyMap<string, number>): ReadonlyMap<Routine, number> {
    const weights = new Map<Routine, number>();
    let edge = [...from].flatMap(([name, weight]) =>
      (this.named.get(name) ?? []).map((routine) => ({ routine, weight })),
    );
    for (let hop = 0; hop < maxHops && edge.length > 0; hop++) {
      const next: typeof edge = [];
      for (const { routine, weight } of edge) {
        if ((weights.get(routine) ?? 0) >= weight) continue;
        weights.set(routine, weight);
        for (const name of this.uses.get(routine) ?? []) {
          for (const called of this.named.get(name) ?? [])
            next.push({ routine: called, weight: this.helping.has(routine) ? weight * 0.95 : weight * perHop });
        }
      }
      edge = next;
    }
    return weights;
  }
}

function namesIn({ tokens }: Source, from: number, to: number): ReadonlySet<string> {
  const names = new Set<string>();
  for (let at = from; at < to; at++) {
    const { kind, text } = tokens[at]!;
    if (kind === "name" && !isKeyword(text)) names.add(text);
  }
  return names;
}

/** Names in a test; those on the failing line weigh most. */
function mentioned({ source, from, to }: Region, line: number | null): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  const { tokens } = source;
  for (let at = from; at < to; at++) {
    const { kind, text, line: own } = tokens[at]!;
    if (kind !== "name" || isKeyword(text)) continue;
    const isBehind = line !== null && own > line + 1;
    const weight = line === null ? 1 : own === line ? 1 : isBehind ? 0.3 : 0.7;
    weights.set(text, Math.max(weights.get(text) ?? 0, weight));
  }
  return weights;
}

function regionsIn(source: Source): readonly Region[] {
  const { tokens, partner } = source;
  if (source.language === "python") {
    return source.routines
      .filter(({ name }) => /^test/i.test(name))
      .map(({ from, to, name }) => ({ source, from, to, title: name }));
  }
  const found: Region[] = [];
  for (const [at, { kind, text }] of tokens.entries()) {
    if (kind !== "name" || !["test", "it", "specify"].includes(text)) continue;
    const open = tokens.findIndex((one, index) => index > at && index < at + 4 && one.text === "(");
    const title = tokens[open + 1];
    if (open !== -1 && title?.kind === "text")
      found.push({ source, from: open, to: partner[open]! + 1, title: title.text.slice(1, -1) });
  }
  return found;
}

function regionOf(regions: readonly Region[], failure: Failure): Region | null {
  const { file, line } = failure;
  const title = (
    nameOf(failure)
      .split(/ > |::/)
      .at(-1) ?? ""
  ).replace(/\[.*$/, "");
  const named = regions.filter((one) => one.title === title);
  const isThere = ({ source, from, to }: Region): boolean =>
    line !== null && file !== null && sameFile(source, file) && holds(source, { from, to }, line);
  return named.find(isThere) ?? regions.find(isThere) ?? named[0] ?? null;
}

/** Values that failing tests compare with, as written there. */
export function wantedIn(scene: Scene, failures: readonly Failure[]): readonly string[] {
  const regions = scene.tests.flatMap(regionsIn);
  const found = failures.flatMap((failure) => {
    const region = regionOf(regions, failure);
    if (region === null) return [];
    const { source, from, to } = region;
    const text = source.text.slice(source.tokens[from]!.start, source.tokens[to - 1]!.end);
    const lines =
      failure.file !== null && sameFile(source, failure.file)
        ? [source.text.split("\n")[(failure.line ?? 1) - 1] ?? "", text]
        : [text];
    return lines.flatMap((line) => [...line.matchAll(compared)].map(([, a, b, c]) => a ?? b ?? c ?? "None"));
  });
  return [...new Set(found)];
}

const simple = String.raw`(-?\d+(?:\.\d+)?|\[\]|\{\}|""|''|None|null|undefined|True|False|true|false|"[^"\\]{0,20}"|'[^'\\]{0,20}')`;
const compared = new RegExp(
  String.raw`(?:==|\bis)\s*${simple}\s*$|(?:[Ee]qual|[Ee]quals|Is|toBe)\w*\(.*,\s*${simple}\s*\)|\.(?:toBe|toEqual|toStrictEqual)\(\s*${simple}\s*\)|assertIsNone\(`,
  "gm",
);
