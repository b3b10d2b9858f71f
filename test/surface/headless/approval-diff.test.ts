// What a client is told of a change that it is asked about.
import { expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Cli, Lines } from "../../support/cli.ts";

const call = (tool: string, input: object) => ({ calls: [{ tool, input }] });
const done = { text: "done" };
const streams = ["--mode", "default", "--input", "stream-json", "--output", "stream-json"];

/** One life of the program, up to the first question. */
async function life(cli: Cli, args: readonly string[]) {
  const child = cli.start(["run", ...cli.model, ...streams, ...args], { stdin: "pipe" });
  const lines = new Lines(child.stdout);
  const send = (line: unknown): void => {
    if (typeof child.stdin === "object") child.stdin.write(`${JSON.stringify(line)}\n`);
  };
  const kill = async (): Promise<void> => {
    child.kill("SIGKILL");
    await child.exited;
  };
  const end = async (): Promise<number> => {
    if (typeof child.stdin === "object") await child.stdin.end();
    await lines.drain();
    return child.exited;
  };
  const approval = () => lines.until(({ type }) => type === "approval");
  return { lines, send, kill, end, approval };
}

test("[SU-1] [PO-6] the approval of a change carries its diff, as it is then made; that of a command has none", async () => {
  using cli = new Cli([
    { calls: [{ tool: "read", input: { path: "a.txt" } }] },
    call("edit", { path: "a.txt", old_string: "two", new_string: "2" }),
    call("bash", { command: "touch x" }),
    done,
  ]);
  cli.file("a.txt", "one\ntwo\n");
  const seat = await life(cli, ["go"]);
  const change = await seat.approval();
  expect(change).toMatchObject({
    tool: "edit",
    diff: "diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n",
  });
  seat.send({ type: "approve", call: change.call, answer: "yes" });
  const command = await seat.lines.until(({ type, tool }) => type === "approval" && tool === "bash");
  expect("diff" in command).toBe(false);
  seat.send({ type: "approve", call: command.call, answer: "no" });
  await seat.lines.event("task.ended");
  await seat.end();
  expect(readFileSync(join(cli.workspace, "a.txt"), "utf8")).toBe("one\n2\n");
});

test("[SU-1] [TP-6] the diff of an approval is bounded, has no secrets in it, and says of binary content what it is", async () => {
  const secret = `ghp_${"a1B2c3D4e5F6g7H8i9J0".repeat(2).slice(0, 36)}`;
  const long = Array.from({ length: 60_000 }, (_, n) => `line ${n}`).join("\n");
  using cli = new Cli([
    {
      calls: [
        { tool: "write", input: { path: "secret.txt", content: `token ${secret}\n` } },
        { tool: "write", input: { path: "long.txt", content: long } },
        { tool: "write", input: { path: "odd.bin", content: "a\0b" } },
      ],
    },
    done,
  ]);
  const seat = await life(cli, ["go"]);
  const diffs: string[] = [];
  for (const path of ["secret.txt", "long.txt", "odd.bin"]) {
    const open = await seat.lines.until(
      (line) => line.type === "approval" && JSON.stringify(line.input).includes(path),
    );
    diffs.push(String(open.diff));
    seat.send({ type: "approve", call: open.call, answer: "no" });
  }
  await seat.lines.event("task.ended");
  await seat.end();
  const [hidden = "", cut = "", binary = ""] = diffs;
  expect([hidden.includes(secret), hidden.includes("+token")]).toEqual([false, true]);
  expect([cut.length < 410_000, /^\\ /m.test(cut)]).toEqual([true, true]);
  expect([binary.includes("\0"), /^\\ /m.test(binary)]).toEqual([false, true]);
});

test("[PS-4] [PO-6] a question about a change that is open at kill -9 is asked again, identically; what has changed since is not overwritten", async () => {
  for (const swap of [false, true]) {
    using cli = new Cli([call("write", { path: "new.txt", content: "mine\n" }), done]);
    const before = await life(cli, ["go"]);
    const asked = await before.approval();
    await before.kill();
    const after = await life(cli, ["--continue"]);
    const again = await after.approval();
    expect(again).toEqual(asked);
    const file = join(cli.workspace, "new.txt");
    if (swap) writeFileSync(file, "theirs\n");
    after.send({ type: "approve", call: again.call, answer: "yes" });
    await after.lines.event("task.ended");
    await after.end();
    expect(readFileSync(file, "utf8")).toBe(swap ? "theirs\n" : "mine\n");
  }
});

test("[PS-4] [PO-6] after kill -9 nobody is asked about a change that cannot be made any more", async () => {
  using cli = new Cli([call("write", { path: "new.txt", content: "mine\n" }), done]);
  const before = await life(cli, ["go"]);
  await before.approval();
  await before.kill();
  writeFileSync(join(cli.workspace, "new.txt"), "theirs\n");
  const after = await life(cli, ["--continue"]);
  await after.lines.event("task.ended");
  const code = await after.end();
  const types = after.lines.all.map(({ type }) => type);
  expect([code, types.includes("approval"), readFileSync(join(cli.workspace, "new.txt"), "utf8")]).toEqual([
    0,
    false,
    "theirs\n",
  ]);
});
