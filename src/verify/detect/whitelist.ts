import type { Runner } from "../../contract/verification.ts";

/** VF-2: what may verify without having been added by the person. Compared character for character. */
const commands: Readonly<Record<string, Runner | "auto">> = {
  "go test ./...": "go",
  "pytest -q": "pytest",
  "npm test -- --watch=false": "auto",
  "pnpm test -- --watch=false": "auto",
  "yarn test --watch=false": "auto",
  "cargo test": "cargo",
  "mvn -q test": "surefire",
  "gradle test": "gradle",
  "./gradlew test": "gradle",
};

export const listedCommands: readonly string[] = Object.keys(commands);

/** `added`: from the person's own configuration, never from a project's. */
export function isListed(command: string, added: readonly string[]): boolean {
  return Object.hasOwn(commands, command) || added.some((one) => one === command && one.trim() !== "");
}

/** What its output looks like; `auto` = it has to be seen. */
export function runnerOf(command: string): Runner | "auto" {
  return Object.hasOwn(commands, command) ? (commands[command] ?? "auto") : "auto";
}
