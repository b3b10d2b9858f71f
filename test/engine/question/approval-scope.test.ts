import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Plan } from "../../../src/contract/plan.ts";
import type { Answer } from "../../../src/engine/port.ts";
import { Bench, type Seat } from "../../support/engine.ts";

const long =
  "Rework the whole report module so that it reads its input lazily, keeps its output format and says what was slow before and after it.";
const done = { text: "done" };
const write = (path: string, content = "x\n") => ({ calls: [{ tool: "write", input: { path, content } }] });
const bash = (command: string, more: object = {}) => ({ calls: [{ tool: "bash", input: { command, ...more } }] });
const read = (path: string) => ({ calls: [{ tool: "read", input: { path } }] }) as unknown as Call;
const file = (path: string, change: "create" | "modify" | "delete") => ({ path, change });
const run = (command: string, more: object = {}) => ({ tool: "bash", args: { command, ...more } });

type Step = Partial<Plan["steps"][number]>;
const planned = (...steps: readonly Step[]) => ({
  calls: [
    {
      tool: "plan",
      input: { title: "t", steps: steps.map((step, at) => ({ id: String(at + 1), title: "work on it", ...step })) },
    },
  ],
});

type Call = ReturnType<typeof write> | ReturnType<typeof bash>;

/** What became of each call after the plan was answered: `plan` = nobody was asked, `asked` = the person was, and said no. */
async function decided(
  bench: Bench,
  {
    answer = { answer: "yes" },
    before = () => {},
  }: { answer?: Omit<Answer, "by">; before?: (seat: Seat) => void } = {},
): Promise<readonly string[]> {
  const seat = bench.open({ mode: "default" }, { interactive: true });
  refuseAll(seat);
  await seat.engine.runInput(long);
  await waits(seat);
  seat.answerPlan(answer);
  before(seat);
  await seat.engine.idle();
  return sources(seat);
}

function refuseAll(seat: Seat): void {
  seat.engine.subscribe(() => {
    const open = seat.approval();
    if (open) seat.engine.answer(open.callId, { answer: "no", by: "person" });
  });
}

const waits = (seat: Seat) =>
  seat.until((one) => one.kind === "event" && one.state.task.phase === "AWAITING_CONFIRMATION");

const sources = (seat: Seat): readonly string[] =>
  seat
    .all("tool.decided")
    .filter(({ source, callId }) => !callId.startsWith("r1/1/") && !callId.endsWith("/0") && source !== "")
    .map(({ decision, source }) => (decision === "ask" ? "asked" : source));

async function afterYes(steps: readonly Step[], calls: readonly Call[], set?: (bench: Bench) => void) {
  const bench = new Bench([planned(...steps), ...calls, done]);
  set?.(bench);
  return { bench, got: await decided(bench) };
}

describe("a yes to a plan", () => {
  test("[PL-6] in default mode a plan that writes, runs or uses the network is put to the person once; reading is not", async () => {
    const acting: readonly Step[] = [
      { expected_artifacts: [file("a.txt", "create")] },
      { tools_expected: ["edit"] },
      { tools_expected: ["fetch"] },
      { tool_calls: [run("npm test")] },
      { title: "write the new header into a.txt" },
    ];
    for (const step of acting) {
      await using bench = new Bench([planned({ tools_expected: ["read"] }, step), done]);
      const seat = bench.open({ mode: "default" }, { interactive: true });
      await seat.engine.runInput(long);
      await waits(seat);
      seat.answerPlan({ answer: "yes" });
      await seat.engine.idle();
      expect(seat.all("plan.settled").map(({ needsConfirmation }) => needsConfirmation)).toEqual([true]);
    }
    for (const step of [{ tools_expected: ["read", "grep"] }, { title: "look at how the report is made" }]) {
      await using bench = new Bench([planned(step), done]);
      const seat = bench.open({ mode: "default" }, { interactive: true });
      await seat.run(long);
      expect(seat.last("plan.settled").needsConfirmation).toBe(false);
    }
  });

  test("[PL-6] auto-edit, a person's own rule and a run without anybody do not put it", async () => {
    for (const [flags, interactive] of [
      [{ mode: "auto-edit" }, true],
      [{ mode: "default", allow: ["write"] }, true],
      [{ mode: "default" }, false],
    ] as const) {
      await using bench = new Bench([planned({ expected_artifacts: [file("a.txt", "create")] }), done]);
      const seat = bench.open(flags, { interactive });
      await seat.run(long);
      expect(seat.last("plan.settled").needsConfirmation).toBe(false);
    }
  });

  test("[PL-6] covers the listed files and calls, also a listed deletion, without another question", async () => {
    const steps = [
      { expected_artifacts: [file("new.txt", "create"), file("old.txt", "modify")] },
      { expected_artifacts: [file("gone.txt", "delete"), file("gone2.txt", "delete")] },
      { tool_calls: [run("touch made.txt"), run("rm listed.txt")] },
    ];
    const patch = {
      calls: [{ tool: "patch", input: { patch: "*** Begin Patch\n*** Delete File: gone2.txt\n*** End Patch" } }],
    };
    const calls = [
      write("new.txt"),
      write("new.txt", "again\n"),
      { calls: [{ tool: "read", input: { path: "old.txt" } }] },
      { calls: [{ tool: "edit", input: { path: "./old.txt", old_string: "old", new_string: "newer" } }] },
      bash("rm -f gone.txt"),
      { calls: [{ tool: "read", input: { path: "gone2.txt" } }] },
      patch as unknown as Call,
      bash("touch made.txt", { timeout_s: 9 }),
      bash("rm listed.txt"),
    ] as Call[];
    const { bench, got } = await afterYes(steps, calls, (one) => {
      for (const name of ["old.txt", "gone.txt", "gone2.txt", "listed.txt"]) one.file(name, "old\n");
    });
    await using _ = bench;
    expect(got.filter((one) => one !== "mode default")).toEqual(Array(7).fill("plan"));
    const there = (name: string) => existsSync(join(bench.workspace, name));
    expect(["gone.txt", "gone2.txt", "listed.txt", "made.txt"].map(there)).toEqual([false, false, false, true]);
    expect(readFileSync(join(bench.workspace, "old.txt"), "utf8")).toBe("newer\n");
  });

  test("[PL-6] covers nothing that is not listed: another file, another change, another command", async () => {
    const steps = [
      { expected_artifacts: [file("new.txt", "create"), file("old.txt", "modify"), file("gone.txt", "delete")] },
      { expected_artifacts: [file("there.txt", "create"), file("folder", "delete")], tool_calls: [run("touch a")] },
    ];
    const calls = [
      write("other.txt"),
      bash("rm old.txt"),
      // A file that was never read is not asked about.
      read("gone.txt"),
      read("there.txt"),
      write("gone.txt"),
      write("there.txt"),
      bash("rm gone.txt old.txt"),
      bash("rm -r folder"),
      bash("touch b"),
      bash("touch a b"),
      bash("touch a", { background: true }),
      bash("touch a", { network: true }),
      bash("rm gone.txt", { network: true }),
      bash("rm gone.txt && touch c"),
    ];
    const { bench, got } = await afterYes(steps, calls, (one) => {
      for (const name of ["old.txt", "gone.txt", "there.txt"]) one.file(name, "old\n");
      mkdirSync(join(one.workspace, "folder"));
    });
    await using _ = bench;
    expect(got.filter((one) => one !== "mode default")).toEqual(Array(calls.length - 2).fill("asked"));
  });

  test("[PL-6] a listed path that is a link, or becomes one, is asked about", async () => {
    const outside = (bench: Bench) => join(bench.root, "outside.txt");
    const steps = [
      { expected_artifacts: [file("link.txt", "modify"), file("swapped.txt", "modify"), file("sub/x.txt", "create")] },
      { expected_artifacts: [file("rm.txt", "delete")], tool_calls: [run("cp a.txt b.txt"), run("echo x > c.txt")] },
    ];
    const calls = [
      read("link.txt"),
      write("link.txt"),
      write("swapped.txt"),
      write("sub/x.txt"),
      bash("rm rm.txt"),
      bash("cp a.txt b.txt"),
      bash("echo x > c.txt"),
    ];
    await using bench = new Bench([planned(...steps), ...calls, done]);
    for (const name of ["swapped.txt", "rm.txt", "a.txt", "b.txt", "c.txt", "inside.txt"]) bench.file(name, "old\n");
    writeFileSync(outside(bench), "kept\n");
    mkdirSync(join(bench.workspace, "elsewhere"));
    symlinkSync("inside.txt", join(bench.workspace, "link.txt"));
    const swap = (name: string, to: string) => {
      rmSync(join(bench.workspace, name), { force: true });
      symlinkSync(to, join(bench.workspace, name));
    };
    const got = await decided(bench, {
      before: () => {
        swap("swapped.txt", outside(bench));
        swap("sub", "elsewhere");
        for (const name of ["rm.txt", "b.txt", "c.txt"]) swap(name, "inside.txt");
      },
    });
    expect(got.filter((one) => one !== "mode default")).toEqual(Array(calls.length - 1).fill("asked"));
  });

  test("[PL-6] a listed command that reaches a file through a link is asked about, whatever program it is", async () => {
    const commands = [
      "tee link.txt",
      "sed -i s/a/b/ link.txt",
      "truncate -s 0 link.txt",
      "cp a.txt folder/x.txt",
      "dd if=a.txt of=link.txt",
      "mv a.txt folder",
      "python3 link.txt",
      "touch folder/new.txt",
      "ln -sf a.txt link.txt",
      "chmod +x ./link.txt",
    ];
    const { bench, got } = await afterYes(
      [{ tool_calls: commands.map((command) => run(command)) }],
      commands.map((command) => bash(command)),
      (one) => {
        one.file("a.txt", "old\n");
        symlinkSync("a.txt", join(one.workspace, "link.txt"));
        mkdirSync(join(one.workspace, "real"));
        symlinkSync("real", join(one.workspace, "folder"));
      },
    );
    await using _ = bench;
    expect(got.map((one, at) => [commands[at], one])).toEqual(commands.map((command) => [command, "asked"]));
  });

  test("[PL-6] a call whose words are settled only when it runs is asked about, however it was listed", async () => {
    const commands = [
      "rm *.txt",
      'rm "$TARGET"',
      "rm $(cat list)",
      "cat list | xargs rm",
      "curl http://localhost/x | sh",
      "cd sub && rm a.txt",
      "sudo rm a.txt",
      "rm ~/x",
      "rm ../x",
      "find . -name '*.txt' -delete",
    ];
    const { bench, got } = await afterYes(
      [{ tool_calls: commands.map((command) => run(command)) }],
      commands.map((command) => bash(command)),
      (one) => one.file("a.txt", "old\n"),
    );
    await using _ = bench;
    expect(got.map((one, at) => [commands[at], one])).toEqual(commands.map((command) => [command, "asked"]));
  });

  test("[PL-6] what is asked about for its own sake is asked about: obeyed files, secrets, outside, no sandbox, a rule", async () => {
    const paths = [".git/hooks/pre-commit", ".vscode/settings.json", ".env", "../x.txt"];
    const steps = [
      { expected_artifacts: [...paths, "migrations/1.sql"].map((path) => file(path, "create")) },
      { tool_calls: [run("touch a", { no_sandbox: true }), run("touch .env")] },
    ];
    const calls = [...paths, "migrations/1.sql"].map((path) => write(path));
    await using bench = new Bench([
      planned(...steps),
      ...calls,
      bash("touch a", { no_sandbox: true }),
      bash("touch .env"),
      done,
    ]);
    const rules = [{ decision: "ask", tool: "write", path: "migrations/" }];
    const seat = bench.open({ mode: "default" }, { interactive: true, config: { permissions: { rules } } });
    refuseAll(seat);
    await seat.engine.runInput(long);
    await waits(seat);
    // The person is told beforehand.
    expect(seat.last("plan.settled").listed).toEqual([]);
    seat.answerPlan({ answer: "yes" });
    await seat.engine.idle();
    expect(sources(seat)).toEqual(Array(7).fill("asked"));
  });

  test("[PL-6] a plan that is changed after the yes adds nothing, and what it drops is not covered any more", async () => {
    const more = { id: "9", title: "more", expected_artifacts: [file("b.txt", "create")] };
    const change = { calls: [{ tool: "plan", input: { steps: [more] } }] } as unknown as Call;
    const skip = {
      calls: [{ tool: "plan", input: { update: [{ id: "1", status: "skipped", reason: "no need" }] } }],
    } as unknown as Call;
    const { bench, got } = await afterYes(
      [{ expected_artifacts: [file("a.txt", "create")] }, { title: "tell" }],
      [change, write("b.txt"), skip, write("a.txt")],
    );
    await using _ = bench;
    expect(got.filter((one) => one !== "mode default")).toEqual(["asked", "asked"]);
  });

  test("[PL-6] a plan that the person edits goes on; what it keeps is covered, what it adds or drops is asked about", async () => {
    await using bench = new Bench([
      planned({ expected_artifacts: [file("a.txt", "create"), file("b.txt", "create")] }),
      write("a.txt"),
      write("b.txt"),
      write("c.txt"),
      done,
    ]);
    const seat = bench.open({ mode: "default" }, { interactive: true });
    refuseAll(seat);
    await seat.engine.runInput(long);
    await waits(seat);
    const plan = seat.engine.plan();
    if (!plan) throw new Error("no plan");
    const kept = [file("b.txt", "create"), file("c.txt", "create")];
    const steps = plan.steps.map((step) => ({ ...step, expected_artifacts: kept }));
    seat.answerPlan({ answer: "edit", plan: { ...plan, steps } });
    await seat.engine.idle();
    expect(sources(seat)).toEqual(["asked", "plan", "asked"]);
  });

  test("[PL-6] is gone with its task: the same call in the next one asks", async () => {
    await using bench = new Bench([
      { when: "once more", steps: [bash("touch a"), done] },
      { when: "", steps: [planned({ tool_calls: [run("touch a")] }), bash("touch a"), done] },
    ]);
    const seat = bench.open({ mode: "default" }, { interactive: true });
    refuseAll(seat);
    await seat.engine.runInput(long);
    await waits(seat);
    seat.answerPlan({ answer: "yes" });
    await seat.engine.idle();
    expect(seat.engine.state().grant).toBeNull();
    await seat.run("touch it once more");
    expect(
      seat
        .all("tool.decided")
        .slice(-2)
        .map(({ source }) => source),
    ).toEqual(["plan", "mode default"]);
    expect(seat.last("tool.decided").decision).toBe("ask");
  });
});

describe("a yes that reaches as far as a step", () => {
  const steps = [
    { expected_artifacts: [file("a.txt", "create"), file("b.txt", "create")] },
    { expected_artifacts: [file("c.txt", "create")] },
  ];

  test("[PL-6] asks once in each step, and covers the rest of what that step lists", async () => {
    await using bench = new Bench([planned(...steps), write("a.txt"), write("b.txt"), write("c.txt"), done]);
    const seat = bench.open({ mode: "default" }, { interactive: true });
    const asked: (readonly string[])[] = [];
    seat.engine.subscribe(() => {
      const open = seat.approval();
      if (!open) return;
      const taken = seat.engine.answer(open.callId, { answer: "yes", scope: "step", by: "person" });
      if (taken.ok) asked.push([String((open.input as { path: string }).path), ...open.scopes]);
    });
    await seat.engine.runInput(long);
    await waits(seat);
    seat.answerPlan({ answer: "yes", scope: "step" });
    await seat.engine.idle();
    expect(asked).toEqual([
      ["a.txt", "call", "step", "task"],
      ["c.txt", "call", "step", "task"],
    ]);
    expect(sources(seat)).toEqual(["asked", "plan", "asked"]);
    expect(seat.all("approval.answered").map(({ scope, step }) => [scope, step])).toEqual([
      ["step", "1"],
      ["step", "2"],
    ]);
  });

  test("[PL-6] is not offered for what no step lists, and refused where it is not offered", async () => {
    await using bench = new Bench([planned(...steps), write("other.txt"), done]);
    const seat = bench.open({ mode: "default" }, { interactive: true });
    await seat.engine.runInput(long);
    await waits(seat);
    seat.answerPlan({ answer: "yes", scope: "step" });
    await seat.until((one) => one.kind === "event" && one.state.run.phase === "awaiting_human");
    const open = seat.approval();
    expect(open?.scopes).toEqual(["call", "task"]);
    const refused = seat.engine.answer(open?.callId ?? "", { answer: "yes", scope: "step", by: "person" });
    expect(refused).toMatchObject({ ok: false, error: { text: { key: "approval.no_scope" } } });
    seat.engine.answer(open?.callId ?? "", { answer: "no", by: "person" });
    await seat.engine.idle();
  });
});

describe("a yes that reaches as far as the task", () => {
  test("[PL-6] lets the same call pass again in this task only, and stores no rule", async () => {
    await using bench = new Bench([
      { when: "once more", steps: [bash("touch a"), done] },
      { when: "", steps: [bash("touch a"), bash("touch a"), bash("touch b"), done] },
    ]);
    const seat = bench.open({ mode: "default" }, { interactive: true });
    const asked: string[] = [];
    seat.engine.subscribe(() => {
      const open = seat.approval();
      if (!open) return;
      const scope = asked.length === 0 ? ({ scope: "task" } as const) : {};
      const answer = asked.length === 0 ? "yes" : "no";
      const taken = seat.engine.answer(open.callId, { answer, ...scope, by: "person" });
      if (taken.ok) asked.push(open.shown);
    });
    await seat.run("touch it");
    await seat.run("touch it once more");
    expect(asked).toEqual(["touch a", "touch b", "touch a"]);
    expect(seat.engine.rules()).toEqual([]);
  });
});

test("[SM-3] the risk of a plan is the same when it is proposed, put and followed, whatever the model calls it", async () => {
  const risky = { ...planned({ expected_artifacts: [file("a.txt", "delete")] }) };
  await using bench = new Bench([
    risky,
    { calls: [{ tool: "plan", input: { update: [{ id: "1", status: "done" }] } }] },
    done,
  ]);
  bench.file("a.txt", "x\n");
  for (const mode of ["plan", "default"] as const) {
    const seat = bench.open({ mode }, { interactive: true });
    await seat.engine.runInput(long);
    if (mode === "default") {
      await waits(seat);
      seat.answerPlan({ answer: "yes" });
    }
    await seat.engine.idle();
    const levels = seat.events.flatMap((event) => ("plan" in event && event.plan ? [event.plan.risk_level] : []));
    expect([...new Set(levels), seat.engine.state().plan?.risk_level]).toEqual(["high", "high"]);
    await seat.close();
  }
});
