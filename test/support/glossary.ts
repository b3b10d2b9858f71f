// The words of docs/dev/glossary.md against the names of files and types.
import type { SourceFile } from "./rooms.ts";

/** Words that a row says to avoid for its own meaning, and that mean something else wherever a name has them. */
const otherMeaning: Readonly<Record<string, string>> = {
  action: "what a key or a command-line option does",
  "call id": "the id that is ours",
  chat: "the protocol of that name",
  chunk: "what that protocol calls a piece",
  client: "a program that talks to a server",
  complete: "what the shell completes",
  context: "the room, and what a function is handed",
  finish: "why a provider ends a reply",
  loop: "the one loop of the engine",
  message: "an entry of the history that the model is sent",
  package: "what a language calls its unit",
  partial: "a reply that was cut off",
  permission: "what the person has set for a tool or command",
  policy: "the room",
  process: "what the operating system runs",
  range: "from a line or an address to another",
  record: "an entry in a table",
  request: "what is asked of the system, of a program or of the model",
  resolve: "a host's name to its addresses",
  result: "what a function or a call came to",
  setting: "a value in a configuration",
  status: "how a call, a plan step or the terminal stands",
  summary: "the last card of a task, and what older history is shortened to",
  token: "what text is counted in",
};

interface Row {
  readonly word: string;
  readonly avoid: readonly string[];
}

function glossaryRows(text: string): readonly Row[] {
  const rows = [...text.matchAll(/^\| ([^|]+) \| [^|]+ \| ([^|]+) \|$/gm)].map(([, word = "", avoid = ""]) => ({
    word: word.trim(),
    avoid: avoid.split(",").map((one) => one.trim()),
  }));
  return rows.filter(({ word }) => word !== "word" && word !== "---");
}

/** One sentence for each name that says a word to avoid, and for each exception that nothing needs any more. */
export function glossaryViolations(text: string, files: readonly SourceFile[]): readonly string[] {
  const rows = glossaryRows(text);
  const ours = new Set(rows.map(({ word }) => word));
  const names = files.flatMap(({ path, source }) =>
    namesIn(path, source).map((name) => ({ path, parts: partsOf(name) })),
  );
  const needed = new Set<string>();
  const broken = rows.flatMap(({ word, avoid }) =>
    avoid.flatMap((bad) => {
      const users = ours.has(bad) ? [] : names.filter(({ parts }) => parts.includes(` ${bad} `));
      if (users.length > 0) needed.add(bad);
      if (Object.hasOwn(otherMeaning, bad)) return [];
      return users.map(({ path, parts }) => `${path}:${parts}says "${bad}"; the word is "${word}"`);
    }),
  );
  const idle = Object.keys(otherMeaning).filter((word) => !needed.has(word));
  return [...broken, ...idle.map((word) => `no name needs the exception "${word}"`)];
}

function namesIn(path: string, source: string): readonly string[] {
  const file = (path.split("/").at(-1) ?? "").replace(/\.tsx?$/, "");
  const types = source.matchAll(/^(?:export )?(?:declare |abstract )*(?:interface|type|class) (\w+)/gm);
  return [file, ...[...types].map(([, name = ""]) => name)];
}

/** `ApprovalView` and `approval-view` are ` approval view `. */
function partsOf(name: string): string {
  const parts = name.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+/g) ?? [];
  return ` ${parts.map((part) => part.toLowerCase()).join(" ")} `;
}
