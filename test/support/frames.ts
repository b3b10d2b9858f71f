// What is on the screen, beside what a person has looked at and found good: test/fixtures/tui/NAME.txt. `UPDATE_FRAMES=1` writes
// them anew; with `FRAMES_DIR` every frame is kept there too, as it would be painted (`npm run frames`).
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createTwoFilesPatch } from "diff";
import type { Emulator } from "../surface/tui/emulator.ts";

const folder = join(import.meta.dir, "..", "fixtures", "tui");

type Replacement = readonly [from: string | RegExp, to: string];

/** What differs from run to run. */
const usual: readonly Replacement[] = [
  [
    /\bt[0-9a-z]{5}-[0-9a-z]{6}\b|\b(?=[0-9a-z-]*\d)[0-9a-z]{6}-[0-9a-z]{6}\b|(?<=(?:session|会话|resume) )[0-9a-z]{6}-[0-9a-z]{6}\b/gi,
    "SESSION",
  ],
  [/\btrace-[0-9a-f]{8}\b/g, "TRACE"],
  [/\b127\.0\.0\.1:\d+/g, "127.0.0.1:PORT"],
  [/\bcoder \d+\.\d+\.\d+(?: \([0-9a-f]{12}(?:-dirty)?\))?/g, "coder VERSION"],
  [/\b\d{4}-\d\d-\d\d(?: \d\d:\d\d(?::\d\d)?(?: GMT[+-][\d:]+)?)?/g, "DATE"],
  [/\b\d+(?:\.\d+)? ?(ms|s|毫秒|秒)(?![\p{L}\d])/gu, "TIME"],
  [/\b\d+:\d\d\b(?!:)/g, "TIME"],
];

interface FrameOptions {
  /** Besides the usual ones: folders, for example. */
  readonly replace?: readonly Replacement[];
  /** Everything since the start, and not what is in view only. */
  readonly isWhole?: boolean;
}

export async function expectFrame(
  name: string,
  shown: Emulator | { readonly emulator: Emulator },
  { replace = [], isWhole = false }: FrameOptions = {},
): Promise<void> {
  const emulator = "emulator" in shown ? shown.emulator : shown;
  await emulator.settled();
  keepPicture(name, emulator);
  const rows = isWhole ? emulator.scrollback() : emulator.screen();
  const { columns, rows: height, cursor } = sizesOf(emulator);
  const place = cursor === null ? "no cursor" : `cursor in row ${cursor.row}, column ${cursor.column}`;
  const lines = rows.map((row) => steady(row, [...replace, ...usual]));
  const text = `${lines.join("\n").trimEnd()}\n\n[${columns}×${height}, ${place}]\n`;
  compare(join(folder, `${name}.txt`), name, text);
}

function sizesOf(emulator: Emulator) {
  return { columns: emulator.columns(), rows: emulator.rows(), cursor: emulator.picture().cursor };
}

/** Columns that follow something of another length would move: gaps in such a row are made equal. */
function steady(row: string, replacements: readonly Replacement[]): string {
  const changed = replacements.reduce((text, [from, to]) => text.replaceAll(from, to), row);
  return changed === row ? row : changed.replace(/(?<=\S) {2,}(?=\S)/g, "  ");
}

function compare(path: string, name: string, found: string): void {
  if (process.env.UPDATE_FRAMES === "1") {
    mkdirSync(folder, { recursive: true });
    writeFileSync(path, found);
    return;
  }
  const wanted = readIfThere(path);
  if (wanted === null)
    throw new Error(`there is no frame ${name} yet (UPDATE_FRAMES=1 takes it as it is now):\n${found}`);
  if (wanted !== found && closed(wanted) !== closed(found)) {
    const patch = createTwoFilesPatch("wanted", "found", wanted, found, undefined, undefined, { context: 100 });
    throw new Error(`the frame ${name} has changed (UPDATE_FRAMES=1 takes it as it is now):\n${patch}`);
  }
}

/**
 * How many blank lines stand above the live region depends on what it showed a moment before, which a busy machine decides: two count as
 * one here, and the cursor's row moves with them. `screen.test.ts` and `feed.test.ts` look at blank lines.
 */
function closed(text: string): string {
  return text.replace(/\n{3,}(?!\[\d+×)/g, "\n\n").replace(/cursor in row \d+/, "cursor in a row");
}

function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

function keepPicture(name: string, emulator: Emulator): void {
  const kept = process.env.FRAMES_DIR;
  if (kept === undefined) return;
  mkdirSync(kept, { recursive: true });
  writeFileSync(join(kept, `${name}.json`), JSON.stringify(emulator.picture()));
}
