import type { Program } from "../verdict/judgement.ts";

/**
 * Exact questions for a version, for programs that `ShellFacts.isRealProgram` vouches for. Not here, because they do more than print: pnpm, yarn (start what the project
 * names), java (writes a file for its monitor), ruby and php (load what others say).
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
  cargo: ["--version", "-V"],
  rustc: ["--version", "-V"],
  curl: ["--version", "-V"],
  wget: ["--version", "-V"],
  ssh: ["-V"],
  sqlite3: ["--version", "-version"],
  docker: ["--version", "-v"],
  podman: ["--version", "-v"],
  psql: ["--version", "-V"],
  ruff: ["--version", "-V"],
  uv: ["--version", "-V"],
  ninja: ["--version"],
  protoc: ["--version"],
};

const nothing: Program = {};
/** It takes a file apart and runs nothing of it. What variables would have it run before is switched off (`hardening`). */
const syntax: Program = { operands: ["read"], atLeast: 1, needsFiles: true };

export const versionPrograms: Readonly<Record<string, Program>> = Object.fromEntries(
  Object.entries(questions).map(([name, words]) => [
    name,
    {
      commands: {
        ...Object.fromEntries(words.map((word) => [word, nothing])),
        ...(name === "node" ? { "--check": syntax, "-c": syntax } : {}),
      },
    },
  ]),
);

/** They look at settings and note what they did: only where they can note nothing, and are those that PATH leads to. */
const held: Readonly<Record<string, Program>> = Object.fromEntries(
  Object.entries({
    ...{ npm: ["--version", "-v"], npx: ["--version", "-v"], pip: ["--version", "-V"], pip3: ["--version", "-V"] },
    // Without `GOTOOLCHAIN=local` it would obey a line of the project.
    go: ["version"],
  }).map(([name, words]) => [name, { commands: Object.fromEntries(words.map((word) => [word, nothing])) }]),
);

export function heldVersion(name: string): Program | null {
  return Object.hasOwn(held, name) ? (held[name] ?? null) : null;
}
