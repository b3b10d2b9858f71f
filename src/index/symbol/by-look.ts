// Finds definitions by the look of a line: for languages without a grammar, for the first pass over a big repository, and if
// grammars cannot be loaded. Only short lines are matched, each by itself, so that no file can make this slow.
import type { Language } from "./language.ts";
import { type FileSymbol, maxSymbols, shownText } from "./symbol.ts";

const maxLineChars = 300;

type Pattern = readonly [kind: string, form: RegExp];

const member =
  "(?:(?:public|private|protected|internal|static|final|abstract|override|virtual|readonly|async|sealed|partial|export|default|synchronized|native|unsafe|extern|const|inline) +)*";
const notNames = new Set(
  "if for while switch catch return function else do try new throw await typeof case with super this elif elseif foreach using lock sizeof assert yield delete not and or".split(
    " ",
  ),
);

const script: readonly Pattern[] = [
  ["function", /^(?:export +)?(?:default +)?(?:declare +)?(?:async +)?function *\*? *([\w$]+)/],
  ["class", /^(?:export +)?(?:default +)?(?:declare +)?(?:abstract +)?class +(?!extends\b)([\w$]+)/],
  ["type", /^(?:export +)?(?:declare +)?(?:interface|type|(?:const +)?enum|namespace|module) +([\w$]+)/],
  [
    "value",
    /^(?:export +)?(?:declare +)?(?:const|let|var) +([\w$]+)(?!.*?=\s*(?:\/\*+[^*]*\*\/ *)?(?:new +)?\(?(?:await +)?(?:[\w$.]+\()?(?:require|import) *\()/,
  ],
  ["export", /^export +(?:type +)?\* +as +([\w$]+) +from\b/],
  [
    "method",
    /^[ \t]+(?:(?:public|private|protected|static|readonly|override|abstract|async|get|set) +)*\*? *(#?[\w$]+) *(?:<[^>]*>)?\([^)]*\).*\{$/,
  ],
];
const braces: readonly Pattern[] = [
  [
    "class",
    new RegExp(`^[ \\t]*${member}(?:class|interface|enum|struct|record|object|trait|data class|@interface) +(\\w+)`),
  ],
  ["method", new RegExp(`^[ \\t]+${member}(?:[\\w<>\\[\\],.?*&:]+ +)+(\\w+) *\\([^;]*$`)],
];

const patterns: Readonly<Record<Language, readonly Pattern[]>> = {
  typescript: script,
  tsx: script,
  python: [
    ["class", /^[ \t]*class +(\w+)/],
    ["function", /^[ \t]*(?:async +)?def +(\w+)/],
    ["value", /^([A-Za-z_]\w*) *(?::[^=]*)?=(?!=)/],
  ],
  go: [
    ["function", /^func +(?:\([^)]*\) *)?(\w+)/],
    ["type", /^type +(\w+)/],
    ["value", /^(?:const|var) +(\w+)/],
  ],
  rust: [
    ["function", /^[ \t]*(?:pub(?:\([^)]*\))? +)?(?:const +)?(?:async +)?(?:unsafe +)?(?:extern +"[^"]*" +)?fn +(\w+)/],
    ["type", /^[ \t]*(?:pub(?:\([^)]*\))? +)?(?:struct|enum|trait|union|type|mod) +(\w+)/],
    ["value", /^[ \t]*(?:pub(?:\([^)]*\))? +)?(?:const|static) +(?:mut +)?(\w+) *:/],
    ["macro", /^[ \t]*macro_rules! *(\w+)/],
  ],
  java: braces,
  csharp: braces,
  kotlin: [...braces, ["function", /^[ \t]*(?:\w+ +)*(?:fun|def) +(?:<[^>]*> *)?(?:\w+\.)?(\w+)/]],
  cpp: [
    ["type", /^[ \t]*(?:typedef +)?(?:class|struct|enum(?: class)?|union|namespace) +(\w+)[^;()]*$/],
    ["macro", /^# *define +(\w+)/],
    ["function", /^(?:[\w:<>,~]+[ *&]+)+((?:\w+::)*~?\w+) *\([^;]*$/],
  ],
  ruby: [
    ["class", /^[ \t]*(?:class|module) +([\w:]+)/],
    ["method", /^[ \t]*def +(?:self\.)?([\w]+[?!]?)/],
  ],
  php: [
    ["class", /^[ \t]*(?:abstract +|final +|readonly +)*(?:class|interface|trait|enum) +(\w+)/],
    ["function", /^[ \t]*(?:(?:public|private|protected|static|abstract|final) +)*function +&?(\w+)/],
  ],
  bash: [
    ["function", /^[ \t]*function +([\w:-]+)/],
    ["function", /^[ \t]*([\w:-]+) *\(\) *(?:\{|$)/],
  ],
  swift: [
    ["type", /^[ \t]*(?:\w+ +)*(?:class|struct|enum|protocol|extension|actor) +(\w+)/],
    ["function", /^[ \t]*(?:[\w@]+ +)*func +(\w+)/],
  ],
  lua: [["function", /^[ \t]*(?:local +)?function +([\w.:]+)/]],
  elixir: [
    ["class", /^[ \t]*defmodule +([\w.]+)/],
    ["function", /^[ \t]*defp?(?:macro)? +(\w+[?!]?)/],
  ],
  sql: [
    [
      "type",
      /^ *create +(?:or +replace +)?(?:\w+ +)?(?:table|view|function|procedure|trigger|index) +(?:if +not +exists +)?["`[]?([\w.]+)/i,
    ],
  ],
  markdown: [["heading", /^#{1,4} +(.{1,80})/]],
};

export function symbolsByLook(text: string, language: Language): readonly FileSymbol[] {
  const forms = patterns[language];
  const found: FileSymbol[] = [];
  let line = 0;
  for (let start = 0; start <= text.length && found.length < maxSymbols; line++) {
    const next = text.indexOf("\n", start);
    const end = next === -1 ? text.length : next;
    if (end - start > 3 && end - start <= maxLineChars) {
      const raw = text.slice(start, end);
      const own = forms === script ? assignedIn(raw, line + 1) : null;
      const one = own === null ? symbolIn(raw, line + 1, forms) : null;
      if (own !== null) found.push(...own);
      else if (one !== null) found.push(one);
      else if (forms === script) found.push(...reExports(raw, line + 1));
    }
    start = end + 1;
  }
  return found;
}

const assigned = /^(?:(?:const|let|var) +([\w$]+) *= *)?((?:[\w$.]+ *=(?![=>]) *)+)(?=\S)(.*)/;
const broughtIn = /^(?:new +)?(?:\(?await +|[\w$.]+\()?\(?(?:await +)?(?:require|import) *\(/;
const made =
  /^(?:(class)\b(?: +(?!extends\b)([\w$]+))?|(?:async +)?(?:function *\*? *([\w$]*)|\([^)]*\) *=>|[\w$]+ *=>))/;

/** JavaScript: names defined by assignment, all of a chain. `null` for any other line. */
function assignedIn(raw: string, line: number): readonly FileSymbol[] | null {
  const [, declared, chain, value = ""] = assigned.exec(raw) ?? [];
  if (chain === undefined) return null;
  const lefts = chain.split("=").map((left) => left.trim());
  const [isMade, isClass, className, ownName] = made.exec(value) ?? [];
  const names = lefts.flatMap((left) => /^(?:module\.)?exports\.([\w$]+)$/.exec(left)?.[1] ?? []);
  const others = lefts.flatMap((left) => /^(?!module\.)[\w$]+(?:\.prototype)?\.([\w$]+)$/.exec(left)?.[1] ?? []);
  const isWhole = lefts.some((left) => /^(?:module\.)?exports$/.test(left));
  const own = className ?? ownName ?? "";
  const all = declared ? [declared] : [...names, ...(isMade ? others : [])];
  if (isWhole && isMade && own !== "" && all.length === 0) all.push(own);
  const isNone = broughtIn.test(value) || value.startsWith("void ");
  const isMethod = !declared && lefts.every((left) => left === "" || left.includes(".prototype."));
  const kind = isMethod ? "method" : isClass ? "class" : isMade ? "function" : "value";
  const text = shownText(raw);
  return isNone ? [] : [...new Set(all)].map((name) => ({ name, kind, line, end: line, depth: 0, text }));
}

const exported = /^export +(?:type +)?\{([^}]*)\} *from\b/;

function reExports(raw: string, line: number): readonly FileSymbol[] {
  const list = exported.exec(raw)?.[1] ?? "";
  const names = list.split(",").map((one) => /([\w$]+)\s*$/.exec(one)?.[1] ?? "");
  return names
    .filter((name) => name !== "" && name !== "default")
    .map((name) => ({ name, kind: "export", line, end: line, depth: 0, text: shownText(raw) }));
}

function symbolIn(raw: string, line: number, forms: readonly Pattern[]): FileSymbol | null {
  const text = raw.endsWith("\r") ? raw.slice(0, -1) : raw;
  for (const [kind, form] of forms) {
    const name = form.exec(text)?.[1]?.trim();
    if (name === undefined || notNames.has(name)) continue;
    const depth = /^[ \t]/.test(text) ? 1 : 0;
    return { name, kind, line, end: line, depth, text: shownText(text) };
  }
  return null;
}
