// VF-2: a detected command that is not on the list is put to the person, where it does not run by itself.
import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { say } from "../../src/contract/text/catalogue.ts";
import type { Published } from "../../src/engine/port.ts";
import { Bench, type Seat } from "../support/engine.ts";
import type { Step } from "../support/scripted-reply.ts";

const command = "make test";
const line = '"workflow": {"verify_allowed": ["make test"]}';
const write = (path: string, content = "right\n") => ({ calls: [{ tool: "write", input: { path, content } }] });
const done = { text: "done" };
const task = (when: string, ...steps: readonly Step[]) => ({ when, steps: [...steps, done] });
const edit = {
  calls: [{ tool: "edit", input: { path: "one.c", old_string: "wrong", new_string: "right" } }],
};
const first = task("first", write("one.c"));
const second = task("second", write("two.c"));
const third = task("third", write("three.c"));

/** Its test counts its own runs. */
function project(bench: Bench): void {
  bench.file("Makefile", "test:\n\t@echo run >> runs.log\n\t@! grep -l wrong *.c\n");
}

const runs = ({ workspace }: Bench): number =>
  existsSync(join(workspace, "runs.log"))
    ? readFileSync(join(workspace, "runs.log"), "utf8").split("\n").length - 1
    : 0;
const ownConfig = ({ home }: Bench): string => join(home, "config.json");
const summaryOf = (seat: Seat) => seat.last("task.summarized").summary;
const asksIn = (seat: Seat) => seat.all("tool.decided").filter(({ decision }) => decision === "ask");
const asks = (one: Published): boolean =>
  one.kind === "event" && one.state.run.phase === "awaiting_human" && one.recorded.event.type === "tool.decided";

type Answer = Parameters<Seat["engine"]["answer"]>[1];

/** Starts the task and waits for the offer. */
async function offered(seat: Seat, text = "the first task") {
  const before = asksIn(seat).length;
  await seat.engine.runInput(`${text}. Run the tests.`);
  await seat.until((one) => asks(one) && asksIn(seat).length > before);
  const open = seat.approval();
  if (!open) throw new Error("nothing is asked");
  return open;
}

async function answered(seat: Seat, answer: Answer["answer"], text?: string): Promise<void> {
  const { callId } = await offered(seat, text);
  expect(seat.engine.answer(callId, { answer, by: "person" })).toEqual({ ok: true, value: undefined });
  await seat.engine.idle();
}

/** The mode in which nothing runs by itself; writing is not what is asked about here. */
const asking = { mode: "default", allow: ["write", "edit"] } as const;
const open = (bench: Bench, interactive = true): Seat =>
  bench.open({ ...asking, allow: [...asking.allow] }, { interactive });

describe("the offer", () => {
  test("[VF-2] [PO-6] one prompt has the exact command, why it is asked, what will run and what each answer means", async () => {
    await using bench = new Bench([first]);
    project(bench);
    const seat = open(bench);
    const { tool, shown, reasons, always } = await offered(seat);
    expect([tool, shown, always]).toEqual([
      "diagnostics",
      'make test\npath: "."',
      ['workflow.verify_allowed: "make test"'],
    ]);
    const keys = ["verify.not_listed", "verify.offer.confined", "verify.offer.answers"];
    expect(reasons.map(({ key }) => key)).toEqual(keys as never);
    expect(reasons.map((one) => say("zh", one)).join()).toContain("make test 不在可自动用于验证的命令列表中");
    expect([runs(bench), asksIn(seat).length]).toEqual([0, 1]);
    seat.engine.cancel("esc");
    await seat.engine.idle();
    expect(runs(bench)).toBe(0);
  });

  test("[VF-2] [SA-hidden-text] the script of a package is shown with all that runs around it, hidden characters spelled out", async () => {
    await using bench = new Bench([task("first", write("a.js"))]);
    const scripts = { pretest: `echo a${" ".repeat(100)}; touch pwned`, test: "node --test a\u202e.js" };
    bench.file("package.json", JSON.stringify({ scripts }));
    const seat = open(bench);
    const { shown, reasons } = await offered(seat);
    expect(shown).toBe('npm test\npath: "."');
    const script = "echo a [100 blanks] ; touch pwned && node --test a\\u{202e}.js";
    expect(reasons.find(({ key }) => key === "verify.offer.script")?.args).toEqual({ command: "npm test", script });
    seat.engine.answer(seat.approval()?.callId ?? "", { answer: "no", by: "person" });
    await seat.engine.idle();
    expect(existsSync(join(bench.workspace, "pwned"))).toBe(false);
  });

  test("[VF-2] yes runs it for this task and changes no configuration; the next task offers it again", async () => {
    await using bench = new Bench([first, second, third, task("fourth", write("four.c"))]);
    project(bench);
    const seat = open(bench);
    await answered(seat, "yes");
    const summary = summaryOf(seat);
    const told = JSON.stringify(summary);
    expect([summary.outcome, runs(bench), existsSync(ownConfig(bench))], told).toEqual(["VERIFIED", 1, false]);
    expect(seat.last("tool.decided").run).toEqual({ confined: true, readOnly: false, network: false, isCheck: true });
    await answered(seat, "yes", "the second task");
    expect([summaryOf(seat).outcome, runs(bench), asksIn(seat).length]).toEqual(["VERIFIED", 2, 2]);
    await answered(seat, "no", "the third task");
    await seat.run("the fourth task. Run the tests.");
    expect([summaryOf(seat).outcome, runs(bench), asksIn(seat).length]).toEqual(["UNVERIFIED", 2, 3]);
  });

  test("[VF-2] [VF-5] a failure after a yes is repaired and checked again without a second question", async () => {
    await using bench = new Bench([task("first", write("one.c", "wrong\n"), done, edit)]);
    project(bench);
    const seat = open(bench);
    await answered(seat, "yes");
    expect([summaryOf(seat).outcome, runs(bench), asksIn(seat).length]).toEqual(["VERIFIED", 2, 1]);
    expect(seat.all("checks.chosen").map(({ checks: [one] }) => [one?.offer !== undefined, one?.isAgreed])).toEqual([
      [true, undefined],
      [false, true],
    ]);
  });

  test("[VF-2] no runs nothing and is remembered for this workspace and command, by later processes too", async () => {
    await using bench = new Bench([first, second, third, task("fourth", write("a.js"))]);
    project(bench);
    const seat = open(bench);
    await answered(seat, "no");
    expect([summaryOf(seat).outcome, summaryOf(seat).exit_code, runs(bench)]).toEqual(["UNVERIFIED", 3, 0]);
    expect(summaryOf(seat).verification.reason).toBe("make test says nothing about the code: the user said no");
    expect(summaryOf(seat).next_steps.join()).toContain(line);
    await seat.run("the second task. Run the tests.");
    await seat.close();
    const later = open(bench);
    await later.run("the third task. Run the tests.");
    expect([asksIn(seat).length, asksIn(later).length, runs(bench)]).toEqual([1, 0, 0]);
    expect(summaryOf(later).verification.reason).toStartWith("automatic verification not run: make test is not on the");
    bench.file("package.json", JSON.stringify({ scripts: { test: "node --test" } }));
    expect((await offered(later, "the fourth task")).shown).toBe('npm test\npath: "."');
    later.engine.cancel("esc");
    await later.engine.idle();
  });

  test("[VF-2] always also adds it to the person's own file and to nothing else; from then on nobody is asked", async () => {
    await using bench = new Bench([first, second, third, task("fourth", write("four.c"))]);
    project(bench);
    mkdirSync(join(bench.workspace, ".coder"));
    const projects = bench.file(".coder/config.json", "{}\n");
    mkdirSync(bench.home);
    writeFileSync(ownConfig(bench), '{\n  // mine\n  "workflow": { "verify_allowed": ["tox"] } // end\n}\n');
    const seat = open(bench);
    await answered(seat, "always");
    const after = '{\n  // mine\n  "workflow": { "verify_allowed": ["tox", "make test"] } // end\n}\n';
    expect([readFileSync(ownConfig(bench), "utf8"), readFileSync(projects, "utf8")]).toEqual([after, "{}\n"]);
    expect(seat.last("notice.given").text).toEqual({
      key: "verify.added",
      args: { command, file: ownConfig(bench) },
    });
    await seat.run("the second task. Run the tests.");
    await seat.engine.newSession();
    await seat.run("the third task, in a new session. Run the tests.");
    await seat.close();
    const later = open(bench, false);
    await later.run("the fourth task, in a new process. Run the tests.");
    expect([summaryOf(later).outcome, asksIn(seat).length, runs(bench)]).toEqual(["VERIFIED", 1, 4]);
    expect(readFileSync(ownConfig(bench), "utf8")).toBe(after);
  });

  test("[VF-2] [ER-2] a file that cannot be written is told with what to add by hand; the check runs, and is offered again", async () => {
    for (const spoil of [(path: string) => mkdirSync(path), (path: string) => writeFileSync(path, "{ nonsense")]) {
      await using bench = new Bench([first, second]);
      project(bench);
      const seat = open(bench);
      mkdirSync(bench.home, { recursive: true });
      spoil(ownConfig(bench));
      await answered(seat, "always");
      const { text } = seat.last("notice.given");
      expect([text.key, summaryOf(seat).outcome, runs(bench)]).toEqual(["verify.not_added", "VERIFIED", 1]);
      for (const lang of ["en", "zh"] as const) {
        expect(say(lang, text)).toContain(ownConfig(bench));
        expect(say(lang, text)).toContain(line);
      }
      const count = asksIn(seat).length;
      await seat.engine.runInput("the second task. Run the tests.");
      await seat.until((one) => asks(one) && asksIn(seat).length > count);
      seat.engine.cancel("esc");
      await seat.engine.idle();
    }
  });

  test("[VF-2] [SM-9] another project that was changed as well is named as not checked", async () => {
    await using bench = new Bench([task("first", write("a/code.c"), write("b/code.c"))]);
    for (const folder of ["a", "b"]) {
      mkdirSync(join(bench.workspace, folder));
      bench.file(`${folder}/Makefile`, "test:\n\tgrep -q right code.c\n");
    }
    const seat = open(bench);
    expect((await offered(seat)).shown).toBe('make test\npath: "a"');
    seat.engine.answer(seat.approval()?.callId ?? "", { answer: "yes", by: "person" });
    await seat.engine.idle();
    expect([summaryOf(seat).outcome, summaryOf(seat).risks.length]).toEqual(["VERIFIED", 1]);
  });
});

describe("nobody is asked", () => {
  test("[VF-2] where there is nobody: the task ends UNVERIFIED with the line to add, and the offer is still to come", async () => {
    await using bench = new Bench([first, second]);
    project(bench);
    const alone = open(bench, false);
    await alone.run("the first task. Run the tests.");
    const { outcome, exit_code, next_steps } = summaryOf(alone);
    expect([outcome, exit_code, alone.all("checks.chosen"), runs(bench)]).toEqual(["UNVERIFIED", 3, [], 0]);
    expect(next_steps.join()).toContain(line);
    await alone.close();
    await answered(open(bench), "yes", "the second task");
    expect(runs(bench)).toBe(1);
  });

  test("[VF-2] a no that is given because whoever could answer has gone is not remembered", async () => {
    await using bench = new Bench([first, second]);
    project(bench);
    const there = { interactive: true };
    const seat = bench.open({ ...asking, allow: [...asking.allow] }, there);
    const { callId } = await offered(seat);
    there.interactive = false;
    seat.engine.answer(callId, { answer: "no", by: "client", words: "nobody is there" });
    await seat.engine.idle();
    expect(summaryOf(seat).exit_code).toBe(3);
    await seat.close();
    await answered(open(bench), "yes", "the second task");
    expect(runs(bench)).toBe(1);
  });

  test("[VF-2] [TP-8] where a rule of the person's forbids the command, or it is on the list already", async () => {
    const config = { workflow: { verify_allowed: [command] } };
    for (const [flags, options, count] of [
      [{ ...asking, deny: [`bash(${command})`] }, {}, 0],
      [asking, { config }, 1],
    ] as const) {
      await using bench = new Bench([first]);
      project(bench);
      const seat = bench.open(flags as never, { interactive: true, ...options });
      await seat.run("the first task. Run the tests.");
      expect([asksIn(seat).length, runs(bench)]).toEqual([0, count]);
    }
  });
});

describe("the model", () => {
  const own = { calls: [{ tool: "diagnostics", input: { command, path: "." } }] };

  test("[VF-2] [SA-own-settings] is not offered to add a command: the project's own is asked about like any, another is refused", async () => {
    const other = { calls: [{ tool: "diagnostics", input: { command: "make install", path: "." } }] };
    await using bench = new Bench([task("first", own, other)]);
    project(bench);
    const seat = open(bench);
    await seat.engine.runInput("the first task");
    await seat.until(asks);
    const asked = seat.approval();
    const keys = asked?.reasons.map(({ key }) => key);
    expect<readonly unknown[]>([asked?.shown, keys?.[0], keys?.includes("verify.offer.answers")]).toEqual([
      'make test\npath: "."',
      "policy.why.exec",
      false,
    ]);
    seat.engine.answer(asked?.callId ?? "", { answer: "yes", by: "person" });
    await seat.engine.idle();
    const results = seat.all("tool.settled").map(({ result }) => result.error?.text.key ?? result.status);
    expect([results, runs(bench), existsSync(ownConfig(bench))]).toEqual([["done", "check.not_listed"], 1, false]);
  });

  test("[VF-2] a no of the person's to the offer also holds for the model's own calls, and is named as the reason", async () => {
    await using bench = new Bench([first, task("second", own)]);
    project(bench);
    const seat = open(bench);
    await answered(seat, "no");
    await seat.run("the second task. Run the tests.");
    const { result } = seat.all("tool.settled").at(-1) ?? {};
    expect([result?.status, result?.error?.text.key, runs(bench)]).toEqual(["denied", "check.refused_before", 0]);
  });

  test("[VF-2] [SA-own-settings] cannot have another command added: what was edited in the prompt is refused and never listed", async () => {
    await using bench = new Bench([first]);
    project(bench);
    const seat = open(bench);
    const { callId } = await offered(seat);
    const input = { command: "make test install", path: "." };
    expect(seat.engine.answer(callId, { answer: "edit", input, by: "person" }).ok).toBe(true);
    await seat.engine.idle();
    expect(seat.last("tool.settled").result.error?.text.key).toBe("check.not_listed");
    expect([summaryOf(seat).outcome, runs(bench), existsSync(ownConfig(bench))]).toEqual(["UNVERIFIED", 0, false]);
  });

  test("[VF-2] [SA-own-settings] a second answer while the first is being written comes too late", async () => {
    await using bench = new Bench([first]);
    project(bench);
    const seat = open(bench);
    const { callId } = await offered(seat);
    expect(seat.engine.answer(callId, { answer: "always", by: "person" }).ok).toBe(true);
    expect(seat.engine.answer(callId, { answer: "no", by: "person" }).ok).toBe(false);
    await seat.engine.idle();
    expect([seat.all("approval.answered").map(({ answer }) => answer), runs(bench)]).toEqual([["always"], 1]);
  });
});
