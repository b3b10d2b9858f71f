import { type Phrase, phrase } from "../contract/text/catalogue.ts";
import { type Answer, askAll, isCut, type Play } from "./play.ts";
import { type Facts, say } from "./words.ts";

interface FileDiff {
  readonly path: string;
  plus: number;
  minus: number;
  /** The contexts that git prints after the hunks' ranges: functions, mostly. */
  readonly inside: Set<string>;
  readonly made: Set<string>;
  readonly gone: Set<string>;
}

// Explicit prefixes: the user's settings may change them.
const diffCommand = "git diff --no-color --src-prefix=a/ --dst-prefix=b/ HEAD";
const newCommand = "git ls-files --others --exclude-standard";

export function* summarise(facts: Facts): Play {
  const commands = [diffCommand, newCommand].map((command) => ({ tool: "bash", input: { command } }));
  const answers = yield* askAll("", commands);
  const [ran, listed] = answers ?? [];
  if (ran === undefined || listed === undefined) return say(facts, phrase("mechanic.stopped"));
  const [head = "", ...lines] = ran.text.split("\n");
  if (ran.error !== null || !head.startsWith("exit code 0"))
    return say(facts, phrase("mechanic.diff.failed", { why: ran.text.slice(0, 500) }));
  const files = filesIn(lines);
  const fresh = newFiles(listed);
  const notes = [
    ...(fresh.length === 0
      ? []
      : [phrase("mechanic.diff.untracked", { n: fresh.length, paths: fresh.slice(0, maxNew).join(", ") })]),
    ...(isCut(ran) || isCut(listed) ? [phrase("mechanic.diff.part")] : []),
  ].map((note) => say(facts, note));
  if (files.length === 0) return notes.join("\n\n") || say(facts, phrase("mechanic.diff.none"));
  const sum = (key: "plus" | "minus") => files.reduce((total, one) => total + one[key], 0);
  const list = files.map((file) => fileText(facts, file)).join("\n");
  const text = phrase("mechanic.diff", { n: files.length, plus: sum("plus"), minus: sum("minus"), list });
  return [say(facts, text), ...notes].join("\n\n");
}

const maxNew = 20;

function newFiles({ text, error }: Answer): readonly string[] {
  const [head = "", ...paths] = text.split("\n");
  return error === null && head.startsWith("exit code 0")
    ? paths.filter((path) => path !== "" && !/^[([]/.test(path) && !path.startsWith(".coder/"))
    : [];
}

const defining =
  /^\s*(?:export\s+)?(?:default\s+)?(?:async\s+)?(?:def|class|function\*?|const|func|fn|interface|type|struct|enum)\s+([\p{L}_$][\p{L}\p{N}_$]*)/u;

function filesIn(lines: readonly string[]): readonly FileDiff[] {
  const files: FileDiff[] = [];
  for (const line of lines) {
    const named = /^diff --git a\/.+ b\/(.+)$/.exec(line)?.[1];
    if (named !== undefined)
      files.push({ path: named, plus: 0, minus: 0, inside: new Set(), made: new Set(), gone: new Set() });
    const file = files.at(-1);
    if (file === undefined || line.startsWith("+++") || line.startsWith("---")) continue;
    const hunk = /^@@ .* @@ (.+)$/.exec(line)?.[1];
    if (hunk !== undefined) file.inside.add(defining.exec(hunk)?.[1] ?? hunk.trim().slice(0, 60));
    const name = defining.exec(line.slice(1))?.[1];
    if (line.startsWith("+")) {
      file.plus++;
      if (name !== undefined) file.made.add(name);
    } else if (line.startsWith("-")) {
      file.minus++;
      if (name !== undefined) file.gone.add(name);
    }
  }
  return files;
}

function fileText(facts: Facts, { path, plus, minus, inside, made, gone }: FileDiff): string {
  const both = new Set([...made].filter((name) => gone.has(name)));
  const only = (names: ReadonlySet<string>) => [...names].filter((name) => !both.has(name)).slice(0, 8);
  const row = (
    key: "mechanic.diff.in" | "mechanic.diff.new" | "mechanic.diff.gone",
    names: readonly string[],
  ): readonly Phrase[] => (names.length === 0 ? [] : [phrase(key, { names: names.join(", ") })]);
  const touched = [...new Set([...inside, ...both])].slice(0, 8);
  const parts = [
    ...row("mechanic.diff.in", touched),
    ...row("mechanic.diff.new", only(made)),
    ...row("mechanic.diff.gone", only(gone)),
  ];
  return [`- ${path} +${plus} −${minus}`, ...parts.map((part) => say(facts, part))].join("; ");
}
