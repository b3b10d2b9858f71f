// Highlights a line of code without a parser: good enough while it streams, and never misleading.
import type { Theme } from "./theme.ts";

const keywords = new Set(
  (
    "abstract and as assert async await break case catch class const continue def default defer del delete do elif else enum " +
    "export extends extern false final finally fn for from func function global go goto if impl implements import in instanceof " +
    "interface is lambda let loop match mod module mut namespace new nil none not null of or override package pass private " +
    "protected pub public raise readonly return self static struct super switch this throw throws trait true try type typeof " +
    "undefined union unless unsafe until use using var void when where while with yield then fi done esac echo local " +
    "False None True"
  ).split(" "),
);
const sqlWords = new Set(
  (
    "add all alter and as asc begin between by case check column commit constraint create cross database default delete desc " +
    "distinct drop else end exists foreign from full group having if in index inner insert into is join key left like limit not " +
    "null offset on or order outer primary references returning right rollback select set table then union unique update using " +
    "values view when where with"
  ).split(" "),
);

const hashed =
  /^(?:py|python|rb|ruby|sh|bash|zsh|shell|console|yaml|yml|toml|r|perl|pl|make|makefile|dockerfile|ini|conf)$/i;
const dashed = /^(?:sql|lua|haskell|hs|ada|elm)$/i;
const uncoloured = /^(?:|text|txt|plain|markdown|md|output|log)$/i;
/** Languages in which a lone quote is not a string. */
const lonely = /^(?:rust|rs|haskell|hs|ocaml|ml|lisp|scheme|clojure)$/i;
const maxLine = 2_000;

const comments = { slashed: String.raw`\/\/.*|\/\*.*?(?:\*\/|$)`, hashed: "#.*", dashed: "--.*" } as const;
const strings = { any: String.raw`'(?:[^'\\]|\\.)*'?|`, lonely: String.raw`'(?:[^'\\]|\\.)'|` } as const;
const ticked = "`(?:[^`\\\\]|\\\\.)*`?";
const others = String.raw`|"(?:[^"\\]|\\.)*"?|\b\d[\w.]*|[A-Za-z_$][\w$]*`;
const known = new Map<string, RegExp>();

function partsOf(language: string): RegExp {
  const comment = hashed.test(language) ? "hashed" : dashed.test(language) ? "dashed" : "slashed";
  const quote = lonely.test(language) ? "lonely" : "any";
  const name = `${comment} ${quote}`;
  const made = known.get(name) ?? new RegExp(`(${comments[comment]})|${strings[quote]}${ticked}${others}`, "g");
  known.set(name, made);
  return made;
}

export function highlightLine(line: string, language: string, theme: Theme): string {
  if (/^(?:diff|patch)$/i.test(language)) return diffLine(line, theme);
  if (uncoloured.test(language) || line.length > maxLine) return line;
  const isSql = /^sql$/i.test(language);
  return line.replace(partsOf(language), (found, comment: string | undefined) => {
    if (comment !== undefined) return theme.comment(found);
    const first = found[0] ?? "";
    if (first === '"' || first === "'" || first === "`") return theme.string(found);
    if (/\d/.test(first)) return theme.number(found);
    const isWord = isSql ? sqlWords.has(found.toLowerCase()) : keywords.has(found);
    return isWord ? theme.keyword(found) : found;
  });
}

function diffLine(line: string, theme: Theme): string {
  if (line.startsWith("+")) return theme.added(line);
  if (line.startsWith("-")) return theme.removed(line);
  return line.startsWith("@@") ? theme.accent(line) : line;
}
