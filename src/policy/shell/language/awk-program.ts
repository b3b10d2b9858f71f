/** The kind of the last token, as far as it decides what a slash means and whether `>` writes. */
type Last = "start" | "operand" | "paren" | "unsure";

interface AwkReader {
  readonly text: string;
  at: number;
  last: Last;
  parens: number;
  braces: number;
}

// Keywords of every awk. To an awk that lacks a keyword it is a variable, and a slash after it divides.
const keywords = new Set([
  ..."BEGIN END function if else while for do break continue next exit return in print printf delete".split(" "),
]);
const someKeywords = new Set("BEGINFILE ENDFILE func nextfile switch case default length".split(" "));

// Run programs, load code, read other files, or reach any other name by its text.
const refused = new Set(["system", "extension", "getline", "close", "ARGV", "ARGC", "SYMTAB", "FUNCTAB"]);

// Values set in ENVIRON affect awk itself: the next time it formats uses the zone file that TZ names.
const changesZone = /\bENVIRON\b.*\b(?:strftime|mktime)\b|\b(?:strftime|mktime)\b.*\bENVIRON\b/s;

/**
 * The rest of a program from the point where it may do more than print; `null` = it only prints. Two awks may read a slash as a division or
 * as the start of a pattern: the text after it would be a string to one and code to the other. So each doubt is a refusal.
 */
export function awkProblem(text: string): string | null {
  const reader: AwkReader = { text, at: 0, last: "start", parens: 0, braces: 0 };
  while (reader.at < text.length) {
    const from = reader.at;
    if (!takeToken(reader)) return text.slice(from);
  }
  if (changesZone.test(text)) return text;
  return reader.parens === 0 && reader.braces === 0 ? null : text;
}

function takeToken(reader: AwkReader): boolean {
  const char = reader.text[reader.at]!;
  if (/[ \t]/.test(char)) return advance(reader, 1, reader.last);
  if (/[\n;]/.test(char)) return advance(reader, 1, "start");
  if (char === "#") return take(reader, /#[^\n]*/y, reader.last);
  if (char === "\\") return take(reader, /\\\n/y, reader.last);
  if (char === '"') return take(reader, /"(?:[^"\\\n]|\\[^\n])*"/y, "operand");
  if (/[0-9.]/.test(char)) return take(reader, /0[xX][0-9a-fA-F]+|[0-9]*\.?[0-9]*(?:[eE][-+]?[0-9]+)?/y, "operand");
  if (/[A-Za-z_]/.test(char)) return takeName(reader);
  if (char === "/") return takeSlash(reader);
  return takeSign(reader, char);
}

function takeName(reader: AwkReader): boolean {
  const name = /[A-Za-z_][A-Za-z0-9_]*/y;
  name.lastIndex = reader.at;
  const word = name.exec(reader.text)![0];
  if (refused.has(word)) return false;
  // In parentheses it stands in the head of a `for`, where `>` writes as in an action; some awks accept it without braces too.
  if ((reader.parens > 0 || reader.braces === 0) && /^printf?$/.test(word)) return false;
  const last = keywords.has(word) ? "start" : someKeywords.has(word) ? "unsure" : "operand";
  return advance(reader, word.length, last);
}

function takeSlash(reader: AwkReader): boolean {
  const rest = reader.text.slice(reader.at + 1);
  if (reader.last === "start") return takePattern(reader);
  if (reader.last === "operand" && !rest.startsWith("=")) return advance(reader, 1, "start");
  // After `)`, and before `=`, it may be either, unless no closing slash follows.
  const isDivision = reader.last !== "unsure" && !/["/]/.test(rest);
  return isDivision && advance(reader, 1, "start");
}

function takePattern(reader: AwkReader): boolean {
  // Only some awks end the pattern at a slash within brackets, so none is allowed.
  const pattern = /\/(?:[^/\\\n[]|\\[^\n]|\[\^?(?:\[:[a-z]+:\]|[^/\\[\]\n]|\\[^\n])+\])*\//y;
  return take(reader, pattern, "operand");
}

function takeSign(reader: AwkReader, char: string): boolean {
  const pair = reader.text.slice(reader.at, reader.at + 2);
  switch (char) {
    case "(":
    case "[":
      reader.parens += 1;
      return advance(reader, 1, "start");
    case ")":
    case "]":
      reader.parens -= 1;
      return reader.parens >= 0 && advance(reader, 1, char === ")" ? "paren" : "operand");
    case "{":
    case "}":
      reader.braces += char === "{" ? 1 : -1;
      return reader.braces >= 0 && reader.parens === 0 && advance(reader, 1, "start");
    case "|":
      return pair === "||" && advance(reader, 2, "start");
    case "&":
      return pair === "&&" && advance(reader, 2, "start");
    case ">":
      // In an action `print a > b` writes; in parentheses and before the action it compares.
      return pair !== ">>" && (reader.parens > 0 || reader.braces === 0) && advance(reader, 1, "start");
    case "$":
      return advance(reader, 1, "unsure");
    case "+":
    case "-":
      return pair === char + char ? advance(reader, 2, "unsure") : advance(reader, 1, "start");
    default:
      return "*%^=!<?:~,".includes(char) && advance(reader, 1, "start");
  }
}

function advance(reader: AwkReader, by: number, last: Last): boolean {
  reader.at += by;
  reader.last = last;
  return true;
}

function take(reader: AwkReader, form: RegExp, last: Last): boolean {
  form.lastIndex = reader.at;
  const match = form.exec(reader.text);
  return match !== null && match[0] !== "" && advance(reader, match[0].length, last);
}
