import { describe, expect, test } from "bun:test";
import type { CallResult } from "../../../../src/contract/message.ts";
import { phrase } from "../../../../src/contract/text/catalogue.ts";
import type { Published } from "../../../../src/engine/port.ts";
import { call, commandResult, event, replied, rowsOf, running, settled, Telling } from "../telling.ts";

const one = (tool: string, input: unknown) => replied({ calls: [call(tool, input)] });

/** The lines of a call that is over. */
async function lines(
  tool: string,
  input: unknown,
  result: Partial<CallResult>,
  diff?: string,
): Promise<readonly string[]> {
  const told = new Telling({ diffs: diff === undefined ? {} : { "r1/1/1": diff } });
  told.hear(one(tool, input), running(), settled(result));
  await told.settle();
  return told.text.split("\n");
}

const change = { path: "a.ts", real: "/w/a.ts", before: null, after: { hash: "h", size: 1, mode: 0o644 } };
const patch = `--- a/a.ts\n+++ b/a.ts\n@@ -1,2 +1,2 @@\n-const a = 1;\n+const a = 2;\n same\n`;

describe("a call", () => {
  test("[SU-3] says in words what it does and what came of it", async () => {
    const cases: readonly (readonly [string, unknown, Partial<CallResult>, string])[] = [
      ["read", { path: "src/a.ts" }, { data: { first: 1, last: 120, total: 120 } }, "✓ Read src/a.ts  120 lines"],
      ["read", { path: "a" }, { data: { first: 5, last: 9, total: 40 } }, "✓ Read a  lines 5–9 of 40"],
      ["list", {}, { data: { path: ".", total: 2 } }, "✓ List .  2 entries"],
      ["glob", { pattern: "*.ts", path: "src" }, { data: { files: 12, more: 0 } }, "✓ Find *.ts in src  12 files"],
      [
        "grep",
        { pattern: "door", glob: "*.md" },
        { data: { matches: 1, more: false } },
        '✓ Search "door" in *.md  1 match',
      ],
      ["grep", { pattern: "x" }, { data: { matches: 100, more: true } }, '✓ Search "x"  100+ matches'],
      [
        "fetch",
        { url: "https://a.example" },
        { output: "x".repeat(1200), data: { url: "https://a.example", status: 200 } },
        "✓ Fetch https://a.example  1.2k characters",
      ],
      ["patch", { patch: "*** Update File: a.ts\n*** Add File: b.ts\n" }, {}, "✓ Patch a.ts, b.ts"],
      ["bash", { command: "make\nmake test" }, { ms: 2_340 }, "✓ Run make …  2.3 s"],
      [
        "bash",
        { command: "sleep 9 &" },
        { data: { job: "j1", exit_code: null } },
        "✓ Run sleep 9 &  in the background as j1",
      ],
      ["other", { name: "thing" }, { ms: 61_000 }, "✓ other thing  1 min 1 s"],
      ["bash", { command: "x" }, { status: "cancelled" }, "⊘ Run x  cancelled"],
      ["bash", { command: "x" }, { status: "unknown" }, "? Run x  outcome unknown"],
    ];
    for (const [tool, input, result, want] of cases) expect(await lines(tool, input, result)).toEqual([want]);
  });

  test("[ER-2] that failed or was denied says why", async () => {
    const error = { code: "E_IO", text: { key: "file.missing", args: { path: "nope" } } } as const;
    expect(await lines("read", { path: "nope" }, { status: "failed", error })).toEqual([
      "✗ Read nope  failed",
      "  nope does not exist",
    ]);
    const denied = { code: "E_POLICY_DENIED", text: { key: "approval.refused" } } as const;
    // They know that they said no.
    expect(await lines("bash", { command: "rm x" }, { status: "denied", error: denied })).toEqual([
      "⊘ Run rm x  denied",
    ]);
    const rule = { code: "E_POLICY_DENIED", text: { key: "file.missing", args: { path: "x" } } } as const;
    expect(await lines("bash", { command: "rm x" }, { status: "denied", error: rule })).toEqual([
      "⊘ Run rm x  denied",
      "  x does not exist",
    ]);
  });

  test("[SU-3] changes its sign with its state, and its time is seen while it runs", () => {
    const told = new Telling();
    const states: (readonly string[])[] = [];
    const step = (...published: readonly Published[]) => {
      told.hear(...published);
      told.take();
      states.push(told.live());
    };
    const decided = { type: "tool.decided", runId: "r1", callId: "r1/1/1", reasons: [], source: "mode" } as const;
    step(one("bash", { command: "npm test" }));
    step(event({ ...decided, decision: "ask" }));
    const answered = { type: "approval.answered", runId: "r1", callId: "r1/1/1", by: "person", words: "" } as const;
    step(event({ ...answered, answer: "edit", call: call("bash", { command: "npm run test" }) }));
    step(running());
    told.clock += 75_400;
    step(settled({ status: "done", ms: 75_400 }));
    expect(states).toEqual([
      ["· Run npm test"],
      ["? Run npm test  waiting for your answer"],
      ["· Run npm run test"],
      ["• Run npm run test"],
      [],
    ]);
    expect(told.text).toBe("✓ Run npm run test  1 min 15 s");
  });

  test("[SU-3] what it changed stands below it, as soon as that is known", async () => {
    const told = new Telling({ diffs: { "r1/1/1": patch } });
    told.hear(one("edit", { path: "a.ts" }), running(), settled({ changes: [change] }));
    told.take();
    expect([told.text, told.live()]).toEqual(["", ["✓ Edit a.ts"]]);
    await told.settle();
    expect(told.redraws).toBe(1);
    expect(told.text.split("\n")).toEqual([
      ...["✓ Edit a.ts  +1 −1", "   1 - const a = 1;", "   1 + const a = 2;", "   2   same"],
    ]);
  });

  test("[SU-3] a long diff is cut, and all of it is there to be looked at", async () => {
    const long = `--- a/a.ts\n+++ b/a.ts\n@@ -0,0 +1,90 @@\n${Array.from({ length: 90 }, (_, at) => `+line ${at}\n`).join("")}`;
    const told = new Telling({ diffs: { "r1/1/1": long } });
    told.hear(one("bash", { command: "gen" }), running(), settled({ changes: [change] }));
    await told.settle();
    const shown = told.text.split("\n");
    expect([shown.length, shown[0], shown[1], shown.at(-1)]).toEqual([
      42,
      "✓ Run gen  +90",
      "  a.ts",
      "  … more (Ctrl+O)",
    ]);
    const [detail] = told.feed.details();
    expect(detail?.title).toBe("Run gen");
    expect(rowsOf(detail, 80).filter((line) => line.includes("line ")).length).toBe(90);
  });

  test("[SU-3] one whose diff cannot be made, or never comes, is over all the same", async () => {
    const broken = new Telling({ diffs: { "r1/1/1": "broken" } });
    broken.hear(one("edit", { path: "a.ts" }), settled({ changes: [change] }));
    await broken.settle();
    expect(broken.text).toBe("✓ Edit a.ts\n  Could not compute the diff: the blob is gone");
    const told = new Telling({ diffs: { "r1/1/1": patch } });
    told.hear(one("edit", { path: "a.ts" }), settled({ changes: [change] }));
    told.clock += 11_000;
    told.take();
    expect(told.text).toBe("✓ Edit a.ts");
  });

  test("[SU-3] those that run at the same time stay in their order: a later one waits, and is seen", () => {
    const told = new Telling();
    told.hear(replied({ calls: [1, 2, 3].map((n) => call("read", { path: `${n}.txt` }, n)) }));
    told.hear(running(1), running(2), running(3), settled({ data: { first: 1, last: 2, total: 2 } }, 2));
    told.take();
    expect([told.text, told.live()]).toEqual(["", ["• Read 1.txt", "✓ Read 2.txt  2 lines", "• Read 3.txt"]]);
    told.hear(settled({ data: { first: 1, last: 1, total: 1 } }, 1));
    told.take();
    expect([told.text, told.live()]).toEqual(["✓ Read 1.txt  1 line\n✓ Read 2.txt  2 lines", ["• Read 3.txt"]]);
  });

  test("[SU-3] where there is little room, what runs is seen, and how much waits", () => {
    const told = new Telling();
    told.hear(replied({ calls: Array.from({ length: 9 }, (_, at) => call("bash", { command: `job ${at}` }, at)) }));
    told.hear(running(4));
    expect(told.live(5)).toEqual(["· Run job 0", "· Run job 1", "· Run job 2", "• Run job 4", "· 5 more waiting"]);
  });
});

describe("what the person runs", () => {
  const input = (kind: "shell" | "tool", text: string) =>
    event({ type: "input.admitted", inputId: "i1", kind, delivery: "now", text });
  const started = event({
    ...{ type: "task.started", taskId: "t1", runId: "r1", inputId: "i1" },
    limits: { maxSteps: 1, maxTokens: null, maxAttempts: 1 },
  });

  test("[SL-2] of /diff shows which files, what changed in them, and the untracked files", () => {
    const told = new Telling();
    const stat = " a.ts | 2 +-\n 1 file changed, 1 insertion(+), 1 deletion(-)\n";
    const untracked = ["new.ts", "\u202eevil"];
    const data = { command: "git diff", exit_code: 0, stat, diff: patch, files: [], untracked, truncated: false };
    told.hear(
      input("tool", "/diff"),
      started,
      event({ type: "run.started", runId: "r1", calls: [call("diff", {})] }),
      running(),
      settled({ status: "done", output: "", data }),
    );
    told.take();
    for (const line of ["a.ts | 2 +-", "1 file changed, 1 insertion(+)", "+ const a = 2;", "Untracked:", "new.ts"])
      expect(told.text).toContain(line);
    expect(told.text).toContain("\\u202eevil");
  });

  test("[IN-4] [SU-3] is a [COMMAND] block below what they typed: command, exit code, both streams apart", () => {
    const told = new Telling();
    told.hear(
      input("shell", "make"),
      started,
      event({ type: "run.started", runId: "r1", calls: [call("bash", { command: "make" })] }),
    );
    told.hear(running(), { kind: "output", callId: "r1/1/1", stream: "stdout", text: "cc a.c\n" });
    told.take();
    expect([told.text, told.live()]).toEqual(["! make", ["• [COMMAND] make", "  cc a.c"]]);
    told.hear(settled(commandResult("cc a.c\n", 2, "bad\n")));
    told.take();
    expect(told.text).toBe("! make\n✗ [COMMAND] make  exit code 2\n  [stdout]\n  cc a.c\n  [stderr]\n  bad");
  });

  test("[SU-3] with a slash command is told in their language", () => {
    const told = new Telling({ lang: "zh" });
    const said = [phrase("undo.did.restored", { files: "a.js" })];
    told.hear(
      input("tool", "undo {}"),
      started,
      event({ type: "run.started", runId: "r1", calls: [call("undo", {})] }),
    );
    told.hear(running(), settled({ output: "restored: a.js", data: { said } }));
    told.take();
    expect(told.text).toBe("✓ 撤销\n  已还原：a.js");
  });
});
