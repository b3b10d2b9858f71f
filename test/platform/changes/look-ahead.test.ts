import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { lookAfter, lookAhead, lookBefore, openSight, type Sight } from "../../../src/platform/changes/look.ts";
import { type Ground, gitStart, makeGround, settled, told } from "./ground.ts";

let ground: Ground;
beforeEach(() => {
  ground = makeGround();
});
afterEach(() => ground[Symbol.dispose]());

describe("[RB-1] looking ahead", () => {
  const start = async (): Promise<Sight> => {
    ground.put("clean.txt", "clean\n");
    ground.put("dirty.txt", "1\n");
    ground.sh(gitStart);
    ground.put("dirty.txt", "22\n");
    ground.put("new.txt", "new\n");
    ground.sh(`ln -s new.txt link && ${settled} && git status > /dev/null && ${settled}`);
    const sight = openSight(ground.root);
    await lookAhead(sight, new AbortController().signal);
    return sight;
  };

  test("reads nothing, and the look before the command copies what it has to, also of what changed in between", async () => {
    const sight = await start();
    const contents = (sight.tree?.entries ?? []).map(({ name, content }) => [name, content?.kind ?? null]).sort();
    expect(contents).toEqual([
      ["clean.txt", "blob"],
      ["dirty.txt", null],
      ["link", null],
      ["new.txt", null],
    ]);
    ground.put("between.txt", "between\n");
    ground.put("new.txt", "newer\n");
    const before = await lookBefore(sight);
    ground.sh("for f in clean.txt dirty.txt new.txt between.txt; do echo x > $f; done; rm link");
    expect(told(await lookAfter(before))).toEqual({
      "between.txt": "644 between\n → 644 x\n",
      "clean.txt": "644 clean\n → 644 x\n",
      "dirty.txt": "644 22\n → 644 x\n",
      link: "120777 new.txt → nothing",
      "new.txt": "644 newer\n → 644 x\n",
    });
  });

  test("stops when it is not wanted any more, and the look that counts sees all the same", async () => {
    for (let at = 0; at < 3_000; at++) ground.put(`d${at % 300}/f${at}`, `${at}\n`);
    ground.sh(gitStart);
    const sight = openSight(ground.root);
    const stop = new AbortController();
    const ahead = lookAhead(sight, stop.signal);
    stop.abort();
    await ahead.catch((error: unknown) => expect(error).toBe(stop.signal.reason));
    const before = await lookBefore(sight);
    ground.sh("echo x > d7/f7");
    expect(told(await lookAfter(before))).toEqual({ "d7/f7": "644 7\n → 644 x\n" });
  });
});
