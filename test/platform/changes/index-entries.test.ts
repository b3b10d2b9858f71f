import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { type Index, readIndex } from "../../../src/platform/changes/index-entries.ts";
import { type Ground, gitStart, makeGround } from "./ground.ts";

let ground: Ground;
beforeEach(() => {
  ground = makeGround();
});
afterEach(() => ground[Symbol.dispose]());

function git(...argv: string[]): string {
  const { stdout } = Bun.spawnSync(["git", "-C", ground.root, ...argv]);
  return stdout.toString("latin1");
}

function index(): Index | null {
  return readIndex(readFileSync(ground.path(".git/index")), 20);
}

/** As git lists it: the path, each byte as one character, and the content. */
function listed(): Map<string, string> {
  const rows = git("ls-files", "-s", "-z").split("\0").slice(0, -1);
  return new Map(rows.map((row) => [row.slice(row.indexOf("\t") + 1), row.split(" ")[1] ?? ""]));
}

describe("[RB-1] git's index", () => {
  test("of every version has the paths that git lists, each with its content, and no other", () => {
    for (let at = 0; at < 2_000; at++) {
      const folder = ["a", "b/c", "b/c/deep er", "ä/日本"][at % 4];
      ground.put(`${folder}/${"long".repeat(at % 7)}${at}.ts`, `${at % 300}\n`);
    }
    writeFileSync(Buffer.from(`${ground.root}/b/\xff\xfe name`, "latin1"), "odd\n");
    ground.sh(gitStart);
    for (const version of ["2", "3", "4"]) {
      // A flag of the third form, so that it is not written as the second.
      ground.sh(`git update-index --index-version ${version} && git update-index --skip-worktree a/0.ts`);
      const [found, wanted] = [index(), listed()];
      expect([...(found?.paths() ?? [])]).toEqual([...wanted.keys()]);
      const contents = [...wanted].map(([path]) => [path, found?.get(path)?.oid] as const);
      expect(new Map(contents)).toEqual(wanted as Map<string, string | undefined>);
      for (const path of ["", "a", "a/", "a/0.t", "a/0.tsx", "b/c/", "ä/日本/3.ts", "x".repeat(5_000)])
        expect([path, found?.has(path)]).toEqual([path, false]);
      ground.sh("git update-index --no-skip-worktree a/0.ts");
    }
  });

  test("names once what a merge left in several versions", () => {
    ground.put("a.txt", "one\n");
    ground.put("b.txt", "same\n");
    ground.sh(gitStart);
    const commit = "git -c user.name=a -c user.email=a@b commit -qam";
    ground.sh(`git checkout -qb other && echo two > a.txt && ${commit} two && git checkout -q - && echo 3 > a.txt`);
    ground.sh(`${commit} three && ! git -c user.name=a -c user.email=a@b merge -q other >/dev/null`);
    const found = index();
    expect([...(found?.paths() ?? [])]).toEqual(["a.txt", "b.txt"]);
    expect([found?.unmerged, found?.get("a.txt")?.isPlain, found?.get("b.txt")?.isPlain]).toEqual([
      ...[["a.txt"], false, true],
    ]);
  });

  test("that is cut off is all there or not understood, and one that says it holds more than it can is not", () => {
    for (const name of ["a", "b", "c"]) ground.put(name, name);
    ground.sh(gitStart);
    const bytes = readFileSync(ground.path(".git/index"));
    // Parts that may be missing follow the entries.
    for (let size = 0; size < bytes.length; size++) {
      const paths = [...(readIndex(bytes.subarray(0, size), 20)?.paths() ?? ["a", "b", "c"])];
      expect([size, paths]).toEqual([size, ["a", "b", "c"]]);
    }
    bytes.writeUInt32BE(0xffffffff, 8);
    expect(readIndex(bytes, 20)).toBeNull();
  });
});
