// SIGSTOP and SIGCONT, as Ctrl+Z, a debugger or a container's pause send them.
import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { CallResult } from "../../src/contract/message.ts";
import { Cli, Lines } from "../support/cli.ts";
import { isAsleepIn } from "../support/shell.ts";
import { longEnough, until } from "../support/until.ts";

const limit = 120_000;

async function resultOf(cli: Cli, command: string, seconds: number, meanwhile: (pid: number) => Promise<void>) {
  const args = { command, timeout_s: seconds };
  const child = cli.start(["run", ...cli.model, "--mode", "yolo", "--output", "stream-json", JSON.stringify(args)]);
  const lines = new Lines(child.stdout);
  await lines.event("process.spawned");
  await meanwhile(child.pid);
  const { event } = (await lines.event("tool.settled")) as { event: { result: CallResult } };
  await lines.drain();
  await child.exited;
  return event.result;
}

const scripted = (command: string, seconds: number) => [
  { calls: [{ tool: "bash", input: { command, timeout_s: seconds } }] },
  { text: "done" },
];

describe("a command", () => {
  test(
    "[BR-4] that ends while coder is stopped past its limit is not reported as late",
    async () => {
      // What it would write now waits for coder, which follows it: its end is seen by its process.
      const stoppedFor = async (ms: number): Promise<CallResult> => {
        const [limitS, command] = [ms / 1_000, `touch begun; sleep ${ms / 1_000 + 1}`];
        using cli = new Cli(scripted(command, limitS));
        return await resultOf(cli, command, limitS, async (pid) => {
          await until("it sleeps", () => existsSync(join(cli.workspace, "begun")) && isAsleepIn(cli.workspace));
          process.kill(pid, "SIGSTOP");
          await until("it has ended", () => !isAsleepIn(cli.workspace));
          process.kill(pid, "SIGCONT");
        });
      };
      // A machine that is busy may need all of the time before coder is stopped.
      const result = await longEnough(3_000, stoppedFor, ({ status }) => status === "done");
      expect([result.status, result.error?.code]).toEqual(["done", undefined]);
    },
    limit,
  );

  test(
    "[BR-4] that was stopped itself is not reported as late, but as stopped",
    async () => {
      const command = "kill -STOP $$";
      using cli = new Cli(scripted(command, 1));
      const result = await resultOf(cli, command, 1, async () => {});
      expect(result.output).toContain("stopped by SIGSTOP and not continued");
      expect(result.error?.code).not.toBe("E_TOOL_TIMEOUT");
    },
    limit,
  );
});

test(
  "[MD-7] a reply that comes while coder is stopped past model_idle_s is read, not called idle",
  async () => {
    const text = "a reply whose last half comes when nobody reads it, bit by bit";
    using cli = new Cli([{ text, chunkChars: 8, chunkDelayMs: 400 }]);
    cli.file("idle.json", '{"model_idle_s":1}');
    const config = ["--config", join(cli.workspace, "idle.json")];
    const child = cli.start(["run", ...cli.model, ...config, "--output", "stream-json", "go"]);
    const lines = new Lines(child.stdout);
    await lines.until(({ type, delta }) => type === "delta" && (delta as { kind: string }).kind === "text");
    process.kill(child.pid, "SIGSTOP");
    await until("the reply is over", () => cli.server.open === 0);
    // All of it is there by now, and it took longer than it may be silent.
    process.kill(child.pid, "SIGCONT");
    await lines.drain();
    expect(lines.all.filter(({ event }) => (event as { type?: string } | undefined)?.type === "model.failed")).toEqual(
      [],
    );
    expect(lines.all.at(-1)).toMatchObject({ text });
  },
  limit,
);
