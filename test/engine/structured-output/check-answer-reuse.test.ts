// A check is not run again while no file has changed since its last result.
import { expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { VerificationResult } from "../../../src/contract/verification.ts";
import { Bench, type Seat } from "../../support/engine.ts";
import { commitAll } from "../../support/repository.ts";
import { untilFile } from "../../support/shell.ts";

const write = (path: string, content = "right\n") => ({ calls: [{ tool: "write", input: { path, content } }] });
const bash = (command: string) => ({ calls: [{ tool: "bash", input: { command } }] });
const check = (input: object = {}) => ({ calls: [{ tool: "diagnostics", input }] });
const done = { text: "done" };

/** Counts its own runs, in a file that it writes. */
const makefile = "test:\n\t@echo run >> runs.log\n\t@! grep -l wrong *.c\n";
const runs = ({ workspace }: Bench): number =>
  existsSync(join(workspace, "runs.log"))
    ? readFileSync(join(workspace, "runs.log"), "utf8").split("\n").length - 1
    : 0;
const summaryOf = (seat: Seat) => seat.last("task.summarized").summary;
const found = (seat: Seat) =>
  seat.all("tool.settled").flatMap(({ result }) => {
    const one = (result.data as { verification?: VerificationResult } | undefined)?.verification;
    return one ? [one] : [];
  });

async function ran(steps: readonly object[], prepare: (bench: Bench) => void = () => {}, mode = "auto-edit") {
  const bench = new Bench(steps as never);
  bench.file("Makefile", makefile);
  prepare(bench);
  const seat = bench.open({ mode: mode as never });
  await seat.run("write it");
  return { bench, seat };
}

test("[VF-5] the final check takes the result of the model's own, where no file changed since, and says so", async () => {
  const { bench, seat } = await ran([write("one.c"), check(), done]);
  await using _ = bench;
  expect([runs(bench), summaryOf(seat).outcome, found(seat).map(({ reused }) => reused)]).toEqual([
    1,
    "VERIFIED",
    [undefined, true],
  ]);
  const { result } = seat.last("check.judged");
  expect(result.summary).toContain("no file has changed since");
  expect(JSON.stringify(summaryOf(seat))).toContain("no file has changed since");
});

test("[VF-5] a repair that changes nothing is answered with the failure that is known", async () => {
  const { bench, seat } = await ran([write("one.c", "wrong\n"), done, { text: "it is fine" }]);
  await using _ = bench;
  expect([runs(bench), summaryOf(seat).outcome, seat.all("check.judged").length]).toEqual([1, "FAILED", 2]);
  const [first, second] = seat.all("check.judged").map(({ result }) => result);
  expect([second?.reused, second?.fingerprint, second?.details]).toEqual([
    true,
    first?.fingerprint ?? "",
    first?.details ?? [],
  ]);
});

test("[VF-5] what only reads in between changes nothing; the same holds in a repository", async () => {
  for (const prepare of [() => {}, ({ workspace }: Bench) => commitAll(workspace)]) {
    const { bench, seat } = await ran([write("one.c"), check(), bash("cat one.c"), check(), done], prepare);
    await using _ = bench;
    expect([runs(bench), summaryOf(seat).outcome]).toEqual([1, "VERIFIED"]);
  }
});

test("[VF-5] a file that was changed by a tool, a command or somebody else makes it run again", async () => {
  for (const step of [write("two.c"), bash("echo right > three.c"), bash("true | tee ignored/x")]) {
    const prepare = (bench: Bench) => {
      mkdirSync(join(bench.workspace, "ignored"));
      bench.file(".gitignore", "ignored/\n");
      commitAll(bench.workspace);
    };
    const { bench, seat } = await ran([write("one.c"), check(), step, done], prepare, "yolo");
    await using _ = bench;
    expect([runs(bench), found(seat).map(({ reused }) => reused)]).toEqual([2, [undefined, undefined]]);
  }
  await using bench = new Bench([write("one.c"), check(), done]);
  bench.file("Makefile", makefile);
  const seat = bench.open({ mode: "auto-edit" });
  const off = seat.engine.subscribe((one) => {
    if (one.kind !== "event" || one.recorded.event.type !== "tool.settled" || runs(bench) === 0) return;
    writeFileSync(join(bench.workspace, "mine.c"), "wrong\n");
    off();
  });
  await seat.run("write it");
  expect([runs(bench) > 1, summaryOf(seat).outcome]).toEqual([true, "FAILED"]);
});

const ignoring = (bench: Bench): void => {
  mkdirSync(join(bench.workspace, "gen"));
  bench.file(".gitignore", "gen/\nruns.log\n");
  bench.file("Makefile", makefile.replace("*.c", "*.c gen/*"));
  bench.file("gen/a.c", "right\n");
  commitAll(bench.workspace);
};

test("[VF-5] [VF-7] a file that git ignores, written after the check that passed, makes it run again", async () => {
  const steps = [write("one.c"), check(), { calls: [{ tool: "read", input: { path: "gen/a.c" } }] }];
  const { bench, seat } = await ran([...steps, write("gen/a.c", "wrong\n"), done, done], ignoring);
  await using _ = bench;
  expect([runs(bench) > 1, summaryOf(seat).outcome]).toEqual([true, "FAILED"]);
});

test("[VF-5] [VF-7] while a job runs in the background, and after it, no result is taken again", async () => {
  const job = `${untilFile("gen/go")}; echo wrong > gen/a.c`;
  const background = { calls: [{ tool: "bash", input: { command: job, background: true } }] };
  const wait = { calls: [{ tool: "job", input: { id: "j1", action: "output", wait_s: 600 } }] };
  const over = [bash("true > gen/go"), wait, done, done];
  const { bench, seat } = await ran([write("one.c"), background, check(), check(), ...over], ignoring, "yolo");
  await using _ = bench;
  const [first, second, last] = found(seat).map(({ ok, reused }) => [ok, reused]);
  expect([first, second, last]).toEqual([
    [true, undefined],
    [true, undefined],
    [false, undefined],
  ]);
  expect(summaryOf(seat).outcome).toBe("FAILED");
});

test("[VF-5] another command, another folder and another task are other checks, and what the person types always runs", async () => {
  await using bench = new Bench([
    [write("one.c"), check(), done],
    [check(), done],
  ]);
  bench.file("Makefile", makefile);
  const seat = bench.open({ mode: "auto-edit" });
  await seat.run("write it");
  await seat.run("do the tests pass?");
  expect(runs(bench)).toBe(2);
  await seat.run("/verify");
  await seat.run("/verify");
  expect(runs(bench)).toBe(4);
});

test("[VF-4] a result that says nothing about the code is not taken again", async () => {
  const { bench, seat } = await ran([write("a.js"), check(), done], (one) => {
    one.file("package.json", JSON.stringify({ scripts: { test: "echo run >> runs.log; nosuchrunner" } }));
  });
  await using _ = bench;
  expect([runs(bench), summaryOf(seat).outcome]).toEqual([2, "UNVERIFIED"]);
});

test("[VF-5] of several projects each result is taken where nothing was written since", async () => {
  await using bench = new Bench([write("a/one.c"), write("b/one.c"), check(), done]);
  for (const folder of ["a", "b"]) {
    mkdirSync(join(bench.workspace, folder));
    bench.file(`${folder}/Makefile`, "test:\n\t@! grep -l wrong *.c\n");
  }
  const seat = bench.open({ mode: "auto-edit" });
  await seat.run("write them");
  expect(seat.all("check.judged").map(({ result }) => result.reused)).toEqual([true, true]);
});
