import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Cli, Lines } from "../../support/cli.ts";

const write = { calls: [{ tool: "write", input: { path: "a.ts", content: "1\n" } }] };

describe("output", () => {
  test("[SU-1] text: stdout carries the answer only, notices go to stderr", async () => {
    using cli = new Cli([write, { text: "all done" }]);
    const ran = await cli.run(["run", ...cli.model, "--mode", "auto-edit", "go"]);
    expect(ran).toMatchObject({ code: 3, out: "all done\n" });
    expect(ran.err).toContain("UNVERIFIED: no test setup found");
  });

  test("[SU-1] [SM-9] json: one object with text, outcome, stop reason, summary and exit code", async () => {
    using cli = new Cli([{ text: "hello" }]);
    const ran = await cli.run(["-p", ...cli.model, "--output", "json", "go"]);
    expect(ran.code).toBe(0);
    expect(JSON.parse(ran.out)).toMatchObject({
      type: "result",
      task_id: "t1",
      text: "hello",
      outcome: "UNVERIFIED",
      stop_reason: "COMPLETED",
      exit_code: 0,
      error: null,
      summary: { changed_files: [] },
    });
  });

  test("[SU-1] [MD-1] stream-json: every line is JSON, deltas start with start and end with done, the result is last", async () => {
    using cli = new Cli([{ text: "one two three", chunkChars: 4 }]);
    const ran = await cli.run(["run", ...cli.model, "--output", "stream-json", "go"]);
    const lines = ran.out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { type: string; delta?: { kind: string; seq: number } });
    const deltas = lines.flatMap((line) => (line.delta ? [line.delta] : []));
    expect(deltas[0]?.kind).toBe("start");
    expect(deltas.at(-1)?.kind).toBe("done");
    expect(deltas.map((delta) => delta.seq)).toEqual(deltas.map((_, n) => n));
    expect(lines.at(-1)?.type).toBe("result");
  });

  test("[CLI-1] piped stdin is added to the prompt, and alone is the prompt", async () => {
    using cli = new Cli([{ text: "ok" }]);
    await cli.run(["run", ...cli.model, "explain"], { stdin: "some log\n" });
    await cli.run(["run", ...cli.model], { stdin: "only stdin" });
    const prompts = cli.server.requests.map((request) => String(request.body.messages.at(-1)?.content));
    expect(prompts[0]).toStartWith("explain\n\nsome log");
    expect(prompts[1]).toStartWith("only stdin");
  });

  test("[PO-6] [SA-terminal-escapes] terminal escapes in the answer are made visible", async () => {
    using cli = new Cli([{ text: "a\u001b[2Jb\u202ec" }]);
    const ran = await cli.run(["run", ...cli.model, "go"]);
    expect(ran.out).toBe("a\\u001b[2Jb\\u202ec\n");
  });
});

describe("exit codes and continuing", () => {
  test("[SU-2] [PO-5] a denied write ends with 4 and advice that names the mode", async () => {
    using cli = new Cli([write, { text: "could not" }]);
    const ran = await cli.run(["run", ...cli.model, "--output", "json", "go"]);
    expect(ran.code).toBe(4);
    expect(existsSync(join(cli.workspace, "a.ts"))).toBe(false);
    const told = cli.server.requests.at(-1)?.body.messages.at(-1);
    expect(String(told?.content)).toContain("--mode auto-edit");
  });

  test("[SU-2] a provider that cannot be reached ends with 7 and says what to do", async () => {
    using cli = new Cli();
    cli.server.stop();
    cli.file("once.json", '{"model_attempts":1}');
    const ran = await cli.run(["run", ...cli.model, "--config", "once.json", "go"]);
    expect(ran.code).toBe(7);
    expect(ran.err).toContain("openai-chat (");
  });

  test("[PS-3] --continue goes on with the newest session, --resume with the named one; both see the history", async () => {
    using cli = new Cli([[{ text: "first" }], [{ text: "second" }], [{ text: "third" }]]);
    const first = JSON.parse((await cli.run(["run", ...cli.model, "--output", "json", "one"])).out) as {
      session_id: string;
    };
    expect((await cli.run(["run", ...cli.model, "--continue", "two"])).out).toBe("second\n");
    expect((await cli.run(["run", ...cli.model, "--resume", first.session_id, "three"])).out).toBe("third\n");
    const rows = JSON.parse((await cli.run(["sessions", "--json"])).out) as { id: string; title: string }[];
    expect(rows.map((row) => [row.id, row.title])).toEqual([[first.session_id, "one"]]);
    expect((await cli.run(["replay", first.session_id])).code).toBe(0);
  });

  test("[PS-5] a copy is continued with --fork and the original stays as it was", async () => {
    using cli = new Cli([[{ text: "first" }], [{ text: "second" }]]);
    await cli.run(["run", ...cli.model, "one"]);
    expect((await cli.run(["run", ...cli.model, "--continue", "--fork", "two"])).out).toBe("second\n");
    const rows = JSON.parse((await cli.run(["sessions", "--json"])).out) as { id: string }[];
    expect(rows.length).toBe(2);
    for (const row of rows) expect((await cli.run(["replay", row.id])).code).toBe(0);
  });

  test("[PS-3] a missing id changes nothing and names the sessions there are", async () => {
    using cli = new Cli([{ text: "first" }]);
    await cli.run(["run", ...cli.model, "one"]);
    const ran = await cli.run(["run", ...cli.model, "--resume", "nope", "two"]);
    expect(ran.code).toBe(2);
    expect(ran.err).toContain("No session nope");
    expect(cli.server.requests.length).toBe(1);
  });
});

describe("a client on stdin", () => {
  const ask = { calls: [{ tool: "bash", input: { command: "echo ran > ran.txt" } }] };

  async function talk(
    cli: Cli,
    script: (lines: Lines, send: (message: unknown) => void) => Promise<void>,
  ): Promise<{ code: number; lines: Lines }> {
    const child = cli.start(["run", ...cli.model, "--input", "stream-json", "--output", "stream-json"], {
      stdin: "pipe",
    });
    const lines = new Lines(child.stdout);
    const { stdin } = child;
    if (typeof stdin !== "object") throw new Error("no stdin");
    await script(lines, (message) => {
      stdin.write(typeof message === "string" ? message : `${JSON.stringify(message)}\n`);
      stdin.flush();
    });
    await stdin.end();
    await lines.drain();
    return { code: await child.exited, lines };
  }

  test("[SU-1] approves a call and the command runs", async () => {
    using cli = new Cli([ask, { text: "ok" }]);
    const { code } = await talk(cli, async (lines, send) => {
      send({ type: "input", text: "go" });
      const asked = await lines.until((line) => line.type === "approval");
      expect(asked).toMatchObject({ call: "r1/1/1", tool: "bash", input: { command: "echo ran > ran.txt" } });
      send({ type: "approve", call: "r1/1/1", answer: "yes" });
      await lines.until((line) => line.type === "result");
    });
    expect(code).toBe(0);
    expect(readFileSync(join(cli.workspace, "ran.txt"), "utf8")).toBe("ran\n");
  });

  test("[IN-5] steers a running task and cancels it", async () => {
    using cli = new Cli([
      { when: "go", steps: [{ calls: [{ tool: "list", input: {} }], delayMs: 100 }] },
      { when: "other", steps: [{ text: "x", delayMs: 60_000 }] },
    ]);
    const { code, lines } = await talk(cli, async (lines, send) => {
      send({ type: "input", text: "go" });
      await lines.event("run.started");
      send({ type: "input", text: "no, the other", delivery: "steer" });
      await lines.event("input.delivered");
      send({ type: "cancel" });
      await lines.until((line) => line.type === "result");
    });
    expect(code).toBe(130);
    expect(lines.all.find((line) => line.type === "result")).toMatchObject({ stop_reason: "CANCELLED" });
  });

  test("end of input while an approval is open counts as no, and the task ends", async () => {
    using cli = new Cli([ask, { text: "not done" }]);
    const { code } = await talk(cli, async (lines, send) => {
      send({ type: "input", text: "go" });
      await lines.until((line) => line.type === "approval");
    });
    expect(code).toBe(4);
    expect(existsSync(join(cli.workspace, "ran.txt"))).toBe(false);
  });

  test("bad lines are answered with line number and the known forms, and change nothing", async () => {
    using cli = new Cli([{ text: "ok" }]);
    const { code, lines } = await talk(cli, async (lines, send) => {
      for (const bad of [
        "not json\n",
        "[1]\n",
        '{"type":"nosuch"}\n',
        '{"type":"input"}\n',
        '{"type":"approve","call":"r1/1/1","answer":"maybe"}\n',
        '{"type":"approve","call":"r1/1/1","answer":"yes"}\n',
        '{"type":"answer","text":"x"}\n',
      ])
        send(bad);
      send({ type: "input", text: "go" });
      await lines.until((line) => line.type === "result");
    });
    expect(code).toBe(0);
    const errors = lines.all
      .filter((line) => line.type === "error")
      .map((line) => (line.error as { code: string }).code);
    expect(errors).toEqual(Array(7).fill("E_INVALID_ARGS"));
  });

  test("slash commands work from stdin and are not sent to the model", async () => {
    using cli = new Cli([]);
    const { code, lines } = await talk(cli, async (lines, send) => {
      for (const name of [
        "help",
        "model",
        "permissions",
        "mode",
        "sessions",
        "todos",
        "tools",
        "status",
        "new",
        "resume",
      ])
        send({ type: "input", text: `/${name}` });
      send({ type: "input", text: "/quit" });
      await lines.drain();
    });
    expect(code).toBe(0);
    expect(lines.all.filter((line) => line.type === "command").every((line) => line.ok === true)).toBe(true);
    expect(lines.all.filter((line) => line.type === "command").length).toBe(11);
    expect(cli.server.requests.length).toBe(0);
  });
});
