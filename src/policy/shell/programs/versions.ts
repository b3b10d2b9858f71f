import type { Program } from "../verdict/judgement.ts";

/**
 * Exact version queries, for programs that `ShellFacts.isRealProgram` vouches for. Missing because they do more than print: pnpm, yarn
 * (start what the project names), java (writes a file for its monitor), ruby and php (load what others say).
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
/** Parses a file and runs nothing. `hardening` disables the variables that would run code first. */
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

/** These read settings and write logs: only where they cannot write, and where PATH leads to the real program. */
const held: Readonly<Record<string, Program>> = Object.fromEntries(
  Object.entries({
    ...{ npm: ["--version", "-v"], npx: ["--version", "-v"], pip: ["--version", "-V"], pip3: ["--version", "-V"] },
    // Without `GOTOOLCHAIN=local` it would obey a line in the project.
    go: ["version"],
  }).map(([name, words]) => [name, { commands: Object.fromEntries(words.map((word) => [word, nothing])) }]),
);

export function heldVersion(name: string): Program | null {
  return Object.hasOwn(held, name) ? (held[name] ?? null) : null;
}
