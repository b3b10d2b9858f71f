import type { Runner } from "../../contract/verification.ts";

/** VF-2: commands that may verify without the user having added them. Compared character by character. */
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

/** `added`: from the user's own configuration, never from a project's. */
export function isListed(command: string, added: readonly string[]): boolean {
  return Object.hasOwn(commands, command) || added.some((one) => one === command && one.trim() !== "");
}

/** `auto`: recognized by its output. */
export function runnerOf(command: string): Runner | "auto" {
  return Object.hasOwn(commands, command) ? (commands[command] ?? "auto") : "auto";
}
