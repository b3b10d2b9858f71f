import { showSize } from "../open.ts";
import { maxLineChars } from "../text/page.ts";
import { JsonScan } from "./json-scan.ts";
import type { Cell } from "./notebook.ts";

/** Of each output; what was computed can be computed again, the source cannot. */
const maxOutputLines = 60;
const maxOutputs = 30;
/** Decoded of one string at most: more than a page shows. */
const maxText = 64 * 1024;
const cutMark = "[… output cut …]";

/** A head line, the source as it is, and the outputs, indented. */
export function* cellLines(bytes: Buffer, cell: Cell, name: string): Generator<string> {
  const run = cell.run === "null" ? "" : `, In [${cell.run}]`;
  yield `--- ${name}: ${plain(cell.type)}${run}, file lines ${cell.first}-${cell.last}`;
  if (cell.source !== -1) yield* linesOf(texts(new JsonScan(bytes, cell.source)));
  if (cell.outputs === -1) return;
  const scan = new JsonScan(bytes, cell.outputs);
  if (scan.peek() !== 0x5b) return;
  let count = 0;
  for (const _ of scan.items()) {
    if (++count > maxOutputs) {
      yield cutMark;
      return;
    }
    yield* outputLines(bytes, scan);
  }
}

interface CellOutput {
  /** stdout or stderr; the name of an exception. */
  name: string;
  value: string;
  /** Where its text begins: of a stream, of the plain form of a result, of a traceback. */
  text: number;
  /** A traceback: each string of the list is a line of its own, or several. */
  isTraceback: boolean;
  /** What is only named: type and size. */
  others: string[];
}

function* outputLines(bytes: Buffer, scan: JsonScan): Generator<string> {
  const output: CellOutput = { name: "", value: "", text: -1, isTraceback: false, others: [] };
  if (scan.peek() !== 0x7b) return scan.skip();
  for (const key of scan.keys()) {
    const isText = scan.peek() === 0x22;
    if (key === "text" || key === "traceback") output.text = scan.at;
    if (key === "traceback") output.isTraceback = true;
    if ((key === "name" || key === "ename") && isText) output.name = scan.text(scan.string(), 200);
    else if (key === "evalue" && isText) output.value = scan.text(scan.string(), 2000);
    else if (key === "data" && scan.peek() === 0x7b) readData(scan, output);
    else scan.skip();
  }
  const name = plain(output.name);
  const head = output.value === "" ? name || "output" : `${name}: ${firstLine(output.value)}`;
  if (output.text !== -1 || output.value !== "") yield `[${head}]`;
  if (output.text !== -1)
    yield* firstLines(linesOf(texts(new JsonScan(bytes, output.text), output.isTraceback ? "\n" : "")));
  for (const other of output.others) yield `[${other}, not shown]`;
}

/** The plain form is shown, pictures and pages are named. */
function readData(scan: JsonScan, output: CellOutput): void {
  for (const type of scan.keys()) {
    scan.peek();
    const from = scan.at;
    if (type === "text/plain") output.text = from;
    scan.skip();
    if (type === "text/plain" || output.others.length > 9) continue;
    const length = scan.at - from;
    // Pictures are base64: four characters for three bytes. SVG is text.
    const isPacked = type.startsWith("image/") && !type.includes("svg");
    output.others.push(`${plain(type)}, ${showSize(isPacked ? Math.floor(length * 0.75) : length)}`);
  }
}

/** A text of a notebook is one string or a list of strings to be put together. */
function* texts(scan: JsonScan, end = ""): Generator<string> {
  const first = scan.peek();
  if (first === 0x22) yield scan.text(scan.string(), maxText);
  if (first !== 0x5b) return;
  for (const _ of scan.items()) {
    if (scan.peek() === 0x22) yield scan.text(scan.string(), maxText) + end;
    else scan.skip();
  }
}

function* linesOf(parts: Iterable<string>): Generator<string> {
  let open = "";
  for (const part of parts) {
    const lines = part.split("\n");
    for (const [index, line] of lines.entries()) {
      // No more of a line is kept than is shown: a hostile file may go on without a break.
      if (open.length <= maxLineChars) open += line.slice(0, maxLineChars + 1);
      if (index === lines.length - 1) continue;
      yield open;
      open = "";
    }
  }
  if (open !== "") yield open;
}

function* firstLines(lines: Iterable<string>): Generator<string> {
  let count = 0;
  for (const line of lines) {
    if (++count > maxOutputLines) {
      yield cutMark;
      return;
    }
    yield lastWritten(Bun.stripANSI(line));
  }
}

/** A progress bar writes over its line again and again: only the last state was ever to stay. */
function lastWritten(line: string): string {
  const bare = line.replace(/\r+$/, "");
  return bare.slice(bare.lastIndexOf("\r") + 1);
}

function firstLine(text: string): string {
  return plain(text.split("\n", 1)[0] ?? "");
}

function plain(text: string): string {
  return Bun.stripANSI(text).replace(/\p{Cc}/gu, " ");
}
