import { phrase } from "../contract/text/catalogue.ts";
import { namePattern } from "./find/find.ts";
import { ask, askAll, isCut, type Play } from "./play.ts";
import { putBack } from "./put-back.ts";
import { readAll } from "./scene.ts";
import type { Source } from "./text/outline.ts";
import { editAsk } from "./text/rewrite.ts";
import { isKeyword } from "./text/span.ts";
import { languageOf } from "./text/token.ts";
import { type Facts, say } from "./words.ts";

const maxFiles = 60;
const pathOf = /^(.+?):\d+:/;

/** Renames every occurrence in code, but not in strings and comments. */
export function* rename(facts: Facts, from: string, to: string): Play {
  if (isKeyword(to) || isKeyword(from))
    return say(facts, phrase("mechanic.rename.bad", { name: isKeyword(to) ? to : from }));
  const grepped = yield* ask("", "grep", { pattern: namePattern(from), max_matches: 2000 });
  if (grepped === null) return say(facts, phrase("mechanic.stopped"));
  if (grepped.error !== null)
    return say(facts, phrase("mechanic.not_searched", { what: from, why: grepped.text.slice(0, 500) }));
  if (isCut(grepped) || /^\(more than /m.test(grepped.text))
    return say(facts, phrase("mechanic.rename.long", { name: from }));
  const hits = grepped.text.split("\n").flatMap((line) => pathOf.exec(line)?.[1] ?? []);
  const paths = [...new Set(hits)].filter((path) => !/(?:^|\/)(?:node_modules|\.venv|venv|dist|build)\//.test(path));
  const code = paths.filter((path) => languageOf(path) !== null);
  if (code.length === 0) return say(facts, phrase("mechanic.found_none", { what: from }));
  if (code.length > maxFiles) return say(facts, phrase("mechanic.rename.many", { name: from, n: code.length }));
  const sources = yield* readAll(code);
  if (sources === null) return say(facts, phrase("mechanic.stopped"));
  const unread = code.filter((path) => !sources.some((one) => one.path === path));
  if (unread.length > 0) return say(facts, phrase("mechanic.rename.unread", { name: from, paths: pathList(unread) }));
  const conflicting = sources.filter(({ tokens }) => tokens.some(({ kind, text }) => kind === "name" && text === to));
  if (conflicting.length > 0) {
    const paths = pathList(conflicting.map(({ path }) => path));
    return say(facts, phrase("mechanic.rename.taken", { name: to, paths }));
  }
  const others = paths.filter((path) => !code.includes(path));
  const renamed = sources.map((source) => ({ source, ...renamedIn(source, from, to) })).filter(({ n }) => n > 0);
  if (renamed.length === 0) return say(facts, phrase("mechanic.found_none", { what: from }));
  const asks = renamed.map(({ source, text }) => editAsk(source.path, source.text, text));
  const answers = yield* askAll(say(facts, phrase("mechanic.rename.does", { from, to, n: asks.length })), asks);
  if (answers === null) return say(facts, phrase("mechanic.stopped"));
  const failed = answers.find(({ error }) => error !== null);
  if (failed !== undefined) return yield* revert(facts, renamed, answers, failed.text);
  const n = renamed.reduce((sum, one) => sum + one.n, 0);
  const changed = pathList(renamed.map(({ source }) => source.path));
  const done = phrase("mechanic.rename.done", { from, to, n, paths: changed });
  const left = others.length === 0 ? [] : [say(facts, phrase("mechanic.rename.left", { paths: pathList(others) }))];
  return [say(facts, done), ...left].join("\n\n");
}

/** A name changed in only some files is worse than an unchanged one. */
function* revert(
  facts: Facts,
  renamed: readonly { readonly source: Source; readonly text: string }[],
  answers: readonly { readonly error: string | null }[],
  why: string,
): Play {
  const made = renamed.filter((_, at) => answers[at]?.error === null);
  const asks = made.map(({ source, text }) => editAsk(source.path, text, source.text));
  const notBack = yield* putBack(facts, asks);
  if (notBack !== null) return notBack;
  return say(facts, phrase("mechanic.rename.failed", { why: why.slice(0, 500) }));
}

function renamedIn({ text, tokens }: Source, from: string, to: string): { readonly text: string; readonly n: number } {
  let result = "";
  let done = 0;
  let n = 0;
  for (const token of tokens) {
    if (token.kind !== "name" || token.text !== from) continue;
    result += text.slice(done, token.start) + to;
    done = token.end;
    n++;
  }
  return { text: result + text.slice(done), n };
}

function pathList(paths: readonly string[]): string {
  return paths.length > 8 ? `${paths.slice(0, 8).join(", ")} … +${paths.length - 8}` : paths.join(", ");
}
