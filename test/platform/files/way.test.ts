import { expect, test } from "bun:test";
import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { wayTo } from "../../../src/platform/files/way.ts";
import { inTempFolder } from "../../support/shell.ts";

test("[SA-symlink-out] a way names each link on it and ends where the system says, and a circle has no end", async () => {
  await inTempFolder(async (given) => {
    const root = realpathSync(given);
    mkdirSync(join(root, "a/b"), { recursive: true });
    writeFileSync(join(root, "a/b/file"), "");
    const links = { one: "a", two: "one/b", far: join(root, "two"), up: "a/../a", round: "round", "a/in": "../a/b" };
    for (const [path, target] of Object.entries(links)) symlinkSync(target, join(root, path));
    for (const path of ["a/b/file", "one/b/file", "two/file", "far/file", "up/b/file", "a/in/file", "one"]) {
      const way = wayTo(join(root, path));
      expect([path, way?.real]).toEqual([path, realpathSync(join(root, path))]);
      expect(way?.links.every(({ path: at, target }) => links[at.slice(root.length + 1) as "one"] === target)).toBe(
        true,
      );
    }
    expect(wayTo(join(root, "two/file"))?.links.map(({ path }) => path.slice(root.length + 1))).toEqual(["two", "one"]);
    expect(wayTo(join(root, "round"))).toBeNull();
    expect(wayTo(join(root, "missing/x"))).toEqual({ real: join(root, "missing/x"), links: [] });
  });
});
