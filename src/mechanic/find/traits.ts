// How the values and errors of failing tests change the odds of each kind of fault.

import type { Value } from "../text/literal.ts";
import type { Evidence } from "./evidence.ts";
import type { Kind } from "./kind.ts";

type Factors = Partial<Record<Kind, number>>;

const offByOne: Factors = { step: 1.8, boundary: 1.6, constant: 1.3 };
/** The traits of two values that should be equal, or of an error, and how each changes the odds of kinds of faults. */
const byTrait = {
  "by one": { ...offByOne, step: 2.2, word: 1.3, text: 0.2, truth: 0.5, order: 0.2, wrap: 0.5 },
  sign: { operands: 2.5, arguments: 2, negation: 1.5, equality: 1.5, arithmetic: 1.3, direction: 1.2, text: 0.2 },
  ratio: { constant: 2, arithmetic: 1.4, text: 0.2 },
  number: { arithmetic: 1.4, constant: 1.4, text: 0.2, truth: 0.6, assign: 1.4, order: 0.3 },
  fraction: { arithmetic: 1.5, wrap: 2.5, operands: 1.3, text: 0.2 },
  truth: {
    boundary: 1.3,
    equality: 1.5,
    direction: 1.4,
    logic: 1.6,
    negation: 1.8,
    truth: 1.8,
    text: 0.6,
    arithmetic: 0.7,
  },
  nothing: { return: 5, boundary: 1.1, negation: 1.2, truth: 0.7, text: 0.3, constant: 0.5 },
  longer: { ...offByOne, logic: 1.3, negation: 1.4, equality: 1.3, lines: 1.3 },
  shorter: { ...offByOne, return: 1.8, logic: 1.3, negation: 1.4, equality: 1.3, flow: 1.8 },
  order: { order: 4, operands: 3, direction: 1.6, word: 1.6, arguments: 1.5, step: 0.6, truth: 1.6 },
  list: { word: 1.3, name: 1.3, arguments: 1.2 },
  case: { word: 3, wrap: 2, text: 0.6, step: 0.6 },
  text: { text: 2.2, word: 1.3, operands: 1.2, arithmetic: 0.7, arguments: 1.3, name: 1.3 },
  type: { wrap: 2.5, return: 1.3, word: 1.3, name: 1.3 },
  "not a number": { fallback: 3, name: 1.5, step: 1.4, boundary: 1.4, return: 1.5 },
  index: { step: 2.4, boundary: 2.4, guard: 1.8, name: 1.2, direction: 1.2, text: 0.1 },
  key: { fallback: 4, text: 2, name: 1.6, guard: 1.5, equality: 1.6, negation: 1.4 },
  "unknown name": { name: 6, word: 1.5 },
  "missing member": { word: 3, name: 2.5, return: 2, guard: 1.5, fallback: 1.6, negation: 1.6, await: 3 },
  "wrong type": { arguments: 2, return: 2, name: 1.6, wrap: 2, word: 1.4, await: 2, fallback: 1.6 },
  division: { guard: 3, boundary: 1.5, equality: 1.5, negation: 1.5, operands: 1.5, step: 1.3 },
  endless: { arithmetic: 2, assign: 2, boundary: 1.5, step: 1.6, direction: 1.4, operands: 1.2, text: 0.1 },
  pending: { await: 10 },
  "no error": { boundary: 1.8, direction: 1.4, negation: 1.5, logic: 1.6, equality: 1.4, guard: 1.6, truth: 0.7 },
} satisfies Readonly<Record<string, Factors>>;

type Trait = keyof typeof byTrait;
const factors: Readonly<Record<Trait, Factors>> = byTrait;

/** Returns the factor for a kind: the geometric mean over all failures. */
export function factorsOf(all: readonly (readonly Trait[])[]): (kind: Kind) => number {
  const cases = all.filter((traits) => traits.length > 0);
  return (kind) => {
    if (cases.length === 0) return 1;
    const logs = cases.map((traits) => traits.reduce((sum, trait) => sum + Math.log(factors[trait][kind] ?? 1), 0));
    return Math.exp(logs.reduce((sum, one) => sum + one, 0) / cases.length);
  };
}

export function traitsOf({ pair, error, message, awaited }: Evidence): readonly Trait[] {
  if (awaited !== null) return ["no error"];
  if (/\bPromise\b|coroutine|was never awaited/.test(message)) return ["pending"];
  if (error !== null) return errorTraits(error, message);
  if (pair === null) return [];
  const { got, expected } = pair;
  if (got === undefined || expected === undefined) return [];
  return pairTraits(got, expected);
}

function errorTraits(error: string, message: string): readonly Trait[] {
  if (/IndexError/.test(error) || /out of range|out of bounds/.test(message)) return ["index"];
  if (/KeyError/.test(error)) return ["key"];
  if (/ZeroDivision/.test(error)) return ["division"];
  if (/NameError|ReferenceError|UnboundLocal/.test(error)) return ["unknown name"];
  if (/Recursion|RangeError/.test(error) && /recursion|call stack/i.test(message)) return ["endless"];
  if (/Cannot read propert/.test(message)) return ["index", "missing member"];
  if (/AttributeError|is not a function|has no attribute/.test(`${error} ${message}`)) return ["missing member"];
  return /TypeError/.test(error) ? ["wrong type"] : [];
}

function pairTraits(got: Value, expected: Value): readonly Trait[] {
  if (got === null && expected !== null) return ["nothing"];
  if (typeof got === "number" && typeof expected === "number") return numberTraits(got, expected);
  if (typeof got === "boolean" && typeof expected === "boolean") return ["truth"];
  if (typeof got === "string" && typeof expected === "string") {
    if (got.toLowerCase() === expected.toLowerCase()) return ["case"];
    return got.length > 2 && [...got].sort().join("") === [...expected].sort().join("") ? ["order"] : ["text"];
  }
  if (Array.isArray(got) && Array.isArray(expected)) return listTraits(got, expected);
  if (got instanceof Map && expected instanceof Map) return tableTraits(got, expected);
  return typeof got === typeof expected ? [] : ["type"];
}

function numberTraits(got: number, expected: number): readonly Trait[] {
  if (Number.isNaN(got)) return ["not a number"];
  if (Math.abs(got - expected) === 1) return ["by one", "number"];
  if (got === -expected) return ["sign", "number"];
  const isHalf = Number.isInteger(expected) !== Number.isInteger(got) && Math.abs(got - expected) <= 1;
  if (isHalf) return ["fraction"];
  const ratio = expected / got;
  return Number.isInteger(ratio) || Number.isInteger(1 / ratio) ? ["ratio", "number"] : ["number"];
}

function listTraits(got: readonly Value[], expected: readonly Value[]): readonly Trait[] {
  if (got.length > expected.length) return ["longer"];
  if (got.length < expected.length) return ["shorter"];
  const [left, right] = [got, expected].map((list) => list.map(printed).sort().join());
  if (left === right) return ["order"];
  const at = got.findIndex((one, index) => printed(one) !== printed(expected[index] ?? null));
  const [one, other] = [got[at], expected[at]];
  return one === undefined || other === undefined ? ["list"] : ["list", ...pairTraits(one, other)];
}

function tableTraits(got: ReadonlyMap<string, Value>, expected: ReadonlyMap<string, Value>): readonly Trait[] {
  if (got.size !== expected.size) return [got.size > expected.size ? "longer" : "shorter"];
  for (const [key, value] of expected) {
    const own = got.get(key);
    if (own !== undefined && printed(own) !== printed(value)) return pairTraits(own, value);
  }
  return [];
}

export function printed(value: Value): string {
  return JSON.stringify(value, (_, one: unknown) => (one instanceof Map ? [...one] : one)) ?? "";
}
