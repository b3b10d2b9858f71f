import type { DiffFile } from "../../contract/diff.ts";

interface OpenFile {
  old: string | null;
  now: string | null;
  lines: [number, number][];
}

export function filesInDiff(diff: string): readonly DiffFile[] {
  const files: OpenFile[] = [];
  let file: OpenFile | null = null;
  let hunk: Hunk | null = null;
  for (const line of diff.split("\n")) {
    if (hunk?.isOpen) {
      hunk.take(line);
      continue;
    }
    const start = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(line);
    if (start && file) {
      const [, oldAt, oldCount = "1", newAt, newCount = "1"] = start;
      hunk = new Hunk(file, [Number(oldAt), Number(oldCount), Number(newAt), Number(newCount)]);
      continue;
    }
    if (line.startsWith("diff --")) {
      file = { old: null, now: null, lines: [] };
      hunk = null;
      files.push(file);
    } else if (file && line.startsWith("--- ")) file.old = nameIn(line.slice(4), "a/");
    else if (file && line.startsWith("+++ ")) file.now = nameIn(line.slice(4), "b/");
  }
  return files.flatMap(asFile);
}

/** A change of mode or a binary file has no names. */
function asFile({ old, now, lines }: OpenFile): readonly DiffFile[] {
  const path = now ?? old;
  if (path === null) return [];
  return [{ path, change: now === null ? "delete" : old === null ? "create" : "modify", lines: joined(lines) }];
}

type Numbers = readonly [oldAt: number, oldCount: number, newAt: number, newCount: number];

/** Counts its lines down: their content may look like a header. */
class Hunk {
  private readonly file: OpenFile;
  private oldAt: number;
  private newAt: number;
  private oldLeft: number;
  private newLeft: number;

  constructor(file: OpenFile, [oldAt, oldCount, newAt, newCount]: Numbers) {
    this.file = file;
    this.oldAt = oldAt;
    this.oldLeft = oldCount;
    // Git numbers an empty side by the line before it.
    this.newAt = newCount === 0 ? newAt + 1 : newAt;
    this.newLeft = newCount;
  }

  get isOpen(): boolean {
    return this.oldLeft > 0 || this.newLeft > 0;
  }

  take(line: string): void {
    const isDeleted = this.file.now === null;
    if (line.startsWith("+")) {
      this.file.lines.push([this.newAt, this.newAt]);
      this.step(false, true);
    } else if (line.startsWith("-")) {
      if (isDeleted) this.file.lines.push([this.oldAt, this.oldAt]);
      else this.file.lines.push([Math.max(1, this.newAt - 1), this.newAt]);
      this.step(true, false);
    } else if (!line.startsWith("\\")) this.step(true, true);
  }

  private step(old: boolean, now: boolean): void {
    if (old) {
      this.oldAt++;
      this.oldLeft--;
    }
    if (now) {
      this.newAt++;
      this.newLeft--;
    }
  }
}

function joined(lines: readonly (readonly [number, number])[]): DiffFile["lines"] {
  const all: [number, number][] = [];
  for (const [from, to] of [...lines].sort((a, b) => a[0] - b[0])) {
    const last = all.at(-1);
    if (last && from <= last[1] + 1) last[1] = Math.max(last[1], to);
    else all.push([from, to]);
  }
  return all;
}

/** `null` = missing on this side. */
function nameIn(text: string, prefix: string): string | null {
  // Git appends a tab to a name with spaces.
  const name = text.startsWith('"') ? unquoted(text) : text.replace(/\t$/, "");
  if (name === "/dev/null") return null;
  return name.startsWith(prefix) ? name.slice(prefix.length) : name;
}

const ESCAPES: Readonly<Record<string, number>> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13 };

function unquoted(text: string): string {
  const inside = /^"((?:[^"\\]|\\.)*)"/.exec(text)?.[1] ?? text;
  const pieces = [...inside.matchAll(/\\([0-7]{3}|.)|([^\\]+)/gs)].map(([, sign = "", plain]) => {
    if (plain !== undefined) return Buffer.from(plain);
    const known = ESCAPES[sign];
    if (known !== undefined) return Buffer.from([known]);
    return sign.length === 3 ? Buffer.from([Number.parseInt(sign, 8)]) : Buffer.from(sign);
  });
  return Buffer.concat(pieces).toString();
}
