/** Where a script stops being one that only prints; `null` = it does to its end. */
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
      // Some take all up to a blank for the label, a brace or a comment with it, and go on behind it.
      return take(reader, /[ \t]*[A-Za-z0-9_.-]*[ \t]*(?=[;\n]|$)/y);
    case "a":
    case "i":
    case "c":
      // Text up to a line end without a backslash before it.
      return take(reader, /(?:[^\\\n]|\\[\s\S])*/y);
    case "s":
      // Flags that print or choose; not e (runs it) and w (writes it).
      return takeDelimited(reader, 2) && take(reader, /[gpiImM0-9]*/y);
    case "y":
      return takeDelimited(reader, 2);
    default:
      return false;
  }
}

/** `/a/b/`: as many parts as told. */
function takeDelimited(reader: SedReader, parts: 1 | 2): boolean {
  const delimiter = reader.script[reader.at] ?? "";
  if (!/^[^\s\\A-Za-z0-9;{}[\]]$/.test(delimiter)) return false;
  const from = reader.at + 1;
  const end = partEnd(reader.script, from, delimiter, true);
  if (end === -1) return false;
  // Some take a delimiter within brackets for plain text, others for the end. Where that would be the end, nothing may follow
  // but what every sed refuses before it does anything.
  const early = partEnd(reader.script, from, delimiter, false);
  if (early !== end && !(parts === 2 && failsFrom(reader.script, early, delimiter))) return false;
  const last = parts === 1 ? end : partEnd(reader.script, end + 1, delimiter, false);
  reader.at = last + 1;
  return last !== -1;
}

/** Where a part ends; `-1` = it does not. A line end takes part only behind a backslash. */
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

/** Whether `s/…` whose pattern ends here goes on with a flag that does not exist. */
function failsFrom(script: string, patternEnd: number, delimiter: string): boolean {
  const end = partEnd(script, patternEnd + 1, delimiter, false);
  return end === -1 || /^[gpiImM0-9]*[^\sA-Za-z0-9;}#]/.test(script.slice(end + 1));
}

/** The first character of a bracket, and of `[^`, may be `]`; classes such as `[:alpha:]` hold one too. */
function bracketEnd(pattern: string, from: number): number {
  let at = from + (pattern[from + 1] === "^" ? 2 : 1);
  if (pattern[at] === "]") at += 1;
  for (; at < pattern.length; at++) {
    if (pattern[at] === "]") return at;
    // A backslash is plain text in there, but not to all.
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

/** Between two commands stands one of these. */
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
