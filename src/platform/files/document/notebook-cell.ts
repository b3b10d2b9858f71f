import { showSize } from "../open.ts";
import { maxLineChars } from "../text/page.ts";
import { JsonScan } from "./json-scan.ts";
import type { Cell } from "./notebook.ts";

/** Per output: an output can be computed again, the source cannot. */
const maxOutputLines = 60;
const maxOutputs = 30;
/** Maximum to decode of one string: more than a page shows. */
const maxText = 64 * 1024;
const cutMark = "[… output cut …]";

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
  name: string;
  value: string;
  /** Offset of its text: of a stream, of a result in plain form, or of a traceback. */
  text: number;
  /** In a traceback each string of the list is at least one line of its own. */
  isTraceback: boolean;
  /** Outputs that are only mentioned, by type and size. */
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
  const head = output.value === "" ? name || "output" : `${name}: ${plain(output.value.split("\n", 1)[0] ?? "")}`;
  if (output.text !== -1 || output.value !== "") yield `[${head}]`;
  if (output.text !== -1)
    yield* firstLines(linesOf(texts(new JsonScan(bytes, output.text), output.isTraceback ? "\n" : "")));
  for (const other of output.others) yield `[${other}, not shown]`;
}

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

/** A text in a notebook is one string, or a list of strings to concatenate. */
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
      // Keeps no more of a line than is shown: a hostile file may have no line break at all.
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

/** A progress bar overwrites its line repeatedly: show only the last state. */
function lastWritten(line: string): string {
  const bare = line.replace(/\r+$/, "");
  return bare.slice(bare.lastIndexOf("\r") + 1);
}

function plain(text: string): string {
  return Bun.stripANSI(text).replace(/\p{Cc}/gu, " ");
}
