// A failure's evidence of the fault: the two values that should have been equal, or the error and its subject.

import type { Failure } from "../report.ts";
import { cutAt, literalOf, type Value } from "../text/literal.ts";

interface Pair {
  readonly got: Value | undefined;
  readonly expected: Value | undefined;
}

export interface Evidence {
  readonly pair: Pair | null;
  /** `IndexError`, `TypeError`, …; `null` for an unexpected value. */
  readonly error: string | null;
  readonly message: string;
  /** Name of an error that the test expected and did not get, or `null`. */
  readonly awaited: string | null;
}

export function evidenceOf({ error }: Failure): Evidence {
  const [first = ""] = error.split("\n", 1);
  const awaited = awaitedIn(error);
  // Each runner has a format of its own.
  const pair =
    awaited === null ? (pytestPair(error) ?? unittestPair(error) ?? nodePair(error) ?? jestPair(error)) : null;
  const named =
    /^(?:Uncaught )?(?:[\w.]+\.)?([A-Z]\w*(?:Error|Exception|Exit|Interrupt)|RecursionError|KeyError)\b/.exec(
      first,
    )?.[1] ?? null;
  const isAssertion = named === null || named.startsWith("Assertion");
  return { pair, error: isAssertion || pair !== null ? null : named, message: first, awaited };
}

function awaitedIn(error: string): string | null {
  const found =
    /DID NOT RAISE (?:any of )?\(?<class '(?:[\w.]*\.)?(\w+)'>|(\w+) not raised|Missing expected exception(?: \((\w+)\))?/.exec(
      error,
    );
  if (found !== null) return found[1] ?? found[2] ?? found[3] ?? "Error";
  return /Received function did not throw|expected .* to throw/.test(error) ? "Error" : null;
}

function pytestPair(error: string): Pair | null {
  const line = /^(?:AssertionError: )?assert (.*)$/m.exec(error)?.[1];
  if (line === undefined) return null;
  const assertion = line.replace(/ ±.*$/, "");
  for (const sign of [" == ", " is "]) {
    const cut = cutAt(assertion, sign);
    if (cut === null) continue;
    const [left, right] = cut;
    const called = [...error.matchAll(/^\s*\+?\s*where (.+?) = \w[\w.]*\(/gm)].map((one) => one[1]);
    const isTurned = called.includes(right.trim()) && !called.includes(left.trim());
    const [got, expected] = isTurned ? [right, left] : [left, right];
    return indexed(error) ?? { got: literalOf(got), expected: literalOf(expected.replace(/^approx\((.*)\)$/, "$1")) };
  }
  const isNot = assertion.startsWith("not ");
  const value = literalOf(isNot ? assertion.slice(4) : assertion);
  return typeof value === "boolean" || value === null ? { got: value ?? false, expected: !isNot } : null;
}

/** Long values are cut off, but the first differing item is printed whole. */
function indexed(error: string): Pair | null {
  const found = /At index \d+ diff: (.*) != (.*)$/m.exec(error);
  const whole = /^(?:AssertionError: )?assert (.*) == (.*)$/m.exec(error);
  if (found === null || (whole !== null && !/\.\.\./.test(whole[0]))) return null;
  return { got: literalOf(found[1] ?? ""), expected: literalOf(found[2] ?? "") };
}

function unittestPair(error: string): Pair | null {
  const message = /^(?:AssertionError: )?(?:\w+ differ: )?(.+)$/.exec(error.split("\n", 1)[0] ?? "")?.[1] ?? "";
  if (/^(?:False is not true|None is not true)/.test(message)) return { got: false, expected: true };
  if (/^True is not false/.test(message)) return { got: true, expected: false };
  const cut = cutAt(message.replace(/ : .*$/, ""), " != ");
  if (cut !== null) return { got: literalOf(cut[0]), expected: literalOf(cut[1]) };
  const is = /^(.+) is not None$/.exec(message);
  return is === null ? null : { got: literalOf(is[1] ?? ""), expected: null };
}

function nodePair(error: string): Pair | null {
  const strict = /^\s*(?:AssertionError: )?(.+) (?:!==?|==) (.+)$/m.exec(error);
  if (strict !== null && !/^\+ actual - expected/m.test(error)) {
    return { got: literalOf(strict[1] ?? ""), expected: literalOf(strict[2] ?? "") };
  }
  if (/evaluated to a falsy value|false == true/.test(error)) return { got: false, expected: true };
  if (!/^\+ actual - expected/m.test(error)) {
    const loose = /deep-equal:\n\n([\s\S]+?)\n\nshould (?:loosely )?deep-equal\n\n([\s\S]+)$/.exec(error);
    return loose === null ? null : { got: literalOf(loose[1] ?? ""), expected: literalOf(loose[2] ?? "") };
  }
  const lines = error.split("\n");
  const body = lines.slice(lines.findIndex((line) => line.startsWith("+ actual")) + 1);
  if (body.some((line) => line.startsWith("..."))) return firstDifference(body);
  const side = (drop: string) => {
    const own = body.filter((line) => !line.startsWith(drop) && !/^\s*\^\s*$/.test(line));
    return literalOf(own.map((line) => line.slice(1)).join("\n"));
  };
  return { got: side("-"), expected: side("+") };
}

/** The first difference in a comparison that omits equal lines. */
function firstDifference(lines: readonly string[]): Pair | null {
  const side = (sign: string) => {
    const line =
      lines
        .find((one) => one.startsWith(sign))
        ?.slice(1)
        .trim() ?? "";
    return literalOf(line.replace(/,$/, "").replace(/^[\w$]+: /, ""));
  };
  return { got: side("+"), expected: side("-") };
}

function jestPair(error: string): Pair | null {
  const expected = /^\s*Expected: (?:not )?(.+)$/m.exec(error)?.[1];
  const received = /^\s*Received: (.+)$/m.exec(error)?.[1];
  if (expected !== undefined && received !== undefined) {
    return { got: literalOf(received), expected: literalOf(expected) };
  }
  const chai = /expected (.+?) to (?:be|equal|deeply equal|strictly equal) (.+?)(?: \/\/.*)?$/m.exec(error);
  return chai === null ? null : { got: literalOf(chai[1] ?? ""), expected: literalOf(chai[2] ?? "") };
}
