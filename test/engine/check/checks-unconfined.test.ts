// PO-8: without a sandbox, code that the model has written runs only after a yes.
import { describe, expect, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { say } from "../../../src/contract/text/catalogue.ts";
import { Bench, type Seat } from "../../support/engine.ts";

const command = "node --test";
const workflow = { verify_commands: [command], verify_allowed: [command] };
const off = { workflow, sandbox: { use: "off" } };
/** Whoever runs it leaves a mark. */
const planted = { path: "a.test.js", content: 'require("node:fs").writeFileSync("ran", "");\n' };
const write = { calls: [{ tool: "write", input: planted }] };
const check = { calls: [{ tool: "diagnostics", input: { command } }] };
const done = { text: "done" };

const hasRun = (bench: Bench): boolean => existsSync(join(bench.workspace, "ran"));
const summaryOf = (seat: Seat) => seat.last("task.summarized").summary;
const asked = (seat: Seat) => seat.until((one) => one.kind === "event" && one.state.run.phase === "awaiting_human");

describe("with the sandbox switched off, in auto-edit", () => {
  test("[PO-8] [VF-1] the automatic check does not run what the task wrote, and the task ends UNVERIFIED with the reason", async () => {
    await using bench = new Bench([write, done]);
    const seat = bench.open({ mode: "auto-edit" }, { config: off });
    await seat.run("write a test");
    const { outcome, verification, exit_code } = summaryOf(seat);
    expect([outcome, verification.status, exit_code, hasRun(bench)]).toEqual(["UNVERIFIED", "none", 3, false]);
    expect(verification.reason).toContain("the sandbox is switched off");
    expect(seat.last("tool.decided")).toMatchObject({ decision: "deny" });
  });

  test("[PO-8] [VF-1] a person is asked, and their answer decides; always is not offered", async () => {
    for (const answer of ["yes", "no"] as const) {
      await using bench = new Bench([write, done]);
      const seat = bench.open({ mode: "auto-edit" }, { config: off, interactive: true });
      await seat.engine.runInput("write a test");
      await asked(seat);
      expect(hasRun(bench)).toBe(false);
      const open = seat.approval();
      const reasons = seat.last("tool.decided").reasons.map((one) => say("en", one));
      expect(reasons[0]).toContain("files this session changed");
      expect(open?.always).toBeNull();
      expect(seat.engine.answer(open?.callId ?? "", { answer, by: "person" }).ok).toBe(true);
      await seat.engine.idle();
      expect([hasRun(bench), summaryOf(seat).outcome]).toEqual([
        answer === "yes",
        answer === "yes" ? "VERIFIED" : "UNVERIFIED",
      ]);
    }
  });

  test("[PO-8] [VF-5] a yes holds for what was written until then: after a repair it is asked again", async () => {
    const wrong = { calls: [{ tool: "write", input: { ...planted, content: "process.exit(1);\n" } }] };
    await using bench = new Bench([
      wrong,
      done,
      { calls: [{ tool: "read", input: { path: planted.path } }] },
      write,
      done,
    ]);
    const seat = bench.open({ mode: "auto-edit" }, { config: off, interactive: true });
    await seat.engine.runInput("write a test");
    await asked(seat);
    const first = seat.approval()?.callId ?? "";
    seat.engine.answer(first, { answer: "yes", by: "person" });
    await seat.until(
      (one) => one.kind === "event" && one.state.run.phase === "awaiting_human" && seat.approval()?.callId !== first,
    );
    expect(hasRun(bench)).toBe(false);
    seat.engine.answer(seat.approval()?.callId ?? "", { answer: "no", by: "person" });
    await seat.engine.idle();
    expect(hasRun(bench)).toBe(false);
  });

  test("[PO-8] the model's own check is refused once something was changed, in this task or an earlier one", async () => {
    await using bench = new Bench([
      [write, check, done],
      [check, done],
    ]);
    const seat = bench.open({ mode: "auto-edit" }, { config: off });
    await seat.run("write a test");
    await seat.run("look whether it passes");
    const decisions = seat.all("tool.decided").map(({ decision }) => decision);
    expect([decisions, hasRun(bench)]).toEqual([["allow", "deny", "deny", "deny"], false]);
  });

  test("[PO-8] where nothing was changed the model may check what the person has", async () => {
    await using bench = new Bench([check, done]);
    bench.file("a.test.js", planted.content);
    const seat = bench.open({ mode: "auto-edit" }, { config: off });
    await seat.run("do the tests pass?");
    expect(hasRun(bench)).toBe(true);
  });

  test("[PO-8] a rule of the person's own that names the check is a yes, and so is yolo", async () => {
    for (const flags of [{ mode: "auto-edit", allow: [`bash(${command})`] }, { mode: "yolo" }] as const) {
      await using bench = new Bench([write, done]);
      const seat = bench.open({ ...flags, ...("allow" in flags ? { allow: [...flags.allow] } : {}) }, { config: off });
      await seat.run("write a test");
      expect([summaryOf(seat).outcome, hasRun(bench)]).toEqual(["VERIFIED", true]);
    }
  });
});

// What is found is remembered for as long as the process lives: each is one of its own.
test.skipIf(process.platform !== "linux").each([
  ["missing", null, "there is no sandbox here"],
  ["broken", "#!/bin/sh\nexit 1\n", "the sandbox does not work here"],
] as const)(
  "[PO-8] [VF-1] where the sandbox is %s, what the task wrote is not run unasked",
  async (_, script, reason) => {
    await using bench = new Bench([write, done]);
    const bin = join(bench.root, "bin");
    mkdirSync(bin);
    if (script !== null) writeFileSync(join(bin, "bwrap"), script);
    if (script !== null) chmodSync(join(bin, "bwrap"), 0o755);
    const setup = JSON.stringify(join(import.meta.dir, "..", "..", "..", "src", "main", "setup", "setup.ts"));
    const config = join(bench.root, "config.json");
    writeFileSync(config, JSON.stringify({ workflow }));
    const flags = {
      cwd: bench.workspace,
      baseUrl: bench.server.url,
      model: "openai-chat/mock",
      mode: "auto-edit",
      config,
    };
    const program = `
    import { settingsFrom, setUp } from ${setup};
    const flags = ${JSON.stringify(flags)};
    const { engine } = setUp(settingsFrom(flags, true), flags, () => false, { index: null });
    engine.subscribe((one) => {
      if (one.kind === "event" && one.recorded.event.type === "task.summarized")
        console.log(JSON.stringify(one.recorded.event.summary));
    });
    await engine.runInput("write a test");
    await engine.idle();
    await engine.close();`;
    const child = Bun.spawn([process.execPath, "-e", program], {
      cwd: "/",
      env: { PATH: bin, HOME: bench.root, CODER_HOME: bench.home },
      stdout: "pipe",
      stderr: "inherit",
    });
    const summary = JSON.parse(await new Response(child.stdout).text());
    expect([summary.outcome, hasRun(bench)]).toEqual(["UNVERIFIED", false]);
    expect(summary.verification.reason).toContain(reason);
  },
);
