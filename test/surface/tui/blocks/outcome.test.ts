import { describe, expect, test } from "bun:test";
import type { InputKind } from "../../../../src/contract/event.ts";
import type { TaskSummary } from "../../../../src/contract/task.ts";
import { phrase } from "../../../../src/contract/text/catalogue.ts";
import type { VerificationResult } from "../../../../src/contract/verification.ts";
import { emptySession, type SessionState } from "../../../../src/machine/state.ts";
import { parseOutput } from "../../../../src/verify/parse.ts";
import { bare, call, delta, event, problemsIn, replied, running, settled, Telling } from "../telling.ts";

const empty: TaskSummary = {
  ...{ changed_files: [], why: "", commands: [], risks: [], rollback: "", next_steps: [] },
  ...{ verification: { status: "none", reason: "nothing to verify" }, outcome: "UNVERIFIED", stop_reason: "COMPLETED" },
  ...{ check_wanted: false, exit_code: 0 },
};
const passed: VerificationResult = {
  ...{
    ok: true,
    type: "pass",
    command: "npm test",
    exit_code: 0,
    summary: "ok",
    details: [],
    suggestion: "",
    fingerprint: "",
  },
  counts: { passed: 14, failed: 0, errors: 0, skipped: 0, todo: 0 },
};
const files = [
  { path: "src/a.ts", change: "modify" as const },
  { path: "src/b.ts", change: "create" as const },
];

function begun(kind: InputKind, options: ConstructorParameters<typeof Telling>[0] = {}): Telling {
  const told = new Telling(options);
  told.hear(event({ type: "input.admitted", inputId: "i1", kind, delivery: "now", text: "go" }));
  const limits = { maxSteps: 1, maxTokens: null, maxAttempts: 1 };
  told.hear(event({ type: "task.started", taskId: "t1", runId: "r1", inputId: "i1", limits }));
  return told;
}

/** Diffs may come later than the end. */
async function ended(told: Telling, summary: Partial<TaskSummary>, isLate = false): Promise<readonly string[]> {
  if (!isLate) await told.settle();
  told.take();
  const before = told.committed.length;
  told.hear(event({ type: "task.summarized", taskId: "t1", summary: { ...empty, ...summary } }, 12));
  told.hear(event({ type: "task.ended", taskId: "t1" }, 12));
  told.live();
  await told.settle();
  return bare(told.committed).slice(before);
}

describe("the end of a task", () => {
  test("[VF-6] [SA-hidden-text] names a file as it is called, breaks and blanks too", async () => {
    const odd = [{ path: "a\n  D  b.ts", change: "create" as const }];
    expect(await ended(begun("task"), { changed_files: odd })).toContain("  A a\\n  D  b.ts");
  });

  test("[VF-4] [VF-7] a check that only its exit code speaks for is named as such on the card", async () => {
    const ran = {
      runner: "auto",
      command: "make test",
      output: "fine\n",
      exitCode: 0,
      timedOut: false,
      cwd: "/w",
    } as const;
    const results = [parseOutput(ran)];
    const verification = { status: "pass" as const, reason: "make test", results, attempts: 1 };
    const card = await ended(begun("task"), { changed_files: files, outcome: "VERIFIED", verification });
    expect(card.join("\n")).toContain("✓ make test: passed by exit code");
  });

  test("[VF-6] [SM-9] names the files with what they gained and lost, the proof, the cost, and how to undo it", async () => {
    const diff = (path: string, body: string) => `--- a/${path}\n+++ b/${path}\n${body}`;
    const told = begun("task", {
      diffs: {
        "r1/1/1": diff("src/a.ts", "@@ -1,2 +1,1 @@\n-x\n-y\n+z\n"),
        "r1/1/2": diff("src/a.ts", "@@ -1 +1 @@\n-z\n+q\n"),
        // In the end: a line that was changed twice counts once.
        t1: diff("src/a.ts", "@@ -1,2 +1,1 @@\n-x\n-y\n+q\n"),
      },
    });
    const change = { path: "src/a.ts", real: "/w/src/a.ts", before: null, after: null };
    const usage = { input: 45_200, output: 1_234, cachedInput: 0, reasoning: 0 };
    told.hear(
      replied({
        calls: [call("edit", { path: "src/a.ts" }), call("edit", { path: "src/a.ts" }, 2)],
        usage,
        cost: 12_345,
      }),
    );
    told.hear(running(), settled({ changes: [change] }), running(2), settled({ changes: [change] }, 2));
    const verification = { status: "pass" as const, reason: "npm test", results: [passed], attempts: 1 };
    const summary = { changed_files: files, verification, outcome: "VERIFIED" as const, next_steps: ["look at it"] };
    const lines = await ended(told, summary, true);
    expect(lines.slice(lines.lastIndexOf(""))).toEqual([
      "",
      "VERIFIED  2 files changed · 12 s · $0.0124 · 45k tokens in, 1.2k out",
      "  M src/a.ts  +1 −2 in 2 edits",
      "  A src/b.ts",
      "  ✓ npm test: 14 passed",
      "  /undo to revert",
      "  → look at it",
    ]);
  });

  test("[VF-6] [SU-3] a check that failed is named once, with what to do about it", async () => {
    const command = "pytest -q";
    const failed = { ...passed, ok: false, command, counts: { ...passed.counts, failed: 1 }, summary: "1 failed" };
    const error = { code: "E_BUILD_FAIL", text: phrase("check.failed", { command, summary: "1 failed" }) } as const;
    const end = { stop: "BLOCKED", error, note: null, blockage: null } as const;
    const told = begun("task");
    const task = { phase: "SUMMARIZING", task: {}, end } as unknown as SessionState["task"];
    told.hear(event({ type: "checks.finished", taskId: "t1", result: {} as never }, 12, { ...emptySession, task }));
    const verification = { status: "fail" as const, reason: "pytest -q failed: 1 failed", results: [failed] };
    const ends = { outcome: "FAILED" as const, stop_reason: "BLOCKED" as const, next_steps: ["repair it"] };
    const lines = await ended(told, { ...ends, verification, changed_files: files.slice(0, 1) });
    expect(lines.filter((line) => line.includes(command))).toEqual(["  ✗ pytest -q: 14 passed, 1 failed"]);
    expect(lines.at(-1)).toBe("  → repair it");
    const none = { status: "none" as const, reason: "" };
    const other = begun("task");
    other.hear(event({ type: "checks.finished", taskId: "t1", result: {} as never }, 12, { ...emptySession, task }));
    expect(await ended(other, { ...ends, verification: none })).toContain("  ✗ pytest -q failed: 1 failed");
  });

  test("[VF-6] says why nothing proves it, and what was run meanwhile", async () => {
    const commands = [
      { command: "npm test", status: "failed", exit_code: 1 },
      { command: "npm run build", status: "done", exit_code: 0 },
    ];
    const verification = { status: "none" as const, reason: "no test command is known" };
    expect(await ended(begun("task"), { changed_files: files.slice(0, 1), commands, verification })).toEqual([
      ...["", "UNVERIFIED  1 file changed · 12 s", "  M src/a.ts", "  no test command is known"],
      ...["  ✗ npm test  exit code 1", "  ✓ npm run build", "  /undo to revert"],
    ]);
  });

  test("[SU-3] is one quiet line where nothing was changed, and none for what the person ran", async () => {
    expect(await ended(begun("task"), {})).toEqual(["", "12 s"]);
    expect(await ended(begun("shell"), {})).toEqual([]);
    expect(await ended(begun("tool"), {})).toEqual([]);
  });

  test("[SL-3] an answer that was asked for as JSON is told in words, and as it is where it is none", async () => {
    const answered = async (structured: string | undefined, text: string) => {
      const told = new Telling(structured === undefined ? {} : { structured });
      told.hear(
        event({ type: "input.admitted", inputId: "i1", kind: "task", delivery: "now", text: "go", schema: {} }),
      );
      const limits = { maxSteps: 1, maxTokens: null, maxAttempts: 1 };
      told.hear(event({ type: "task.started", taskId: "t1", runId: "r1", inputId: "i1", limits }));
      for (const piece of text.match(/.{1,4}/gs) ?? []) told.hear(delta({ kind: "text", text: piece }));
      told.take();
      told.hear(replied({ text }));
      await ended(told, {});
      return told.text;
    };
    expect(await answered("high     a.ts:3: wrong", '{"findings":[]}')).toBe("> go\n\nhigh     a.ts:3: wrong\n\n12 s");
    expect(await answered(undefined, '```json\n{"a":1}\n```')).toBe('> go\n\n```json\n{"a":1}\n```\n\n12 s');
    expect(await answered(undefined, "I **cannot** say.")).toBe("> go\n\nI cannot say.\n\n12 s");
  });

  test("[RB-4] a commit that nobody asked for is one line", async () => {
    const told = new Telling();
    const own = { tool: "commit", input: { auto: true } };
    told.hear(
      event({ type: "input.admitted", inputId: "i1", kind: "tool", delivery: "now", text: "commit", call: own }),
    );
    const limits = { maxSteps: 1, maxTokens: null, maxAttempts: 1 };
    told.hear(event({ type: "task.started", taskId: "t1", runId: "r1", inputId: "i1", limits }));
    told.hear(event({ type: "run.started", runId: "r1", calls: [call("commit", own.input)] }), running());
    told.hear(settled({ data: { commit: "0123456789abcdef", branch: "main", subject: "room: do it" } }));
    await ended(told, { changed_files: files });
    expect(told.text).toBe("◦ Committed 0123456789 on main: room: do it");
  });

  test("[CAN-3] after a cancel prints exactly the two lines, in both languages and in any width", async () => {
    for (const lang of ["en", "zh"] as const)
      for (const kind of ["task", "shell", "tool"] as const) {
        const told = begun(kind, { lang, width: 40 });
        const lines = await ended(told, { stop_reason: "CANCELLED", outcome: "FAILED" });
        expect(lines.slice(lines[0] === "" ? 1 : 0).slice(0, 2)).toEqual([
          "Cancelled by ESC",
          "Stopped model stream and tool execution; todo state remains unchanged unless a tool had already completed.",
        ]);
      }
  });

  test("[ER-2] a task that failed says what, what to do and under which code, and what is asked", async () => {
    const told = begun("task");
    const error = { code: "E_MODEL", text: { key: "session.no_model" } } as const;
    told.hear(
      event({ type: "model.failed", runId: "r1", index: 1, attempt: 1, error, fault: "auth", retryInMs: null }),
    );
    const questions = [{ question: "Which one?", options: ["this", "that"] }];
    expect(
      await ended(told, { stop_reason: "PROVIDER_FAILED", outcome: "FAILED", questions, blocked: "no way" }),
    ).toEqual([
      "",
      "FAILED  model error · 12 s",
      "  ✗ No model is configured.",
      "    Check the base URL, the key and the network.",
      ...["  ▲ no way", "  ? Which one?", "    - this", "    - that"],
    ]);
  });

  test("[SU-3] fits any width, and leaves out a number rather than cut it", async () => {
    for (const width of [20, 30, 40, 55, 80]) {
      const told = begun("task", { width });
      const usage = { input: 45_200, output: 1_234, cachedInput: 0, reasoning: 0 };
      told.hear(replied({ text: "done", usage }));
      const many = Array.from({ length: 40 }, (_, at) => ({
        path: `${"long/".repeat(30)}${at}`,
        change: "modify" as const,
      }));
      const lines = await ended(told, { changed_files: many, next_steps: ["w ".repeat(100)] });
      expect(problemsIn(told.committed, width)).toEqual([]);
      expect(lines.join("\n")).not.toMatch(/\d…/);
    }
  });
});
