import { phrase } from "../../contract/text/catalogue.ts";
import { ask, isCut, type Play } from "../play.ts";
import { type Facts, say } from "../words.ts";

const maxShown = 100;
const generated = /^(?:\.\/)?(?:node_modules|\.venv|venv|dist|build|target|\.git)\//;

interface Found {
  readonly lines: readonly string[];
  readonly isPart: boolean;
  readonly error: string | null;
}

function* grepped(pattern: string): Play<Found | null> {
  const answer = yield* ask("", "grep", { pattern, max_matches: 500 });
  if (answer === null) return null;
  if (answer.error !== null) return { lines: [], isPart: false, error: answer.text };
  const lines = answer.text.split("\n").filter((line) => /^.+?:\d+:/.test(line) && !generated.test(line));
  return { lines, isPart: isCut(answer) || /^\(more than /m.test(answer.text), error: null };
}

function listed(facts: Facts, found: Found | null, what: string): string {
  if (found === null) return say(facts, phrase("mechanic.stopped"));
  const { lines, isPart, error } = found;
  if (error !== null) return say(facts, phrase("mechanic.not_searched", { what, why: error.slice(0, 500) }));
  if (lines.length === 0 && !isPart) return say(facts, phrase("mechanic.found_none", { what }));
  const shown = lines.slice(0, maxShown).map((line) => line.replace(/^(.+?:\d+:)\s*/, "$1 "));
  const mark = isPart ? "+" : "";
  const rest = lines.length > maxShown ? [`… +${lines.length - maxShown}${mark}`] : [];
  return say(facts, phrase("mechanic.found", { n: `${lines.length}${mark}`, list: [...shown, ...rest].join("\n") }));
}

function escaped(name: string): string {
  return name.replace(/[$.*+?^{}()|[\]\\]/g, "\\$&");
}

/** A name that stands by itself. `\b` would miss names that begin with `$`. */
export function namePattern(name: string): string {
  return `(?:^|[^\\w$])${escaped(name)}(?:$|[^\\w$])`;
}

const declaring =
  "(?:def|class|function\\*?|const|let|var|interface|type|enum|func|fn|struct|trait|impl|mod|module|record|object|val|namespace)";

function definitionPattern(name: string): string {
  const own = escaped(name);
  return [
    `\\b${declaring}\\s+(?:\\([^)]*\\)\\s*)?${own}\\b`,
    `^\\s*(?:(?:export|static|async|public|private|protected|get|set|final|override)\\s+)*${own}\\s*\\([^;]*\\)\\s*(?::[^={]*)?\\{`,
    `^\\s*(?:export\\s+|exports\\.|module\\.exports\\.|self\\.|this\\.)?${own}\\s*(?::[^=]*)?=[^=]`,
    `^\\s*${own}\\s*:\\s*(?:async\\s*)?(?:function|\\()`,
  ].join("|");
}

export function* definition(facts: Facts, name: string): Play {
  return listed(facts, yield* grepped(definitionPattern(name)), name);
}

export function* usages(facts: Facts, name: string): Play {
  const found = yield* grepped(namePattern(name));
  const defining = new RegExp(definitionPattern(name));
  const isUse = (line: string): boolean => !defining.test(line.replace(/^.+?:\d+:/, ""));
  return listed(facts, found && { ...found, lines: found.lines.filter(isUse) }, name);
}

export function* todos(facts: Facts): Play {
  return listed(facts, yield* grepped("\\b(?:TODO|FIXME|XXX|HACK)\\b"), "TODO, FIXME, XXX, HACK");
}
