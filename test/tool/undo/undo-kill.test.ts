import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { reconcile } from "../../../src/platform/files/change/reconcile.ts";
import { type Ground, makeGround, treeOf } from "../../platform/changes/ground.ts";
import { until } from "../../support/until.ts";
import { changesOf, intentFile } from "../undo-victim.ts";

let ground: Ground;
let notes: Ground;
beforeEach(() => {
  ground = makeGround();
  notes = makeGround();
});
afterEach(() => {
  ground[Symbol.dispose]();
  notes[Symbol.dispose]();
});

test("[RB-2] [PS-4] kill -9 in the middle of an undo or redo of 15 files leaves all or nothing, and nothing of ours", async () => {
  const seen = { applied: 0, untouched: 0 };
  const trees = new Map<string, string>();
  for (let round = 0; round < 12; round++) {
    const argv = [
      process.execPath,
      join(import.meta.dir, "..", "undo-victim.ts"),
      ground.root,
      notes.root,
      String(round),
    ];
    const child = Bun.spawn(argv, { stdout: "ignore", stderr: "inherit" });
    const file = intentFile(notes.root);
    const isPast = (): boolean => existsSync(file) && readFileSync(file, "utf8").startsWith(`${round} `);
    await until("the victim works", isPast);
    await Bun.sleep(1 + ((round * 37) % 23));
    child.kill("SIGKILL");
    await child.exited;
    const [, tag = "", redo = ""] = readFileSync(file, "utf8").split(" ");
    const changes = changesOf(ground.root, redo === "redo").map(({ change }) => change);
    const found = reconcile(changes, tag);
    if (found === "foreign") throw new Error("files of nobody");
    seen[found]++;
    const isUndone = (found === "applied") === (redo !== "redo");
    const [state, now] = [isUndone ? "undone" : "done", JSON.stringify(treeOf(ground.root))];
    expect(now).toBe(trees.get(state) ?? now);
    expect(now).not.toContain(".tmp");
    trees.set(state, now);
  }
  expect(seen.applied + seen.untouched).toBe(12);
  expect(new Set(trees.values()).size).toBe(trees.size);
}, 120_000);
