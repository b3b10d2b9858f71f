// The words of the documents and of the English texts of the program, against a dictionary and the project's own list.
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import Typo from "typo-js";
import { everyText } from "../../src/contract/text/catalogue.ts";
import { documents } from "./links.ts";
import { withoutBlocks } from "./markdown.ts";

/** Words that the dictionary does not have, one a line. */
const ownList = "docs/dev/words.txt";

async function checkSpelling(root: string): Promise<{ ok: boolean; output: string }> {
  const known = new Set((await Bun.file(join(root, ownList)).text()).split("\n"));
  const unknown = await unknownWords(root, known);
  const lines = [...unknown].map(([word, places]) => `     ${word}: ${places.slice(0, 3).join(", ")}`);
  if (lines.length > 0) lines.push(`     Correct them, or add words that are right to ${ownList}.`);
  return { ok: unknown.size === 0, output: lines.join("\n") };
}

/** Word → where it stands. */
async function unknownWords(root: string, known: ReadonlySet<string>): Promise<ReadonlyMap<string, readonly string[]>> {
  const pages = (await documents(root))
    .filter(({ path }) => !path.endsWith(".zh.md") && !path.startsWith("docs/conformance"))
    .map(({ path, text }) => ({ path, words: wordsOfPage(text) }));
  const texts = Object.entries(everyText()).map(([key, { en }]) => ({ path: key, words: wordsOf(en, 1) }));
  const dictionary = await readDictionary();
  const isRight = (word: string): boolean =>
    known.has(word) || known.has(word.toLowerCase()) || dictionary.check(word) || dictionary.check(word.toLowerCase());
  const judged = new Map<string, boolean>();
  const unknown = new Map<string, string[]>();
  for (const { path, words } of [...pages, ...texts]) {
    for (const { word, line } of words) {
      if (!judged.has(word)) judged.set(word, isRight(word));
      if (!judged.get(word)) unknown.set(word, [...(unknown.get(word) ?? []), `${path}:${line}`]);
    }
  }
  return unknown;
}

async function readDictionary(): Promise<Typo> {
  const folder = dirname(createRequire(import.meta.url).resolve("dictionary-en-gb"));
  const [affixes, words] = await Promise.all(
    ["index.aff", "index.dic"].map((name) => Bun.file(join(folder, name)).text()),
  );
  return new Typo("en_GB", affixes ?? "", words ?? "");
}

interface Word {
  readonly word: string;
  readonly line: number;
}

/** Without code, addresses, targets of links and what stands in quotation marks of another language. */
export function wordsOfPage(text: string): readonly Word[] {
  const prose = withoutBlocks(text)
    .replace(/`[^`]*`/g, (code) => code.replace(/[^\n]/g, " "))
    .replace(/\]\([^)]*\)/g, " ")
    .replace(/https?:\/\/\S+/g, " ");
  return prose.split("\n").flatMap((line, at) => wordsOf(line, at + 1));
}

/** Runs of letters, with an apostrophe or accents inside; no abbreviations in capitals, no names with a digit, dot or line in them. */
export function wordsOf(text: string, line: number): readonly Word[] {
  const tokens = text.match(/[\p{L}\p{N}_.$/@{}~-]*\p{L}(?:[\p{L}\p{N}'’_.$/@{}~-]*[\p{L}\p{N}])?/gu) ?? [];
  return tokens
    .filter((token) => !/[\p{N}_.$/@{}~]|\p{Ll}\p{Lu}|[^\p{Script=Latin}'’-]/u.test(token))
    .flatMap((token) => token.split("-"))
    .map((token) => token.replace(/[’']s?$/, "").replaceAll("’", "'"))
    .filter((token) => token.length > 1 && token !== token.toUpperCase())
    .map((word) => ({ word, line }));
}

if (import.meta.main) {
  const { ok, output } = await checkSpelling(join(import.meta.dir, "..", ".."));
  if (!ok) process.stdout.write(`${output}\n`);
  process.exit(ok ? 0 : 1);
}
