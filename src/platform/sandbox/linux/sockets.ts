// Where services listen on the disk. A read-only view does not keep anyone from talking to them.
import { readdirSync, readFileSync, readlinkSync, statSync } from "node:fs";
import { join } from "node:path";

/** There may be thousands, and commands come one after the other. */
const FRESH_MS = 1_000;
let known = { at: Number.NEGATIVE_INFINITY, paths: [] as readonly string[] };

export function socketPaths(): readonly string[] {
  const now = performance.now();
  if (now - known.at > FRESH_MS) known = { at: now, paths: readPaths() };
  return known.paths;
}

function readPaths(): readonly string[] {
  const names = [...readTable().matchAll(/^\S+: (?:\S+ +){6}([^@\n].*)$/gm)].map(([, name = ""]) => name);
  const { whole = [], partly = [] } = Object.groupBy(new Set(names), (name) => (name[0] === "/" ? "whole" : "partly"));
  return [...whole, ...(partly.length === 0 ? [] : placesOf(partly))];
}

/** Named as the service that listens saw it: from a folder that it stood in, where it mostly still stands. */
function placesOf(names: readonly string[]): readonly string[] {
  const folders = new Set(readdirSync("/proc").flatMap(folderOf));
  const places = [...folders].flatMap((folder) => names.map((name) => join(folder, name)));
  return places.filter(isSocket);
}

function isSocket(path: string): boolean {
  try {
    return statSync(path).isSocket();
  } catch {
    return false; // Not from this folder, or not open to us.
  }
}

function folderOf(process: string): readonly string[] {
  try {
    return /^\d/.test(process) ? [readlinkSync(`/proc/${process}/cwd`)] : [];
  } catch {
    return []; // It ended, or is another person's.
  }
}

function readTable(): string {
  try {
    return readFileSync("/proc/net/unix", "utf8");
  } catch {
    // A kernel without such sockets, or one that does not tell.
    return "";
  }
}
