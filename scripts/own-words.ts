// Too little memory stops the runtime before any line of ours has run, and a fault of its own at any time. It tells of them in
// words that say nothing to a person who runs coder. In the built program they stand as text of a fixed length; ours, at most
// as long, take their place.
import { closeSync, openSync, readFileSync, writeSync } from "node:fs";

const report =
  "\n\nTo send a redacted crash report to Bun's team,\nplease file a GitHub issue using the link below:\n\n";

const replaced: readonly (readonly [theirs: string, ours: string])[] = [
  [
    `Bun has crashed. This indicates a bug in Bun, not your code.${report}`,
    "coder was ended: its runtime failed, or it may use too little memory\n(ulimit -v: it needs 500 MB). Nothing stored is lost: coder --continue\n",
  ],
  [
    `Bun has run out of memory.${report}`,
    "There is too little memory for coder.\nNothing that was stored is lost: coder --continue goes on.\n\n",
  ],
];

/** What was not found in the program: the runtime says it in other words by now. */
export function putOwnWords(program: string): readonly string[] {
  const bytes = readFileSync(program);
  const missing: string[] = [];
  const fd = openSync(program, "r+");
  try {
    for (const [theirs, ours] of replaced) {
      const found = Buffer.from(theirs);
      const text = Buffer.from(ours.padEnd(found.length));
      let at = bytes.indexOf(found);
      if (at === -1 || text.length !== found.length) missing.push(theirs);
      for (; at !== -1; at = bytes.indexOf(found, at + 1)) writeSync(fd, text, 0, text.length, at);
    }
    return missing;
  } finally {
    closeSync(fd);
  }
}
