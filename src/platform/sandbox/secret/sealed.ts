// Stands in for a secret file: it is there, as big and as old as the real one, and cannot be opened. An empty file that can be
// read would be taken for the real one by whoever loads, copies or commits it.
import { chmodSync, closeSync, ftruncateSync, mkdirSync, openSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { smallText, withoutLogins } from "./key-text.ts";

const made = new Map<string, { readonly stamp: string; readonly file: string }>();

/** `temp`: beside it they are made. `null`: there is no such file any more. */
export function sealed(path: string, temp: string): string | null {
  return standIn(path, temp, (file, { size, mtimeMs }) => {
    const fd = openSync(file, "wx", 0o600);
    // Takes no room on the disk. Git takes a file of the same size and time for unchanged, and does not try to read it.
    ftruncateSync(fd, size);
    closeSync(fd);
    utimesSync(file, mtimeMs / 1000, mtimeMs / 1000);
    chmodSync(file, 0);
  });
}

/** The same for settings, of which everything but logins can be read. */
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

/** With which git compares size and time only: the stand-in has another place on the disk. */
export const gitBySizeAndTime: Readonly<Record<string, string>> = {
  "core.checkStat": "minimal",
  "core.trustctime": "false",
};
