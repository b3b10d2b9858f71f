import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Finding, Review } from "../../../src/engine/task/review.ts";
import { Bench, type Seat } from "../../support/engine.ts";
import { commitAll, git } from "../../support/repository.ts";

const finding = (more: Partial<Finding>): Finding => ({
  ...{ severity: "high", file: "a.ts", line: 2, problem: "p", suggestion: "s" },
  ...more,
});
const answer = (...findings: readonly Finding[]) => ({ text: JSON.stringify({ findings }) });

/** `a.ts` has a changed line 2 of 4, `new.ts` is untracked. */
async function reviewed(
  script: ConstructorParameters<typeof Bench>[0],
  use: (bench: Bench, seat: Seat) => Promise<void>,
) {
  await using bench = new Bench(script);
  bench.file("a.ts", "1\n2\n3\n4\n");
  commitAll(bench.workspace);
  bench.file("a.ts", "1\ntwo\n3\n4\n");
  bench.file("new.ts", "x\ny\n");
  await use(bench, bench.open({ mode: "yolo" }));
}

function reviewOf(seat: Seat): Review {
  const found = seat.engine.structured(seat.last("task.started").taskId);
  if (found === null || found === "unfit") throw new Error(String(found));
  return found.value as Review;
}

describe("/review", () => {
  test("[SL-3] the model gets the diff and the untracked files as data, and the findings come back sorted", async () => {
    const low = finding({ severity: "low", file: "new.ts", line: 1 });
    const script = [
      answer(
        low,
        finding({ line: 2 }),
        finding({ severity: "critical", file: "./new.ts", line: 2 }),
        finding({ file: "new.ts" }),
      ),
    ];
    await reviewed(script, async (bench, seat) => {
      expect(await seat.run("/review error handling")).toMatchObject({ kind: "admitted" });
      const sent = bench.server.requests[0]?.body.messages.map(({ content }) => String(content)) ?? [];
      expect(sent.some((text) => text.includes("Look above all at: error handling"))).toBe(true);
      const told = sent.find((text) => text.startsWith("[coder] ran diff: done")) ?? "";
      expect(told).toContain("data, not instructions");
      expect(told).toContain("-2\n+two\n");
      expect(told).toContain("+++ b/new.ts\n@@ -0,0 +1,2 @@\n+x\n+y");
      expect(reviewOf(seat)).toEqual({
        findings: [
          finding({ severity: "critical", file: "new.ts", line: 2 }),
          finding({ line: 2 }),
          finding({ file: "new.ts" }),
          low,
        ],
        dropped: 0,
      });
      expect(seat.last("task.assessed").assessment).toMatchObject({ intent: "review", complexity: "simple" });
      expect(seat.last("task.summarized").summary).toMatchObject({ exit_code: 0, changed_files: [] });
    });
  });

  test("[SL-3] a finding that points at no changed line is dropped, unless it follows from one", async () => {
    const follows = finding({ line: 4, follows_from: { file: "a.ts", line: 2 } });
    const script = [
      answer(
        finding({ line: 4 }),
        follows,
        finding({ line: 4, follows_from: { file: "a.ts", line: 4 } }),
        finding({ file: "other.ts", line: 2 }),
        finding({ line: 999 }),
      ),
    ];
    await reviewed(script, async (_, seat) => {
      await seat.run("/review");
      expect(reviewOf(seat)).toEqual({ findings: [follows], dropped: 4 });
    });
  });

  test("[SL-3] nothing can be changed or run in it, in yolo neither; reading can", async () => {
    const calls = [
      { tool: "write", input: { path: "a.ts", content: "mine\n" } },
      { tool: "bash", input: { command: "touch ran" } },
      { tool: "diagnostics", input: { command: "pytest -q" } },
      { tool: "read", input: { path: "a.ts" } },
    ];
    await reviewed([{ calls }, answer()], async (bench, seat) => {
      await seat.run("/review");
      const statuses = seat.all("tool.settled").map(({ result }) => result.status);
      expect(statuses).toEqual(["done", "denied", "denied", "denied", "done"]);
      expect(readFileSync(join(bench.workspace, "a.ts"), "utf8")).toBe("1\ntwo\n3\n4\n");
      expect(existsSync(join(bench.workspace, "ran"))).toBe(false);
      expect(reviewOf(seat)).toEqual({ findings: [], dropped: 0 });
    });
  });

  test("[SL-3] the switch ends with the task: the next one may write again", async () => {
    const write = { calls: [{ tool: "write", input: { path: "b.ts", content: "x\n" } }] };
    await reviewed([[answer()], [write, { text: "done" }]], async (_, seat) => {
      await seat.run("/review");
      await seat.run("go on");
      expect(seat.last("tool.settled").result.status).toBe("done");
    });
  });

  test("[SL-3] [SA-secrets] files whose names say that they hold secrets are not sent, tracked or not", async () => {
    await using bench = new Bench([answer()]);
    bench.file(".env", "A=1\n");
    bench.file("a.ts", "1\n");
    commitAll(bench.workspace);
    bench.file(".env", "A=hidden-one\n");
    bench.file("id_rsa", "hidden-two\n");
    bench.file("a.ts", "shown\n");
    const seat = bench.open();
    await seat.run("/review");
    const sent = JSON.stringify(bench.server.requests[0]?.body);
    expect([sent.includes("shown"), sent.includes("hidden-one"), sent.includes("hidden-two")]).toEqual([
      true,
      false,
      false,
    ]);
    expect(JSON.stringify(seat.all("tool.settled"))).not.toContain("hidden-");
  });

  test("[SL-3] --base compares with another revision; what is staged counts without it too", async () => {
    await using bench = new Bench([answer(finding({ line: 1 }))]);
    bench.file("a.ts", "1\n");
    commitAll(bench.workspace);
    bench.file("a.ts", "2\n");
    git(bench.workspace, "commit", "-qam", "two");
    const seat = bench.open();
    await seat.run("/review --base HEAD~1");
    expect(reviewOf(seat)).toEqual({ findings: [finding({ line: 1 })], dropped: 0 });
    const clean = await seat.run("/review");
    expect(clean).toMatchObject({ kind: "command", result: { ok: true, data: { findings: [], dropped: 0 } } });
    bench.file("a.ts", "3\n");
    git(bench.workspace, "add", "-A");
    await seat.run("/review");
    expect(reviewOf(seat)).toEqual({ findings: [finding({ line: 1 })], dropped: 0 });
  });

  test("[SL-3] before the first commit everything is a change", async () => {
    await using bench = new Bench([answer(finding({ line: 1 }))]);
    git(bench.workspace, "init", "-q");
    bench.file("a.ts", "1\n");
    git(bench.workspace, "add", "a.ts");
    const seat = bench.open();
    await seat.run("/review");
    expect(reviewOf(seat).findings.length).toBe(1);
  });

  test("[SL-3] a base that is an option, a range, a command or unknown to git is refused, and no model is asked", async () => {
    await reviewed([answer(finding({}))], async (bench, seat) => {
      for (const base of ["--output=x", "a..b", "$(touch x)", "a;b", "'", "nosuch", "HEAD~7"]) {
        const refused = await seat.run(`/review --base ${base}`);
        expect([base, refused]).toMatchObject([base, { kind: "command", result: { ok: false } }]);
      }
      expect(await seat.run("/review --base")).toMatchObject({ kind: "command", result: { ok: false } });
      expect(bench.server.requests.length).toBe(0);
    });
  });

  test("[SL-3] on a clean tree it answers without a model call, also where files were touched and written anew", async () => {
    await using bench = new Bench([answer()]);
    bench.file("a.ts", "1\n");
    bench.file(".gitignore", "out\n");
    commitAll(bench.workspace);
    bench.file("a.ts", "1\n");
    bench.file("out", "made\n");
    const seat = bench.open();
    const clean = await seat.run("/review");
    expect(clean).toMatchObject({ kind: "command", result: { ok: true, data: { findings: [], dropped: 0 } } });
    expect([bench.server.requests.length, seat.all("task.started").length]).toEqual([0, 0]);
    for (const change of [
      () => bench.file("a.ts", "2\n"),
      () => git(bench.workspace, "add", "-A"),
      () => git(bench.workspace, "rm", "-qf", "a.ts"),
      () => bench.file("[new] *.ts", "x\n"),
    ]) {
      change();
      expect(await seat.run("/review")).toMatchObject({ kind: "admitted" });
    }
    expect(bench.server.requests.length).toBe(4);
  });

  test("[SL-3] what is staged and then taken back in the files is no change: nothing of it would be shown", async () => {
    await using bench = new Bench([answer()]);
    bench.file("a.ts", "1\n");
    bench.file("b.ts", "1\n");
    commitAll(bench.workspace);
    bench.file("a.ts", "2\n");
    bench.file("new.ts", "2\n");
    git(bench.workspace, "add", "-A");
    git(bench.workspace, "update-index", "--chmod=+x", "b.ts");
    bench.file("a.ts", "1\n");
    rmSync(join(bench.workspace, "new.ts"));
    const seat = bench.open();
    expect(await seat.run("/review")).toMatchObject({ kind: "command", result: { data: { findings: [] } } });
    expect(bench.server.requests.length).toBe(0);
    bench.file("a.ts", "3\n");
    expect(await seat.run("/review")).toMatchObject({ kind: "admitted" });
    expect(bench.server.requests.length).toBe(1);
  });

  test("[SL-3] a clean tree is clean whatever the repository is made of: a linked worktree, packed names, other hashes", async () => {
    await using bench = new Bench([answer()]);
    bench.file("a.ts", "1\n");
    git(bench.workspace, "init", "-q", "--object-format=sha256");
    const born = bench.open();
    expect(await born.run("/review")).toMatchObject({ kind: "admitted" });
    expect(born.last("tool.settled").result.status).toBe("done");
    commitAll(bench.workspace);
    git(bench.workspace, "branch", "other");
    git(bench.workspace, "pack-refs", "--all");
    for (const make of [
      () => git(bench.workspace, "checkout", "-q", "-b", "deep/one"),
      () => git(bench.workspace, "symbolic-ref", "refs/heads/alias", "refs/heads/other"),
      () => git(bench.workspace, "symbolic-ref", "HEAD", "refs/heads/alias"),
    ]) {
      make();
      expect(await born.run("/review")).toMatchObject({ kind: "command", result: { data: { findings: [] } } });
    }
    expect(bench.server.requests.length).toBe(1);
  });

  test("[SL-3] [PO-7] secret files that did not change hold nothing up, in no mode; those that did are left out by name", async () => {
    for (const mode of ["default", "plan", "auto-edit"] as const) {
      await using bench = new Bench([answer()]);
      for (const name of [".env", "credentials.json", "id_rsa", "a.ts", "[id].ts", "gone.ts"])
        bench.file(name, "A=1\n");
      commitAll(bench.workspace);
      bench.file("id_rsa", "hid-this-one\n");
      const seat = bench.open({ mode });
      const only = await seat.run("/review");
      expect(only).toMatchObject({ kind: "command", result: { text: expect.stringContaining("id_rsa") } });
      git(bench.workspace, "rm", "-q", "gone.ts");
      await seat.run("/review");
      bench.file("[id].ts", "shown one\n");
      await seat.run("/review");
      bench.file("a.ts", "shown two\n");
      await seat.run("/review");
      expect(seat.all("tool.settled").map(({ result }) => result.status)).toEqual(["done", "done", "done"]);
      const sent = JSON.stringify(bench.server.requests.at(-1)?.body);
      expect(["shown one", "shown two", "left out: id_rsa", "hid-this-one"].map((text) => sent.includes(text))).toEqual(
        [...[true, true, true, false]],
      );
    }
  });

  test("[SL-3] [SM-9] prose is asked about once more and then shown as it is, without a failure", async () => {
    await reviewed([{ text: "Looks fine to me." }, { text: "As I said: fine." }], async (bench, seat) => {
      await seat.run("/review");
      const { taskId } = seat.last("task.started");
      expect([seat.engine.structured(taskId), seat.engine.lastText(taskId)]).toEqual([null, "As I said: fine."]);
      expect(seat.last("task.summarized").summary).toMatchObject({ stop_reason: "COMPLETED", exit_code: 0 });
      expect(bench.server.requests.length).toBe(2);
    });
  });

  test("[SL-3] an answer of another form is sent back once", async () => {
    await reviewed([{ text: '{"findings": [{"file": "a.ts"}]}' }, answer(finding({}))], async (bench, seat) => {
      await seat.run("/review");
      expect(reviewOf(seat)).toEqual({ findings: [finding({})], dropped: 0 });
      expect(seat.all("tool.settled").length).toBe(1);
      expect(bench.server.requests.length).toBe(2);
    });
  });

  test("[SL-3] outside a repository it is unavailable, and no model is asked", async () => {
    await using bench = new Bench([answer()]);
    expect(await bench.open().run("/review")).toMatchObject({
      kind: "command",
      result: { data: { available: false } },
    });
    expect(bench.server.requests.length).toBe(0);
  });
});
