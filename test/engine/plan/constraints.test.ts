import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Bench, type Seat } from "../../support/engine.ts";

const done = { text: "done" };
const source = "exports.add = (a, b) => a - b;\nexports.one = () => 1;\n";
const write = (path: string, content = "x\n") => ({ tool: "write", input: { path, content } });
const bash = (command: string, more: object = {}) => ({ tool: "bash", input: { command, ...more } });
const edit = (from: string, to: string) => [
  { tool: "read", input: { path: "add.js" } },
  { tool: "edit", input: { path: "add.js", old_string: from, new_string: to } },
];
const manifest = (content: string) => [
  { tool: "read", input: { path: "package.json" } },
  { tool: "edit", input: { path: "package.json", old_string: '"version":"1.0.0"', new_string: content } },
];
const last = (seat: Seat) => seat.all("tool.decided").at(-1);
const reasons = (seat: Seat) => (last(seat)?.reasons ?? []).filter(({ key }) => key === "policy.constraint");

const rows: readonly (readonly [said: string, calls: readonly object[], isAgainst: boolean])[] = [
  ["do not touch the network", [{ tool: "fetch", input: { url: "http://example.com/" } }], true],
  ["do not touch the network", [bash("curl http://127.0.0.1:9/")], true],
  ["不得访问网络", [bash("git push")], true],
  ["不得访问网络", [write("a.txt")], false],
  ["keep the public API", edit("exports.add = (a, b)", "exports.sum = (a, b)"), true],
  [
    "保持公共接口不变",
    [{ tool: "read", input: { path: "add.js" } }, write("add.js", "exports.one = () => 1;\n")],
    true,
  ],
  ["keep the public API", edit("a - b", "a + b"), false],
  ["do not modify src/legacy", [write("src/legacy/a.js")], true],
  ["do not modify src/legacy", [write("src/new.js")], false],
  ["only change add.js", [write("b.js")], true],
  ["only change add.js", edit("a - b", "a + b"), false],
  ["don't delete any files", [bash("rm add.js")], true],
  ["no new dependencies", [write("package.json", "{}")], true],
  ["do not change the tests", [write("test/a.test.js")], true],
  ["不要提交", [bash("git commit -m x")], true],
  ["don't commit", [bash("git -C . commit -m x")], true],
  ["don't commit", [bash("git tag -l")], false],
  ["don't push", [bash("git commit -m x")], false],
  ["do not touch the network", [bash("git -C . fetch")], true],
  ["do not modify src/legacy", [bash("sed -i s/a/b/ src/legacy/a.js")], true],
  ["do not modify src/legacy", [bash("git checkout -- src/legacy/a.js")], true],
  ["do not modify src/legacy", [bash("node src/legacy/a.js")], false],
  ["do not change the tests", [bash("node --test test/a.test.js")], false],
  ["only change add.js", [bash("node test/a.test.js")], false],
  ["no new dependencies", [bash("npm install left-pad")], true],
  ["no new dependencies", [bash("npm install")], false],
  ["do not install anything", [bash("npm install")], true],
  ["no new dependencies", manifest('"version":"1.0.1"'), false],
  ["no new dependencies", manifest('"version":"1.0.0","dependencies":{"left-pad":"1.0.0"}'), true],
];

describe("a call against what the person has said", () => {
  for (const mode of ["auto-edit", "yolo"] as const)
    for (const [said, calls, isAgainst] of rows) {
      const call = calls.at(-1);
      test(`[PL-3] in ${mode} after "${said}", ${JSON.stringify(call)} is ${isAgainst ? "" : "not "}put to the person with that reason`, async () => {
        await using bench = new Bench([{ calls: calls as never }, done]);
        bench.file("add.js", source);
        if (said.includes("new dep") && calls.length > 1) bench.file("package.json", '{"version":"1.0.0"}\n');
        const seat = bench.open(
          { mode },
          { interactive: true, config: { workflow: { auto_verify_after_edit: false } } },
        );
        await seat.engine.runInput(`Make add right. ${said}`);
        await seat.until(
          (one) =>
            one.kind === "event" && (one.state.run.phase === "awaiting_human" || one.state.task.phase === "DONE"),
        );
        expect(reasons(seat).map(({ args }) => args?.text)).toEqual(isAgainst ? [said] : []);
        if (isAgainst) expect([last(seat)?.decision, seat.approval()?.always ?? null]).toEqual(["ask", null]);
        seat.engine.cancel("client");
        await seat.engine.idle();
      });
    }

  test("[PL-3] [PO-5] without a person it is denied with that reason, and nothing happens", async () => {
    await using bench = new Bench([{ calls: edit("exports.add", "exports.sum") }, done]);
    bench.file("add.js", source);
    const seat = bench.open({ mode: "yolo" });
    await seat.run("Make add right, keep the public API");
    expect(last(seat)).toMatchObject({ decision: "deny", source: "constraint" });
    expect(seat.last("tool.settled").result.output).toContain('you said: "keep the public API"');
    expect(readFileSync(join(bench.workspace, "add.js"), "utf8")).toBe(source);
  });

  test("[PL-3] a yes lets it run", async () => {
    await using bench = new Bench([{ calls: [write("src/legacy.js")] }, done]);
    const seat = bench.open({ mode: "auto-edit" }, { interactive: true });
    await seat.engine.runInput("Make add right, do not touch src/legacy.js");
    await seat.until((one) => one.kind === "event" && one.state.run.phase === "awaiting_human");
    seat.engine.answer(seat.approval()?.callId ?? "", { answer: "yes", by: "person" });
    await seat.engine.idle();
    expect(existsSync(join(bench.workspace, "src/legacy.js"))).toBe(true);
  });

  test("[PL-3] the person's words are among the constraints of the plan, whatever the model sends, and hold for it", async () => {
    const steps = [
      { id: "1", title: "Write a" },
      { id: "2", title: "Write b" },
    ];
    const plan = { tool: "plan", input: { steps, constraints: ["do not modify other.js"], verification: "none" } };
    const other = { tool: "plan", input: { constraints: ["be quick"] } };
    await using bench = new Bench([
      { calls: [plan, write("other.js")] },
      { calls: [other, bash("curl http://127.0.0.1:9/")] },
      done,
      done,
    ]);
    const seat = bench.open({ mode: "auto-edit" });
    await seat.run("Rework the whole report module, write a and b anew, and do it in this order. 不得访问网络。");
    expect(seat.engine.state().plan?.constraints).toEqual(["be quick", "不得访问网络"]);
    expect(seat.last("task.assessed").assessment.constraints).toEqual(["不得访问网络"]);
    const denied = seat.all("tool.decided").filter(({ decision }) => decision === "deny");
    expect(
      denied.flatMap(({ reasons: all }) =>
        all.filter(({ key }) => key === "policy.constraint").map(({ args }) => args?.text),
      ),
    ).toEqual([...["do not modify other.js", "不得访问网络"]]);
  });

  test("[PL-3] what stands in pasted code forbids nothing", async () => {
    await using bench = new Bench([done]);
    const seat = bench.open({ mode: "auto-edit" });
    await seat.run(
      "Translate this comment, don't commit\n```js\n// Do not touch the network.\ndo not delete any files\n```",
    );
    expect(seat.last("task.assessed").assessment.constraints).toEqual(["don't commit"]);
  });

  for (const way of ["while the model writes", "as an answer to a question", "with a no"] as const)
    test(`[PL-3] what the person forbids ${way} holds for the rest of the task`, async () => {
      const curl = bash("curl http://127.0.0.1:9/");
      const first = way === "with a no" ? { calls: [bash("touch /etc/x")] } : { delayMs: 50, calls: [write("a.txt")] };
      await using bench = new Bench([first, { calls: [curl] }, done]);
      const seat = bench.open({ mode: "auto-edit" }, { interactive: true });
      const isOpen = (phase: string) =>
        seat.until(
          (one) => one.kind === "event" && [one.state.run.phase, one.state.task.phase].includes(phase as never),
        );
      const words = "do not touch the network";
      const started = seat.engine.runInput(way.startsWith("as") ? "fix it" : "Write a.txt");
      if (way.startsWith("while")) await seat.engine.runInput(words, { delivery: "steer" });
      if (way.startsWith("as")) {
        await isOpen("CLARIFYING");
        seat.clarify(`a.txt is missing. ${words}`);
      }
      if (way.startsWith("with")) {
        await isOpen("awaiting_human");
        seat.engine.answer(seat.approval()?.callId ?? "", { answer: "no", words, by: "person" });
      }
      await started;
      await seat.until(
        (one) => one.kind === "event" && one.recorded.event.type === "tool.decided" && reasons(seat).length > 0,
      );
      expect(reasons(seat).map(({ args }) => args?.text)).toEqual([words]);
      seat.engine.cancel("client");
      await seat.engine.idle();
    });

  test("[PL-3] what one task forbids does not hold for the next", async () => {
    await using bench = new Bench([{ calls: [write("a.txt")] }, done]);
    const seat = bench.open({ mode: "auto-edit" });
    await seat.run("Say hello, do not change any files");
    expect(existsSync(join(bench.workspace, "a.txt"))).toBe(false);
    await seat.run("Write a.txt");
    expect(existsSync(join(bench.workspace, "a.txt"))).toBe(true);
  });
});
