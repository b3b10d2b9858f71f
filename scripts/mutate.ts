// Small faults, one at a time: what `scripts/mutants.ts` puts into a copy of the sources to see whether a test notices.
import {
  isBinaryExpression,
  isCallExpression,
  isCaseClause,
  isConditionalExpression,
  isExpressionStatement,
  isIdentifier,
  isIfStatement,
  isPrefixUnaryExpression,
  isPropertyAccessExpression,
  isPropertyAssignment,
  isSpreadAssignment,
  isStringLiteral,
  isSwitchStatement,
  isTypeNode,
  type Node,
  type SourceFile,
  SyntaxKind,
} from "typescript/unstable/ast";
import { API } from "typescript/unstable/async";

export interface Mutant {
  /** Relative to the repository. */
  readonly file: string;
  readonly line: number;
  /** The lines it touches, as they are and as they become; blanks folded. */
  readonly before: string;
  readonly after: string;
  /** The whole file with the fault in it. */
  readonly source: string;
}

const transpiler = new Bun.Transpiler({ loader: "ts" });

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export async function findMutants(root: string, files: readonly string[]): Promise<readonly Mutant[]> {
  const api = new API({ cwd: root });
  try {
    const snapshot = await api.updateSnapshot({ openProjects: [`${root}/tsconfig.json`] });
    const program = snapshot.getProjects()[0]?.program;
    const sources = await Promise.all(files.map(async (file) => await program?.getSourceFile(`${root}/${file}`)));
    return files.flatMap((file, at) => {
      const source = sources[at];
      if (!source) throw new Error(`${file} is not part of the project`);
      return mutantsOf(file, source);
    });
  } finally {
    await api.close();
  }
}

function mutantsOf(file: string, source: SourceFile): readonly Mutant[] {
  const literals = literalsBySlot(source);
  const edits: Edit[] = [];
  const visit = (node: Node): void => {
    if (isOnlyType(node)) return;
    edits.push(
      ...editsOf(node, source, literals).filter((edit) => source.text.slice(edit.start, edit.end) !== edit.text),
    );
    node.forEachChild(visit);
  };
  source.forEachChild(visit);
  return edits.map((edit) => toMutant(file, source.text, edit)).filter(parses);
}

/** What no runtime would load is noticed without any test, so it says nothing about them. */
function parses(mutant: Mutant): boolean {
  try {
    transpiler.transformSync(mutant.source);
    return true;
  } catch {
    return false;
  }
}

function isOnlyType(node: Node): boolean {
  const skipped = [
    SyntaxKind.ImportDeclaration,
    SyntaxKind.ExportDeclaration,
    SyntaxKind.InterfaceDeclaration,
    SyntaxKind.TypeAliasDeclaration,
  ];
  return skipped.includes(node.kind) || isTypeNode(node);
}

function toMutant(file: string, text: string, { start, end, text: changed }: Edit): Mutant {
  const from = text.lastIndexOf("\n", start - 1) + 1;
  const lineEnd = text.indexOf("\n", end);
  const to = lineEnd < 0 ? text.length : lineEnd;
  const fold = (part: string): string => part.replace(/\s+/g, " ").trim();
  return {
    file,
    line: text.slice(0, start).split("\n").length,
    before: fold(text.slice(from, to)),
    after: fold(text.slice(from, start) + changed + text.slice(end, to)),
    source: text.slice(0, start) + changed + text.slice(end),
  };
}

const swaps: Readonly<Record<string, string>> = {
  "===": "!==",
  "!==": "===",
  "&&": "||",
  "||": "&&",
  "<": "<=",
  "<=": "<",
  ">": ">=",
  ">=": ">",
  "+": "-",
  "-": "+",
  "*": "/",
  "/": "*",
  "+=": "-=",
  "-=": "+=",
  "||=": "&&=",
  "&&=": "||=",
  "??=": "=",
};
const methods: Readonly<Record<string, string>> = {
  every: "some",
  some: "every",
  findLast: "find",
  startsWith: "endsWith",
  min: "max",
  max: "min",
};

function editsOf(node: Node, source: SourceFile, literals: Literals): readonly Edit[] {
  const at = (part: Node, text: string): Edit => ({ start: part.getStart(source), end: part.end, text });
  const textOf = (part: Node): string => part.getText(source);
  const not = (part: Node): Edit => at(part, `!(${textOf(part)})`);
  if (isBinaryExpression(node)) {
    const sign = textOf(node.operatorToken);
    if (sign === "??") return [at(node, textOf(node.left)), at(node, textOf(node.right))];
    const other = swaps[sign];
    return other ? [at(node.operatorToken, other)] : [];
  }
  if (isIfStatement(node))
    return [not(node.expression), at(node, node.elseStatement ? textOf(node.elseStatement) : ";")];
  if (isConditionalExpression(node)) return [not(node.condition)];
  if (isExpressionStatement(node)) return [at(node, ";")];
  if (isPrefixUnaryExpression(node) && node.operator === SyntaxKind.ExclamationToken)
    return [at(node, textOf(node.operand))];
  if (isSpreadAssignment(node)) return [withComma(at(node, ""), source.text)];
  if (isStringLiteral(node)) return stringEdits(node, literals, at);
  if (isCallExpression(node)) return callEdits(node, at);
  switch (node.kind) {
    case SyntaxKind.TrueKeyword:
      return [at(node, "false")];
    case SyntaxKind.FalseKeyword:
      return [at(node, "true")];
    case SyntaxKind.NumericLiteral:
      return [at(node, `(${textOf(node)} + 1)`), at(node, `(${textOf(node)} - 1)`)];
    case SyntaxKind.QuestionDotToken:
      return /^[[(]/.test(source.text.slice(node.end)) ? [at(node, "")] : [at(node, ".")];
    case SyntaxKind.ArrayLiteralExpression:
      return [at(node, "[]")];
    case SyntaxKind.TemplateExpression:
      return [at(node, '""')];
    default:
      return [];
  }
}

function withComma(edit: Edit, text: string): Edit {
  const comma = /^\s*,/.exec(text.slice(edit.end))?.[0] ?? "";
  return { ...edit, end: edit.end + comma.length };
}

type At = (part: Node, text: string) => Edit;

/** `to(state, order)` loses its order, and a method becomes its neighbour. */
function callEdits(node: Node, at: At): readonly Edit[] {
  if (!isCallExpression(node)) return [];
  const { expression: callee } = node;
  const args = [...node.arguments];
  const last = args.at(-1);
  const previous = args.at(-2);
  if (isIdentifier(callee) && ["to", "put"].includes(callee.text) && last && previous) {
    return [{ start: previous.end, end: last.end, text: "" }];
  }
  if (!isPropertyAccessExpression(callee)) return [];
  const other = methods[callee.name.getText()];
  return other ? [at(callee.name, other)] : [];
}

type Literals = ReadonlyMap<string, readonly string[]>;

/** A word of a union becomes the next word that stands in the same kind of place; a lonely one becomes empty. */
function stringEdits(node: Node, literals: Literals, at: At): readonly Edit[] {
  if (!isStringLiteral(node) || (isPropertyAssignment(node.parent) && node.parent.name === node)) return [];
  const words = literals.get(slotOf(node)) ?? [];
  const next = words[(words.indexOf(node.text) + 1) % words.length];
  return [at(node, JSON.stringify(next === undefined || next === node.text ? "" : next))];
}

function literalsBySlot(source: SourceFile): Literals {
  const found = new Map<string, string[]>();
  const visit = (node: Node): void => {
    if (isOnlyType(node)) return;
    if (isStringLiteral(node)) {
      const words = found.get(slotOf(node)) ?? [];
      if (!words.includes(node.text)) words.push(node.text);
      found.set(slotOf(node), words);
    }
    node.forEachChild(visit);
  };
  source.forEachChild(visit);
  return found;
}

/** The name of the property that the literal is given to or compared with. */
function slotOf(node: Node): string {
  const { parent } = node;
  if (isPropertyAssignment(parent)) return parent.name.getText();
  if (isConditionalExpression(parent)) return slotOf(parent);
  if (isCaseClause(parent)) {
    const owner = parent.parent.parent;
    return isSwitchStatement(owner) ? lastName(owner.expression) : "";
  }
  return isBinaryExpression(parent) ? lastName(parent.left) : "";
}

function lastName(node: Node): string {
  return isPropertyAccessExpression(node) ? node.name.getText() : node.getText();
}
