import { forEachChild, type ParsedScript, parse, type SyntaxNode } from "unbash";
import { isTestOperator, Reader } from "./reader.ts";
import { Unsure } from "./scanner.ts";

export interface Reading {
  readonly script: ParsedScript;
  /** Both readers found the same commands, words, redirections and substitutions at the same positions. */
  readonly isAgreed: boolean;
}

/**
 * Reads a script twice. The parser library once took `2>(cmd)`, which bash runs, for a plain word. So a line counts as understood only if a
 * reader that shares no code with the library finds the same.
 */
export function readTwice(source: string): Reading {
  const script = parse(source);
  const reader = new Reader(source);
  try {
    reader.read();
  } catch (error) {
    if (error instanceof Unsure) return { script, isAgreed: false };
    throw error;
  }
  return { script, isAgreed: sameNotes(reader.notes, notesOf(script)) };
}

function sameNotes(one: string[], other: string[]): boolean {
  if (one.length !== other.length) return false;
  one.sort();
  other.sort();
  return one.every((note, at) => note === other[at]);
}

/** The library's findings, in the notation of the second reader. */
function notesOf(script: ParsedScript): string[] {
  const notes: string[] = [];
  noteAll(script, notes);
  return notes;
}

function noteAll(node: SyntaxNode, notes: string[]): void {
  switch (node.type) {
    case "Command":
      notes.push(`C@${node.pos}:`);
      break;
    case "Assignment":
      noteWord(node, notes);
      return;
    case "Word":
      if (node.text !== "" || node.end > node.pos) noteWord(node, notes);
      return;
    case "TestUnary":
      if (!isTestOperator(node.operand.text)) noteWord(node.operand, notes);
      return;
    case "TestBinary":
      for (const one of [node.left, node.right]) if (!isTestOperator(one.text)) noteWord(one, notes);
      return;
    case "Redirect":
    case "HereString":
    case "HereDoc":
      notes.push(`R@${node.pos}:${node.operator}`);
      if (node.type === "HereDoc") {
        for (const part of node.body.parts ?? []) noteInside(part, notes);
        return;
      }
      break;
    case "Statement":
      if (node.background) notes.push(`B@${node.pos}:`);
      break;
    case "AndOr":
    case "Pipeline":
      for (const [at, operator] of node.operators.entries()) notes.push(`O@${node.commands[at + 1]?.pos}:${operator}`);
      break;
    default:
  }
  forEachChild(node, (child) => noteAll(child, notes));
}

function noteWord(node: SyntaxNode, notes: string[]): void {
  notes.push(`W@${node.pos}:${node.end}`);
  if (node.type === "Word") for (const part of node.parts ?? []) noteInside(part, notes);
  else forEachChild(node, (child) => noteInside(child, notes));
}

/** Only substitutions count within a word. */
function noteInside(node: SyntaxNode, notes: string[]): void {
  if (
    node.type === "CommandExpansion" ||
    node.type === "ProcessSubstitution" ||
    node.type === "ArithmeticCommandExpansion"
  ) {
    const isBackticks = node.text.startsWith("`");
    notes.push(`S${isBackticks ? "`" : node.text.slice(0, 2)}@${node.pos}:${node.end}`);
    // Backticks contain a separate text with its own positions: read when it is judged.
    if (!isBackticks && node.script) noteAll(node.script, notes);
    return;
  }
  forEachChild(node, (child) => noteInside(child, notes));
}
