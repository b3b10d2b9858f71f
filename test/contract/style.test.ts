import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { everyText } from "../../src/contract/text/catalogue.ts";

const catalogue = Object.entries(everyText());
const page = readFileSync(join(import.meta.dir, "../../docs/dev/style.md"), "utf8");

/** The left column of the table below a heading of docs/dev/style.md: each word that is not used. */
function avoided(heading: string): readonly string[] {
  const section = page.slice(page.indexOf(`## ${heading}\n`)).split("\n## ", 1)[0] ?? "";
  const cells = section.split("\n").flatMap((line) => /^\| (`.*) \| .* \|$/.exec(line)?.[1] ?? []);
  return cells
    .filter((cell) => !cell.includes("`…`"))
    .flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map((one) => one[1] ?? ""));
}

const keysOf = (isWrong: (line: { readonly en: string; readonly zh: string }) => boolean): readonly string[] =>
  catalogue.filter(([, line]) => isWrong(line)).map(([key]) => key);

test("[SU-4] no English statement begins with What, Who or Of", () => {
  const sentences = (text: string): readonly string[] => text.split(/(?<=[.;:!?]) |\n/);
  const isWrong = (sentence: string): boolean => /^(?:What|Who|Of)\b/.test(sentence) && !sentence.includes("?");
  expect(keysOf(({ en }) => sentences(en).some(isWrong))).toEqual([]);
});

test("[SU-4] no English text uses a word that docs/dev/style.md avoids", () => {
  const words = avoided("Words: English");
  expect(words.length).toBeGreaterThan(20);
  const found = words.flatMap((word) => {
    const wrong = new RegExp(`(?<![\\w-])${word}(?![\\w-])`);
    return keysOf(({ en }) => wrong.test(en)).map((key) => `${word}: ${key}`);
  });
  expect(found).toEqual([]);
});

test("[SU-4] no Chinese text uses a word that docs/dev/style.md avoids", () => {
  const words = avoided("Words: Chinese");
  expect(words.length).toBeGreaterThan(5);
  const found = words.flatMap((word) => keysOf(({ zh }) => zh.includes(word)).map((key) => `${word}: ${key}`));
  expect(found).toEqual([]);
});

test("[SU-4] Chinese sentences have Chinese punctuation", () => {
  expect(keysOf(({ zh }) => /[\u4e00-\u9fff][,;:?!]/.test(zh))).toEqual([]);
});

test("[SU-4] no text holds an error code: codes are for programs", () => {
  expect(keysOf(({ en, zh }) => /\bE_[A-Z]/.test(en + zh))).toEqual([]);
});
