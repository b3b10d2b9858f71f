import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { CommandResult } from "../../../src/engine/port.ts";
import { soundSettings } from "../../../src/main/setup/setup.ts";
import { openStore } from "../../../src/store/open.ts";
import { Bench, type Seat } from "../../support/engine.ts";

async function command(seat: Seat, text: string): Promise<CommandResult> {
  const admission = await seat.engine.runInput(text);
  if (admission.kind !== "command") throw new Error(`${text} gave ${JSON.stringify(admission)}`);
  return admission.result;
}

const kept = (...argv: readonly string[]) =>
  ({ decision: "allow", tool: "bash", command: { argv, isExact: true }, source: "always", by: "person" }) as const;

function keep(bench: Bench, ...rules: readonly ReturnType<typeof kept>[]): void {
  const store = openStore(bench.home);
  store.addRules(bench.workspace, rules);
  store.close();
}

describe("/permissions", () => {
  test("[SU-4] says in Chinese what is decided and by what, in columns; JSON stays as it is", async () => {
    await using bench = new Bench([]);
    const seat = bench.open({ lang: "zh" });
    const { text, data } = await command(seat, "/permissions strict");
    const rows = text.split("\n").filter((row) => /^ {2}\S/.test(row));
    expect(rows.length).toBeGreaterThan(5);
    expect(rows.map((row) => Bun.stringWidth(/^ {2}(?:允许|询问|拒绝) +/.exec(row)?.[0] ?? ""))).toEqual(
      rows.map(() => 9),
    );
    expect(rows.map((row) => Bun.stringWidth(/^ {2}\S+ +(?:模式|预设) \S+ +/.exec(row)?.[0] ?? ""))).toEqual(
      rows.map(() => 29),
    );
    expect((data as { rows: readonly { source: string }[] }).rows[0]).toMatchObject({ source: "mode default" });
  });

  test("[PO-2] shows every rule with its decision, what it names, where it was written and why", async () => {
    await using bench = new Bench([]);
    keep(bench, kept("make", "all"));
    const rules = [{ decision: "ask", path: "src/**", reason: "look twice" }];
    const seat = bench.open({ deny: ["bash(git push *)"] }, { config: { permissions: { rules } } });
    const { text, data } = await command(seat, "/permissions");
    const file = join(bench.root, "config-0.json");
    const always = `always ${new Date().toISOString().slice(0, 10)}`;
    expect((data as { rules: unknown }).rules).toEqual([
      { decision: "ask", rule: "*(src/**)", source: `${file}:1`, by: "person", reason: "look twice" },
      { decision: "deny", rule: "bash(git push *)", source: "--deny", by: "person" },
      { id: 1, decision: "allow", rule: "bash(make all)", source: always, by: "person" },
    ]);
    const lines = text.split("\n").map((line) => line.replace(/ +/g, " ").trim());
    expect(lines).toContain(`– ask *(src/**) ${file}:1 look twice`);
    expect(lines).toContain("– deny bash(git push *) --deny");
    expect(lines).toContain(`1 allow bash(make all) ${always}`);
    expect(text).toMatch(/allow +mode default +read files in the workspace/);
  });

  test("[PO-2] [SU-4] says so where there are none, in both languages", async () => {
    await using bench = new Bench([]);
    expect((await command(bench.open(), "/permissions")).text).toEndWith("\n\nNo rules.");
    expect((await command(bench.open({ lang: "zh" }), "/permissions")).text).toEndWith("\n\n没有规则。");
  });

  test("[PO-2] choosing a preset keeps the rules", async () => {
    await using bench = new Bench([]);
    const seat = bench.open({ allow: ["bash(npm test)"] });
    const { data } = await command(seat, "/permissions strict");
    expect(data).toMatchObject({ preset: "strict", rules: [{ rule: "bash(npm test)" }] });
  });

  test("[PO-6] rm takes back a stored rule, for all processes, and no other", async () => {
    await using bench = new Bench([]);
    keep(bench, kept("make", "a"), kept("make", "b"));
    const seat = bench.open();
    expect(await command(seat, "/permissions rm 1")).toMatchObject({
      ok: true,
      text: "No longer always allowed: bash(make a)",
      data: { removed: { id: 1, rule: "bash(make a)" } },
    });
    expect(seat.engine.rules().map(({ command }) => command?.argv)).toEqual([["make", "b"]]);
    expect(bench.open().engine.rules().length).toBe(1);
  });

  test("[PO-6] rm of what is not there names what is, and changes nothing", async () => {
    await using bench = new Bench([]);
    keep(bench, kept("make", "a"));
    const seat = bench.open({ allow: ["read"] });
    for (const wrong of ["2", "9007199254740993"]) {
      const refused = await command(seat, `/permissions rm ${wrong}`);
      expect(refused).toMatchObject({ ok: false, error: { code: "E_INVALID_ARGS" } });
      expect(refused.text).toContain(`no saved rule ${wrong}; the numbers are: 1`);
    }
    for (const wrong of ["", "x", "-1", "0", "1.5", "–"])
      expect((await command(seat, `/permissions rm ${wrong}`)).text).toContain("Usage: /permissions rm N");
    expect((await command(seat, "/permissions rm 1 2")).text).toContain("does not take 2");
    expect(seat.engine.rules().length).toBe(2);
  });

  test("[PO-6] a rule of another workspace is neither shown nor removed", async () => {
    await using bench = new Bench([]);
    const store = openStore(bench.home);
    store.addRules("/elsewhere", [kept("make")]);
    store.close();
    const seat = bench.open();
    expect(seat.engine.rules()).toEqual([]);
    expect((await command(seat, "/permissions rm 1")).ok).toBe(false);
    const again = openStore(bench.home);
    expect(again.rulesOf("/elsewhere").length).toBe(1);
    again.close();
  });

  test("[PO-2] [SA-hidden-text] what a model wrote into a rule cannot pass for another line of the list", async () => {
    await using bench = new Bench([]);
    keep(bench, kept("x", "\n  9   deny   bash\u202e\u001b[2J"));
    const { text } = await command(bench.open(), "/permissions");
    expect(text).not.toMatch(/^ {2}9/m);
    expect(text).toContain("\\n  9   deny   bash\\u{202e}\\u{1b}[2J");
  });
});

describe("examples of rules", () => {
  const open = (bench: Bench, rule: object) => async () => {
    const config = join(bench.root, "config-0.json");
    writeFileSync(config, JSON.stringify({ permissions: { rules: [rule] } }));
    await soundSettings({ cwd: bench.workspace, config }, false);
  };

  test("[PO-3] those that hold are no obstacle: command lines in full, and paths", async () => {
    await using bench = new Bench([]);
    await open(bench, {
      decision: "deny",
      command: "git push *",
      examples: { matches: ["ls && sudo git -C x push", "git push"], others: ["git pull", "echo git push"] },
    })();
    await open(bench, {
      decision: "allow",
      command: "npm run *",
      examples: { matches: ["npm run x | tail"], others: ["npm run x; make", "npm ci", "npm run x > out"] },
    })();
    await open(bench, {
      decision: "deny",
      tool: "write",
      path: "a/**",
      examples: { matches: ["a/b"], others: ["b/a"] },
    })();
  });

  test("[PO-3] one that the rule does not decide, and one that it should not, stop the start by file, line, rule and example", async () => {
    await using bench = new Bench([]);
    const wrong = [
      [{ matches: ["git pull"] }, "does not match its example: git pull"],
      [{ others: ["env git push x"] }, "matches an example that it should not: env git push x"],
    ] as const;
    for (const [examples, said] of wrong) {
      let message = "";
      try {
        await open(bench, { decision: "deny", command: "git push *", examples })();
      } catch (error) {
        message = JSON.stringify(error instanceof Error && "info" in error ? error.info : String(error));
      }
      expect(message).toContain("E_CONFIG");
      expect(message).toContain(`${join(bench.root, "config-0.json")}:1`);
      expect(message).toContain("bash(git push *)");
      expect(message).toContain(said.split(": ")[1] ?? "");
    }
  });

  test("[PO-3] a config file with one keeps its exit code and says what to do", async () => {
    await using bench = new Bench([]);
    const file = join(bench.root, "own.json");
    const rule = { decision: "deny", path: "a", examples: { matches: ["b"] } };
    writeFileSync(file, JSON.stringify({ permissions: { rules: [rule] } }));
    const child = Bun.spawn(
      [
        process.execPath,
        join(import.meta.dir, "..", "..", "..", "src", "main.ts"),
        "policy",
        "check",
        "ls",
        "--config",
        file,
      ],
      { cwd: bench.workspace, env: { ...process.env, CODER_HOME: bench.home, LANG: "C" }, stderr: "pipe" },
    );
    const [code, err] = await Promise.all([child.exited, new Response(child.stderr).text()]);
    expect(code).toBe(2);
    expect(err).toContain(`${file}:1: the rule *(a) does not match its example: b`);
  });
});

test("[PL-6] /permissions shows what was agreed to for the task, on lines of its own, and nothing of it afterwards", async () => {
  const steps = [
    {
      ...{ id: "1", title: "make it" },
      expected_artifacts: [{ path: "a.txt", change: "create" }],
      tool_calls: [{ tool: "bash", args: { command: "touch b" } }],
    },
  ];
  await using bench = new Bench([
    { calls: [{ tool: "plan", input: { title: "t", steps } }] },
    { calls: [{ tool: "bash", input: { command: "touch other" } }] },
    { text: "done" },
  ]);
  const seat = bench.open({ mode: "default" }, { interactive: true });
  await seat.engine.runInput("1. make a.txt\n2. touch b\n3. say so");
  await seat.until((one) => one.kind === "event" && one.state.task.phase === "AWAITING_CONFIRMATION");
  expect((await command(seat, "/plan")).text).toContain("Yes allows 2 of the 2");
  expect(await command(seat, "/plan yes nonsense")).toMatchObject({ ok: false });
  expect(await command(seat, "/plan yes")).toMatchObject({ ok: true, data: { answer: "yes", scope: "plan" } });
  await seat.until((one) => one.kind === "event" && one.state.run.phase === "awaiting_human");
  const { text, data } = await command(seat, "/permissions");
  expect(text).toContain("Allowed until this task ends (the whole plan):\n  1. a.txt (new)\n  1. bash touch b\n");
  expect(data).toMatchObject({ grant: { scope: "plan", covers: [{ path: "a.txt" }, { tool: "bash" }], rules: [] } });
  seat.engine.answer(seat.approval()?.callId ?? "", { answer: "yes", scope: "task", by: "person" });
  await seat.engine.idle();
  const after = await command(seat, "/permissions");
  expect([after.text.includes("Allowed until"), "grant" in (after.data as object)]).toEqual([false, false]);
});
