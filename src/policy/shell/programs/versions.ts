import type { Program } from "../judgement.ts";

/**
 * Exact questions for a version, for programs that `ShellFacts.isItself` vouches for. Not here, because they do more than print: npm, pnpm, yarn (start node, obey the
 * project), java (writes a file for its monitor), cargo, rustc, go (obey a toolchain file of the project).
 */
const questions: Readonly<Record<string, readonly string[]>> = {
  node: ["--version", "-v"],
  bun: ["--version", "-v"],
  deno: ["--version", "-V"],
  python: ["--version", "-V"],
  python3: ["--version", "-V"],
  perl: ["--version", "-v"],
  gcc: ["--version", "-dumpversion", "-dumpmachine", "-print-search-dirs"],
  "g++": ["--version", "-dumpversion", "-dumpmachine"],
  cc: ["--version"],
  "c++": ["--version"],
  clang: ["--version"],
  "clang++": ["--version"],
  make: ["--version", "-v"],
  cmake: ["--version"],
};

const nothing: Program = {};

export const versionPrograms: Readonly<Record<string, Program>> = Object.fromEntries(
  Object.entries(questions).map(([name, words]) => [
    name,
    { commands: Object.fromEntries(words.map((word) => [word, nothing])) },
  ]),
);
