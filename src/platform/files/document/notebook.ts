import { isUtf8 } from "node:buffer";
import { bomUtf8 } from "../text/encoding.ts";
import { LinePage, type PageWish } from "../text/page.ts";
import { JsonFault, JsonScan } from "./json-scan.ts";
import { cellLines } from "./notebook-cell.ts";

export interface Cell {
  readonly type: string;
  /** The kernel's execution count; `null` if the cell never ran. */
  readonly run: string;
  readonly source: number;
  readonly outputs: number;
  readonly first: number;
  readonly last: number;
}

/** No real notebook has more; a file with nothing but cells would otherwise take twenty times its size in memory. */
const maxCells = 100_000;

/** A notebook as lines of text, cell by cell, or the reason why that is impossible. */
export function notebookPage(
  bytes: Buffer,
  wish: PageWish,
): { readonly page: LinePage; readonly cells: number } | { readonly problem: string } {
  if (!isUtf8(bytes)) return { problem: "not valid JSON: not UTF-8" };
  try {
    const cells = cellsOf(bytes);
    if (!Array.isArray(cells)) return cells;
    const page = new LinePage(wish);
    for (const [index, cell] of cells.entries()) {
      for (const line of cellLines(bytes, cell, `cell ${index + 1} of ${cells.length}`))
        if (!page.add(line)) return { page, cells: cells.length };
    }
    return { page, cells: cells.length };
  } catch (error) {
    if (!(error instanceof JsonFault)) throw error;
    return { problem: `not valid JSON at line ${1 + newlines(bytes, 0, error.at)}` };
  }
}

/** Validates the whole file before the first cell is shown: a broken file must be shown as it is. */
function cellsOf(bytes: Buffer): Cell[] | { readonly problem: string } {
  const scan = new JsonScan(bytes, bytes.subarray(0, 3).equals(bomUtf8) ? 3 : 0);
  if (scan.peek() !== 0x7b) return { problem: "not a JSON object" };
  let cells: Cell[] | null = null;
  let format = "";
  for (const key of scan.keys()) {
    if (key === "nbformat") format = scan.literalOrSkip();
    else if (key === "cells" && scan.peek() === 0x5b) cells = readCells(scan, bytes);
    else scan.skip();
  }
  if (scan.peek() !== -1) throw new JsonFault(scan.at);
  if (!(Number(format) >= 4)) return { problem: `notebook format ${format || "unknown"}, older than 4` };
  if (cells === null) return { problem: "no list of cells" };
  return cells.length > maxCells ? { problem: `more than ${maxCells} cells` } : cells;
}

function readCells(scan: JsonScan, bytes: Buffer): Cell[] {
  const cells: Cell[] = [];
  let line = 1;
  let counted = 0;
  const lineHere = (): number => {
    line += newlines(bytes, counted, scan.at);
    counted = scan.at;
    return line;
  };
  for (const _ of scan.items()) {
    scan.peek();
    if (cells.length > maxCells) scan.skip();
    else cells.push(readCell(scan, lineHere));
  }
  return cells;
}

function readCell(scan: JsonScan, lineHere: () => number): Cell {
  const first = lineHere();
  const found = { type: "unknown", run: "null", source: -1, outputs: -1 };
  const isCell = scan.peek() === 0x7b;
  if (!isCell) scan.skip();
  for (const key of isCell ? scan.keys() : []) {
    const isText = scan.peek() === 0x22;
    if (key === "source") found.source = scan.at;
    if (key === "outputs") found.outputs = scan.at;
    if (key === "cell_type" && isText) found.type = scan.text(scan.string(), 40);
    else if (key === "execution_count") found.run = scan.literalOrSkip() || "null";
    else scan.skip();
  }
  return { ...found, first, last: lineHere() };
}

function newlines(bytes: Buffer, from: number, to: number): number {
  let count = 0;
  for (let at = bytes.indexOf(10, from); at !== -1 && at < to; at = bytes.indexOf(10, at + 1)) count++;
  return count;
}
