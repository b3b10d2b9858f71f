// What a command line is made of, for whoever wants to know which part of it is asked about.
import { parse } from "unbash";

/** `kind`: `list`, `pipe`, `command`, `substitution`, `redirection`, or the word that a compound begins with. */
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

/** Outermost first; what could not be parsed is left out. Of one that is a single thing, that thing. */
export function partsOf(source: string): readonly ShellPart[] {
  if (source.length > longest) return [];
  try {
    // Some of the tree is made only when it is asked for: written out, all of it is there.
    const tree: unknown = JSON.parse(JSON.stringify(parse(source)));
    return below(tree, source, 0);
  } catch (error) {
    // Deeper than there is stack for: the verdict says so too.
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
