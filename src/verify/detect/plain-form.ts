import { phrase } from "../../contract/text/catalogue.ts";
import type { Detected } from "./detect.ts";
import { runsNothing } from "./runs-nothing.ts";
import { below, isFile, textOf } from "./workspace.ts";

/** Not on the list: it runs as VF-2 says of a detected form. `fits`: whether the file has such tests. */
const others: readonly (readonly [file: string, command: string, fits?: (text: string) => boolean])[] = [
  ["deno.json", "deno test"],
  ["deno.jsonc", "deno test"],
  ["mix.exs", "mix test"],
  ["Package.swift", "swift test"],
  ["build.sbt", "sbt test"],
  [".rspec", "bundle exec rspec"],
  ["phpunit.xml", "vendor/bin/phpunit"],
  ["phpunit.xml.dist", "vendor/bin/phpunit"],
  ["stack.yaml", "stack test"],
  ["dune-project", "dune test"],
  ["project.clj", "lein test"],
  ["build.zig", "zig build test"],
  ...["GNUmakefile", "makefile", "Makefile"].map((name) => [name, "make test", hasTarget] as const),
  ...["justfile", "Justfile", ".justfile"].map((name) => [name, "just test", hasTarget] as const),
  ["Rakefile", "rake test", (text) => /TestTask|task\s*\(?:test\b/.test(text)],
];

export function findOther(root: string, cwd: string): Detected | null {
  for (const [file, command, fits] of others) {
    const path = below(cwd, file);
    if (!isFile(root, path) || (fits && !fits(textOf(root, path)))) continue;
    return { kind: "offer", cwd, command, runner: "auto", why: phrase("verify.not_listed", { command }) };
  }
  return null;
}

const target = /^(?:[\w.-]+[ \t]+)*test(?:[ \t]+[\w.-]+)*[ \t]*:(?!=)(.*)\n?((?:(?:\t| {2,}).*\n?|\n)*)/m;

/** One that runs something, itself or by what it needs first. */
function hasTarget(text: string): boolean {
  const [, needs = "", recipe = ""] = target.exec(text) ?? [];
  return target.test(text) && (`${needs}${recipe}`.trim() === "" || needs.trim() !== "" || !runsNothing(recipe));
}
