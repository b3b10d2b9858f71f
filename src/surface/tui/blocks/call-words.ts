import { visible } from "../../../contract/show/visible.ts";
import type { TextKey } from "../../../contract/text/catalogue.ts";
import { oneLine } from "../terminal/fit.ts";
import { type Look, words } from "../terminal/look.ts";

type CallInput = Readonly<Record<string, unknown>>;

const simple: Readonly<Record<string, readonly [key: TextKey, argument: string]>> = {
  read: ["block.call.read", "path"],
  write: ["block.call.write", "path"],
  edit: ["block.call.edit", "path"],
  bash: ["block.call.bash", "command"],
  diagnostics: ["block.call.check", "command"],
  fetch: ["block.call.fetch", "url"],
  skill: ["block.call.skill", "name"],
};
const bare: Readonly<Record<string, TextKey>> = {
  ...{ todoread: "block.call.todos", todowrite: "block.call.todos", plan: "block.call.plan" },
  ...{ question: "block.call.question", diff: "block.call.diff", commit: "block.call.commit" },
  ...{ proposal: "block.call.proposal", diagnostics: "block.call.checks" },
};

/** On one line, with control characters visible; not cut. */
export function toolWords(look: Look, tool: string, args: unknown): string {
  const input: CallInput = typeof args === "object" && args !== null ? (args as CallInput) : {};
  const text = (name: string): string => (typeof input[name] === "string" ? input[name] : "");
  const known = Object.hasOwn(simple, tool) ? simple[tool] : undefined;
  if (known) {
    const [key, name] = known;
    if (text(name) !== "") return words(look, key, { it: short(text(name)) });
  }
  const special = Object.hasOwn(specials, tool) ? specials[tool] : undefined;
  const described = special?.(look, text, input) ?? null;
  if (described !== null) return described;
  const key = Object.hasOwn(bare, tool) ? bare[tool] : undefined;
  return key ? words(look, key) : other(tool, text);
}

/** IN-4: a command that the user ran. */
export function commandWords(input: unknown): string {
  const { command } = input as { readonly command?: unknown };
  return `[COMMAND] ${short(typeof command === "string" ? command : "")}`;
}

type Special = (look: Look, text: (name: string) => string, input: CallInput) => string | null;

const specials: Readonly<Record<string, Special>> = {
  list: (look, text) => words(look, "block.call.list", { it: short(text("path") || ".") }),
  glob: (look, text) => inside(look, "block.call.glob", text),
  grep: (look, text) => inside(look, "block.call.grep", text),
  patch: (look, text) => words(look, "block.call.patch", { it: patched(text("patch")) || "…" }),
  job: (look, text) => words(look, "block.call.job", { it: short(`${text("action")} ${text("id")}`) }),
  task: (look, text) =>
    words(look, text("kind") === "explore" ? "block.call.explore" : "block.call.task", { it: oneLine(text("title")) }),
  undo: (look, _, input) => words(look, input.redo === true ? "block.call.redo" : "block.call.undo"),
};

function inside(look: Look, key: "block.call.glob" | "block.call.grep", text: (name: string) => string): string {
  const where = [text("path"), text("glob")].filter((one) => one !== "" && one !== ".").join(" ");
  const it = short(text("pattern"));
  return where === "" ? words(look, key, { it }) : words(look, `${key}_in`, { it, where: short(where) });
}

const patchFile = /^(?:\*\*\* (?:Add|Update|Delete) File: |\+\+\+ (?:b\/)?)(.+)$/gm;

function patched(patch: string): string {
  const names = [...patch.slice(0, 100_000).matchAll(patchFile)].map(([, name = ""]) => short(name));
  return [...new Set(names)].slice(0, 5).join(", ");
}

function other(tool: string, text: (name: string) => string): string {
  const found = ["command", "path", "pattern", "url", "title", "name"].map(text).find((one) => one !== "") ?? "";
  return `${visible(tool)} ${short(found)}`.trim();
}

const maxChars = 1_000;

function short(text: string): string {
  const [first = "", ...more] = text.trim().split("\n", 2);
  return visible(first.slice(0, maxChars)) + (more.length === 0 ? "" : " …");
}
