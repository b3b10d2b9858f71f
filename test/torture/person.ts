// Somebody who edits files of a workspace at random moments, with whatever editor: an order per line on stdin, and when it is done
// a line on stdout. Every line that they write is like no other.
import {
  appendFileSync,
  closeSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { type Random, randomFor } from "./random.ts";

export interface PersonOrder {
  readonly workspace: string;
  readonly seed: string;
  readonly edits: number;
  /** Their pauses are at most so long. */
  readonly pauseMs: number;
  /** Only files of their own. */
  readonly isShy: boolean;
}

const clock = new Int32Array(new SharedArrayBuffer(4));

function filesIn(folder: string, prefix = ""): string[] {
  return readdirSync(join(folder, prefix), { withFileTypes: true }).flatMap((entry) => {
    const path = prefix === "" ? entry.name : `${prefix}/${entry.name}`;
    if (entry.name === ".git" || entry.name === ".coder" || entry.name.endsWith("~")) return [];
    if (entry.isDirectory()) return filesIn(folder, path);
    return entry.isFile() ? [path] : [];
  });
}

function withLine(text: string, line: string, random: Random): string {
  const lines = text === "" ? [] : text.replace(/\n$/, "").split("\n");
  lines.splice(random.between(0, lines.length), 0, line);
  return `${lines.join("\n")}\n`;
}

/** Each as some editor does it. */
const ways: readonly ((path: string, line: string, random: Random) => void)[] = [
  (path, line) => appendFileSync(path, `${line}\n`),
  (path, line, random) => writeFileSync(path, withLine(readFileSync(path, "utf8"), line, random)),
  (path, line) => {
    const fd = openSync(path, "r+");
    const text = readFileSync(path, "utf8");
    ftruncateSync(fd, 0);
    writeSync(fd, `${line}\n${text}`, 0);
    fsyncSync(fd);
    closeSync(fd);
  },
  // A formatter that somebody else started.
  (path, line) => {
    Bun.spawnSync(["sed", "-i", `1i ${line}`, path]);
  },
  (path, line, random) => {
    writeFileSync(`${path}.new~`, withLine(readFileSync(path, "utf8"), line, random));
    renameSync(`${path}.new~`, path);
  },
  (path, line, random) => {
    const text = readFileSync(path, "utf8");
    renameSync(path, `${path}~`);
    writeFileSync(path, withLine(text, line, random));
    unlinkSync(`${path}~`);
  },
];

function edit(order: PersonOrder, random: Random, line: string): void {
  const path = (name: string): string => join(order.workspace, name);
  const own = order.isShy || random.between(0, 3) === 0;
  const names = own ? [] : filesIn(order.workspace);
  const name = names.length === 0 ? `person/p${random.between(0, 3)}.txt` : random.oneOf(names);
  mkdirSync(dirname(path(name)), { recursive: true });
  if (names.length === 0) appendFileSync(path(name), "");
  random.oneOf(ways)(path(name), line, random);
}

for await (const text of console) {
  if (text.trim() === "") continue;
  const order = JSON.parse(text) as PersonOrder;
  const random = randomFor("person", order.seed);
  for (let at = 0; at < order.edits; at++) {
    Atomics.wait(clock, 0, 0, random.between(0, order.pauseMs * 1000) / 1000);
    try {
      edit(order, random, `person ${order.seed}.${at}`);
    } catch (error) {
      // The command was faster: it was there a moment ago.
      if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    }
  }
  process.stdout.write("done\n");
}
