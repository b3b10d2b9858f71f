// In real time: what the short tests show with waits that are cut short or asked for by the server.
import { expect, test } from "bun:test";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Cli, Lines } from "../support/cli.ts";
import { startScriptedServer } from "../support/scripted-server.ts";

const limit = 300_000;
const good = 'require("node:test")("adds", () => {});\n';
const write = { calls: [{ tool: "write", input: { path: "a.test.js", content: good } }] };

function checked(script: ConstructorParameters<typeof Cli>[0]): Cli {
  const cli = new Cli(script);
  mkdirSync(cli.home);
  const workflow = { verify_allowed: ["node --test"], verify_commands: ["node --test"] };
  writeFileSync(join(cli.home, "config.json"), JSON.stringify({ workflow }));
  return cli;
}

/** Of the process alone, in ms. */
function cpuMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

test(
  "[MD-4] [VF-6] with the server down for 60 s in the middle, the task ends VERIFIED without a person, and the wait costs next to nothing",
  async () => {
    const script = [write, { text: "done" }];
    using cli = checked(script);
    const child = cli.start(["run", ...cli.model, "--mode", "auto-edit", "--output", "stream-json", "go"]);
    const lines = new Lines(child.stdout);
    await lines.event("tool.decided");
    cli.server.stop();
    await lines.event("model.failed");
    const before = cpuMs(child.pid);
    await Bun.sleep(60_000);
    const spent = cpuMs(child.pid) - before;
    using back = startScriptedServer(script, { port: Number(new URL(cli.server.url).port) });
    await lines.drain();
    expect([await child.exited, back.requests.length]).toEqual([0, 1]);
    expect(lines.all.at(-1)).toMatchObject({ outcome: "VERIFIED", text: "done" });
    const failures = lines.all.filter((line) => (line.event as { type?: string } | undefined)?.type === "model.failed");
    console.log(`${failures.length} attempts failed, ${spent} ms of processor time in 60 s`);
    expect([failures.length > 5 && failures.length < 12, spent < 1_000]).toEqual([true, true]);
  },
  limit,
);

test(
  "[MD-4] a wait in which coder is stopped is followed by one attempt, not by those that it has missed",
  async () => {
    const busy = { status: 429, headers: { "retry-after": "2" }, body: "{}" };
    using cli = new Cli([{ text: "done", times: 2, ...busy }]);
    const child = cli.start(["run", ...cli.model, "--output", "stream-json", "go"]);
    const lines = new Lines(child.stdout);
    await lines.event("model.failed");
    process.kill(child.pid, "SIGSTOP");
    await Bun.sleep(15_000);
    expect(cli.server.requests.length).toBe(1);
    const went = performance.now();
    process.kill(child.pid, "SIGCONT");
    await lines.drain();
    // The second one is asked to wait again, and does.
    expect([cli.server.requests.length, performance.now() - went > 1_900]).toEqual([3, true]);
    expect(await child.exited).toBe(0);
  },
  limit,
);
