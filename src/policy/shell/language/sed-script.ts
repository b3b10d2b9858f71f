/** The rest of a script from the point where it may do more than print; `null` = it only prints. */
export function sedProblem(script: string): string | null {
  const reader: SedReader = { script, at: 0, depth: 0 };
  while (reader.at < script.length) {
    const from = reader.at;
    if (!takeCommand(reader)) return script.slice(from).replace(/^[\s;]+/, "");
  }
  return reader.depth === 0 ? null : script;
}

interface SedReader {
  readonly script: string;
  at: number;
  depth: number;
}

// Print, delete, hold, next, quit, line number. Not e, w, W, r, R: they run programs and touch files.
const plainCommands = "=dDgGhHnNpPxzF";

function takeCommand(reader: SedReader): boolean {
  take(reader, /[\s;]*/y);
  if (reader.at >= reader.script.length) return true;
  if (reader.script[reader.at] === "#") return take(reader, /[^\n]*/y);
  if (!takeAddresses(reader)) return false;
  take(reader, /\s*(?:!\s*)*/y);
  const command = reader.script[reader.at] ?? "";
  reader.at += 1;
  if (command === "{") {
    reader.depth += 1;
    return true;
  }
  if (command === "}") {
    reader.depth -= 1;
    return reader.depth >= 0 && atEnd(reader);
  }
  if (command !== "" && plainCommands.includes(command)) return atEnd(reader);
  return takeWithArgument(reader, command) && atEnd(reader);
}

function takeWithArgument(reader: SedReader, command: string): boolean {
  switch (command) {
    case "q":
    case "Q":
    case "l":
      return take(reader, /[ \t]*[0-9]*/y);
    case "b":
    case "t":
    case "T":
    case ":":
      // Some seds take everything up to a blank as the label, including a brace or a comment, and continue after it.
      return take(reader, /[ \t]*[A-Za-z0-9_.-]*[ \t]*(?=[;\n]|$)/y);
    case "a":
    case "i":
    case "c":
      // Text up to a line end that no backslash escapes.
      return take(reader, /(?:[^\\\n]|\\[\s\S])*/y);
    case "s":
      // Flags that print or select; not e (executes) and w (writes).
      return takeDelimited(reader, 2) && take(reader, /[gpiImM0-9]*/y);
    case "y":
      return takeDelimited(reader, 2);
    default:
      return false;
  }
}

/** `/a/b/`: `parts` delimited parts. */
function takeDelimited(reader: SedReader, parts: 1 | 2): boolean {
  const delimiter = reader.script[reader.at] ?? "";
  if (!/^[^\s\\A-Za-z0-9;{}[\]]$/.test(delimiter)) return false;
  const from = reader.at + 1;
  const end = partEnd(reader.script, from, delimiter, true);
  if (end === -1) return false;
  // Some seds read a delimiter within brackets as text, others as the end. Then the rest must be rejected by every sed.
  const early = partEnd(reader.script, from, delimiter, false);
  if (early !== end && !(parts === 2 && failsFrom(reader.script, early, delimiter))) return false;
  const last = parts === 1 ? end : partEnd(reader.script, end + 1, delimiter, false);
  reader.at = last + 1;
  return last !== -1;
}

/** The end of a part; `-1` = none. A line end belongs to it only after a backslash. */
function partEnd(script: string, from: number, delimiter: string, knowsBrackets: boolean): number {
  for (let at = from; at < script.length; at++) {
    if (script[at] === delimiter) return at;
    if (script[at] === "\n") return -1;
    if (script[at] === "\\") at += 1;
    else if (script[at] === "[" && knowsBrackets) {
      at = bracketEnd(script, at);
      if (at === -1) return -1;
    }
  }
  return -1;
}

/** Whether an `s/…` whose pattern ends here would have an invalid flag. */
function failsFrom(script: string, patternEnd: number, delimiter: string): boolean {
  const end = partEnd(script, patternEnd + 1, delimiter, false);
  return end === -1 || /^[gpiImM0-9]*[^\sA-Za-z0-9;}#]/.test(script.slice(end + 1));
}

/** `]` may be the first character after `[` or `[^`; classes such as `[:alpha:]` contain one too. */
function bracketEnd(pattern: string, from: number): number {
  let at = from + (pattern[from + 1] === "^" ? 2 : 1);
  if (pattern[at] === "]") at += 1;
  for (; at < pattern.length; at++) {
    if (pattern[at] === "]") return at;
    // Only some seds treat a backslash in brackets as plain text.
    if (pattern[at] === "\\" && pattern[at + 1] === "]") return -1;
    const kind = pattern[at] === "[" && /^[:.=]/.test(pattern[at + 1] ?? "") ? pattern[at + 1]! : "";
    if (kind === "") continue;
    const end = pattern.indexOf(`${kind}]`, at + 2);
    if (end === -1) return -1;
    at = end + 1;
  }
  return -1;
}

function takeAddresses(reader: SedReader): boolean {
  if (!peek(reader, /[0-9$/\\]/y)) return true;
  if (!takeAddress(reader)) return false;
  if (!peek(reader, /\s*,/y)) return true;
  take(reader, /\s*,\s*/y);
  return take(reader, /[+~][0-9]+/y) || takeAddress(reader);
}

function takeAddress(reader: SedReader): boolean {
  if (take(reader, /[0-9]+(?:~[0-9]+)?|\$/y)) return true;
  if (reader.script[reader.at] === "\\") reader.at += 1;
  else if (reader.script[reader.at] !== "/") return false;
  return takeDelimited(reader, 1) && take(reader, /[IM]*/y);
}

/** A separator between commands. */
function atEnd(reader: SedReader): boolean {
  take(reader, /[ \t]*/y);
  return reader.at >= reader.script.length || /[;\n}#]/.test(reader.script[reader.at]!);
}

function peek({ script, at }: SedReader, form: RegExp): boolean {
  form.lastIndex = at;
  return form.test(script);
}

function take(reader: SedReader, form: RegExp): boolean {
  form.lastIndex = reader.at;
  const match = form.exec(reader.script);
  if (match === null) return false;
  reader.at += match[0].length;
  return true;
}
