// RB-1: what checks write is watched like what commands write.
import { expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Bench, type Seat } from "../../support/engine.ts";
import { commitAll } from "../../support/repository.ts";

const write = (path: string, content = "right\n") => ({ calls: [{ tool: "write", input: { path, content } }] });
const look = { calls: [{ tool: "diagnostics", input: {} }] };
const done = { text: "done" };
/** Leaves a report, changes a file, and takes one away. */
const makefile =
  "test:\n\t@echo report > report.xml\n\t@echo more >> kept.txt\n\t@rm -f gone.txt\n\t@! grep -l wrong *.c\n";

function fill(bench: Bench, isRepository: boolean): void {
  bench.file("Makefile", makefile);
  bench.file("kept.txt", "mine\n");
  bench.file("gone.txt", "mine too\n");
  if (isRepository) commitAll(bench.workspace);
}

const names = ({ workspace }: Bench) =>
  readdirSync(workspace)
    .filter((name) => !name.startsWith("."))
    .sort();
const isAsBefore = (bench: Bench): boolean =>
  names(bench).join() === "Makefile,gone.txt,kept.txt" &&
  readFileSync(join(bench.workspace, "kept.txt"), "utf8") === "mine\n";
const changed = (seat: Seat) =>
  seat.all("tool.settled").flatMap(({ result }) => result.changes?.map(({ path }) => path) ?? []);

for (const isRepository of [true, false]) {
  const where = isRepository ? "in a repository" : "without one";
  test(`[RB-1] ${where}, undo takes back what the final check wrote together with the task`, async () => {
    await using bench = new Bench([write("one.c"), done]);
    fill(bench, isRepository);
    const seat = bench.open({ mode: "auto-edit" });
    await seat.run("write it");
    expect([existsSync(join(bench.workspace, "report.xml")), changed(seat).sort()]).toEqual([
      true,
      ["gone.txt", "kept.txt", "one.c", "report.xml"],
    ]);
    await seat.run("/undo");
    expect([names(bench), isAsBefore(bench)]).toEqual([["Makefile", "gone.txt", "kept.txt"], true]);
  });

  test(`[RB-1] ${where}, the same for a check of the model's own and for /verify`, async () => {
    await using bench = new Bench([look, done]);
    fill(bench, isRepository);
    const seat = bench.open({ mode: "auto-edit" });
    for (const text of ["do the tests pass?", "/verify"]) {
      await seat.run(text);
      expect([text, isAsBefore(bench)]).toEqual([text, false]);
      await seat.run("/undo");
      expect([text, names(bench), isAsBefore(bench)]).toEqual([text, ["Makefile", "gone.txt", "kept.txt"], true]);
    }
  });
}

test("[RB-1] what a check wrote and cannot be taken back is named", async () => {
  await using bench = new Bench([write("one.c"), done]);
  bench.file("Makefile", "test:\n\t@head -c 12000000 /dev/zero > big.bin\n\t@! grep -l wrong *.c\n");
  bench.file("big.bin", "x".repeat(11 * 2 ** 20));
  const seat = bench.open({ mode: "auto-edit" });
  await seat.run("write it");
  const { unkept = [] } = seat.last("tool.settled").result;
  expect(unkept).toEqual([{ path: "big.bin", why: "too_large" }]);
  await seat.run("/undo");
  expect(seat.last("tool.settled").result.output).toContain("big.bin");
});

test("[VF-1] what only a check has written is no change of the task's that has to be checked", async () => {
  await using bench = new Bench([look, done]);
  fill(bench, true);
  const seat = bench.open({ mode: "auto-edit" });
  await seat.run("do the tests pass?");
  expect(seat.all("checks.chosen")).toEqual([]);
});
