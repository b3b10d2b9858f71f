import { createScanner, type JSONPath, visit } from "jsonc-parser/lib/esm/main.js";
import { fail, ok, type Result } from "../../contract/error.ts";
import type { Plan } from "../../contract/plan.ts";
import { type Phrase, phrase } from "../../contract/text/catalogue.ts";
import { type PlanPath, pathText } from "./problem.ts";
import { type PlanOrigin, readPlan } from "./read.ts";

const biggest = 500_000;

/** PL-5: a plan as a file that the user can keep, edit and load. */
export function planToJson(plan: Plan): string {
  return `${JSON.stringify(plan, null, 2)}\n`;
}

export function planFromJson(text: string, origin: PlanOrigin): Result<Plan> {
  const bare = text.replace(/^\ufeff/, "");
  if (bare.length > biggest) return refused([phrase("plan.json.big", { size: bare.length, max: biggest })]);
  const places = jsonPlaces(bare);
  if ("problem" in places) return refused([places.problem]);
  const read = readPlan(JSON.parse(bare), origin);
  if ("plan" in read) return ok(read.plan);
  return refused(
    read.problems.map(({ path, what }) => {
      const where = path.length === 0 ? phrase("plan.whole") : pathText(path);
      return phrase("plan.line", { line: places.lineOf(path), where, what });
    }),
  );
}

function refused(problems: readonly Phrase[]): Result<Plan> {
  return fail("E_INVALID_ARGS", phrase("plan.problems", { problems }), { advice: phrase("plan.json.advice") });
}

type JsonPlaces = { readonly lineOf: (path: PlanPath) => number } | { readonly problem: Phrase };

const deepest = 32;

/** JSON.parse does not name the line of an error; a user who edits a plan needs it. */
function jsonPlaces(text: string): JsonPlaces {
  const deepLine = tooDeepLine(text);
  if (deepLine !== null) return { problem: phrase("plan.json.deep", { line: deepLine }) };
  const lines = new Map<string, number>();
  const problem = readPlaces(text, lines);
  if (problem !== null) return { problem };
  return {
    // A missing value has no line: its parent's is used.
    lineOf: (path) => {
      for (let length = path.length; length > 0; length--) {
        const line = lines.get(pathText(path.slice(0, length)));
        if (line !== undefined) return line;
      }
      return 1;
    },
  };
}

/** The library recurses once per level, even after an error, so depth is measured first. */
function tooDeepLine(text: string): number | null {
  const scanner = createScanner(text, true);
  let depth = 0;
  for (scanner.scan(); scanner.getTokenOffset() < text.length; scanner.scan()) {
    const sign = text[scanner.getTokenOffset()];
    if (sign === "{" || sign === "[") depth++;
    if (sign === "}" || sign === "]") depth--;
    if (depth > deepest) return scanner.getTokenStartLine() + 1;
  }
  return null;
}

function readPlaces(text: string, lines: Map<string, number>): Phrase | null {
  let problem: Phrase | null = null;
  const keysAround: Set<string>[] = [];
  const place = (line: number, path: () => JSONPath): void => {
    lines.set(pathText(path()), line + 1);
  };
  visit(
    text,
    {
      onObjectBegin: (_offset, _length, line, _column, path) => {
        place(line, path);
        keysAround.push(new Set());
      },
      onObjectEnd: () => {
        keysAround.pop();
      },
      onObjectProperty: (key, _offset, _length, line) => {
        const keys = keysAround.at(-1);
        if (keys?.has(key)) problem ??= phrase("plan.json.twice", { line: line + 1, key: key.slice(0, 60) });
        keys?.add(key);
      },
      onArrayBegin: (_offset, _length, line, _column, path) => place(line, path),
      onLiteralValue: (_value, _offset, _length, line, _column, path) => place(line, path),
      onError: (_code, offset, length, line) => {
        problem ??= unexpected(text.slice(offset, offset + Math.min(length, 20)), line + 1);
      },
    },
    { disallowComments: true },
  );
  return problem;
}

function unexpected(found: string, line: number): Phrase {
  return found === "" ? phrase("plan.json.end", { line }) : phrase("plan.json.syntax", { line, found });
}
