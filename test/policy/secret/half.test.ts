import { expect, test } from "bun:test";
import { halfFinder } from "../../../src/policy/secret/half.ts";
import { KnownSecrets } from "../../../src/policy/secret/known/known.ts";

const value = "Zebra9-quilt/77 Xy!";
const find = halfFinder(new KnownSecrets([value]).forms());
const words = (text: string) => find(text).map(({ from, to }) => text.slice(from, to));

test("[TP-6] [SA-secrets] the beginning of a token or of a known value at the end of a line is found, wherever it was cut", () => {
  const token = "ghp_A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8";
  for (let cut = 10; cut < token.length; cut++) {
    const half = token.slice(0, cut);
    expect(words(`the token is ${half}`)).toEqual([half]);
    expect(words(JSON.stringify({ out: `a ${half}\nb` }))).toEqual([half]);
  }
  for (let cut = 6; cut <= value.length; cut++)
    expect(words(`a ${value.slice(0, cut)}\nb`)).toEqual([value.slice(0, cut)]);
  expect(words(`pass ${encodeURIComponent(value).slice(0, 14)}`)).toEqual([encodeURIComponent(value).slice(0, 14)]);
});

test("[TP-6] ordinary words at the end of a line, and what goes on behind it, are none", () => {
  const ordinary = [
    "ACCESSIBLE",
    "skeleton",
    "a key-value",
    "secret_name",
    "sk-learning",
    "Zebra",
    "done.",
    "SKIPPED 12",
  ];
  expect(ordinary.flatMap((text) => words(`it is ${text}\n`))).toEqual([]);
  expect(words("npm_config_cache is set")).toEqual([]);
});
