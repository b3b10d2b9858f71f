import { expect, test } from "bun:test";
import { codeIn } from "../../scripts/check/markdown.ts";
import { parseConfig } from "../../src/config/file/file.ts";
import { listProviders } from "../../src/config/model/catalogue.ts";
import { chooseModel } from "../../src/config/model/providers.ts";
import { everyText } from "../../src/contract/text/catalogue.ts";
import { parseFlags } from "../../src/main/cli/flags.ts";
import { COMMANDS, nameOf, ROOT, slotsOf } from "../../src/main/cli/table.ts";
import { blocksOf, isConfig, markProblem, pages, shownIn, textOf } from "./blocks.ts";

const blocks = pages.flatMap((page) => blocksOf(page));

test("every block of the documents has a language, and every block of commands says whether it is run", () => {
  expect(blocks.length).toBeGreaterThan(30);
  expect(blocks.flatMap((block) => markProblem(block) ?? [])).toEqual([]);
});

test("a block without mark or language, and with an unknown mark, is found", () => {
  const text = "```sh\nls\n```\n\n<!-- runs -->\n```sh\nls\n```\n<!-- not run: -->\n```sh\n```\n```\nx\n```\n";
  expect(blocksOf("a.md", text).map(markProblem)).toEqual([
    "a.md:1: commands without a mark: run, run with a model, or not run: why",
    'a.md:6: unknown mark "runs"',
    'a.md:10: unknown mark "not run:"',
    'a.md:12: the language "" is not one of ours',
  ]);
});

test("what a command prints is compared line by line, with gaps", () => {
  const [block] = blocksOf("a.md", "```console\n$ one\na …b\n…\nlast\n$ two\n```");
  const [one, two] = block === undefined ? [] : shownIn(block);
  expect(["a b\nlast\n", "a xb\ny\nz\nlast\n"].map((out) => one?.output.test(out))).toEqual([true, true]);
  expect(["a b\n", "x\na b\nlast\n", "a b\nlast\nmore\n"].map((out) => one?.output.test(out))).toEqual([
    false,
    false,
    false,
  ]);
  expect([two?.command, two?.output.test(""), two?.output.test("x\n")]).toEqual(["two", true, false]);
});

test("[CF-1] every configuration in the documents is one that coder loads, and its model can be chosen", () => {
  const given = blocks.filter(isConfig);
  expect(given.length).toBeGreaterThan(10);
  for (const { page, line, text } of given) {
    const parsed = parseConfig(new TextEncoder().encode(text), `${page}:${line}`);
    expect([page, line, parsed.ok ? null : parsed.error.text]).toEqual([page, line, null]);
    if (!parsed.ok || parsed.value.model === undefined) continue;
    const { model, providers, models } = parsed.value;
    const sources = {
      env: {},
      providers,
      models,
      baseUrl: null,
      sharedKey: "any",
      storedKey: () => null,
      effort: null,
    };
    expect([page, line, chooseModel(model, sources).ok]).toEqual([page, line, true]);
  }
});

/** As far as it is written out: brackets, alternatives and gaps are for the reader. */
function isWhole(code: string): boolean {
  return /^coder( |$)/.test(code) && !/[[\]<>|…\\\n]/.test(code);
}

/** What `docs/guide/terminal.md` says of prompts and slips of the finger. */
const prompts = ["coder /help", "coder add tests for the parser", "coder sesions list", "coder explain"];

test("every command line of coder in running text names commands and flags that exist", () => {
  const wrong = pages.flatMap((page) =>
    codeIn(textOf(page))
      .filter(({ text }) => isWhole(text) && !prompts.includes(text))
      .flatMap(({ line, text }) => (isKnown(text) ? [] : [`${page}:${line}: ${text}`])),
  );
  expect(wrong).toEqual([]);
  expect(["coder run --modle x", "coder config got x", "coder sessions --hlep"].map(isKnown)).toEqual([
    false,
    false,
    false,
  ]);
});

function isKnown(line: string): boolean {
  const [, ...words] = (line.match(/'[^']*'|"[^"]*"|\S+/g) ?? []).map((word) => word.replace(/^(['"])(.*)\1$/, "$2"));
  const command =
    COMMANDS.find((one) => nameOf(one) === words.slice(0, 2).join(" ")) ??
    COMMANDS.find(
      (one) => nameOf(one) === words[0] && !COMMANDS.some((other) => nameOf(other).startsWith(`${words[0]} `)),
    );
  // The name of a command alone, COMMAND for any of them, a group, a topic.
  if (words[0] === "help" || /^[A-Z]+$/.test(words[0] ?? "") || words.length === 0) return true;
  if (words.length === 1 && COMMANDS.some((one) => nameOf(one).startsWith(`${words[0]} `))) return true;
  if (command === undefined && !/^-|[ "'\u4e00-\u9fff]/.test(words[0] ?? "")) return false;
  try {
    const chosen = command ?? ROOT;
    const { words: rest } = parseFlags(
      words.slice(command === undefined ? 0 : nameOf(command).split(" ").length),
      chosen.flags,
    );
    return rest.length <= slotsOf(chosen).most;
  } catch {
    return false;
  }
}

test("[MD-1] docs/providers.md has every provider with its protocol, variables and address", () => {
  const listed = listProviders({ env: { CODER_HOME: "/nowhere" }, flags: {}, cwd: "/" });
  if (!listed.ok) throw new Error(listed.error.text.key);
  const code = (text: string): string => `\`${text}\``;
  const rows = listed.value.map(({ name, provider }) => {
    if (provider === null) return `| ${code(name)} | ${code(name)} | – | none: give \`--base-url\` |`;
    if (name === "builtin") return "| `builtin` | – | – | part of coder |";
    const keys = provider.apiKeyEnv.map(code).join(", ") || "–";
    return `| ${code(name)} | ${code(provider.protocol)} | ${keys} | ${code(provider.baseUrl)} |`;
  });
  const shown = textOf("docs/providers.md")
    .split("\n")
    .filter((line) => line.startsWith("| `"));
  expect(shown).toEqual(rows);
});

test("every message of docs/troubleshooting.md is one that coder gives", () => {
  const known = new Set(Object.values(everyText()).map(({ en }) => en.replace(/\{\w+\}/g, "…")));
  const messages = [...textOf("docs/troubleshooting.md").matchAll(/^\| `(.+?)` \|/gm)].map(([, text = ""]) => text);
  expect(messages.length).toBeGreaterThan(35);
  const isKnownText = (text: string): boolean =>
    known.has(text) || [...known].some((one) => one.startsWith(`${text}\n`));
  expect(messages.filter((text) => !isKnownText(text))).toEqual([]);
});
