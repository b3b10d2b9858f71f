/** Colours, cursor moves, titles and character sets. Each alternative stops at the next ESC. */
const escapes = /\u001b(?:\[[0-9;:?<=>]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[ -/][0-~]|[@-Z\\^_a-z])/g;

/** Longer lines are data, not messages; a line of JSON or XML is read whole. */
const maxLine = 4000;

/** Without line ends, colours and repeated empty lines. A carriage return ends a line too, so overwritten text is seen. */
export function* linesOf(text: string): Generator<string> {
  const isColoured = text.includes("\u001b");
  const hasReturns = text.includes("\r");
  let from = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  let wasEmpty = false;
  while (from < text.length) {
    while (text.charCodeAt(from) === 0x0a && text.charCodeAt(from + 1) === 0x0a) from++;
    const found = text.indexOf("\n", from);
    const to = found < 0 ? text.length : found;
    const raw = text.slice(from, to);
    from = to + 1;
    const plain = isColoured && raw.includes("\u001b") ? raw.replace(escapes, "") : raw;
    if (hasReturns && plain.includes("\r")) {
      for (const part of plain.split("\r")) if (part !== "") yield short(part);
      const isEmpty = /^\r*$/.test(plain);
      if (isEmpty && !wasEmpty) yield "";
      wasEmpty = isEmpty;
    } else if (plain !== "" || !wasEmpty) {
      wasEmpty = plain === "";
      yield short(plain);
    }
  }
}

export function indentOf(line: string): number {
  let at = 0;
  while (line.charCodeAt(at) === 0x20) at++;
  return at;
}

export function isOpenEnded(text: string): boolean {
  return text !== "" && !text.slice(-200).replace(escapes, "").endsWith("\n");
}

function short(line: string): string {
  if (line.length <= maxLine) return line;
  const first = line.charCodeAt(0);
  return first === 0x7b || first === 0x5b || first === 0x3c ? line : line.slice(0, maxLine);
}

export function endsOf(text: string, reach: number): string {
  return text.length <= 2 * reach ? text : `${text.slice(0, reach)}\n${text.slice(-reach)}`;
}
