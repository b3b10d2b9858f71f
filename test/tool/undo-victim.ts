// Undoes and redoes 15 changes for ever, until it is killed: files, links, modes, folders, and a file that became a folder.
import { closeSync, fsyncSync, openSync, readdirSync, renameSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { FileStamp } from "../../src/contract/message.ts";
import type { PlannedChange } from "../../src/contract/tool.ts";
import { applyChanges, applyTogether } from "../../src/platform/files/change/apply.ts";
import { sha256 } from "../../src/platform/files/hash.ts";
import { folderMode, linkMode } from "../../src/platform/files/stamp.ts";

type Side = readonly [mode: number, content: string] | null;

const rows: readonly (readonly [path: string, undone: Side, done: Side])[] = [
  ...Array.from(
    { length: 6 },
    (_, at) => [`m${at}.txt`, [0o644, `old ${at}`], [0o644, `new ${at}`.repeat(500)]] as const,
  ),
  ["mode.sh", [0o644, "run"], [0o755, "run"]],
  ["gone.txt", [0o600, "gone"], null],
  ["made", null, [folderMode | 0o755, ""]],
  ["made/n.txt", null, [0o644, "n"]],
  ["link", [linkMode, "m0.txt"], [linkMode, "m1.txt"]],
  ["dropped", [folderMode | 0o700, ""], null],
  ["dropped/d.txt", [0o644, "d"], null],
  ["swap", [0o644, "file"], [folderMode | 0o755, ""]],
  ["swap/in.txt", null, [0o644, "in"]],
];

export function changesOf(root: string, redo: boolean): readonly PlannedChange[] {
  return rows.map(([path, undone, done]) => {
    const [one, other] = redo ? [undone, done] : [done, undone];
    const change = { path, real: join(root, path), before: stampOf(one), after: stampOf(other) };
    return { change, beforeBytes: one && Buffer.from(one[1]), afterBytes: other && Buffer.from(other[1]) };
  });
}

function stampOf(side: Side): FileStamp | null {
  return side && { hash: sha256(Buffer.from(side[1])), size: Buffer.byteLength(side[1]), mode: side[0] };
}

export const intentFile = (notes: string): string => join(notes, "intent");

/** Durable before anything is changed, as the log is. */
function intend(notes: string, line: string): void {
  const fd = openSync(`${intentFile(notes)}.new`, "w");
  writeSync(fd, line);
  fsyncSync(fd);
  closeSync(fd);
  renameSync(`${intentFile(notes)}.new`, intentFile(notes));
}

async function work([root = "", notes = "", round = ""]: readonly string[]): Promise<never> {
  const isEmpty = readdirSync(root).length === 0;
  if (isEmpty) {
    const made = changesOf(root, false).map((one) => ({
      ...one,
      change: { ...one.change, before: null },
      beforeBytes: null,
    }));
    const applied = applyChanges(
      { changes: made.filter(({ afterBytes }) => afterBytes) },
      { root, addDirs: [], tempTag: "0" },
    );
    if (!applied.ok) throw new Error(JSON.stringify(applied.error));
  }
  let redo = readdirSync(root).includes("gone.txt");
  for (let count = 0; ; count++) {
    const tag = `${round}.${count}`;
    intend(notes, `${round} ${tag} ${redo ? "redo" : "undo"}`);
    const applied = await applyTogether({ changes: changesOf(root, redo) }, { root, addDirs: [], tempTag: tag });
    if (!applied.ok) throw new Error(JSON.stringify(applied.error));
    redo = !redo;
  }
}

if (import.meta.main) await work(process.argv.slice(2));
