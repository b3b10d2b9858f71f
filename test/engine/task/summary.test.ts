import { expect, test } from "bun:test";
import { sh } from "../../platform/changes/ground.ts";
import { Bench } from "../../support/engine.ts";

test("[RB-1] [SM-9] a change that undo cannot restore is named as a risk, in the summary's own words about undo", async () => {
  await using bench = new Bench([{ text: "done" }]);
  const { workspace } = bench;
  sh("git init -q && head -c 12000000 /dev/zero > big.bin && echo a > a.txt", workspace);
  const seat = bench.open({ mode: "auto-edit" });
  await Bun.write(`${workspace}/clean.sh`, "rm -f big.bin a.txt\n");
  await seat.engine.runInput("do it", { call: { tool: "bash", input: { command: "bash clean.sh" } } });
  await seat.engine.idle();
  const { summary } = seat.last("task.summarized");
  const named = summary.risks.find((risk) => risk.includes("big.bin")) ?? "";
  expect(named).toStartWith("/undo does not touch: big.bin");
  expect(named).not.toContain("a.txt");
  expect(summary.rollback).toContain(named);
  expect(summary.changed_files).toEqual([{ path: "a.txt", change: "delete" }]);
});
