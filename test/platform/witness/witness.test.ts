import { expect, test } from "bun:test";
import { readdirSync, readlinkSync } from "node:fs";
import { callWitness } from "../../../src/platform/witness/witness.ts";
import { until } from "../../support/until.ts";

const isWatch = (fd: string): boolean => {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`).includes("inotify");
  } catch {
    // The one by which they were listed.
    return false;
  }
};

test("[RB-2] witnesses of commands that end at the same time leave nothing open: a person has few of these", async () => {
  const open = readdirSync("/proc/self/fd").filter(isWatch).length;
  for (let times = 0; times < 20; times++) {
    const both = await Promise.all([callWitness(process.cwd(), true), callWitness(process.cwd(), true)]);
    await Promise.all(both.map((witness) => witness?.over()));
  }
  // One that has answered may still be about to close what it listened with.
  await until("nothing is watched", () => readdirSync("/proc/self/fd").filter(isWatch).length <= open);
  expect(readdirSync("/proc/self/fd").filter(isWatch)).toHaveLength(open);
});
