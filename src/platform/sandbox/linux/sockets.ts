// Unix sockets on the disk. A read-only mount does not prevent connecting to them.
import { readdirSync, readlinkSync, statSync } from "node:fs";
import { join } from "node:path";
import { orNull, readText } from "../../files/probe.ts";

/** There may be thousands, and commands follow each other quickly. */
const FRESH_MS = 1_000;
let known = { at: Number.NEGATIVE_INFINITY, paths: [] as readonly string[] };

export function socketPaths(): readonly string[] {
  const now = performance.now();
  if (now - known.at > FRESH_MS) known = { at: now, paths: readPaths() };
  return known.paths;
}

function readPaths(): readonly string[] {
  const names = [...readText("/proc/net/unix").matchAll(/^\S+: (?:\S+ +){6}([^@\n].*)$/gm)].map(
    ([, name = ""]) => name,
  );
  const { whole = [], partly = [] } = Object.groupBy(new Set(names), (name) => (name[0] === "/" ? "whole" : "partly"));
  return [...whole, ...(partly.length === 0 ? [] : placesOf(partly))];
}

/** Relative names are resolved against the working directories of running processes, where the listening service usually still is. */
function placesOf(names: readonly string[]): readonly string[] {
  const folders = new Set(readdirSync("/proc").flatMap(folderOf));
  const places = [...folders].flatMap((folder) => names.map((name) => join(folder, name)));
  return places.filter((path) => orNull(() => statSync(path).isSocket()));
}

function folderOf(process: string): readonly string[] {
  return /^\d/.test(process) ? [orNull(() => readlinkSync(`/proc/${process}/cwd`)) ?? []].flat() : [];
}
