// The parts of a command line, to show which part a question is about.
import { parse } from "unbash";

/** `kind`: `list`, `pipe`, `command`, `substitution`, `redirection`, or the keyword of a compound command. */
export interface ShellPart {
  readonly kind: string;
  readonly text: string;
  readonly parts: readonly ShellPart[];
}

const kinds: Readonly<Record<string, string>> = {
  AndOr: "list",
  Pipeline: "pipe",
  Command: "command",
  Redirect: "redirection",
  CommandExpansion: "substitution",
  ProcessSubstitution: "substitution",
  ...{ For: "for", While: "while", Until: "until", If: "if", Case: "case", Select: "select", Function: "function" },
  ...{ Subshell: "subshell", BraceGroup: "group", TestCommand: "test", ArithmeticCommand: "arithmetic" },
};
const mostDepth = 40;
const longest = 64 * 1024;

/** Outermost first; parts that do not parse are omitted. Nodes without a kind are replaced by their children. */
export function partsOf(source: string): readonly ShellPart[] {
  if (source.length > longest) return [];
  try {
    // Parts of the tree are lazy getters: serializing evaluates all of them.
    const tree: unknown = JSON.parse(JSON.stringify(parse(source)));
    return below(tree, source, 0);
  } catch (error) {
    // Nested deeper than the stack allows: the verdict reports this too.
    if (error instanceof RangeError) return [];
    throw error;
  }
}

function below(value: unknown, outer: string, depth: number): readonly ShellPart[] {
  if (depth > 6 * mostDepth || typeof value !== "object" || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((one) => below(one, outer, depth + 1));
  const { type, pos, end, source: own } = value as Readonly<Record<string, unknown>>;
  const source = typeof own === "string" ? own : outer;
  const parts = Object.values(value).flatMap((one) => below(one, source, depth + 1));
  const kind = typeof type === "string" && Object.hasOwn(kinds, type) ? kinds[type] : undefined;
  if (kind === undefined || typeof pos !== "number" || typeof end !== "number") return parts;
  return [{ kind, text: source.slice(pos, end), parts }];
}
