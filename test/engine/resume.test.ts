import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Cli, Lines } from "../support/cli.ts";
import { hasEnded } from "../support/shell.ts";
import { until } from "../support/until.ts";

const bash = (command: string) => ({ calls: [{ tool: "bash", input: { command } }] });

type Line = Record<string, unknown>;

function eventsOf(lines: Lines, type: string): readonly Line[] {
  return lines.all
    .filter((line) => line.type === "event")
    .map((line) => line.event as Line)
    .filter((event) => event.type === type);
}

async function newestId(cli: Cli): Promise<string> {
  const rows = JSON.parse((await cli.run(["sessions", "--json"])).out) as { id: string }[];
  return rows[0]?.id ?? "";
}

test("[PS-4] a pending approval is asked again, identically, after kill -9, and the answer runs the command once", async () => {
  using cli = new Cli([bash("mkdir once"), { text: "done" }]);
  const first = cli.start(["run", ...cli.model, "--input", "stream-json", "--output", "stream-json", "go"], {
    stdin: "pipe",
  });
  const asked = await new Lines(first.stdout).until((line) => line.type === "approval");
  first.kill("SIGKILL");
  await first.exited;
  const id = await newestId(cli);
  const second = cli.start(["run", ...cli.model, "--resume", id, "--input", "stream-json", "--output", "stream-json"], {
    stdin: "pipe",
  });
  const lines = new Lines(second.stdout);
  const again = await lines.until((line) => line.type === "approval");
  expect(again).toEqual(asked);
  expect(again.always).toEqual(["bash(mkdir once)"]);
  if (typeof second.stdin !== "object") throw new Error("no stdin");
  second.stdin.write('{"type":"approve","call":"r1/1/1","answer":"yes"}\n');
  await second.stdin.end();
  await lines.drain();
  expect(await second.exited).toBe(0);
  // A second run of it would have failed.
  expect(existsSync(join(cli.workspace, "once"))).toBe(true);
  expect(eventsOf(lines, "tool.settled").map(({ result }) => (result as Line).status)).toEqual(["done"]);
});

test("[PS-4] a pending approval that nobody can answer after kill -9 is judged by the mode of now", async () => {
  using cli = new Cli([bash("echo x >> once.txt"), { text: "done" }]);
  const first = cli.start(["run", ...cli.model, "--input", "stream-json", "--output", "stream-json", "go"], {
    stdin: "pipe",
  });
  await new Lines(first.stdout).until((line) => line.type === "approval");
  first.kill("SIGKILL");
  await first.exited;
  const id = await newestId(cli);
  expect((await cli.run(["run", ...cli.model, "--resume", id, "--mode", "yolo"])).out).toBe("done\n");
  expect(readFileSync(join(cli.workspace, "once.txt"), "utf8")).toBe("x\n");
  expect((await cli.run(["replay", id])).code).toBe(0);
});

test("[PS-4] [CAN-4] a shell command cut by kill -9 is reported as unknown, its survivors are ended, and it is not run again", async () => {
  using cli = new Cli([bash("echo started >> log.txt; echo $$ > pid; exec sleep 300"), { text: "I will check" }]);
  const first = cli.start(["run", ...cli.model, "--mode", "yolo", "--output", "stream-json", "go"]);
  await new Lines(first.stdout).event("process.spawned");
  const pidFile = join(cli.workspace, "pid");
  await until("the command runs", () => existsSync(pidFile) && readFileSync(pidFile, "utf8").trim() !== "");
  const pid = Number(readFileSync(pidFile, "utf8"));
  first.kill("SIGKILL");
  await first.exited;
  expect(hasEnded(pid)).toBe(false);
  const id = await newestId(cli);
  const second = cli.start(["run", ...cli.model, "--resume", id, "--mode", "yolo", "--output", "stream-json"]);
  const lines = new Lines(second.stdout);
  await lines.drain();
  expect(await second.exited).toBe(0);
  expect(hasEnded(pid)).toBe(true);
  expect(eventsOf(lines, "tool.settled")[0]).toMatchObject({
    result: { status: "unknown", error: { text: { key: "run.unknown_outcome" }, sideEffect: "unknown" } },
  });
  const notices = eventsOf(lines, "notice.given").map((event) => (event.text as { key: string }).key);
  expect(notices).toEqual(["run.unknown_notice", "run.survivor_ended"]);
  expect(readFileSync(join(cli.workspace, "log.txt"), "utf8")).toBe("started\n");
});

test("[PS-4] [MD-4] a model call cut by kill -9 is repeated under its index", async () => {
  using cli = new Cli([{ text: "answer", delayMs: 60_000, times: 1 }]);
  const first = cli.start(["run", ...cli.model, "--output", "stream-json", "go"]);
  await new Lines(first.stdout).event("run.started");
  await until("the request arrived", () => cli.server.requests.length === 1);
  first.kill("SIGKILL");
  await first.exited;
  const ran = await cli.run(["run", ...cli.model, "--resume", await newestId(cli), "--output", "stream-json"]);
  expect(ran.code).toBe(0);
  const replies = ran.out
    .split("\n")
    .filter((line) => line.includes('"model.replied"'))
    .map((line) => (JSON.parse(line) as { event: Line }).event);
  expect(replies.map((event) => event.index)).toEqual([1]);
});

test("[PS-5] a second process on the same session is told who holds it, and the first is not disturbed", async () => {
  using cli = new Cli([[{ text: "slow", delayMs: 1_000 }], [{ text: "copy" }]]);
  const first = cli.start(["run", ...cli.model, "--output", "stream-json", "go"]);
  const lines = new Lines(first.stdout);
  await lines.event("run.started");
  const id = await newestId(cli);
  const second = await cli.run(["run", ...cli.model, "--resume", id, "other"]);
  expect(second.code).toBe(8);
  expect(second.err).toContain(`pid ${first.pid}`);
  await lines.drain();
  expect(await first.exited).toBe(0);
});

test("[IN-5] input that was queued is not lost by kill -9", async () => {
  using cli = new Cli([
    { when: "first", steps: [{ text: "one", delayMs: 60_000, times: 1 }] },
    { when: "second", steps: [{ text: "two" }] },
  ]);
  const first = cli.start(["run", ...cli.model, "--input", "stream-json", "--output", "stream-json", "the first"], {
    stdin: "pipe",
  });
  const lines = new Lines(first.stdout);
  await until("the first request arrived", () => cli.server.requests.length === 1);
  if (typeof first.stdin !== "object") throw new Error("no stdin");
  first.stdin.write('{"type":"input","text":"the second","delivery":"queue"}\n');
  await first.stdin.flush();
  await lines.until((line) => (line.event as Line | undefined)?.inputId === "i2");
  first.kill("SIGKILL");
  await first.exited;
  const ran = await cli.run(["run", ...cli.model, "--resume", await newestId(cli)]);
  expect(ran.out).toBe("one\ntwo\n");
});

test("[BR-4] the time budget also holds for a task that goes on after kill -9", async () => {
  using cli = new Cli([{ text: "late", delayMs: 60_000 }]);
  const first = cli.start(["run", ...cli.model, "--output", "stream-json", "go"]);
  await until("the request arrived", () => cli.server.requests.length === 1);
  first.kill("SIGKILL");
  await first.exited;
  const ran = await cli.run(["run", ...cli.model, "--resume", await newestId(cli), "--max-time", "1"]);
  expect(ran.code).toBe(5);
});
