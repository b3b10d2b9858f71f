// Unreadable placeholders for secret files. A readable empty file would be loaded, copied or committed as the real one.
import { chmodSync, closeSync, ftruncateSync, mkdirSync, openSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { smallText, withoutLogins } from "./key-text.ts";

const made = new Map<string, { readonly stamp: string; readonly file: string }>();

/** Placeholders are created beside `temp`. `null`: the file does not exist any more. */
export function sealed(path: string, temp: string): string | null {
  return standIn(path, temp, (file, { size, mtimeMs }) => {
    const fd = openSync(file, "wx", 0o600);
    // A sparse file. With the same size and time, git considers it unchanged and does not read it.
    ftruncateSync(fd, size);
    closeSync(fd);
    utimesSync(file, mtimeMs / 1000, mtimeMs / 1000);
    chmodSync(file, 0);
  });
}

/** The same for settings files: a readable copy without logins. */
export function withoutItsLogins(path: string, temp: string): string | null {
  return standIn(path, temp, (file) =>
    writeFileSync(file, withoutLogins(smallText(path) ?? ""), { flag: "wx", mode: 0o600 }),
  );
}

function standIn(path: string, temp: string, make: (file: string, stat: Stat) => void): string | null {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return null;
  const stamp = `${stat.ino} ${stat.size} ${stat.mtimeMs} ${stat.ctimeMs}`;
  const known = made.get(path);
  if (known?.stamp === stamp) return known.file;
  const folder = join(dirname(temp), "sealed");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  count++;
  const file = join(folder, String(count));
  make(file, stat);
  made.set(path, { stamp, file });
  return file;
}

type Stat = { readonly size: number; readonly mtimeMs: number };

let count = 0;

/** Makes git compare size and time only: the placeholder has another inode. */
export const gitBySizeAndTime: Readonly<Record<string, string>> = {
  "core.checkStat": "minimal",
  "core.trustctime": "false",
};
