import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { isClean } from "../../../src/platform/changes/content.ts";
import { type Stamp, stampAt } from "../../../src/platform/changes/file-stat.ts";
import { lookAfter, lookAhead, lookBefore, openSight } from "../../../src/platform/changes/look.ts";
import { type Ground, gitStart, makeGround, seen, settled, told } from "./ground.ts";

let ground: Ground;
beforeEach(() => {
  ground = makeGround();
});
afterEach(() => ground[Symbol.dispose]());

const longAgo = 1;
const inThreeYears = Date.now() / 1_000 + 1e8;

function stampOf(name: string): Stamp {
  const stamp = stampAt(ground.path(name));
  if (stamp === null) throw new Error(`${name} is not there`);
  return stamp;
}

/** Rewrites a file that git has just read, as within the same tick of a clock that ticks rarely: git's index has its present times. */
function putUnseen(name: string, content: string, mtime: number | null): Stamp {
  ground.put(name, content);
  if (mtime !== null) utimesSync(ground.path(name), mtime, mtime);
  const stamp = stampOf(name);
  const index = readFileSync(ground.path(".git/index"));
  for (const [at, number] of [stamp.ctime, stamp.ctimeNs, stamp.mtime, stamp.mtimeNs].entries())
    index.writeUInt32BE(number, 12 + 4 * at);
  writeFileSync(ground.path(".git/index"), index);
  return stamp;
}

function writeIndexAt({ ctime, ctimeNs }: Stamp, laterMs: number): void {
  const seconds = ctime + ctimeNs / 1e9 + laterMs / 1e3;
  utimesSync(ground.path(".git/index"), seconds, seconds);
}

describe("[RB-1] a file that was rewritten to the same size while git read it is copied beforehand", () => {
  test("though git wrote its index a tick later", async () => {
    ground.put("a.txt", "old\n");
    ground.sh("git init -q && git add -A");
    writeIndexAt(putUnseen("a.txt", "new\n", null), 5);
    ground.sh(settled);
    expect(told(await seen(ground, () => rmSync(ground.path("a.txt"))))).toEqual({ "a.txt": "644 new\n → nothing" });
  });

  test("though it got its old time again", async () => {
    ground.put("a.txt", "old\n");
    utimesSync(ground.path("a.txt"), longAgo, longAgo);
    ground.sh("git init -q && git add -A");
    writeIndexAt(putUnseen("a.txt", "new\n", longAgo), 0);
    ground.sh(settled);
    expect(told(await seen(ground, () => rmSync(ground.path("a.txt"))))).toEqual({ "a.txt": "644 new\n → nothing" });
  });

  test("though somebody set the time of the index", () => {
    ground.put("a.txt", "a\n");
    const stamp = stampOf("a.txt");
    const known = { ...stamp, oid: "0".repeat(40), isPlain: true, isAbsent: false };
    const isCleanBy = (indexStamp: Stamp): boolean => isClean(known, stamp, { indexStamp } as never, false);
    expect(isCleanBy({ ...stamp, mtime: stamp.mtime + 100 })).toBe(false);
    expect(isCleanBy({ ...stamp, mtime: stamp.mtime + 100, ctime: stamp.ctime + 100 })).toBe(true);
  });
});

describe("[RB-1] a file that is rewritten to the same size and gets its old time again is found", () => {
  for (const [when, mtime] of [
    ["long ago", longAgo],
    ["now", null],
    ["in the future", inThreeYears],
  ] as const)
    for (const how of ["in a repository", "in a repository, looked ahead", "without a repository"] as const)
      test(`${how}, its time being ${when}`, async () => {
        const put = (content: string): void => {
          ground.put("a.txt", content);
          const time = mtime ?? now;
          utimesSync(ground.path("a.txt"), time, time);
        };
        const now = stampOf(".").mtime;
        put("1");
        ground.sh(`${how === "without a repository" ? "true" : gitStart} && ${settled}`);
        const sight = openSight(ground.root);
        if (how.endsWith("ahead")) await lookAhead(sight, new AbortController().signal);
        for (let round = 1; round < 5; round++) {
          const before = await lookBefore(sight);
          put(String(round + 1));
          expect(told(await lookAfter(before))).toEqual({ "a.txt": `644 ${round} → 644 ${round + 1}` });
        }
      });
});
