import { type Phrase, phrase } from "../../contract/text/catalogue.ts";
import { type PlanPath, pathText } from "./problem.ts";

/** Where the values of a JSON text stand, by their paths; or the first thing that keeps it from being JSON. */
type JsonPlaces = { readonly lineOf: (path: PlanPath) => number } | { readonly problem: Phrase };

interface Scan {
  readonly text: string;
  readonly lines: Map<string, number>;
  at: number;
  line: number;
  problem: Phrase | null;
}

const token =
  /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true\b|false\b|null\b|[{}[\],:]/y;
const deepest = 32;

/** A parser of the platform does not say in which line it stopped; a person who edits a plan has to know. */
export function jsonPlaces(text: string): JsonPlaces {
  const scan: Scan = { text, lines: new Map(), at: 0, line: 1, problem: null };
  value(scan, []);
  if (scan.problem === null && peek(scan) !== "") unexpected(scan);
  if (scan.problem !== null) return { problem: scan.problem };
  return {
    // What is missing has no place: the one around it has.
    lineOf: (path) => {
      for (let length = path.length; length > 0; length--) {
        const line = scan.lines.get(pathText(path.slice(0, length)));
        if (line !== undefined) return line;
      }
      return 1;
    },
  };
}

/** The next token without taking it; empty at the end and where none is. */
function peek(scan: Scan): string {
  for (let sign = scan.text[scan.at]; sign !== undefined && " \t\r\n".includes(sign); sign = scan.text[scan.at]) {
    if (sign === "\n") scan.line++;
    scan.at++;
  }
  token.lastIndex = scan.at;
  return token.exec(scan.text)?.[0] ?? scan.text[scan.at] ?? "";
}

function take(scan: Scan): string {
  const next = peek(scan);
  scan.at += next.length;
  return next;
}

function value(scan: Scan, path: PlanPath): void {
  const first = peek(scan);
  if (path.length > 0) scan.lines.set(pathText(path), scan.line);
  if (path.length > deepest) scan.problem ??= phrase("plan.json.deep", { line: scan.line });
  if (scan.problem !== null) return;
  if (first === "{") members(scan, path, "}", new Set());
  else if (first === "[") members(scan, path, "]", null);
  else if (isScalar(first)) take(scan);
  else unexpected(scan);
}

/** A quote or minus sign alone is what stands where no token could be read. */
function isScalar(found: string): boolean {
  return found.length > 1 ? !"{}[],:".includes(found[0] ?? "") : /\d/.test(found);
}

/** `keys`: those seen so far; `null` in a list. */
function members(scan: Scan, path: PlanPath, close: string, keys: Set<string> | null): void {
  take(scan);
  if (peek(scan) === close) {
    take(scan);
    return;
  }
  for (let place = 0; scan.problem === null; place++) {
    const name = keys === null ? place : key(scan, keys);
    if (scan.problem !== null) return;
    value(scan, [...path, name]);
    if (scan.problem !== null) return;
    const next = peek(scan);
    if (next === "," || next === close) take(scan);
    else unexpected(scan);
    if (next === close) return;
  }
}

function key(scan: Scan, keys: Set<string>): string {
  const quoted = peek(scan);
  if (!quoted.startsWith('"') || quoted.length < 2) {
    unexpected(scan);
    return "";
  }
  const name = JSON.parse(quoted) as string;
  if (keys.has(name)) scan.problem ??= phrase("plan.json.twice", { line: scan.line, key: name.slice(0, 60) });
  keys.add(name);
  take(scan);
  if (peek(scan) === ":") take(scan);
  else unexpected(scan);
  return name;
}

function unexpected(scan: Scan): void {
  const { line } = scan;
  const found = peek(scan).slice(0, 20);
  scan.problem ??= found === "" ? phrase("plan.json.end", { line }) : phrase("plan.json.syntax", { line, found });
}
