import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync } from "node:fs";
import type { VerificationResult } from "../../../src/contract/verification.ts";
import { Bench, type Seat } from "../../support/engine.ts";
import { commitAll } from "../../support/repository.ts";

/** Stands in for a runner that is on everybody's PATH: node's own, by way of a listed command of the person. */
const listed = { workflow: { verify_allowed: ["node --test"] } };
const failing = 'require("node:test")("adds", () => require("node:assert").equal(1, 2));\n';
const passing = 'require("node:test")("adds", () => {});\n';

function resultOf(seat: Seat): VerificationResult {
  return (seat.last("tool.settled").result.data as { verification: VerificationResult }).verification;
}

describe("/verify", () => {
  test("[VF-4] [TP-8] a listed command runs as a recorded call in default mode, and its failures have file and line", async () => {
    await using bench = new Bench([]);
    bench.file("a.test.js", failing);
    const seat = bench.open({}, { config: listed });
    expect(await seat.run("/verify node --test")).toMatchObject({ kind: "admitted" });
    expect(seat.last("tool.decided")).toMatchObject({ decision: "allow", source: "verification list" });
    expect(resultOf(seat)).toMatchObject({
      ok: false,
      type: "test_failure",
      command: "node --test",
      exit_code: 1,
      details: [{ file: "a.test.js", line: 1, test: "adds" }],
    });
    bench.file("a.test.js", passing);
    await seat.run("/verify node --test");
    expect(resultOf(seat)).toMatchObject({ ok: true, type: "pass", counts: { passed: 1, failed: 0 } });
  });

  test("[VF-2] [TP-8] a command that the person types runs through the policy, whether or not it is on the list", async () => {
    for (const [mode, answer, status] of [
      ["default", "yes", "done"],
      ["default", "no", "denied"],
      ["yolo", null, "done"],
      ["plan", null, "denied"],
    ] as const) {
      await using bench = new Bench([]);
      const seat = bench.open({ mode }, { interactive: true });
      await seat.engine.runInput("/verify touch x");
      if (answer !== null) {
        await seat.until((one) => one.kind === "event" && one.state.run.phase === "awaiting_human");
        seat.engine.answer(seat.approval()?.callId ?? "", { answer, by: "person" });
      }
      await seat.engine.idle();
      expect([mode, seat.last("tool.settled").result.status]).toEqual([mode, status]);
      expect(existsSync(`${bench.workspace}/x`)).toBe(status === "done");
      if (status === "done") expect(resultOf(seat)).toMatchObject({ ok: true, command: "touch x", exit_code: 0 });
    }
  });

  test("[VF-2] [SU-2] where nobody can be asked, what is typed and not allowed is refused with the reason", async () => {
    await using bench = new Bench([]);
    const seat = bench.open({ deny: ["bash(rm *)"] });
    for (const typed of ["touch x", "rm -rf ."]) await seat.run(`/verify ${typed}`);
    const [asked, denied] = seat.all("tool.decided");
    expect([asked?.decision, asked?.reasons[0]?.key]).toEqual(["deny", "policy.why.exec"]);
    expect([denied?.decision, denied?.reasons[0]?.key]).toEqual(["deny", "permission.why.deny_part"]);
    expect(existsSync(bench.workspace)).toBe(true);
  });

  test("[VF-3] [VF-2] a script whose runner takes no --watch=false is offered, not run", async () => {
    await using bench = new Bench([]);
    bench.file("package.json", '{"scripts": {"test": "node --test"}}');
    bench.file("package-lock.json", "{}");
    const shown = await bench.open().run("/verify");
    expect(shown).toMatchObject({ kind: "command", result: { ok: true, data: { type: "environment" } } });
    expect(JSON.stringify(shown)).toContain("verify_allowed");
    expect(JSON.stringify(shown)).toContain("npm test could verify this project.");
  });

  test("[VF-3] chosen by what this session changed, else by what git calls changed, else by the workspace", async () => {
    const write = { calls: [{ tool: "write", input: { path: "go/x.go", content: "package x\n" } }] };
    await using bench = new Bench([write, { text: "done" }]);
    for (const name of ["go", "rust"]) mkdirSync(`${bench.workspace}/${name}`);
    bench.file("go/go.mod", "module x\n");
    bench.file("rust/Cargo.toml", "");
    bench.file("rust/lib.rs", "");
    const seat = bench.open({ mode: "auto-edit" }, { config: { workflow: { auto_verify_after_edit: false } } });
    const commands = async () => {
      const now = await seat.engine.checksNow(null);
      return now.kind === "run" ? now.checks.map(({ command, cwd }) => [command, cwd]) : now.why.key;
    };
    const both = [
      ["go test ./...", "go"],
      ["cargo test", "rust"],
    ];
    expect(await commands()).toEqual(both);
    commitAll(bench.workspace);
    expect(await commands()).toEqual(both);
    bench.file("rust/lib.rs", "// changed\n");
    expect(await commands()).toEqual([["cargo test", "rust"]]);
    await seat.run("go");
    expect(await commands()).toEqual([["go test ./...", "go"]]);
  });

  test("[VF-3] in a project without tests it says why nothing is run", async () => {
    await using bench = new Bench([]);
    const shown = await bench.open().run("/verify");
    expect(shown).toMatchObject({
      kind: "command",
      result: { data: { ok: false, type: "environment", exit_code: null } },
    });
    expect(JSON.stringify(shown)).toContain("automatic verification not run");
  });

  test("[VF-2] plan mode does not run it: being listed answers a question, not a no", async () => {
    await using bench = new Bench([]);
    const seat = bench.open({ mode: "plan" }, { config: listed });
    await seat.run("/verify node --test");
    expect(seat.last("tool.settled").result.status).toBe("denied");
  });
});
