import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Cli, Lines } from "../../support/cli.ts";
import { until } from "../../support/until.ts";

interface Check {
  readonly area: string;
  readonly level: string;
  readonly message: string;
  readonly advice: string | null;
}

async function examine(cli: Cli, args: readonly string[] = [], env: Readonly<Record<string, string>> = {}) {
  const ran = await cli.run(["doctor", "--json", ...args], { env });
  const { ok, checks } = JSON.parse(ran.out) as { ok: boolean; checks: readonly Check[] };
  const of = (area: string) => checks.filter((one) => one.area === area);
  return { code: ran.code, ok, of, checks, raw: ran.out + ran.err };
}

/** Every file below a folder with its content and the time it was changed. */
function stateOf(folder: string): unknown {
  return readdirSync(folder, { recursive: true })
    .map(String)
    .sort()
    .map((name) => {
      const path = join(folder, name);
      const stat = statSync(path);
      return [name, stat.mtimeMs, stat.mode, stat.isFile() ? Bun.hash(readFileSync(path)) : 0];
    });
}

describe("doctor", () => {
  test("[CLI-3] a fresh machine has no problem, and stays as fresh as it was", async () => {
    using cli = new Cli();
    const { code, ok, of } = await examine(cli);
    expect({ code, ok }).toEqual({ code: 0, ok: true });
    expect(of("home").map(({ level, message }) => [level, message])).toEqual([
      ["ok", `${cli.home} will be created on first use`],
    ]);
    expect(of("database")).toMatchObject([{ level: "ok", message: "none yet" }]);
    expect(of("model")).toMatchObject([{ level: "warning", message: "No model is configured." }]);
    expect(readdirSync(cli.root).toSorted()).toEqual([cli.workspace.split("/").at(-1) ?? ""]);
  });

  test("[CLI-3] after work it tells version, size and sessions of the database, and has changed no file of it", async () => {
    using cli = new Cli([{ text: "hello" }]);
    await cli.run(["run", ...cli.model, "go"]);
    const before = stateOf(cli.root);
    const { code, of } = await examine(cli, cli.model);
    expect(code).toBe(0);
    expect(of("database")).toMatchObject([
      { level: "ok", message: expect.stringMatching(/^version \d+, 1 sessions, .*, intact$/) },
    ]);
    expect(of("model")).toMatchObject([
      { level: "ok", message: `openai-chat/mock at ${cli.server.url}, no key needed` },
    ]);
    expect(stateOf(cli.root)).toEqual(before);
  });

  test("[CLI-3] a damaged, a foreign and a newer database are problems with a way out, and the rest is still told", async () => {
    const bad: readonly (readonly [make: (path: string) => void, says: string])[] = [
      [
        (path) => writeFileSync(path, "this is no database at all, but long enough to look at"),
        "is damaged: file is not a database",
      ],
      [(path) => new Database(path, { create: true }).run("create table t (x)"), "another program's database"],
      [
        (path) => new Database(path, { create: true }).run("create table t (x); pragma user_version = 999"),
        "version 999",
      ],
    ];
    for (const [make, says] of bad) {
      using cli = new Cli();
      mkdirSync(cli.home, { mode: 0o700 });
      make(join(cli.home, "coder.db"));
      const { code, of } = await examine(cli);
      expect(code).toBe(1);
      expect(of("database")).toMatchObject([{ level: "problem", advice: expect.any(String) }]);
      expect([says, of("database")[0]?.message.includes(says)]).toEqual([says, true]);
      expect(of("bash")).toMatchObject([{ level: "ok" }]);
    }
  });

  test("[CLI-3] a database that is locked, or is no file, is not said to be damaged: nobody shall move it away", async () => {
    using cli = new Cli([{ text: "hello" }]);
    const path = join(cli.home, "coder.db");
    await cli.run(["run", ...cli.model, "go"]);
    const other = new Database(path);
    other.run("pragma locking_mode = exclusive");
    other.run("update sessions set title = 'x'");
    const locked = await examine(cli);
    other.close(true);
    rmSync(path);
    mkdirSync(path);
    const folder = await examine(cli);
    const begins = `could not check ${path}: `;
    for (const { code, of } of [locked, folder]) {
      expect(code).toBe(1);
      expect(of("database")).toMatchObject([{ level: "problem", advice: expect.stringMatching(/^Do not move it/) }]);
      expect(of("database")[0]?.message).toStartWith(begins);
    }
  });

  test("[CLI-3] [CF-2] a broken config file is named with its line, and the doctor runs all the same", async () => {
    using cli = new Cli();
    mkdirSync(cli.home, { mode: 0o700 });
    writeFileSync(join(cli.home, "config.json"), '{\n  "max_step": 3\n}');
    const { code, of } = await examine(cli);
    expect(code).toBe(1);
    const file = join(cli.home, "config.json");
    expect(of("config")).toMatchObject([
      { level: "problem", message: `${file}:2: max_step is not a known key; did you mean max_steps?` },
    ]);
  });

  test("[CLI-3] [ER-2] a key is told by the name of its variable, and its value nowhere", async () => {
    using cli = new Cli();
    const env = { DEEPSEEK_API_KEY: "value-of-the-key", HTTPS_PROXY: "http://me:value-of-the-key@127.0.0.1:9" };
    const { of, raw } = await examine(cli, ["--model", "deepseek/x"], env);
    expect(of("model")).toMatchObject([
      { level: "ok", message: "deepseek/x at https://api.deepseek.com/v1, key from DEEPSEEK_API_KEY" },
    ]);
    expect(of("network")[0]?.message).toContain("HTTPS_PROXY");
    expect(raw).not.toContain("value-of-the-key");
    const without = await examine(cli, ["--model", "deepseek/x"], { DEEPSEEK_API_KEY: "" });
    expect(without.code).toBe(1);
    expect(without.of("model")[0]?.advice).toContain("DEEPSEEK_API_KEY");
  });

  test("[CLI-3] a home and a config with a key that others can read, and a missing certificate file, are told", async () => {
    using cli = new Cli();
    mkdirSync(cli.home);
    chmodSync(cli.home, 0o755);
    const file = join(cli.home, "config.json");
    writeFileSync(file, '{"providers": {"own": {"protocol": "openai-chat", "api_key": "k"}}}', { mode: 0o644 });
    chmodSync(file, 0o644);
    const { code, of } = await examine(cli, [], { NODE_EXTRA_CA_CERTS: "/none.pem" });
    expect(code).toBe(1);
    expect(of("home")[1]).toEqual({
      area: "home",
      level: "warning",
      message: `other users can access ${cli.home} (mode 755)`,
      advice: `Restrict it: chmod 700 ${cli.home}`,
    });
    expect(of("config")[1]).toMatchObject({ level: "warning", advice: `Restrict it: chmod 600 ${file}` });
    expect(of("network")[1]).toMatchObject({
      level: "problem",
      message: "NODE_EXTRA_CA_CERTS points to /none.pem, which cannot be read (ENOENT)",
    });
  });

  test("[CLI-3] temporary files of a killed process are named; those of a running one are not", async () => {
    using cli = new Cli();
    const folder = join(cli.workspace, ".coder", "sessions");
    mkdirSync(folder, { recursive: true });
    const start = readFileSync(`/proc/${process.pid}/stat`, "latin1").split(") ").at(-1)?.split(" ")[19];
    writeFileSync(join(folder, ".a.json.999999999.1.tmp"), "");
    writeFileSync(join(folder, `.b.json.${process.pid}.${start}.tmp`), "");
    const { of } = await examine(cli);
    expect(of("leftovers")).toMatchObject([
      {
        level: "warning",
        message: `temporary files left behind by ended processes: ${join(folder, ".a.json.999999999.1.tmp")}`,
      },
    ]);
  });

  test("[CLI-3] what a killed session left running is named, and ends with the doctor's advice, not by its hand", async () => {
    using cli = new Cli([
      { calls: [{ tool: "bash", input: { command: "echo ready; exec sleep 60" } }] },
      { text: "x" },
    ]);
    const child = cli.start(["run", ...cli.model, "--mode", "yolo", "--output", "stream-json", "go"]);
    const lines = new Lines(child.stdout);
    const spawned = (await lines.event("process.spawned")) as { event: { pid: number } };
    await lines.until((line) => line.type === "output");
    const { pid } = spawned.event;
    const isAsleep = (): boolean => readFileSync(`/proc/${pid}/cmdline`, "latin1") === "sleep\u000060\u0000";
    try {
      await until("the shell has become sleep", isAsleep);
      child.kill("SIGKILL");
      await child.exited;
      const { of } = await examine(cli);
      expect(of("processes")).toMatchObject([
        { level: "warning", message: expect.stringContaining(`${pid} sleep 60`) },
      ]);
      expect(of("database")[1]?.message).toContain("left behind by ended processes: ");
      expect(isAsleep()).toBe(true);
    } finally {
      process.kill(pid, "SIGKILL");
      await until(
        "the stray is gone",
        () =>
          !readdirSync("/proc").includes(String(pid)) || readFileSync(`/proc/${pid}/stat`, "latin1").includes(") Z "),
      );
    }
  }, 120_000);

  test("[CLI-3] --online asks the server for its models, once, and without it no request is made", async () => {
    using cli = new Cli();
    let asked = 0;
    const server = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      fetch: (request) => {
        asked++;
        const isRight = request.headers.get("authorization") === "Bearer k";
        return isRight ? Response.json({ data: [{ id: "other" }] }) : new Response("no", { status: 401 });
      },
    });
    try {
      const model = ["--base-url", `http://127.0.0.1:${server.port}/v1`, "--model", "openai-chat/mine"];
      await examine(cli, model, { CODER_API_KEY: "k" });
      expect(asked).toBe(0);
      const { of, code } = await examine(cli, [...model, "--online"], { CODER_API_KEY: "k" });
      expect(of("server")).toMatchObject([
        { level: "warning", message: `127.0.0.1:${server.port} responds, but does not have the model mine` },
      ]);
      expect({ asked, code }).toEqual({ asked: 1, code: 0 });
      const refused = await examine(cli, [...model, "--online"], { CODER_API_KEY: "wrong" });
      expect(refused.of("server")).toMatchObject([{ level: "problem" }]);
    } finally {
      server.stop(true);
    }
  });

  test("[CLI-3] a database that does not answer is given up in time, and the rest is told", async () => {
    using cli = new Cli();
    mkdirSync(cli.home, { mode: 0o700 });
    Bun.spawnSync(["mkfifo", join(cli.home, "coder.db")]);
    const { of, code } = await examine(cli);
    expect([code, of("database")[0]?.message]).toEqual([0, "no response within 1.8 s"]);
    expect(of("bash")).toMatchObject([{ level: "ok" }]);
  }, 120_000);

  test("[CLI-3] a server that never answers is given up in time", async () => {
    using cli = new Cli();
    const server = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      idleTimeout: 0,
      fetch: () => new Promise<Response>(() => {}),
    });
    try {
      const { of } = await examine(cli, [
        "--base-url",
        `http://127.0.0.1:${server.port}`,
        "--model",
        "openai-chat/m",
        "--online",
      ]);
      // On a busy machine the time of the whole look is up first.
      expect(of("server")).toMatchObject([
        { message: expect.stringMatching(/^cannot reach .* \(TimeoutError\)|^no response within 2 s$/) },
      ]);
    } finally {
      server.stop(true);
    }
  }, 120_000);

  test("[PO-8] the sandbox is named with the limit that holds, or with what keeps it from working", async () => {
    using cli = new Cli();
    const ready = await examine(cli);
    const count = /at most \d+ processes|number of a command's processes is not limited/;
    expect(ready.of("sandbox")).toMatchObject([
      { level: "ok", message: expect.stringMatching(/^bubblewrap: \/.*bwrap$/) },
      { message: expect.stringMatching(count) },
      { level: "ok", message: expect.stringMatching(/^at most \d+ [MG]iB of memory per process/) },
      {
        message: expect.stringMatching(/^(?:later commands can reach servers|each command has its own loopback)/),
      },
    ]);
    const { command, env } = cli.line(["doctor", "--json"]);
    const low = Bun.spawnSync(["bash", "-c", 'ulimit -S -d 2097152; exec "$@"', "-", ...command], {
      cwd: cli.workspace,
      env,
    });
    expect(low.stdout.toString()).toContain("at most 2048 MiB of memory");
    const bin = join(cli.root, "bin");
    mkdirSync(bin);
    writeFileSync(join(bin, "bwrap"), "#!/bin/sh\necho 'bwrap: setting up uid map: Permission denied' >&2; exit 1\n", {
      mode: 0o755,
    });
    const broken = await examine(cli, [], { PATH: `${bin}:${process.env.PATH}` });
    expect(broken.of("sandbox")).toMatchObject([
      { level: "warning", message: expect.stringContaining("AppArmor"), advice: expect.stringContaining("ask") },
    ]);
  });

  test("[CF-2] a home that cannot be made is a problem before it is needed", async () => {
    using cli = new Cli();
    const blocked = join(cli.root, "file");
    writeFileSync(blocked, "");
    for (const home of ["/proc/nowhere/home", join(blocked, "home")]) {
      const { code, of } = await examine(cli, [], { CODER_HOME: home });
      expect([code, of("home")]).toMatchObject([1, [{ level: "problem" }]]);
    }
    expect(readdirSync(cli.root).filter((name) => name.startsWith(".coder-doctor"))).toEqual([]);
  });

  test("[SU-4] for a person: one line each, with an arrow to what to do, in both languages", async () => {
    using cli = new Cli();
    const english = await cli.run(["doctor"]);
    expect(english.out).toMatch(/^ok {7}version {4}coder /);
    expect(english.out).toContain("\n                    → Run coder setup");
    // There is no model here, which is worth a warning.
    expect(english.out).toMatch(/\n\nNo problems found\. Warnings: \d+\.\n$/);
    const chinese = await cli.run(["doctor", "--lang", "zh"]);
    expect(chinese.out).toMatch(/^正常 {5}version/);
    expect(chinese.out).toMatch(/\n\n未发现问题。警告：\d+ 个。\n$/);
  });
});
