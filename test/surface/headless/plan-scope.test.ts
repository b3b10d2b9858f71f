import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { Cli, Lines } from "../../support/cli.ts";

const bash = (command: string) => ({ calls: [{ tool: "bash", input: { command } }] });
const long = "1. touch a\n2. touch b\n3. touch c and say what was done";
const run = (command: string) => ({ tool: "bash", args: { command } });
const planned = {
  calls: [
    {
      tool: "plan",
      input: {
        title: "t",
        steps: [
          { id: "1", title: "touch a and b", tool_calls: [run("touch a"), run("touch b")] },
          { id: "2", title: "touch c", tool_calls: [run("touch c")] },
        ],
      },
    },
  ],
};
const report = {
  calls: [{ tool: "plan", input: { update: ["1", "2"].map((id) => ({ id, status: "done" })) } }],
};
const stream = ["--input", "stream-json", "--output", "stream-json"];

function talk(cli: Cli, args: readonly string[]) {
  const child = cli.start(["run", ...cli.model, ...stream, ...args], { stdin: "pipe" });
  const { stdin } = child;
  if (typeof stdin !== "object") throw new Error("no stdin");
  const say = (line: object) => {
    stdin.write(`${JSON.stringify(line)}\n`);
    return stdin.flush();
  };
  return { child, say, end: () => stdin.end(), lines: new Lines(child.stdout) };
}

const approvals = (lines: Lines) => lines.all.filter(({ type }) => type === "approval");

test("[PL-6] [SU-2] a client is told what a yes covers, and /plan yes is not followed by questions about it", async () => {
  using cli = new Cli([planned, bash("touch a"), bash("touch b"), bash("touch c"), report, { text: "done" }]);
  const { child, say, end, lines } = talk(cli, [long]);
  const plan = await lines.until(({ type }) => type === "plan");
  expect(plan).toMatchObject({
    covers: [
      { kind: "call", step: "1", tool: "bash", args: { command: "touch a" } },
      { kind: "call", step: "1", args: { command: "touch b" } },
      { kind: "call", step: "2", args: { command: "touch c" } },
    ],
    scopes: ["plan", "step"],
  });
  await say({ type: "input", text: "/plan yes" });
  await lines.until(({ type }) => type === "result");
  await end();
  await lines.drain();
  expect([await child.exited, approvals(lines), existsSync(join(cli.workspace, "c"))]).toEqual([0, [], true]);
});

test("[PL-6] after /plan yes step a client is asked once in each step, and may answer for the step", async () => {
  using cli = new Cli([planned, bash("touch a"), bash("touch b"), bash("touch c"), { text: "done" }]);
  const { child, say, end, lines } = talk(cli, [long]);
  await lines.until(({ type }) => type === "plan");
  await say({ type: "input", text: "/plan yes step" });
  const first = await lines.until(({ type }) => type === "approval");
  expect(first.scopes).toEqual(["call", "step", "task"]);
  await say({ type: "approve", call: first.call, answer: "yes", scope: "all" });
  await lines.until(({ type }) => type === "error");
  await say({ type: "approve", call: first.call, answer: "yes", scope: "step" });
  const second = await lines.until((line) => line.type === "approval" && line.call !== first.call);
  expect(JSON.stringify(second)).toContain("touch c");
  await say({ type: "approve", call: second.call, answer: "no" });
  await lines.until(({ type }) => type === "result");
  await end();
  await lines.drain();
  await child.exited;
  expect(approvals(lines).length).toBe(2);
});

test("[PL-6] [PS-4] a yes is stored: after kill -9 the task goes on with it, a copy of the session does not have it", async () => {
  using cli = new Cli([planned, bash("touch a"), { text: "slow", delayMs: 60_000 }]);
  const { child, say, lines } = talk(cli, [long]);
  await lines.until(({ type }) => type === "plan");
  await say({ type: "input", text: "/plan yes" });
  await lines.until((line) => JSON.stringify(line).includes('"tool.settled"') && existsSync(join(cli.workspace, "a")));
  child.kill("SIGKILL");
  await child.exited;
  const rows = JSON.parse((await cli.run(["sessions", "--json"])).out) as { id: string }[];
  const id = rows[0]?.id ?? "";
  const on = (server: Cli, ...more: readonly string[]) =>
    cli.run(["run", ...server.model, "--resume", id, ...more]).then(() => undefined);
  const made = (name: string) => existsSync(join(cli.workspace, name));
  using again = new Cli([bash("touch b"), { text: "done" }]);
  await on(again, "--fork", "go on");
  expect([again.server.requests.length > 1, made("b")]).toEqual([true, false]);
  using other = new Cli([planned, bash("touch a"), bash("touch b"), bash("touch x"), { text: "done" }]);
  await on(other);
  expect([made("b"), made("x")]).toEqual([true, false]);
});

test("[PO-1] [SU-2] plan mode ends in a choice for a client too, and the choice is carried out", async () => {
  const write = { calls: [{ tool: "write", input: { path: "a.txt", content: "x\n" } }] };
  using cli = new Cli([
    { when: "Carry out this plan", steps: [write, { text: "carried out" }] },
    { when: "", steps: [{ text: "[PLAN]\n1. [ ] write a.txt (tools: write)" }] },
  ]);
  const { child, say, end, lines } = talk(cli, ["--mode", "plan", "plan it"]);
  const ready = await lines.until(({ type }) => type === "plan_ready");
  expect(ready).toMatchObject({ plan: { risk_level: "medium", steps: [{ title: "write a.txt" }] } });
  expect(ready.choices).toContain("/plan run auto-edit");
  await say({ type: "input", text: "/plan edit" });
  const refused = await lines.until(({ type }) => type === "command");
  expect(String(refused.text)).toContain("/plan edit FILE");
  await say({ type: "input", text: "/plan run auto-edit" });
  await lines.until((line) => line.type === "result" && String(line.text).includes("carried out"));
  await end();
  await lines.drain();
  await child.exited;
  expect([
    existsSync(join(cli.workspace, "a.txt")),
    lines.all.filter(({ type }) => type === "plan_ready").length,
  ]).toEqual([true, 1]);
});

test("[PO-1] [SU-2] plan mode shows the plan and what can be done with it, also where the model only sent it", async () => {
  const sent = { calls: [{ tool: "plan", input: { title: "t", steps: [{ id: "1", title: "write a.txt" }] } }] };
  using cli = new Cli([sent, { text: "planned" }]);
  const { code, out, err } = await cli.run(["run", ...cli.model, "--mode", "plan", long]);
  expect([code, out.split("\n").slice(0, 2), out]).toEqual([
    0,
    ["planned", "Plan: t"],
    expect.stringContaining("  [ ] 1. write a.txt"),
  ]);
  expect(err).toContain('coder run --continue "/plan run auto-edit"');
  using other = new Cli([{ text: "[PLAN]\n1. [ ] write a.txt (tools: write)" }]);
  const told = await other.run(["run", ...other.model, "--mode", "plan", long]);
  expect(told.out).toBe("[PLAN]\n1. [ ] write a.txt (tools: write)\n");
});
