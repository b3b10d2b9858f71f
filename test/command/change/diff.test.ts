import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { DiffData } from "../../../src/contract/diff.ts";
import { Bench } from "../../support/engine.ts";
import { commitAll, git } from "../../support/repository.ts";

describe("/diff", () => {
  for (const mode of ["plan", "default", "auto-edit", "yolo"] as const) {
    test(`[SL-2] [TP-8] in mode ${mode} it is a recorded call that gives stat, diff and untracked files`, async () => {
      await using bench = new Bench([]);
      bench.file("a.ts", "one\n");
      commitAll(bench.workspace);
      bench.file("a.ts", "two\n");
      bench.file("new file.ts", "x\n");
      const seat = bench.open({ mode });
      expect(await seat.run("/diff")).toMatchObject({ kind: "admitted" });
      const { result } = seat.last("tool.settled");
      const data = result.data as DiffData;
      expect(result.status).toBe("done");
      expect(data).toMatchObject({
        exit_code: 0,
        stat: " a.ts | 2 +-\n 1 file changed, 1 insertion(+), 1 deletion(-)\n",
        files: [{ path: "a.ts", change: "modify", lines: [[1, 1]] }],
        truncated: false,
      });
      expect(data.untracked.filter((name) => !name.startsWith(".coder/"))).toEqual(["new file.ts"]);
      expect(data.diff).toContain("-one\n+two\n");
      expect(data.command).toMatch(/^git diff .*--stat && git diff /);
      expect(seat.last("tool.decided")).toMatchObject({ decision: "allow", run: { readOnly: true } });
    });
  }

  test("[SL-2] no program that the repository or the person's git names is run, in yolo neither", async () => {
    await using bench = new Bench([]);
    bench.file("a.ts", "one\n");
    commitAll(bench.workspace);
    const trap = join(bench.root, "trap.sh");
    writeFileSync(trap, `#!/bin/sh\ntouch ${join(bench.root, "sprung")}\n`, { mode: 0o755 });
    mkdirSync(join(bench.workspace, ".git", "hooks"), { recursive: true });
    git(bench.workspace, "config", "core.fsmonitor", trap);
    git(bench.workspace, "config", "diff.external", trap);
    bench.file("a.ts", "two\n");
    const seat = bench.open({ mode: "yolo" });
    await seat.run("/diff");
    expect(existsSync(join(bench.root, "sprung"))).toBe(false);
  });

  test("[SL-2] outside a repository it is readably unavailable, and no session is opened for it", async () => {
    await using bench = new Bench([]);
    const seat = bench.open();
    expect(await seat.run("/diff")).toMatchObject({
      kind: "command",
      result: {
        ok: true,
        text: `Cannot show the diff: ${bench.workspace} is not in a git repository`,
        data: { available: false },
      },
    });
    expect(seat.engine.state().id).toBe("");
  });

  test("[SL-2] a repository without a commit, and one that is damaged, are told apart from an empty diff", async () => {
    await using bench = new Bench([]);
    git(bench.workspace, "init", "-q");
    bench.file("a.ts", "one\n");
    const seat = bench.open();
    await seat.run("/diff");
    expect((seat.last("tool.settled").result.data as DiffData).untracked).toContain("a.ts");
    writeFileSync(join(bench.workspace, ".git", "HEAD"), "nonsense");
    await seat.run("/diff");
    expect(seat.last("tool.settled").result.status).not.toBe("done");
  });

  test("[SL-2] [CX-1] the model reads a diff only with --send, and the log has it either way, also after a resume", async () => {
    await using bench = new Bench([{ text: "one" }, { text: "two" }, { text: "three" }]);
    bench.file("a.ts", "before\n");
    commitAll(bench.workspace);
    bench.file("a.ts", "only-for-eyes\n");
    const seat = bench.open();
    await seat.run("/diff");
    expect(seat.last("tool.settled").result.output).toContain("only-for-eyes");
    await seat.run("hello");
    expect(JSON.stringify(bench.server.requests[0]?.body.messages)).not.toContain("only-for-eyes");
    const id = seat.engine.state().id;
    await seat.close();
    const again = bench.open();
    await again.engine.resume(id);
    await again.run("hello again");
    expect(JSON.stringify(bench.server.requests[1]?.body.messages)).not.toContain("only-for-eyes");
    await again.run("/diff --send");
    await again.run("and now");
    expect(JSON.stringify(bench.server.requests[2]?.body.messages)).toContain("only-for-eyes");
    expect(await again.run("/diff --sned")).toMatchObject({ kind: "command", result: { ok: false } });
  });

  test("[TP-8] the model has no tool of that name: a call of it is an unknown tool", async () => {
    const calls = ["diff", "undo"].map((tool) => ({ tool, input: {} }));
    await using bench = new Bench([{ calls }, { text: "done" }]);
    commitAll(bench.workspace);
    const seat = bench.open({ mode: "yolo" });
    await seat.run("go");
    for (const { result } of seat.all("tool.settled")) {
      expect(result).toMatchObject({ status: "failed", error: { text: { key: "run.unknown_tool" } } });
      expect(result.output).not.toMatch(/\b(?:diff|undo)\b.*\b(?:diff|undo)\b/);
    }
    expect(JSON.stringify(bench.server.requests[0]?.body.tools)).not.toContain('"name":"undo"');
  });
});
