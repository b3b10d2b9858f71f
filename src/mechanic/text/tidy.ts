import { phrase } from "../../contract/text/catalogue.ts";
import { ask, type Play } from "../play.ts";
import { textOfRead } from "../project.ts";
import { type Facts, say } from "../words.ts";

type What = "format" | "lint";

interface TidyTool {
  readonly name: string;
  readonly format?: string;
  readonly lint?: string;
}

const packages: readonly TidyTool[] = [
  { name: "@biomejs/biome", format: "npx biome format --write .", lint: "npx biome check --write ." },
  { name: "prettier", format: "npx prettier --write ." },
  { name: "eslint", lint: "npx eslint --fix ." },
  { name: "standard", lint: "npx standard --fix" },
];
const ofPython: readonly TidyTool[] = [
  { name: "ruff", format: "ruff format .", lint: "ruff check --fix ." },
  { name: "black", format: "black ." },
];
const scripts: Readonly<Record<What, readonly string[]>> = {
  format: ["format", "fmt", "prettier"],
  lint: ["lint:fix", "lint-fix", "fix", "lint"],
};

export function* tidy(facts: Facts, what: What): Play {
  const command = yield* commandFor(what);
  if (command === undefined) return say(facts, phrase("mechanic.stopped"));
  if (command === null) return { unsolved: say(facts, phrase("mechanic.tidy.none")) };
  const ran = yield* ask(say(facts, phrase("mechanic.tidy.does", { command })), "bash", { command });
  if (ran === null) return say(facts, phrase("mechanic.stopped"));
  if (ran.error !== null)
    return { unsolved: say(facts, phrase("mechanic.tidy.refused", { command, why: ran.text.slice(0, 500) })) };
  return say(facts, phrase("mechanic.tidy.done", { command, output: ran.text.slice(-2000) }));
}

/** `undefined` = stop, `null` = none found. */
function* commandFor(what: What): Play<string | null | undefined> {
  const listed = yield* ask("", "list", { path: "." });
  if (listed === null) return undefined;
  const names = new Set(listed.text.split("\n"));
  if (names.has("package.json")) {
    const read = yield* ask("", "read", { path: "package.json" });
    if (read === null) return undefined;
    const own = packageCommand(textOfRead(read.text), what);
    if (own !== null) return own;
  }
  if (names.has("pyproject.toml")) {
    const read = yield* ask("", "read", { path: "pyproject.toml" });
    if (read === null) return undefined;
    const text = textOfRead(read.text);
    const row = ofPython.find((one) => one[what] !== undefined && text.includes(one.name));
    if (row?.[what] !== undefined) return row[what];
  }
  if (names.has("go.mod") && what === "format") return "gofmt -w .";
  return names.has("Cargo.toml") ? (what === "format" ? "cargo fmt" : "cargo clippy --fix") : null;
}

function packageCommand(text: string, what: What): string | null {
  const own = scriptsIn(text);
  const script = scripts[what].find((name) => own.has(name));
  // A linter that only reports fixes nothing.
  const isFixing =
    script !== undefined && (what === "format" || script !== "lint" || /--fix|--write/.test(own.get(script) ?? ""));
  if (isFixing) return `npm run ${script}`;
  return packages.find((one) => one[what] !== undefined && text.includes(`"${one.name}"`))?.[what] ?? null;
}

function scriptsIn(text: string): ReadonlyMap<string, string> {
  const block = /"scripts"\s*:\s*\{([^}]*)\}/.exec(text)?.[1] ?? "";
  return new Map(
    [...block.matchAll(/"([^"]+)"\s*:\s*"((?:[^"\\]|\\.)*)"/g)].map(([, name = "", value = ""]) => [name, value]),
  );
}
