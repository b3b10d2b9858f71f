import { expect, test } from "bun:test";
import { CoderError } from "../../../src/contract/error.ts";
import { say } from "../../../src/contract/text/catalogue.ts";
import { promptOf } from "../../../src/main/cli/prompt-words.ts";

function said(...words: readonly string[]): string {
  try {
    return `prompt: ${promptOf(words)}`;
  } catch (error) {
    if (!(error instanceof CoderError)) throw error;
    return `${error.info.code}: ${say("en", error.info.text)}`;
  }
}

const prompts: readonly (readonly [words: readonly string[], prompt: string])[] = [
  [[], ""],
  [["fix the bug"], "fix the bug"],
  [["sesions of the user"], "sesions of the user"],
  [["fix", "the", "bug"], "fix the bug"],
  [["test", "the", "thing"], "test the thing"],
  [["add", "tests"], "add tests"],
  [["修复测试"], "修复测试"],
  [["/help"], "/help"],
  [["!ls"], "!ls"],
  [["@src/a.ts"], "@src/a.ts"],
  [["src/a.ts"], "src/a.ts"],
  [["why?"], "why?"],
  [["frobnicate", "it"], "frobnicate it"],
];

test.each(prompts)("[CLI-1] coder %p is the prompt %p", (words, prompt) => {
  expect(said(...words)).toBe(`prompt: ${prompt}`);
});

const refused: readonly (readonly [words: readonly string[], near: string | null])[] = [
  [["sesions"], "sessions"],
  [["Sessions"], "sessions"],
  [["sesions", "list"], "sessions"],
  [["modles", "openai"], "models"],
  [["resum", "abc-1"], "resume"],
  [["hepl"], "help"],
  [["test"], "trust"],
  [["explain"], null],
  [["frobnicate"], null],
];

test.each(refused)("[CLI-1] coder %p is a slip, and %p is offered", (words, near) => {
  const more = near === null ? "" : `; did you mean coder ${near}?`;
  expect(said(...words)).toBe(`E_INVALID_ARGS: unknown command ${words[0]}${more}`);
});
