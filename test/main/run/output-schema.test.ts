import { describe, expect, test } from "bun:test";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Cli, Lines } from "../../support/cli.ts";

const schema = { type: "object", properties: { n: { type: "integer" } }, required: ["n"] };
const wrong = { text: '{"n": "one"}' };
const good = { text: 'So:\n```json\n{"n": 12345678901234567890,\r "t": "\u202e"}\n```' };

function withSchema(script: ConstructorParameters<typeof Cli>[0], text = JSON.stringify(schema)): Cli {
  const cli = new Cli(script);
  cli.file("s.json", text);
  return cli;
}

const args = (cli: Cli, ...more: readonly string[]) => ["run", ...cli.model, "--output-schema", "s.json", ...more];

describe("--output-schema", () => {
  test("[CLI-2] [SU-1] text: stdout is the JSON of the answer and nothing else", async () => {
    using cli = withSchema([wrong, good]);
    const ran = await cli.run(args(cli, "count"));
    expect(ran).toEqual({ code: 0, out: '{"n": 12345678901234567890,\n "t": "\\u202e"}\n', err: "" });
    expect(JSON.parse(ran.out)).toMatchObject({ t: "\u202e" });
  });

  test("[CLI-2] json: the value is in structured, and a task without a schema has no such field", async () => {
    using cli = withSchema([{ text: '{"n": 1}' }]);
    const ran = await cli.run(args(cli, "--output", "json", "count"));
    expect(JSON.parse(ran.out)).toMatchObject({ structured: { n: 1 }, text: '{"n": 1}', exit_code: 0, error: null });
    const plain = await cli.run(["run", ...cli.model, "--output", "json", "count"]);
    expect("structured" in (JSON.parse(plain.out) as object)).toBe(false);
  });

  test("[CLI-2] [SU-2] an answer that does not fit twice: exit code 1, the complaints, and no wrong JSON on stdout", async () => {
    using cli = withSchema([wrong, wrong]);
    const text = await cli.run(args(cli, "count"));
    expect([text.code, text.out]).toEqual([1, ""]);
    expect(text.err).toContain("/n: must be integer, not string");
    const json = await cli.run(args(cli, "--output", "json", "count"));
    expect(json.code).toBe(1);
    expect(JSON.parse(json.out)).toMatchObject({
      structured: null,
      exit_code: 1,
      outcome: "FAILED",
      stop_reason: "BLOCKED",
      error: { code: "E_BUILD_FAIL", message: expect.stringContaining("/n: must be integer, not string") },
    });
  });

  const bad: readonly (readonly [text: string | null, says: string])[] = [
    [null, "cannot be read (ENOENT)"],
    ["{", "is not a usable JSON Schema"],
    ['{"type": "objekt"}', "#/type: must be equal to one of the allowed values"],
    ['{"propertiez": {}}', 'unknown keyword: \\"propertiez\\"'],
    [JSON.stringify({ enum: ["x".repeat(70_000)] }), "larger than 65536 bytes"],
  ];
  for (const [text, says] of bad) {
    test(`[CLI-2] [SU-2] refused before anything runs: ${says}`, async () => {
      using cli = text === null ? new Cli([good]) : withSchema([good], text);
      const ran = await cli.run(args(cli, "count"));
      expect([ran.code, ran.out, ran.err.includes(says.replaceAll("\\", ""))]).toEqual([2, "", true]);
      expect([cli.server.requests.length, existsSync(cli.home)]).toEqual([0, false]);
    });
  }

  test("[CLI-2] commands, and a continued task without a prompt, take no schema", async () => {
    using cli = withSchema([{ text: '{"n": 1}' }]);
    for (const prompt of ["!ls", "/status", "/nonsense"]) {
      const ran = await cli.run(args(cli, prompt));
      expect([prompt, ran.code, ran.err.includes("needs a prompt for the model")]).toEqual([prompt, 2, true]);
    }
    expect((await cli.run(args(cli, "--continue"))).code).toBe(2);
    expect((await cli.run(args(cli, "/etc/hosts is wrong"))).out).toBe('{"n": 1}\n');
  });

  test("[PS-4] [CLI-2] killed between the bad answer and its repair, a resume repairs it once and prints the JSON", async () => {
    using cli = withSchema([wrong, { text: '{"n": 7}', delayMs: 400 }]);
    const child = cli.start(args(cli, "--output", "stream-json", "count"));
    const lines = new Lines(child.stdout);
    await lines.event("recovery.decided");
    child.kill("SIGKILL");
    await child.exited;
    const id = String(((await lines.event("session.started")).event as { sessionId: string }).sessionId);
    const ran = await cli.run(["resume", id, ...cli.model, "--output", "stream-json"]);
    const events = ran.out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { type: string; event?: { type: string } });
    expect(events.filter((line) => line.event?.type === "recovery.decided")).toEqual([]);
    expect(events.at(-1)).toMatchObject({ type: "result", structured: { n: 7 }, exit_code: 0 });
    expect((await cli.run(["replay", id])).code).toBe(0);
    // Nothing is left to do: the result is shown again.
    expect((await cli.run(["resume", id, ...cli.model])).out).toBe('{"n": 7}\n');
  }, 120_000);

  test("[CLI-2] a client's tasks are held to it, its commands are not", async () => {
    using cli = withSchema([wrong, { text: '{"n": 2}' }]);
    writeFileSync(
      join(cli.root, "in"),
      `${JSON.stringify({ type: "input", text: "/status" })}\n${JSON.stringify({ type: "input", text: "count" })}\n`,
    );
    const ran = await cli.run(args(cli, "--input", "stream-json", "--output", "stream-json"), {
      stdin: await Bun.file(join(cli.root, "in")).text(),
    });
    const last = ran.out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { type: string; ok?: boolean });
    expect(last.find((line) => line.type === "command")).toMatchObject({ ok: true });
    expect(last.at(-1)).toMatchObject({ type: "result", structured: { n: 2 } });
  });
});
