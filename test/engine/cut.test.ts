// What kill -9 leaves open, of the things that only a task as a whole waits for or leaves behind.
import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Cli, Lines } from "../support/cli.ts";
import { until } from "../support/until.ts";

const client = ["--input", "stream-json", "--output", "stream-json"];
const long =
  "Rework the whole report module so that it reads its input lazily, keeps its output format and says what was slow before and after it.";
const plan = "[PLAN]\n1. [ ] Delete the old reports (tools: write)\n2. [ ] Write a.txt (tools: write)";
const write = { tool: "write", input: { path: "a.txt", content: "x\n" } };

async function newestId(cli: Cli): Promise<string> {
  const rows = JSON.parse((await cli.run(["sessions", "--json"])).out) as { id: string }[];
  return rows[0]?.id ?? "";
}

/** Killed when the line appears; answered with `reply` when it appears again after a resume. */
async function askedTwice(cli: Cli, prompt: string, type: string, reply: string) {
  const flags = ["run", ...cli.model, "--allow", "write", ...client];
  const first = cli.start([...flags, prompt], { stdin: "pipe" });
  const asked = await new Lines(first.stdout).until((line) => line.type === type);
  first.kill("SIGKILL");
  await first.exited;
  const second = cli.start([...flags, "--resume", await newestId(cli)], { stdin: "pipe" });
  const lines = new Lines(second.stdout);
  const again = await lines.until((line) => line.type === type);
  if (typeof second.stdin !== "object") throw new Error("no stdin");
  second.stdin.write(`${reply}\n`);
  await second.stdin.flush();
  await lines.until((line) => line.type === "result");
  await second.stdin.end();
  return { asked, again, code: await second.exited };
}

test("[PS-4] [SM-3] a plan that waits is put again, identically, after kill -9, and a yes carries it out", async () => {
  using cli = new Cli([{ text: plan, calls: [write] }, { text: "done" }]);
  const { asked, again, code } = await askedTwice(cli, long, "plan", '{"type":"input","text":"/plan yes"}');
  expect(again).toEqual(asked);
  expect((again.plan as { steps: unknown[] }).steps.length).toBe(2);
  expect([code, existsSync(join(cli.workspace, "a.txt"))]).toEqual([3, true]);
});

test("[PS-4] [SM-7] what is not clear is asked again, identically, after kill -9, and the answer begins the task", async () => {
  using cli = new Cli([{ text: "done" }]);
  const { asked, again, code } = await askedTwice(cli, "fix it", "questions", '{"type":"answer","text":"a.js"}');
  expect(again).toEqual(asked);
  expect(again.questions).toMatchObject([{ question: expect.any(String), options: expect.any(Array) }]);
  expect([code, cli.server.requests.length]).toEqual([0, 1]);
});

test("[RB-1] [PS-4] what a command changed before it was cut is left alone by an undo, and the command is named", async () => {
  const command = "echo x > made.txt; exec sleep 300";
  const steps = [{ calls: [write] }, { calls: [{ tool: "bash", input: { command } }] }, { text: "I will look" }];
  using cli = new Cli(steps);
  const flags = ["run", ...cli.model, "--mode", "yolo"];
  const first = cli.start([...flags, "go"]);
  await until("the command runs", () => existsSync(join(cli.workspace, "made.txt")));
  first.kill("SIGKILL");
  await first.exited;
  await cli.run([...flags, "--resume", await newestId(cli)]);
  const undone = await cli.run(["undo", "--json"]);
  expect([undone.code, existsSync(join(cli.workspace, "a.txt"))]).toEqual([0, false]);
  expect(readFileSync(join(cli.workspace, "made.txt"), "utf8")).toBe("x\n");
  const { data } = JSON.parse(undone.out) as { data: { unkept: unknown } };
  expect(data.unkept).toEqual([{ path: command, why: "cut_off" }]);
});

test("[PO-8] [CAN-4] what a sandbox held a place for in the workspace is gone after a resume, although no command follows", async () => {
  using cli = new Cli([{ calls: [{ tool: "bash", input: { command: "sh wait.sh" } }] }, { text: "I will look" }]);
  cli.file("wait.sh", "echo x > made.txt\nexec sleep 300\n");
  const flags = ["run", ...cli.model, "--mode", "auto-edit", "--sandbox"];
  const first = cli.start([...flags, "--allow", "bash(sh wait.sh)", "go"]);
  await until("the command runs", () => existsSync(join(cli.workspace, "made.txt")));
  expect(existsSync(join(cli.workspace, ".git"))).toBe(true);
  first.kill("SIGKILL");
  await first.exited;
  await cli.run([...flags, "--resume", await newestId(cli)]);
  expect(existsSync(join(cli.workspace, ".git"))).toBe(false);
});
