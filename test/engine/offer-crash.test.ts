// VF-2: an offer that waits when the program is killed is put again, word for word, and nothing of an answer is lost.
import { expect, test } from "bun:test";
import { existsSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { processIdentity } from "../../src/platform/identity.ts";
import { Cli, Lines } from "../support/cli.ts";

const steps = [{ calls: [{ tool: "write", input: { path: "one.c", content: "right\n" } }] }, { text: "done" }];

function makeCli(): Cli {
  const cli = new Cli(steps);
  cli.file("Makefile", "test:\n\t@echo run >> runs.log\n");
  return cli;
}

const runs = ({ workspace }: Cli): string => {
  const log = join(workspace, "runs.log");
  return existsSync(log) ? readFileSync(log, "utf8") : "";
};
/** The mode in which nothing runs by itself. */
const mode = ["--mode", "default", "--allow", "write"];
const streams = [...mode, "--input", "stream-json", "--output", "stream-json"];

/** One life of the program, up to the offer. */
async function life(cli: Cli, args: readonly string[]) {
  const child = cli.start(["run", ...cli.model, ...streams, ...args], { stdin: "pipe" });
  const lines = new Lines(child.stdout);
  const approval = await lines.until(({ type }) => type === "approval");
  const send = (line: unknown) => {
    if (typeof child.stdin === "object") child.stdin.write(`${JSON.stringify(line)}\n`);
  };
  const kill = async () => {
    child.kill("SIGKILL");
    await child.exited;
  };
  const end = async () => {
    if (typeof child.stdin === "object") await child.stdin.end();
    await lines.drain();
    return child.exited;
  };
  return { approval, lines, send, kill, end };
}

async function idOf(cli: Cli): Promise<string> {
  const rows = JSON.parse((await cli.run(["sessions", "--json"])).out) as { id: string }[];
  return rows[0]?.id ?? "";
}

test("[VF-2] [PS-4] after kill -9 the same offer is put again, and its answer counts", async () => {
  using cli = makeCli();
  const before = await life(cli, ["go on, and run the tests"]);
  await before.kill();
  const after = await life(cli, ["--resume", await idOf(cli)]);
  expect(after.approval).toEqual(before.approval);
  expect(runs(cli)).toBe("");
  after.send({ type: "approve", call: after.approval.call, answer: "always" });
  await after.lines.event("task.ended");
  expect([await after.end(), runs(cli)]).toEqual([0, "run\n"]);
  expect(JSON.parse(readFileSync(join(cli.home, "config.json"), "utf8"))).toEqual({
    workflow: { verify_allowed: ["make test"] },
  });
});

test("[VF-2] [PS-4] a kill while “always” is being written asks again; it is written once", async () => {
  using cli = makeCli();
  const before = await life(cli, ["go on, and run the tests"]);
  const lock = join(cli.home, ".config.lock");
  const { pid, startTime } = processIdentity();
  // Somebody else changes the configuration at this moment.
  symlinkSync(`${pid}.${startTime}`, lock);
  before.send({ type: "approve", call: before.approval.call, answer: "always" });
  before.send("no line of a client");
  await before.lines.until(({ type }) => type === "error");
  await before.kill();
  rmSync(lock);
  expect([existsSync(join(cli.home, "config.json")), runs(cli)]).toEqual([false, ""]);
  const after = await life(cli, ["--resume", await idOf(cli)]);
  expect(after.approval).toEqual(before.approval);
  after.send({ type: "approve", call: after.approval.call, answer: "always" });
  await after.lines.event("task.ended");
  expect([await after.end(), runs(cli)]).toEqual([0, "run\n"]);
});

test("[VF-2] [PS-4] resumed where nobody can be asked, it is not run: UNVERIFIED with the line to add", async () => {
  using cli = makeCli();
  const before = await life(cli, ["go on, and run the tests"]);
  await before.kill();
  const id = await idOf(cli);
  const { code, out } = await cli.run(["run", ...cli.model, ...mode, "--output", "json", "--resume", id]);
  const { outcome, next_steps } = (JSON.parse(out) as { summary: { outcome: string; next_steps: string[] } }).summary;
  expect([code, outcome, runs(cli)]).toEqual([3, "UNVERIFIED", ""]);
  expect(next_steps.join()).toContain('"workflow": {"verify_allowed": ["make test"]}');
});

test("[VF-2] a client that goes without an answer has not said no: the next one is asked", async () => {
  using cli = makeCli();
  const gone = await life(cli, ["go on, and run the tests"]);
  expect([await gone.end(), runs(cli)]).toEqual([3, ""]);
  rmSync(join(cli.workspace, "one.c"));
  const next = await life(cli, ["go on, and run the tests"]);
  next.send({ type: "approve", call: next.approval.call, answer: "no" });
  await next.lines.event("task.ended");
  expect([await next.end(), runs(cli)]).toEqual([3, ""]);
  rmSync(join(cli.workspace, "one.c"));
  const last = await cli.run(["run", ...cli.model, ...streams, "go on, and run the tests"], { stdin: "" });
  expect([last.code, last.out.includes('"type":"approval"')]).toEqual([3, false]);
});
