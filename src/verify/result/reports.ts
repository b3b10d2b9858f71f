import { closeSync, constants, fstatSync, openSync } from "node:fs";
import { orElse } from "../../platform/files/failure.ts";
import { readAll } from "../../platform/files/open.ts";
import { filesBelow } from "../detect/workspace.ts";

const places: readonly (readonly [command: RegExp, reports: RegExp])[] = [
  [/^mvnw? |^\.\/mvnw /, /\/target\/surefire-reports\/[^/]+\.xml$/],
  [/^(?:\.\/gradlew|gradle) /, /\/build\/test-results\/[^/]+\/[^/]+\.xml$/],
];

/** A class's report takes about 10 KB; a larger build is read from its text output. */
const maxFiles = 5000;
const maxBytes = 64 * 2 ** 20;
const walk = {
  maxEntries: 100_000,
  maxDepth: 10,
  enters: (name: string) => !name.startsWith(".") && !notEntered.has(name),
};
const notEntered = new Set(["node_modules", "src", "classes", "test-classes"]);

/** The reports written since `since`, by the wall clock. All or none: a part of them would give wrong counts. */
export function reportsOf(command: string, cwd: string, since: number): readonly string[] {
  const place = places.find(([fits]) => fits.test(command))?.[1];
  if (place === undefined) return [];
  const texts: string[] = [];
  let left = maxBytes;
  let isCut = false;
  const onCut = () => {
    isCut = true;
  };
  for (const path of filesBelow(cwd, { ...walk, onCut })) {
    if (!place.test(path)) continue;
    const text = readReport(path, since, left);
    if (text === null) continue;
    left -= text.length;
    if (text === "" || left < 0 || texts.length >= maxFiles) return [];
    texts.push(text);
  }
  return isCut ? [] : texts;
}

/** `null`: from another run, or gone. "": empty, or larger than `max`. */
function readReport(path: string, since: number, max: number): string | null {
  return orElse(() => {
    const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
    try {
      const stat = fstatSync(fd);
      if (!stat.isFile() || stat.mtimeMs < earliest(since, stat.mtimeMs)) return null;
      return stat.size > max ? "" : readAll(fd, stat.size).toString("utf8");
    } finally {
      closeSync(fd);
    }
  }, null);
}

/** Kernel file times lag behind the clock by up to 10 ms; some file systems store whole seconds. */
function earliest(since: number, mtime: number): number {
  return Number.isInteger(mtime / 1000) ? Math.floor(since / 1000) * 1000 : since - 20;
}
