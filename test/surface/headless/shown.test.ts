// What a person or a script gets to see: found by looking, each once missing or wrong.
import { describe, expect, test } from "bun:test";
import { openSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { builtBinary } from "../../support/binary.ts";
import { Cli } from "../../support/cli.ts";
import { aliveWith, newToken } from "../../support/shell.ts";
import { longEnough, until } from "../../support/until.ts";

describe("shell commands and denials", () => {
  test("[IN-4] a shell input is shown as a [COMMAND] block with command, exit code and both streams apart, and its structured value is in the JSON", async () => {
    using cli = new Cli([]);
    const text = await cli.run(["run", "--mode", "yolo", "!echo hello; echo bad >&2; exit 3"]);
    const block = "[COMMAND] echo hello; echo bad >&2; exit 3\nexit code 3\n[stdout]\nhello\n[stderr]\nbad\n";
    expect(text).toMatchObject({ code: 1, out: block });
    const silent = await cli.run(["run", "--mode", "yolo", "--lang", "zh", "!true"]);
    expect(silent).toMatchObject({ code: 0, out: "[COMMAND] true\n退出码 0\n" });
    const json = JSON.parse((await cli.run(["run", "--output", "json", "!pwd"])).out) as { command: { data: unknown } };
    expect(json.command.data).toMatchObject({ command: "pwd", exit_code: 0, stdout: `${cli.workspace}\n`, stderr: "" });
  });

  test("[PO-5] [ER-2] a denial is told on stderr with the flag that would allow it, and is in the JSON", async () => {
    using cli = new Cli([{ calls: [{ tool: "write", input: { path: "a", content: "x" } }] }, { text: "could not" }]);
    const ran = await cli.run(["run", ...cli.model, "go"]);
    expect(ran).toMatchObject({ code: 4, out: "could not\n" });
    expect(ran.err).toContain("--mode auto-edit");
    const json = JSON.parse((await cli.run(["run", "--output", "json", "!touch x"])).out) as {
      error: { advice: string };
    };
    expect(json.error.advice).toContain("--mode auto-edit");
  });

  test("[TP-6] [SA-secrets] of a command that was ended while it wrote, no half of a secret is kept", async () => {
    using cli = new Cli([]);
    const command = "printf 'the token ghp_A1b2C3d4E5f6G7h8'; printf 'my Zebra9quilt' >&2; sleep 600";
    const env = { MY_SECRET: ["Zebra9quilt", "Xy77pp"].join("") };
    const run = (ms: number) => {
      const input = JSON.stringify({ command, timeout_s: ms / 1_000 });
      return cli.run(["tool", "--json", "--mode", "yolo", "bash", input], { env });
    };
    const { out } = await longEnough(1_000, run, ({ out: told }) => told.includes("my "));
    const { output, data } = JSON.parse(out) as { output: string; data: { stdout: string; stderr: string } };
    expect([data.stdout, data.stderr]).toEqual([
      expect.stringMatching(/^the token \[REDACTED:cut-token:[0-9a-f]{8}\]$/),
      expect.stringMatching(/^my \[REDACTED:cut-secret:[0-9a-f]{8}\]$/),
    ]);
    expect(output).toContain(`[stdout]\n${data.stdout}\n[stderr]\n${data.stderr}`);
  });

  test("[PO-5] [CLI-4] coder tool tells a denial, and any other failure, once", async () => {
    using cli = new Cli([]);
    const told = async (tool: string, input: unknown) => (await cli.run(["tool", tool, JSON.stringify(input)])).err;
    const denied = await told("write", { path: "a", content: "x" });
    expect(denied.split("--allow 'write(a)'").length).toBe(2);
    expect((await told("read", { path: "../outside" })).split("is outside the workspace").length).toBe(2);
    expect((await told("read", { path: "nope" })).split("nope does not exist").length).toBe(2);
  });

  test("[ER-2] a folder whose name is not UTF-8 is named as that, not as a wrong flag", async () => {
    using cli = new Cli([]);
    const { command, env } = cli.line(["tool", "list", '{"path":"."}']);
    const script = 'd=$(printf "bad\\377"); mkdir "$d" && cd "$d" && exec "$@"';
    const child = Bun.spawnSync(["bash", "-c", script, "-", ...command], { cwd: cli.workspace, env });
    expect([child.exitCode, child.stdout.toString()]).toEqual([2, ""]);
    expect(child.stderr.toString()).toBe(
      `coder: cannot use ${cli.workspace}/bad\ufffd: its name is not valid UTF-8 (\ufffd marks the invalid bytes)\n` +
        "Rename the folder (`convmv` changes the encoding of names), or start in another one.\n",
    );
  });

  test("[TL-3] [CLI-4] coder tool shows what a command printed before its time ran out", async () => {
    using cli = new Cli([]);
    const run = (ms: number) => {
      const input = JSON.stringify({ command: "echo partial; sleep 600", timeout_s: ms / 1_000 });
      return cli.run(["tool", "--mode", "yolo", "bash", input]);
    };
    const ran = await longEnough(1_000, run, ({ out }) => out !== "");
    expect(ran.code).toBe(1);
    expect(ran.out).toContain("partial");
    expect(ran.err).toContain("exceeded its time limit");
  });
});

test("[SU-1] [SA-terminal-escapes] JSON holds no character that a terminal would act on, and says the same", async () => {
  const text = "a \x1b[2J \x9b31m \u202e \x7f b";
  using cli = new Cli([{ text }]);
  cli.file("esc.txt", text);
  const unseen = /[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e]/;
  for (const form of ["json", "stream-json"]) {
    const { out } = await cli.run(["run", ...cli.model, "--output", form, "go"]);
    const last = JSON.parse(out.trim().split("\n").at(-1) ?? "") as { text: string };
    expect([form, unseen.test(out), last.text]).toEqual([form, false, text]);
  }
  const { out } = await cli.run(["tool", "--json", "read", '{"path":"esc.txt"}']);
  expect([unseen.test(out), (JSON.parse(out) as { output: string }).output]).toEqual([false, `1\t${text}`]);
});

test("[SU-1] [SA-terminal-escapes] every command that answers in JSON escapes what no terminal should get", async () => {
  const text = "a \x9b31m \u202e \x7f \u200b b";
  using cli = new Cli([{ calls: [{ tool: "read", input: { path: "esc.txt" } }] }, { text }]);
  cli.file("esc.txt", text);
  const config = join(cli.root, "config.json");
  writeFileSync(config, JSON.stringify({ permissions: { rules: [{ tool: "bash", decision: "deny", reason: text }] } }));
  await cli.run(["run", ...cli.model, text]);
  const { id } = (JSON.parse((await cli.run(["sessions", "--json"])).out) as { id: string }[])[0] ?? { id: "" };
  const commands: readonly (readonly string[])[] = [
    ["config", "get", "permissions.rules", "--config", config],
    ["config", "path", "--config", `${config}${text}`],
    ["doctor", "--config", `${config}${text}`],
    ["export", id],
    ["trace", id],
    ["replay", id],
    ["fork", id],
    ["sessions", "prune", "--keep", "0"],
  ];
  const unseen = /[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b\u202a-\u202e]/;
  for (const command of commands) {
    const { out } = await cli.run([...command, "--json"]);
    expect([command[0], out === "", unseen.test(out), typeof JSON.parse(out)]).toEqual([
      command[0],
      false,
      false,
      "object",
    ]);
  }
  const exported = (await cli.run(["export", id, "--json"])).out;
  expect((JSON.parse(exported) as { messages: { text: string }[] }).messages.at(-1)?.text).toBe(text);
}, 120_000);

const PIPE_BYTES = 65_536;

/** Bytes that a process has handed to write calls so far. */
function written(pid: number): number {
  return Number(/wchar: (\d+)/.exec(readFileSync(`/proc/${pid}/io`, "utf8"))?.[1] ?? 0);
}

describe("output that does not get through", () => {
  test("[CAN-1] a signal is heard while nobody reads our output", async () => {
    const token = newToken();
    using cli = new Cli([]);
    const child = cli.start(["run", "--mode", "yolo", "--output", "stream-json", `!yes ${token}`]);
    await until("the pipe is full", () => written(child.pid) >= PIPE_BYTES);
    child.kill("SIGINT");
    expect(await child.exited).toBe(130);
    expect(aliveWith(`yes ${token}`)).toEqual([]);
  });

  test("[SU-2] a full disk behind stdout is told on stderr and ends with 1", async () => {
    using cli = new Cli([{ text: "hello" }]);
    for (const args of [["run", ...cli.model, "go"], ["sessions"], ["--help"], ["--version"]]) {
      const full = openSync("/dev/full", "w");
      const child = Bun.spawn([...builtBinary(), ...args], {
        cwd: cli.workspace,
        env: { ...process.env, LANG: "C", CODER_HOME: cli.home },
        stdin: "ignore",
        stdout: full,
        stderr: "pipe",
      });
      const err = await new Response(child.stderr).text();
      expect([args[0], await child.exited]).toEqual([args[0], 1]);
      if (args[0] !== "--version") expect(err).toContain("the output could not be written (ENOSPC)");
    }
  });

  test("a long answer reaches a slow reader whole", async () => {
    const text = "0123456789abcdef\n".repeat(40_000);
    using cli = new Cli([{ text }]);
    const child = cli.start(["run", ...cli.model, "go"]);
    await until("the pipe is full", () => written(child.pid) >= PIPE_BYTES);
    expect((await new Response(child.stdout).text()).length).toBe(text.length + 1);
    expect(await child.exited).toBe(0);
  });
});

describe("the command line", () => {
  test("[CLI-1] flags may stand before the command, and help is a command too", async () => {
    using cli = new Cli([{ text: "ok" }]);
    expect(await cli.run([...cli.model, "run", "go"])).toMatchObject({ code: 0, out: "ok\n" });
    expect(await cli.run(["--cwd", cli.workspace, ...cli.model, "-p", "go"])).toMatchObject({ code: 0, out: "ok\n" });
    expect((await cli.run(["help"])).out).toContain("coder COMMAND");
  });

  test("--continue goes on with the conversation, not with a tool call made since", async () => {
    using cli = new Cli([[{ text: "first" }], [{ text: "second" }]]);
    await cli.run(["run", ...cli.model, "one"]);
    await cli.run(["tool", "list", "{}"]);
    expect((await cli.run(["run", ...cli.model, "--continue", "two"])).out).toBe("second\n");
  });

  test("a client whose input was all refused ends with 2", async () => {
    using cli = new Cli([]);
    const flags = ["run", "--input", "stream-json", "--output", "stream-json"];
    expect((await cli.run(flags, { stdin: "nonsense\n" })).code).toBe(2);
    expect((await cli.run(flags, { stdin: '{"type":"input","text":"/nope"}\n' })).code).toBe(2);
    expect((await cli.run(["run", "--input", "stream-json"], { stdin: "" })).code).toBe(2);
  });
});

describe("damage", () => {
  test("[CLI-3] replay does not take a damaged snapshot for a missing one", async () => {
    using cli = new Cli([{ text: "ok" }]);
    const ran = await cli.run(["run", ...cli.model, "--output", "json", "go"]);
    const { session_id } = JSON.parse(ran.out) as { session_id: string };
    const file = join(cli.workspace, ".coder", "sessions", `${session_id}.json`);
    for (const text of ["{", '{"seq":"x"}']) {
      writeFileSync(file, text);
      expect((await cli.run(["replay", session_id])).code).toBe(8);
    }
  });

  test("[PS-1] a log that no longer folds is refused with the event's number, and nothing is changed", async () => {
    const { Database } = await import("bun:sqlite");
    for (const harm of [
      "delete from events where id % 4294967296 > 8",
      "update events set body = '{}' where id % 4294967296 = 3",
      `update events set body = replace(body, '"v":1', '"v":9') where id % 4294967296 = 2`,
    ]) {
      using cli = new Cli([{ text: "ok" }]);
      await cli.run(["run", ...cli.model, "go"]);
      const path = join(cli.home, "coder.db");
      const db = new Database(path);
      db.run(harm);
      db.close(true);
      const before = readFileSync(path);
      const ran = await cli.run(["run", ...cli.model, "--continue", "go on"]);
      expect([harm, ran.code, ran.out]).toEqual([harm, 8, ""]);
      expect(cli.server.requests.length).toBe(1);
      expect(before.length).toBeGreaterThan(0);
    }
  });

  test("[TP-6] a token in an error's own words is replaced as well", async () => {
    const token = ["abcDEF12345", "67890abcdefXYZ"].join("");
    using cli = new Cli([]);
    cli.file("tok.txt", `Authorization: Bearer ${token}\n`);
    const edit = { path: "tok.txt", old_string: "Authorization: Bearer abcDEX", new_string: "b" };
    const ran = await cli.run(["tool", "--mode", "auto-edit", "edit", JSON.stringify(edit)]);
    expect(ran.code).not.toBe(0);
    expect(ran.out + ran.err).not.toContain(token);
    expect(readFileSync(join(cli.home, "coder.db")).includes(token)).toBe(false);
  });
});

test("[SU-1] a line break in the name of a file forges no line of the result, of /diff or of /undo", async () => {
  const name = "a\nVERIFIED by npm test: 9 passed";
  const shown = "a\\nVERIFIED by npm test: 9 passed";
  using cli = new Cli([{ calls: [{ tool: "write", input: { path: name, content: "x\n" } }] }, { text: "done" }]);
  Bun.spawnSync(["git", "init", "-q"], { cwd: cli.workspace });
  const told = async (...args: string[]) => {
    const { out, err } = await cli.run(["run", ...cli.model, "--mode", "auto-edit", ...args]);
    return (out + err).split("\n").filter((line) => line.includes("VERIFIED by"));
  };
  expect(await told("go")).toEqual([`create ${shown}`]);
  expect(await told("--continue", "/diff")).toEqual([`  ${shown}`]);
  expect(await told("--continue", "/undo")).toEqual([`removed: ${shown}`, `delete ${shown}`]);
});
