import { describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Cli, Lines } from "../support/cli.ts";
import { startScriptedServer } from "../support/scripted-server.ts";

const limit = 120_000;
const json = (text: string): Record<string, unknown> => JSON.parse(text);
const good = 'require("node:test")("adds", () => {});\n';
const write = { calls: [{ tool: "write", input: { path: "a.test.js", content: good } }] };
const slow = { status: 429, headers: { "retry-after": "500" }, body: "{}" };
const typeOf = (line: Record<string, unknown>) => (line.event as { type?: string } | undefined)?.type;

/** What is written to stderr until it fits. */
async function errUntil(stream: ReadableStream<Uint8Array>, form: RegExp): Promise<string> {
  const reader = stream.getReader();
  let told = "";
  while (!form.test(told)) {
    const { value, done } = await reader.read();
    if (done) throw new Error(told);
    told += new TextDecoder().decode(value);
  }
  return told;
}

describe("an outage", () => {
  test(
    "[MD-4] is told on stderr, and a signal ends the wait at once",
    async () => {
      using cli = new Cli([slow]);
      const child = cli.start(["run", ...cli.model, "go"]);
      await errUntil(child.stderr, /HTTP 429. Retrying in 8 minutes \(attempt 2\)/);
      child.kill("SIGINT");
      expect(await child.exited).toBe(130);
    },
    limit,
  );

  test(
    "[MD-4] [VF-6] with the server gone in the middle: the task ends VERIFIED with 0, and a client can say when to ask",
    async () => {
      const script = [write, { text: "done" }];
      using cli = new Cli(script);
      mkdirSync(cli.home);
      const workflow = { verify_allowed: ["node --test"], verify_commands: ["node --test"] };
      writeFileSync(join(cli.home, "config.json"), JSON.stringify({ workflow }));
      const forms = ["--input", "stream-json", "--output", "stream-json"];
      const child = cli.start(["run", ...cli.model, "--mode", "auto-edit", ...forms], { stdin: "pipe" });
      child.stdin?.write('{"type":"input","text":"go"}\n');
      const lines = new Lines(child.stdout);
      await lines.event("tool.decided");
      cli.server.stop();
      const failures = () => lines.all.filter((line) => typeOf(line) === "model.failed").length;
      for (let n = 1; n <= 6; n++) {
        await lines.until(() => failures() >= n);
        if (n < 6) child.stdin?.write('{"type":"retry"}\n');
      }
      using back = startScriptedServer(script, { port: Number(new URL(cli.server.url).port) });
      child.stdin?.write('{"type":"retry"}\n');
      await lines.event("task.ended");
      await child.stdin?.end();
      await lines.drain();
      expect([await child.exited, back.requests.length]).toEqual([0, 1]);
      expect(lines.all.at(-1)).toMatchObject({ outcome: "VERIFIED", text: "done" });
      expect(lines.all.filter(({ type }) => type === "error")).toEqual([]);
    },
    limit,
  );

  test(
    "[MD-4] [PS-6] kill -9 in the middle of the wait: --continue makes the same call, and nothing twice",
    async () => {
      using cli = new Cli([write, { text: "done", times: 1, ...slow }]);
      const child = cli.start(["run", ...cli.model, "--mode", "auto-edit", "--output", "stream-json", "go"]);
      const lines = new Lines(child.stdout);
      await lines.event("model.failed");
      child.kill("SIGKILL");
      await child.exited;
      const gone = await cli.run(["run", ...cli.model, "--mode", "auto-edit", "--continue", "--output", "stream-json"]);
      // Nothing was said that could check it.
      expect(gone.code).toBe(3);
      const events = gone.out
        .trim()
        .split("\n")
        .map((line) => json(line).event as { type?: string; index?: number; attempt?: number } | undefined);
      expect(events.find((event) => event?.type === "model.replied")).toMatchObject({ index: 2, attempt: 2 });
      expect(events.filter((event) => event?.type === "tool.intended" || event?.type === "model.failed")).toEqual([]);
      const [, second, third] = cli.server.requests.map(({ body }) => JSON.stringify(body.messages));
      expect([cli.server.requests.length, third]).toEqual([3, second ?? ""]);
    },
    limit,
  );

  test(
    "[MD-4] Retry-After of a day is told in words with the way to go on, and nobody waits for it",
    async () => {
      using cli = new Cli([{ text: "done", times: 1, status: 429, headers: { "retry-after": "86400" }, body: "{}" }]);
      const ran = await cli.run(["run", ...cli.model, "--output", "json", "go"]);
      const { stop_reason, error, summary } = json(ran.out) as {
        stop_reason: string;
        error: { message: string };
        summary: { next_steps: string[] };
      };
      expect([ran.code, stop_reason, cli.server.requests.length]).toEqual([7, "PROVIDER_FAILED", 1]);
      expect(error.message).toContain("asks to wait 24 hours");
      expect(summary.next_steps.join()).toContain("coder run --continue");
      expect((await cli.run(["run", ...cli.model, "--continue"])).out).toBe("done\n");
    },
    limit,
  );
});
