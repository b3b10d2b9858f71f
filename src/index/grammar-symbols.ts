import type { Node, Parser } from "@vscode/tree-sitter-wasm";
import type { GrammarName } from "./grammar.ts";
import { type FileSymbol, maxSymbols, shownText, wholeWords } from "./symbol.ts";

/** Bigger files keep what their lines look like: one parse is one slice of work. */
export const maxParsedChars = 64 * 1024;
/** Of the CPU: on a busy machine the clock would say more about other programs. */
const maxParseMs = 25;
/** So short that nothing in it takes long, but the first parse of all, while the parser itself is compiled. */
const shortChars = 4096;
const maxDepth = 12;
const maxLineChars = 300;

/** What a node of the tree is: a definition of this kind, or a place in which to look for some. */
type Kinds = Readonly<Record<string, string>>;
const inside = "inside";

const script: Kinds = {
  function_declaration: "function",
  generator_function_declaration: "function",
  function_signature: "function",
  class_declaration: "class",
  abstract_class_declaration: "class",
  interface_declaration: "type",
  type_alias_declaration: "type",
  enum_declaration: "type",
  internal_module: "type",
  module: "type",
  method_definition: "method",
  abstract_method_signature: "method",
  variable_declarator: "value",
  export_statement: inside,
  ambient_declaration: inside,
  lexical_declaration: inside,
  variable_declaration: inside,
  expression_statement: inside,
  class_body: inside,
  statement_block: inside,
};

const kinds: Readonly<Record<GrammarName, Kinds>> = {
  typescript: script,
  tsx: script,
  python: {
    ...{ function_definition: "function", class_definition: "class" },
    ...{ decorated_definition: inside, block: inside, if_statement: inside, try_statement: inside },
    ...{ expression_statement: inside, assignment: "value" },
  },
  go: {
    ...{ function_declaration: "function", method_declaration: "method", type_spec: "type", type_alias: "type" },
    ...{ const_spec: "value", var_spec: "value" },
    ...{ type_declaration: inside, const_declaration: inside, var_declaration: inside, var_spec_list: inside },
  },
  rust: {
    ...{ function_item: "function", function_signature_item: "function", macro_definition: "macro" },
    ...{ struct_item: "type", enum_item: "type", union_item: "type", trait_item: "type", type_item: "type" },
    ...{ mod_item: "type", const_item: "value", static_item: "value" },
    ...{ impl_item: inside, declaration_list: inside },
  },
  java: {
    ...{
      class_declaration: "class",
      interface_declaration: "type",
      enum_declaration: "type",
      record_declaration: "class",
    },
    ...{ annotation_type_declaration: "type", method_declaration: "method", constructor_declaration: "method" },
    ...{ class_body: inside, interface_body: inside, enum_body: inside, enum_body_declarations: inside },
  },
  cpp: {
    ...{ function_definition: "function", class_specifier: "class", struct_specifier: "type", enum_specifier: "type" },
    ...{ union_specifier: "type", namespace_definition: "type", type_definition: "type", alias_declaration: "type" },
    ...{ preproc_def: "macro", preproc_function_def: "macro" },
    ...{ declaration_list: inside, field_declaration_list: inside, template_declaration: inside },
    ...{ linkage_specification: inside, preproc_ifdef: inside, preproc_if: inside, preproc_else: inside },
  },
  ruby: {
    ...{ method: "method", singleton_method: "method", class: "class", module: "class" },
    ...{ body_statement: inside },
  },
  php: {
    ...{ function_definition: "function", method_declaration: "method", class_declaration: "class" },
    ...{ interface_declaration: "type", trait_declaration: "type", enum_declaration: "type" },
    ...{
      namespace_definition: inside,
      declaration_list: inside,
      enum_declaration_list: inside,
      compound_statement: inside,
    },
  },
};

/** What may hold definitions besides being one. */
const isHolder = (kind: string): boolean => kind === "class" || kind === "type";

/** `null`: not within the time, so that the look of the lines has to do. */
export function symbolsByGrammar(text: string, language: GrammarName, parser: Parser): readonly FileSymbol[] | null {
  const began = process.cpuUsage();
  // The declared type gives nothing back; true stops the parser.
  const isLate = (): boolean => text.length > shortChars && cpuMs(began) > maxParseMs;
  const tree = parser.parse(text, null, { progressCallback: isLate as () => void });
  if (tree === null) {
    parser.reset();
    return null;
  }
  try {
    const found: FileSymbol[] = [];
    look({ node: tree.rootNode, depth: 0, level: 0 }, { kinds: kinds[language], text, found });
    return found;
  } finally {
    tree.delete();
  }
}

function cpuMs(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1000;
}

interface Place {
  readonly node: Node;
  /** Of definitions within definitions. */
  readonly depth: number;
  /** Of nodes within nodes. */
  readonly level: number;
}

interface Search {
  readonly kinds: Kinds;
  readonly text: string;
  readonly found: FileSymbol[];
}

function look({ node, depth, level }: Place, search: Search): void {
  if (level > maxDepth) return;
  for (const child of node.namedChildren) {
    if (child === null || search.found.length >= maxSymbols) return;
    const kind = search.kinds[child.type];
    if (kind === undefined) continue;
    if (kind === inside) {
      look({ node: child, depth, level: level + 1 }, search);
      continue;
    }
    const name = nameOf(child);
    if (name !== null && name !== "") search.found.push(symbolOf(child, name, kind, depth, search.text));
    if (isHolder(kind)) look({ node: child, depth: 1, level: level + 1 }, search);
  }
}

function nameOf(node: Node): string | null {
  const named = node.childForFieldName("name") ?? node.childForFieldName("left");
  if (named !== null) return /^[\w$#:~?!.-]+$/.test(named.text) ? named.text : null;
  // C: the name is the innermost of the declarators.
  let inner = node.childForFieldName("declarator");
  for (let at = 0; inner !== null && at < maxDepth; at++) {
    const next = inner.childForFieldName("declarator");
    if (next === null) return /^[\w:~]+$/.test(inner.text) ? inner.text : null;
    inner = next;
  }
  return null;
}

function symbolOf(node: Node, name: string, kind: string, depth: number, text: string): FileSymbol {
  const { row } = node.startPosition;
  const start = text.lastIndexOf("\n", node.startIndex - 1) + 1;
  const next = text.indexOf("\n", node.startIndex);
  const end = next === -1 ? text.length : next;
  const line =
    end - start > maxLineChars ? wholeWords(text.slice(start, start + maxLineChars)) : text.slice(start, end);
  return { name, kind, line: row + 1, end: node.endPosition.row + 1, depth, text: shownText(line) };
}
