import { type Command, forEachChild, type SyntaxNode, type While } from "unbash";

/** Whether a loop may go on for ever: of all conditions only input comes to an end by itself. */
export function isEndless({ kind, clause, body }: While): boolean {
  const last = clause.commands.at(-1)?.command;
  const conditions = last?.type === "AndOr" && last.operators.every((one) => one === "&&") ? last.commands : [last];
  const isFed = kind === "while" && conditions.some((one) => one?.type === "Command" && takesLine(one));
  return !isFed && !hasWayOut(body);
}

/** A file of its own it would begin anew in each round; of no time or no characters it takes nothing. */
function takesLine({ name, suffix, redirects }: Command): boolean {
  if (name?.text !== "read" || redirects.length > 0) return false;
  const text = suffix.map((one) => ("text" in one ? one.text : "")).join(" ");
  return !/(?:^| )-[A-Za-z]*[nNt]/.test(text.replace(/(?:^| )-[A-Za-z]*[nNt] ?[1-9][0-9]*(?= |$)/g, ""));
}

// From these a `break` or an `exit` leads out of themselves only.
const closed = new Set([
  "While",
  "For",
  "ArithmeticFor",
  "Select",
  "Subshell",
  "Function",
  "Coproc",
  "CommandExpansion",
]);

function hasWayOut(node: SyntaxNode): boolean {
  if (closed.has(node.type) || (node.type === "Pipeline" && node.commands.length > 1)) return false;
  if (node.type === "Command" && /^(?:break|exit)$/.test(node.name?.text ?? "")) return true;
  let isFound = false;
  forEachChild(node, (child) => {
    isFound ||= hasWayOut(child);
  });
  return isFound;
}
