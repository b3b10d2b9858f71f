import { expect, test } from "bun:test";
import { forget, lookBefore } from "../../../src/platform/obeyed/watch.ts";
import { makeGround } from "../changes/ground.ts";

test("[PO-8] [PS-2] records of sessions are not held in memory to be put back; what coder obeys in its folder is", async () => {
  using ground = makeGround();
  for (const path of [
    ".coder/config.json",
    ".coder/sessions/s_1.json",
    ".coder/output/s_1_2.txt",
    ".coder/skills/a/SKILL.md",
  ])
    ground.put(path, "{}");
  const baseline = await lookBefore({ roots: [ground.root], never: [], allowed: [] });
  if (baseline === null) throw new Error("nothing is compared");
  const entries = baseline.seen.get(ground.root)?.entries ?? new Map();
  expect([...entries.keys()].toSorted()).toEqual([".coder", ".coder/config.json", ".coder/skills/a/SKILL.md"]);
  forget(baseline);
});
