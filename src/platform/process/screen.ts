// What was written to a terminal, as text.

// A title or another string for the terminal that nothing ends before the next line or code begins: all that follows would
// be taken for a part of it.
const unended =
  /(?:\u001b[\]PX^_]|[\u0090\u0098\u009d-\u009f])[^\u0007\u001b\u0090\u0098\u009c-\u009f\n]*(?=[\n\u0090\u0098\u009d-\u009f]|$|\u001b(?!\\))/g;

/** What a screen would show, without its colours; a line that was drawn over keeps its last state. */
export function plainScreen(text: string): string {
  return Bun.stripANSI(text.replace(unended, "")).replaceAll("\r\n", "\n").split("\n").map(lastDrawn).join("\n");
}

/** By splitting: a pattern that looks for the last return takes minutes on a long line without any. */
function lastDrawn(line: string): string {
  return line.split("\r").findLast((part) => part !== "") ?? "";
}
