import { expect, test } from "bun:test";
import { mkdirSync, realpathSync, truncateSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Losses } from "../../../src/platform/changes/lost.ts";
import { inTempFolder } from "../../support/shell.ts";

async function lostIn(
  files: readonly string[],
  asked: readonly string[],
  isRepository = true,
): Promise<readonly string[]> {
  let lost: readonly string[] = [];
  await inTempFolder(async (given) => {
    const folder = realpathSync(given);
    for (const path of files) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), path);
    }
    if (isRepository) {
      writeFileSync(join(folder, ".gitignore"), "dist/\nnode_modules/\n*.db\n/local\n");
      for (const argv of [
        ["init", "-q"],
        ["add", "-A"],
        ["add", "-f", "known.db"].filter((one) => files.includes("known.db") || one !== "known.db"),
      ])
        Bun.spawnSync(["git", ...argv], { cwd: folder });
    }
    if (files.includes("huge.bin")) truncateSync(join(folder, "huge.bin"), 11 * 2 ** 20);
    lost = asked.map((path) => new Losses([folder]).with(join(folder, path))?.slice(folder.length + 1) ?? "nothing");
  });
  return lost;
}

test("[PO-1] [RB-1] what git ignores and no build makes again is lost; what is watched is not", async () => {
  const files = [
    "src/a.ts",
    "new.txt",
    "data/x.db",
    "known.db",
    "top.db",
    "local/notes.txt",
    "dist/a.js",
    "a/dist/b.js",
    "node_modules/p/i.js",
  ];
  const asked = [
    ...["src", "new.txt", "data", "data/x.db", "known.db", "local", "dist", "a", "node_modules", "gone"],
    ...["dist/a.js", "top.db"],
  ];
  expect(await lostIn(files, asked)).toEqual([
    ...["nothing", "nothing", "data/x.db", "data/x.db", "nothing", "local/notes.txt", "nothing", "nothing"],
    ...["node_modules/p/i.js", "nothing", "nothing", "top.db"],
  ]);
});

test("[PO-1] [RB-1] a file beyond what is kept is lost, wherever it lies", async () => {
  expect(await lostIn(["huge.bin", "small.bin"], ["huge.bin", "small.bin", "."])).toEqual([
    "huge.bin",
    "nothing",
    "huge.bin",
  ]);
});

test("[PO-1] [RB-1] without a repository only packages and what is too big are lost", async () => {
  const files = ["a.db", "node_modules/p/i.js", "src/b.ts"];
  expect(await lostIn(files, ["a.db", "node_modules", "src"], false)).toEqual([
    "nothing",
    "node_modules/p/i.js",
    "nothing",
  ]);
});

test("[PO-1] [RB-1] what is more than all copies together may be is lost, though each of its files is small", async () => {
  await inTempFolder(async (given) => {
    const folder = realpathSync(given);
    mkdirSync(join(folder, "data"));
    const files = Array.from({ length: 33 }, (_, at) => join(folder, "data", `${at}.bin`));
    for (const path of files) {
      writeFileSync(path, "");
      truncateSync(path, 8 * 2 ** 20);
    }
    expect(new Losses([folder]).with(join(folder, "data"))).toStartWith(join(folder, "data/"));
    const each = new Losses([folder]);
    expect(files.map((path) => each.with(path)).filter((lost) => lost !== null).length).toBe(1);
    expect(new Losses([folder]).with(files[0] ?? "")).toBeNull();
  });
});
