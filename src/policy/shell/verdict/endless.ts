import { type Command, forEachChild, type SyntaxNode, type While } from "unbash";

/** Whether a loop may run forever: the only condition that ends by itself is reading input. */
export function isEndless({ kind, clause, body }: While): boolean {
  const last = clause.commands.at(-1)?.command;
  const conditions = last?.type === "AndOr" && last.operators.every((one) => one === "&&") ? last.commands : [last];
  const isFed = kind === "while" && conditions.some((one) => one?.type === "Command" && takesLine(one));
  return !isFed && !hasWayOut(body);
}

/** Reading from its own redirection would start over in each pass; with zero time or zero characters `read` consumes nothing. */
function takesLine({ name, suffix, redirects }: Command): boolean {
  if (name?.text !== "read" || redirects.length > 0) return false;
  const text = suffix.map((one) => ("text" in one ? one.text : "")).join(" ");
  return !/(?:^| )-[A-Za-z]*[nNt]/.test(text.replace(/(?:^| )-[A-Za-z]*[nNt] ?[1-9][0-9]*(?= |$)/g, ""));
}

// A `break` or `exit` inside these does not leave the loop outside.
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
