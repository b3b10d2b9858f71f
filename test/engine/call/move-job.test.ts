import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sandboxState } from "../../../src/platform/sandbox/state.ts";
import { Bench, type Seat } from "../../support/engine.ts";
import type { Step } from "../../support/scripted-reply.ts";
import { aliveWith, newToken, untilFile } from "../../support/shell.ts";
import { until } from "../../support/until.ts";

const bash = (command: string): Step => ({ calls: [{ tool: "bash", input: { command } }] });
const look: Step = { calls: [{ tool: "job", input: { action: "output", id: "j1", wait_s: 60 } }] };
const done: Step = { text: "done" };

/** The command has written this, and can be moved. */
async function written(seat: Seat, text: string): Promise<void> {
  await seat.until((one) => one.kind === "output" && one.text.includes(text));
  await until("it can be moved", () => seat.engine.background()?.canMove === true);
}
const moved = (seat: Seat) => seat.engine.background()?.moveToBackground();
const results = (seat: Seat) => seat.all("tool.settled").map(({ result }) => result);

describe("a command that the user moves to the background", () => {
  test("[TL-3] [CAN-1] settles at once, goes on as the same process, and its output into the job", async () => {
    await using bench = new Bench([bash(`echo $$; ${untilFile("go")}; echo later; exit 3`), look, done]);
    const seat = bench.open({ mode: "yolo" });
    const running = seat.run("go");
    await written(seat, "\n");
    expect(moved(seat)?.ok).toBe(true);
    await seat.event("job.started");
    const job = seat.last("job.started");
    const spawned = seat.last("process.spawned");
    expect([job.pid, job.startTime, job.by, job.taskId]).toEqual([spawned.pid, spawned.startTime, "person", "t1"]);
    await seat.event("tool.settled");
    const pid = results(seat)[0]?.output.match(/^\d+$/m)?.[0] ?? "";
    expect(results(seat)[0]).toMatchObject({
      status: "done",
      data: { job: "j1", exit_code: null, stdout: `${pid}\n` },
    });
    expect(results(seat)[0]?.output).toStartWith("the user moved it to the background: it continues as job j1");
    writeFileSync(join(bench.workspace, "go"), "");
    await running;
    // The model reads what is new since then.
    expect(results(seat)[1]?.output).toBe(`background job j1 ended with exit code 3: ${job.command}\nlater`);
    expect(seat.last("job.ended")).toMatchObject({ fate: "exited", exitCode: 3, tail: `${pid}\nlater\n` });
    expect(moved(seat)?.ok).toBe(false);
  });

  test("[CAN-1] [CAN-4] survives Esc, its time limit and later tasks; a kill and the end of the session end it", async () => {
    const [first, second] = [newToken(), newToken()];
    const say = (token: string) => bash(`echo here; sleep ${token}`);
    await using bench = new Bench([
      { when: "one", steps: [say(first), { text: "stays", stallAfter: 1 }] },
      { when: "two", steps: [say(second), done] },
    ]);
    const seat = bench.open({ mode: "yolo" }, { config: { command_timeout_s: 2 } });
    void seat.engine.runInput("one");
    await written(seat, "here");
    moved(seat);
    await seat.event("job.started");
    await seat.until((one) => one.kind === "delta" && one.delta.kind === "text");
    seat.engine.cancel("esc");
    await seat.engine.idle();
    expect(aliveWith(first)).not.toEqual([]);
    void seat.engine.runInput("two");
    await until("the second runs", () => aliveWith(second).length > 0 && seat.engine.background()?.canMove === true);
    moved(seat);
    await seat.engine.idle();
    expect(seat.all("job.started").map(({ jobId }) => jobId)).toEqual(["j1", "j2"]);
    expect((await seat.engine.killJob("j1")).ok).toBe(true);
    expect([aliveWith(first).length, aliveWith(second).length > 0]).toEqual([0, true]);
    await seat.close();
    expect(aliveWith(second)).toEqual([]);
    expect(seat.all("job.ended").map(({ fate }) => fate)).toEqual(["killed", "closed"]);
  });

  test("[RB-1] [RB-2] has what it changed until then undone like any command, and is named for what came after", async () => {
    await using bench = new Bench([
      bash(`echo early > a.txt; echo here; ${untilFile("go")}; echo late > b.txt; mkdir d`),
      look,
      done,
    ]);
    bench.file("mine.txt", "mine\n");
    const seat = bench.open({ mode: "yolo" });
    const running = seat.run("go");
    await written(seat, "here");
    moved(seat);
    await seat.event("tool.settled");
    const [result] = results(seat);
    expect(result?.changes?.map(({ path, doubt }) => [path, doubt])).toEqual([["a.txt", undefined]]);
    expect(result?.unkept).toMatchObject([{ why: "background" }]);
    writeFileSync(join(bench.workspace, "go"), "");
    await running;
    // What it does in the background is not stopped by nobody answering its calls any more.
    expect(readFileSync(join(bench.workspace, "b.txt"), "utf8")).toBe("late\n");
    await seat.run("/undo");
    expect([existsSync(join(bench.workspace, "a.txt")), existsSync(join(bench.workspace, "b.txt"))]).toEqual([
      false,
      true,
    ]);
    expect(seat.last("tool.settled").result.output).toContain("moved to the background");
  });

  test("[PO-8] stays in its sandbox, which still ends it for what it must not make", async () => {
    if ((await sandboxState()).kind !== "ready") return;
    await using bench = new Bench([bash("sh try.sh"), look, done]);
    const wait = untilFile("go");
    bench.file("try.sh", `echo here; ${wait}; touch /etc/coder-no; echo "left: $?"; echo x > ok.txt\n`);
    const seat = bench.open({ mode: "auto-edit" });
    const running = seat.run("go");
    await written(seat, "here");
    moved(seat);
    await seat.event("tool.settled");
    writeFileSync(join(bench.workspace, "go"), "");
    await running;
    expect(seat.last("job.ended").tail).toContain("left: 1");
    expect(existsSync(join(bench.workspace, "ok.txt"))).toBe(true);
    expect(existsSync("/etc/coder-no")).toBe(false);
  });

  test("[CAN-1] a command that ends at that very moment ends once, as a command or as a job", async () => {
    const steps = Array.from({ length: 25 }, (_, n) => bash(`echo out-${n}; sleep 0.0${n % 7}`));
    await using bench = new Bench([...steps, done]);
    const seat = bench.open({ mode: "yolo" });
    let isOver = false;
    const running = seat.run("go").finally(() => {
      isOver = true;
    });
    while (!isOver) {
      if (seat.engine.background()?.canMove && Math.random() < 0.5) moved(seat);
      await Bun.sleep(3);
    }
    await running;
    await until("all jobs have ended", () => seat.engine.state().jobs.every(({ end }) => end !== null));
    const all = results(seat);
    expect(all.length).toBe(25);
    expect(seat.all("job.ended").length).toBe(seat.all("job.started").length);
    for (const [n, { data, output }] of all.entries())
      if (data?.job === undefined) expect(output).toBe(`exit code 0\nout-${n}`);
    expect(seat.all("internal.reported")).toEqual([]);
  });

  test("[IN-3] [CAN-1] typed with & at its end, it is the person's job from the start", async () => {
    const token = newToken();
    await using bench = new Bench([{ text: "slow", stallAfter: 1 }]);
    const seat = bench.open({ mode: "yolo" });
    await seat.run(`!sleep ${token} &`);
    await until("it runs", () => aliveWith(token).length > 0);
    expect(seat.last("job.started")).toMatchObject({ command: `sleep ${token}`, by: "person" });
    void seat.engine.runInput("go");
    await seat.until((one) => one.kind === "delta" && one.delta.kind === "text");
    seat.engine.cancel("esc");
    await seat.engine.idle();
    expect(aliveWith(token)).not.toEqual([]);
    await seat.close();
    expect(aliveWith(token)).toEqual([]);
  });
});
