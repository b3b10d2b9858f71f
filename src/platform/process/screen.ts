// A title or another control string without a terminator before the next line or code: it would swallow everything that follows.
const unended =
  /(?:\u001b[\]PX^_]|[\u0090\u0098\u009d-\u009f])[^\u0007\u001b\u0090\u0098\u009c-\u009f\n]*(?=[\n\u0090\u0098\u009d-\u009f]|$|\u001b(?!\\))/g;

/** The text on the screen without colours; an overwritten line keeps its last state. */
export function plainScreen(text: string): string {
  return Bun.stripANSI(text.replace(unended, "")).replaceAll("\r\n", "\n").split("\n").map(lastDrawn).join("\n");
}

/** By splitting: a pattern that searches for the last carriage return takes minutes on a long line without one. */
function lastDrawn(line: string): string {
  return line.split("\r").findLast((part) => part !== "") ?? "";
}
