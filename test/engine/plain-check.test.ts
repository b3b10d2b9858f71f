// VF-2: what checks a project and is not on the list runs by itself in the sandbox, in the modes that run checks by themselves.
import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { VerificationResult } from "../../src/contract/verification.ts";
import { Bench, type Seat } from "../support/engine.ts";

const write = (path: string, content = "right\n") => ({ calls: [{ tool: "write", input: { path, content } }] });
const check = (input: object = {}) => ({ calls: [{ tool: "diagnostics", input }] });
const done = { text: "done" };
const makefile = "test:\n\t@echo run >> runs.log\n\t@! grep -l wrong *.c\n";
const runs = ({ workspace }: Bench): number =>
  existsSync(join(workspace, "runs.log"))
    ? readFileSync(join(workspace, "runs.log"), "utf8").split("\n").length - 1
    : 0;
const summaryOf = (seat: Seat) => seat.last("task.summarized").summary;
const verificationOf = (seat: Seat) =>
  (seat.last("tool.settled").result.data as { verification?: VerificationResult })?.verification;

describe("the plain form of a project's own tests", () => {
  for (const mode of ["auto-edit", "yolo"] as const) {
    test(`[VF-2] in ${mode} with a working sandbox it runs by itself, inside it, and nobody is asked`, async () => {
      await using bench = new Bench([write("one.c"), done]);
      bench.file("Makefile", makefile);
      const seat = bench.open({ mode });
      await seat.run("write it");
      const { run, decision } = seat.last("tool.decided");
      expect([decision, run?.confined, run?.network]).toEqual(["allow", true, false]);
      expect([summaryOf(seat).outcome, summaryOf(seat).exit_code, runs(bench)]).toEqual(["VERIFIED", 0, 1]);
    });

    test(`[VF-2] [VF-6] in ${mode} its failure makes the task FAILED`, async () => {
      await using bench = new Bench([write("one.c", "wrong\n"), done, { text: "it is fine" }]);
      bench.file("Makefile", makefile);
      const seat = bench.open({ mode });
      await seat.run("write it");
      expect([summaryOf(seat).outcome, summaryOf(seat).exit_code]).toEqual(["FAILED", 1]);
    });

    test(`[VF-2] [PO-8] in ${mode} with the sandbox switched off it is offered, and not run where nobody can be asked`, async () => {
      const config = { sandbox: { use: "off" } };
      for (const interactive of [true, false]) {
        await using bench = new Bench([write("one.c"), done]);
        bench.file("Makefile", makefile);
        const seat = bench.open({ mode }, { config, interactive });
        await seat.engine.runInput("write it");
        if (interactive) {
          await seat.until((one) => one.kind === "event" && one.state.run.phase === "awaiting_human");
          expect(seat.approval()?.shown).toBe('make test\npath: "."');
          seat.engine.answer(seat.approval()?.callId ?? "", { answer: "no", by: "person" });
        }
        await seat.engine.idle();
        expect([summaryOf(seat).outcome, runs(bench)]).toEqual(["UNVERIFIED", 0]);
      }
    });
  }

  test("[VF-2] every project that was changed is checked, beside those of the list", async () => {
    await using bench = new Bench([write("a/one.c"), write("b/one.c", "wrong\n"), done, { text: "it is fine" }]);
    for (const folder of ["a", "b"]) {
      mkdirSync(join(bench.workspace, folder));
      bench.file(`${folder}/Makefile`, makefile);
    }
    const seat = bench.open({ mode: "auto-edit" });
    await seat.run("write them");
    expect(seat.all("checks.chosen")[0]?.checks.map(({ cwd, isPlain }) => [cwd, isPlain])).toEqual([
      ["a", true],
      ["b", true],
    ]);
    expect(summaryOf(seat).outcome).toBe("FAILED");
  });

  test("[VF-2] a deny rule holds, and so does a no that the person gave when it was offered", async () => {
    await using bench = new Bench([
      [write("one.c"), done],
      [write("two.c"), done],
    ]);
    bench.file("Makefile", makefile);
    const asked = bench.open({ allow: ["write"] }, { interactive: true });
    await asked.engine.runInput("write it and run the tests");
    await asked.until((one) => one.kind === "event" && one.state.run.phase === "awaiting_human");
    asked.engine.answer(asked.approval()?.callId ?? "", { answer: "no", by: "person" });
    await asked.engine.idle();
    await asked.close();
    const later = bench.open({ mode: "auto-edit" });
    await later.run("write another");
    expect([summaryOf(later).outcome, runs(bench)]).toEqual(["UNVERIFIED", 0]);
  });
});

describe("diagnostics without a command", () => {
  test("[VF-2] [VF-3] finds what the final check would find: the plain form, in the folder of what was changed", async () => {
    await using bench = new Bench([write("a/one.c", "wrong\n"), check(), done, { text: "it is fine" }]);
    mkdirSync(join(bench.workspace, "a"));
    bench.file("a/Makefile", makefile);
    const seat = bench.open({ mode: "auto-edit" });
    await seat.run("write it");
    const [own, last] = seat.all("tool.settled").flatMap(({ result }) => {
      const found = (result.data as { verification?: VerificationResult })?.verification;
      return found ? [found] : [];
    });
    expect([own?.command, own?.type]).toEqual(["make test", "test_failure"]);
    expect([own?.fingerprint, own?.details]).toEqual([last?.fingerprint ?? "", last?.details ?? []]);
  });

  test("[VF-2] of several projects it finds the failures of all", async () => {
    await using bench = new Bench([write("a/one.c"), write("b/one.c", "wrong\n"), check(), done, done]);
    for (const folder of ["a", "b"]) {
      mkdirSync(join(bench.workspace, folder));
      bench.file(`${folder}/Makefile`, makefile);
    }
    const seat = bench.open({ mode: "auto-edit" });
    await seat.run("write them");
    const [, , own] = seat.all("tool.settled").map(({ result }) => result);
    expect([
      own?.status,
      (own?.data as { verifications: VerificationResult[] } | undefined)?.verifications.map(({ ok }) => ok),
    ]).toEqual(["failed", [true, false]]);
  });

  test("[VF-3] before anything was changed it looks at the project as a whole", async () => {
    await using bench = new Bench([check(), done]);
    bench.file("Makefile", makefile);
    const seat = bench.open({ mode: "auto-edit" });
    await seat.run("do the tests pass?");
    expect([verificationOf(seat)?.command, verificationOf(seat)?.ok]).toEqual(["make test", true]);
  });

  test("[VF-3] where nothing can be run it says why, and what to do", async () => {
    for (const [files, key, config] of [
      [{}, "verify.no_project", {}],
      [{ "package.json": "{}" }, "verify.no_test_script", {}],
      [{ "package.json": "{" }, "verify.bad_json", {}],
      [{ Makefile: makefile }, "verify.configured_refused", { workflow: { verify_commands: ["tox"] } }],
    ] as const) {
      await using bench = new Bench([check(), done]);
      for (const [name, content] of Object.entries(files)) bench.file(name, content);
      const seat = bench.open({ mode: "auto-edit" }, { config });
      await seat.run("do the tests pass?");
      const { status, error } = seat.last("tool.settled").result;
      expect([status, JSON.stringify(error).includes(`"${key}"`)]).toEqual(["denied", true]);
    }
  });
});
