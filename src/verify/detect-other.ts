import { phrase } from "../contract/text/catalogue.ts";
import type { Found } from "./detect.ts";
import { below, isFile, textOf } from "./workspace.ts";

/** Not on the list: never run unless the person has added it. */
const others: readonly (readonly [file: string, command: string, content?: RegExp])[] = [
  ["deno.json", "deno test"],
  ["deno.jsonc", "deno test"],
  ["mix.exs", "mix test"],
  ["Package.swift", "swift test"],
  ["build.sbt", "sbt test"],
  [".rspec", "bundle exec rspec"],
  ["phpunit.xml", "vendor/bin/phpunit"],
  ["phpunit.xml.dist", "vendor/bin/phpunit"],
  ["Makefile", "make test", /^test\s*:/m],
  ["makefile", "make test", /^test\s*:/m],
];

export function findOther(root: string, cwd: string): Found | null {
  for (const [file, command, content] of others) {
    const path = below(cwd, file);
    if (!isFile(root, path) || (content && !content.test(textOf(root, path)))) continue;
    return { kind: "offer", cwd, command, runner: "auto", why: phrase("verify.not_listed", { command }) };
  }
  return null;
}
