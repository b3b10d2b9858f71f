import type { Node, Parser, Tree } from "@vscode/tree-sitter-wasm";
import type { GrammarName } from "./grammar.ts";
import { type FileSymbol, maxSymbols, shownText, wholeWords } from "./symbol.ts";

/** CPU time, because on a busy machine the clock measures other programs. Enough for the longest indexed file. */
const maxParseMs = 500;
const sliceMs = 8;
/** Short texts parse quickly, except for the very first one, during which the parser itself is compiled. */
const shortChars = 4096;
const maxDepth = 12;
const maxLineChars = 300;

/** Per node type the kind of its definition, or `inside` for a node that may contain definitions. */
type Kinds = Readonly<Record<string, string>>;
const inside = "inside";

const script: Kinds = {
  ...{ function_declaration: "function", generator_function_declaration: "function", function_signature: "function" },
  ...{ class_declaration: "class", abstract_class_declaration: "class" },
  ...{ interface_declaration: "type", type_alias_declaration: "type", enum_declaration: "type" },
  ...{ internal_module: "type", module: "type" },
  ...{ method_definition: "method", abstract_method_signature: "method" },
  ...{ variable_declarator: "value", assignment_expression: "assigned", pair: "pair" },
  ...{ export_specifier: "export", namespace_export: "export" },
  ...{ export_clause: inside, export_statement: inside, ambient_declaration: inside },
  ...{ lexical_declaration: inside, variable_declaration: inside },
  ...{ expression_statement: inside, class_body: inside, statement_block: inside },
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
    ...{ class_declaration: "class", interface_declaration: "type", enum_declaration: "type" },
    record_declaration: "class",
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
    ...{ namespace_definition: inside, declaration_list: inside },
    ...{ enum_declaration_list: inside, compound_statement: inside },
  },
};

const isScripted: ReadonlySet<string> = new Set(["assigned", "value", "export", "pair"]);

const isHolder = (kind: string): boolean => kind === "class" || kind === "type";

let last: Promise<unknown> = Promise.resolve();

type Symbols = readonly FileSymbol[];

/** `null` if it takes too long. One text at a time: an interrupted parser resumes with whatever text it gets next. */
export function symbolsByGrammar(text: string, language: GrammarName, parser: Parser): Promise<Symbols | null> {
  const pending = last.then(() => symbolsNow(text, language, parser));
  last = pending.catch(() => {});
  return pending;
}

async function symbolsNow(text: string, language: GrammarName, parser: Parser): Promise<Symbols | null> {
  const tree = await treeOf(text, parser);
  if (tree === null) return null;
  try {
    const found: FileSymbol[] = [];
    look({ node: tree.rootNode, depth: 0, level: 0 }, { kinds: kinds[language], text, found });
    return found;
  } finally {
    tree.delete();
  }
}

async function treeOf(text: string, parser: Parser): Promise<Tree | null> {
  const began = process.cpuUsage();
  while (cpuMs(began) <= maxParseMs) {
    const slice = process.cpuUsage();
    // The declared callback returns nothing, but true stops the parser.
    const isLate = (): boolean => text.length > shortChars && cpuMs(slice) > sliceMs;
    const tree = parser.parse(text, null, { progressCallback: isLate as () => void });
    if (tree !== null) return tree;
    await new Promise<void>((resume) => setImmediate(resume));
  }
  parser.reset();
  return null;
}

function cpuMs(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1000;
}

interface NodePlace {
  readonly node: Node;
  readonly depth: number;
  readonly level: number;
}

interface Search {
  readonly kinds: Kinds;
  readonly text: string;
  readonly found: FileSymbol[];
}

function look({ node, depth, level }: NodePlace, search: Search): void {
  if (level > maxDepth) return;
  for (const child of node.namedChildren) {
    if (child === null || search.found.length >= maxSymbols) return;
    const kind = search.kinds[child.type];
    if (kind === undefined) continue;
    if (kind === inside) {
      look({ node: child, depth, level: level + 1 }, search);
      continue;
    }
    const definition = isScripted.has(kind) ? scripted(child, kind) : { names: named(nameOf(child)), kind };
    if (definition === null) continue;
    for (const name of definition.names) search.found.push(symbolOf(child, name, definition.kind, depth, search.text));
    if (isHolder(definition.kind) || definition.isOpen === true)
      look({ node: definition.body ?? child, depth: 1, level: level + 1 }, search);
  }
}

interface Definition {
  readonly names: readonly string[];
  readonly kind: string;
  readonly body?: Node;
  /** An object that is the whole export contains definitions; its shorthand members are defined elsewhere. */
  readonly isOpen?: boolean;
}

function named(name: string | null): readonly string[] {
  return name ? [name] : [];
}

/** JavaScript: definitions by assignment, and re-exports. `null` = neither. */
function scripted(node: Node, kind: string): Definition | null {
  if (kind === "export") return reExported(node);
  if (kind === "pair") return keyed(node);
  const { lefts, value } = chainOf(node);
  if (value === null) return kind === "value" ? { names: named(nameOf(node)), kind } : null;
  if (isImported(value)) return null;
  const what = kindOfValue(value);
  const isWhole = lefts.some((left) => /^(?:module\.)?exports$/.test(left));
  const contents = { body: value, isOpen: isWhole && value.type === "object" };
  if (kind === "value") return { names: named(nameOf(node)), kind: lefts.length > 0 ? what : kind, ...contents };
  const owned = lefts.flatMap((left) => ownedBy(left, what));
  if (owned.length === 0 && !isWhole) return null;
  const own = owned.length > 0 ? owned : named(value.childForFieldName("name")?.text ?? null);
  const isMethod = lefts.every((left) => left.includes(".prototype."));
  return { names: [...new Set(own)], kind: isMethod ? "method" : what, ...contents };
}

const assignment = "assignment_expression";

/** `a = exports.b = value`: all targets of a chain, and the value. */
function chainOf(node: Node): { readonly lefts: readonly string[]; readonly value: Node | null } {
  const lefts: string[] = [];
  let value = node.type === assignment ? node : node.childForFieldName("value");
  while (value?.type === assignment) {
    lefts.push(value.childForFieldName("left")?.text ?? "");
    value = value.childForFieldName("right");
  }
  return { lefts, value };
}

/** An exported name is a definition; on other objects only functions and classes are. */
function ownedBy(left: string, what: string): readonly string[] {
  const [, exported, other] = /^(?:(?:module\.)?exports\.([\w$]+)|[\w$]+(?:\.prototype)?\.([\w$]+))$/.exec(left) ?? [];
  if (exported !== undefined) return what === "nothing" ? [] : [exported];
  return other === undefined || other === "exports" || !/function|class/.test(what) ? [] : [other];
}

function keyed(node: Node): Definition | null {
  const value = node.childForFieldName("value");
  const name = node.childForFieldName("key")?.text ?? "";
  const kind = kindOfValue(value);
  return /function|class/.test(kind) && /^[\w$]+$/.test(name) ? { names: [name], kind } : null;
}

/** Only from another file: a name exported by the file that defines it counts already. */
function reExported(node: Node): Definition | null {
  let above = node.parent;
  while (above !== null && above.type !== "export_statement") above = above.parent;
  if (above?.childForFieldName("source") == null) return null;
  const name = (node.childForFieldName("alias") ?? node.childForFieldName("name") ?? node.namedChildren[0])?.text ?? "";
  return name === "default" || name === "" ? null : { names: [name], kind: "export" };
}

function kindOfValue(value: Node | null): string {
  if (value?.type === "class") return "class";
  // `exports.a = void 0` only reserves the name, which is assigned later.
  if (value?.type === "unary_expression" && value.text.startsWith("void ")) return "nothing";
  return value !== null && /function|arrow/.test(value.type) ? "function" : "value";
}

/** `require("x")`, `(await import("x")).y`, `interop(require("x"))`, `new (require("x"))()`. */
function isImported(value: Node): boolean {
  return /^(?:new +)?(?:\(?await +|[\w$.]+\()?\(?(?:await +)?(?:require|import)\s*\(/.test(value.text.slice(0, 200));
}

function nameOf(node: Node): string | null {
  const named = node.childForFieldName("name") ?? node.childForFieldName("left");
  if (named !== null) return /^[\w$#:~?!.-]+$/.test(named.text) ? named.text : null;
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
