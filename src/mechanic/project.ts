import { type Answer, ask, askAll, type Play } from "./play.ts";

/** How a project is tested. `folder`: "." is the workspace. */
export interface Project {
  readonly command: string;
  readonly folder: string;
}

export type ProjectFound = { readonly kind: "found"; readonly project: Project } | { readonly kind: "none" | "stop" };

const python = ["pyproject.toml", "pytest.ini", "setup.cfg", "tox.ini", "setup.py", "conftest.py", "requirements.txt"];
const fixed: readonly (readonly [marker: string, command: string])[] = [
  ["go.mod", "go test ./..."],
  ["Cargo.toml", "cargo test"],
  ...[...python, "requirements-dev.txt", "Pipfile"].map((name) => [name, "pytest -q"] as const),
];
const behind: readonly (readonly [marker: string, command: string])[] = [
  ["pom.xml", "mvn -q test"],
  ["gradlew", "./gradlew test"],
  ["build.gradle", "gradle test"],
];
const markers = [...fixed.map(([name]) => name), "package.json", ...behind.map(([name]) => name)];

/** Finds the test command from project files; the project nearest to the workspace root wins. */
export function* findProject(): Play<ProjectFound> {
  const listed = yield* ask("", "list", { path: "." });
  if (listed === null) return { kind: "stop" };
  const names = new Set(listed.text.split("\n"));
  const here = yield* projectIn(".", names);
  if (here.kind !== "none") return here;
  const globbed = yield* ask("", "glob", { pattern: `**/{${markers.join(",")}}` });
  if (globbed === null) return { kind: "stop" };
  const found = pathsIn(globbed).filter((path) => !/(?:^|\/)(?:node_modules|\.venv|venv)\//.test(path));
  const folders = [...new Set(found.map((path) => path.slice(0, Math.max(0, path.lastIndexOf("/")))))].filter(Boolean);
  for (const folder of folders.sort((a, b) => a.split("/").length - b.split("/").length).slice(0, 5)) {
    const inside = found.filter((path) => path.startsWith(`${folder}/`)).map((path) => path.slice(folder.length + 1));
    const there = yield* projectIn(folder, new Set(inside));
    if (there.kind !== "none") return there;
  }
  return looseTests(names);
}

function looseTests(names: ReadonlySet<string>): ProjectFound {
  const hasTests = [...names].some((name) => /^(?:test_.*|.*_test)\.py$/.test(name) || name === "tests/");
  return hasTests ? { kind: "found", project: { command: "pytest -q", folder: "." } } : { kind: "none" };
}

function* projectIn(folder: string, names: ReadonlySet<string>): Play<ProjectFound> {
  const [, command] = fixed.find(([marker]) => names.has(marker)) ?? [];
  const isMixed = names.has("package.json") && command === "pytest -q";
  if (command !== undefined && !isMixed) return { kind: "found", project: { command, folder } };
  if (names.has("package.json")) {
    const answers = yield* askAll("", [{ tool: "read", input: { path: inFolder(folder, "package.json") } }]);
    if (answers === null) return { kind: "stop" };
    const own = scriptCommand(answers[0]?.text ?? "", names);
    if (own !== null) return { kind: "found", project: { command: own, folder } };
  }
  const [, other] = behind.find(([marker]) => names.has(marker)) ?? [];
  const last = command ?? other;
  return last === undefined ? { kind: "none" } : { kind: "found", project: { command: last, folder } };
}

/** With the option these watch forever or fail at once. The bare command runs only if the user put it on the list. */
const refusesOption = /\bnode\b[^&|;]*\s--test\b|\btsx\b[^&|;]*\s--test\b|\bbun\s+test\b/;

function scriptCommand(read: string, names: ReadonlySet<string>): string | null {
  const script = /"test"\s*:\s*"((?:[^"\\]|\\.)*)"/.exec(textOfRead(read))?.[1] ?? "";
  if (script === "" || script.includes("no test specified")) return null;
  if (refusesOption.test(script)) return "npm test";
  if (names.has("pnpm-lock.yaml")) return "pnpm test -- --watch=false";
  return names.has("yarn.lock") ? "yarn test --watch=false" : "npm test -- --watch=false";
}

export function textOfRead(text: string): string {
  const lines = text.split("\n").flatMap((line) => /^\d+\t([\s\S]*)$/.exec(line)?.slice(1) ?? []);
  return lines.join("\n");
}

export function pathsIn({ text, error }: Answer): readonly string[] {
  return error === null ? text.split("\n").filter((line) => line !== "" && !line.startsWith("(")) : [];
}

export function inFolder(folder: string, path: string): string {
  if (path.startsWith("/")) return path;
  const parts = folder.split("/").filter((part) => part !== "." && part !== "");
  for (const part of path.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "." && part !== "") parts.push(part);
  }
  return `${folder.startsWith("/") ? "/" : ""}${parts.join("/")}`;
}
