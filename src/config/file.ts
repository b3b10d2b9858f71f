import { type ErrorInfo, fail, ok, type Result } from "../contract/error.ts";
import { phrase } from "../contract/text/catalogue.ts";
import { check } from "./check.ts";
import { type JsonProblem, parseJsonc } from "./jsonc.ts";
import { type ConfigValues, configRules } from "./rules.ts";

/** A config file's content, every key of it checked; the error names file, line and key. */
export function parseConfig(bytes: Uint8Array, file: string): Result<ConfigValues> {
  const text = decode(bytes);
  if (text === null) return fail("E_CONFIG", phrase("config.not_utf8", { file }));
  const parsed = parseJsonc(text);
  if ("problem" in parsed) return syntaxError(parsed.problem, file);
  const checked = check(parsed.value, configRules, (line, path) => (path === "" ? file : `${file}:${line}: ${path}`));
  // The rules say what `check` lets through; `ConfigValues` is made from the same rules.
  return "problem" in checked ? fail("E_CONFIG", checked.problem) : ok(checked.value as ConfigValues);
}

function decode(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}

function syntaxError(problem: JsonProblem, file: string): { ok: false; error: ErrorInfo } {
  const where = `${file}:${problem.line}`;
  switch (problem.kind) {
    case "unexpected":
      return fail("E_CONFIG", phrase("config.syntax", { where, found: problem.found }));
    case "end":
      return fail("E_CONFIG", phrase("config.syntax_end", { where }));
    case "duplicate":
      return fail("E_CONFIG", phrase("config.duplicate", { where: `${where}: ${problem.key}` }));
    case "deep":
      return fail("E_CONFIG", phrase("config.deep", { where }));
  }
}
