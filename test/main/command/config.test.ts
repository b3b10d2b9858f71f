import { describe, expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { builtBinary } from "../../support/binary.ts";
import { Cli } from "../../support/cli.ts";

class Config extends Cli {
  readonly configFile = join(this.home, "config.json");

  write(text: string): void {
    mkdirSync(this.home, { recursive: true, mode: 0o700 });
    writeFileSync(this.configFile, text);
  }

  read(): string {
    return readFileSync(this.configFile, "utf8");
  }

  async get(key: string, ...more: readonly string[]): Promise<unknown> {
    return JSON.parse((await this.run(["config", "get", key, "--json", ...more])).out);
  }
}

describe("config get", () => {
  test("[CF-1] a value is told with where it comes from: default, file and line, variable, flag", async () => {
    using cli = new Config();
    cli.write('{\n  // my limit\n  "max_steps": 9,\n  "ui": {\n    "lang": "en"\n  },\n  "model": "own/m"\n}\n');
    const file = cli.configFile;
    expect(await cli.get("max_time_s")).toEqual({ key: "max_time_s", value: null, source: { kind: "unset" } });
    expect(await cli.get("model_attempts")).toEqual({
      key: "model_attempts",
      value: 10_000,
      source: { kind: "default" },
    });
    expect(await cli.get("max_steps")).toEqual({ key: "max_steps", value: 9, source: { kind: "file", file, line: 3 } });
    expect(await cli.get("ui.lang")).toEqual({ key: "ui.lang", value: "en", source: { kind: "file", file, line: 5 } });
    const flag = { key: "max_steps", value: 3, source: { kind: "flag", name: "--max-steps" } };
    expect(await cli.get("max_steps", "--max-steps", "3")).toEqual(flag);
    const model = await cli.run(["config", "get", "model"]);
    expect(model.out).toBe(`model = "own/m"  (${file}:7)\n`);
    const text = await cli.run(["config", "get", "compaction"]);
    expect(text.out).toBe(
      "compaction.threshold = 0.8  (default)\ncompaction.keep_recent = 12  (default)\ncompaction.off = false  (default)\n",
    );
  });

  test("[CF-1] [CLI-5] a variable wins over the file, and a flag over the variable", async () => {
    using cli = new Config();
    cli.write('{"model": "own/m"}');
    const command = ["config", "get", "model", "--json"];
    const env = { CODER_HOME: cli.home, LANG: "C", CODER_MODEL: "env/m", PATH: process.env.PATH ?? "" };
    const start = (more: readonly string[]) =>
      Bun.spawnSync([...builtBinary(), ...command, ...more], { cwd: cli.workspace, env });
    expect(JSON.parse(start([]).stdout.toString())).toEqual({
      key: "model",
      value: "env/m",
      source: { kind: "env", name: "CODER_MODEL" },
    });
    expect(JSON.parse(start(["--model", "flag/m"]).stdout.toString())).toMatchObject({
      value: "flag/m",
      source: { name: "--model" },
    });
  });

  test("[ER-2] keys and headers are masked, in text and in JSON, alone and in the whole list", async () => {
    using cli = new Config();
    cli.write(
      '{"providers": {"own": {"protocol": "openai-chat", "api_key": "hidden-1", "headers": {"X-A": "hidden-2"}}}}',
    );
    const all = [
      await cli.run(["config", "get"]),
      await cli.run(["config", "get", "--json"]),
      await cli.run(["config", "get", "providers.own.api_key"]),
      await cli.run(["config", "get", "providers.own", "--json"]),
    ];
    expect(all.map((ran) => [ran.code, (ran.out + ran.err).includes("hidden")])).toEqual(all.map(() => [0, false]));
    expect(all[2]?.out).toBe(`providers.own.api_key = "********"  (${cli.configFile}:1)\n`);
  });

  test("[CF-2] an unknown key is refused with the nearest one, and a broken file with its line", async () => {
    using cli = new Config();
    const near = await cli.run(["config", "get", "compaction.treshold"]);
    expect([near.code, near.err]).toEqual([
      2,
      expect.stringContaining("compaction.treshold is not a known key; did you mean threshold?"),
    ]);
    expect((await cli.run(["config", "get", "providers.own.base_ur"])).err).toContain("did you mean base_url?");
    expect((await cli.run(["config", "get", "mode.x"])).err).toContain("Unknown config key mode.x");
    cli.write("{\n  nonsense");
    expect((await cli.run(["config", "get"])).err).toContain(`${cli.configFile}:2: not valid JSON: unexpected n`);
  });
});

describe("config set", () => {
  test("[CF-1] changes its key and no other byte, and get gives the value back", async () => {
    using cli = new Config();
    const before = '\ufeff// mine\r\n{\r\n\t"mode": "plan", // careful\r\n\t"max_steps" : 9 /* few */,\r\n}\r\n';
    cli.write(before);
    expect(await cli.run(["config", "set", "max_steps", "12"])).toEqual({ code: 0, out: "", err: "" });
    expect(cli.read()).toBe(before.replace("9", "12"));
    await cli.run(["config", "set", "models.own/gpt-5.1.context_window", "200000"]);
    expect(await cli.get("models.own/gpt-5.1.context_window")).toMatchObject({ value: 200000 });
    await cli.run(["config", "set", "read_retry_ms", "[1, 2]"]);
    expect(await cli.get("read_retry_ms")).toMatchObject({ value: [1, 2] });
    await cli.run(["config", "set", "providers.own", '{"protocol": "google", "api_key_env": "K"}']);
    await cli.run(["config", "set", "providers.own.api_key_env", "12"]);
    for (const key of ["models", "read_retry_ms", "providers"])
      expect((await cli.run(["config", "unset", key])).code).toBe(0);
    expect(cli.read()).toBe(before.replace("9", "12"));
  });

  test("[CF-1] a missing file is made, closed to others, and an open one is closed", async () => {
    using cli = new Config();
    expect((await cli.run(["config", "set", "mode", "plan"])).code).toBe(0);
    expect(cli.read()).toBe('{\n  "mode": "plan"\n}\n');
    expect([statSync(cli.home).mode & 0o777, statSync(cli.configFile).mode & 0o777]).toEqual([0o700, 0o600]);
    chmodSync(cli.configFile, 0o644);
    await cli.run(["config", "set", "mode", "yolo"]);
    expect(statSync(cli.configFile).mode & 0o777).toBe(0o600);
    expect(readdirSync(cli.home)).toEqual(["config.json"]);
  });

  test("[CF-2] a wrong key, a wrong value and a file that is broken elsewhere change nothing", async () => {
    using cli = new Config();
    cli.write('{"mode": "plan"}');
    const tries: readonly (readonly [args: readonly string[], says: string])[] = [
      [["max_step", "3"], "max_step is not a known key; did you mean max_steps?"],
      [["max_steps", "0"], "max_steps must be a whole number from 1 to 100000"],
      [["max_steps", "many"], "max_steps must be a whole number"],
      [["mode", "pln"], "did you mean plan?"],
      [["model", "gpt"], "write the model as provider/name"],
      [["providers.own.base_url", "ftp://x"], "must be a URL"],
      [["tools.off", '["bsh"]'], "did you mean bash?"],
    ];
    for (const [args, says] of tries) {
      const ran = await cli.run(["config", "set", ...args]);
      expect([args, ran.code, ran.err.includes(says)]).toEqual([args, 2, true]);
    }
    expect(cli.read()).toBe('{"mode": "plan"}');
    cli.write('{"mode": "plan", "max_step": 1}');
    expect((await cli.run(["config", "set", "mode", "yolo"])).err).toContain(
      `${cli.configFile}:1: max_step is not a known key`,
    );
    expect(cli.read()).toBe('{"mode": "plan", "max_step": 1}');
    expect((await cli.run(["config", "unset", "max_step"])).code).toBe(0);
    expect(cli.read()).toBe('{"mode": "plan"}');
    const gone = await cli.run(["config", "unset", "max_steps"]);
    expect([gone.code, gone.err]).toEqual([2, expect.stringContaining(`max_steps is not set in ${cli.configFile}`)]);
  });

  test("[CF-1] a link is not written through, and the file it leads to can be named", async () => {
    using cli = new Config();
    const real = join(cli.root, "dotfiles.json");
    writeFileSync(real, "{}");
    mkdirSync(cli.home);
    symlinkSync(real, cli.configFile);
    const ran = await cli.run(["config", "set", "mode", "plan"]);
    expect([ran.code, ran.err]).toEqual([2, expect.stringContaining("is a link or not a regular file")]);
    expect([readFileSync(real, "utf8"), lstatSync(cli.configFile).isSymbolicLink()]).toEqual(["{}", true]);
    expect((await cli.run(["config", "set", "--config", real, "mode", "plan"])).code).toBe(0);
    expect(JSON.parse(readFileSync(real, "utf8"))).toEqual({ mode: "plan" });
  });

  test("[CF-1] --project writes the workspace's file and says when it counts; a linked .coder is refused", async () => {
    using cli = new Config();
    const ran = await cli.run(["config", "set", "--project", "max_steps", "5"]);
    const file = join(realpathSync(cli.workspace), ".coder", "config.json");
    expect(ran).toEqual({
      code: 0,
      out: "",
      err: `Written to ${file}. It takes effect only if the workspace is trusted.\n`,
    });
    expect(readFileSync(file, "utf8")).toBe('{\n  "max_steps": 5\n}\n');
    expect((await cli.run(["config", "path", "--project"])).out).toBe(`${file}\n`);
    expect((await cli.run(["config", "path"])).out).toBe(`${cli.configFile}\n`);
    using other = new Config();
    symlinkSync(cli.root, join(other.workspace, ".coder"));
    expect((await other.run(["config", "set", "--project", "mode", "plan"])).code).not.toBe(0);
    expect(existsSync(join(cli.root, "config.json"))).toBe(false);
    expect((await cli.run(["config", "set", "--user", "--project", "mode", "plan"])).code).toBe(2);
  });

  test("[CF-1] a value that stays without effect is said to be so", async () => {
    using cli = new Config();
    const ran = await cli.run(["config", "set", "ui.lang", "zh", "--lang", "en"]);
    expect(ran.err).toBe('ui.lang is set, but this value still applies: "en" (--lang)\n');
  });

  test("[ER-2] a key can come from stdin, and never comes back in an error", async () => {
    using cli = new Config();
    const key = "providers.own.api_key";
    expect((await cli.run(["config", "set", key, "-"], { stdin: "from-stdin\n" })).code).toBe(0);
    expect(cli.read()).toContain('"api_key": "from-stdin"');
    const bad = await cli.run(["config", "set", key, "with blank"]);
    expect([bad.code, bad.err.includes("with blank")]).toEqual([2, false]);
  });

  test("[CF-1] eight at once all arrive, and what a killed one left behind stops nobody", async () => {
    using cli = new Config();
    cli.write("{\n  // kept\n}\n");
    symlinkSync("999999999.1", join(cli.home, ".config.lock"));
    writeFileSync(join(cli.home, ".config.json.tmp"), "half a file");
    const keys = [
      "max_steps",
      "max_tokens",
      "max_time_s",
      "command_timeout_s",
      "model_idle_s",
      "model_attempts",
      "compaction.keep_recent",
      "output_bytes",
    ];
    const codes = await Promise.all(
      keys.map(async (key) => (await cli.run(["config", "set", key, key === "output_bytes" ? "2048" : "7"])).code),
    );
    expect(codes).toEqual(keys.map(() => 0));
    const rows = await Promise.all(keys.map((key) => cli.get(key)));
    expect(rows.map((row) => (row as { value: number }).value)).toEqual(
      keys.map((key) => (key === "output_bytes" ? 2048 : 7)),
    );
    expect(cli.read()).toContain("// kept");
    expect(readdirSync(cli.home)).toEqual(["config.json"]);
  }, 120_000);
});

describe("ui.lang", () => {
  test("[SU-4] speaks for every command, its errors and its suggestions; --lang wins, and a broken file silences nobody", async () => {
    using cli = new Config([{ text: "hello" }]);
    cli.write('{ "ui": { "lang": "zh" } }');
    await cli.run(["run", ...cli.model, "--lang", "en", "go"]);
    const [{ id }] = JSON.parse((await cli.run(["sessions", "--json"])).out) as [{ id: string }];
    const isChinese = ({ out, err }: { out: string; err: string }) => /\p{Script=Han}/u.test(out + err);
    const lines: readonly (readonly string[])[] = [
      ...[
        ["export", id],
        ["trace", id],
        ["replay", id],
        ["fork", id],
        ["export", "none"],
      ],
      ...[["sessions", "prune", "--keep", "0"], ["sessions", "none"], ["models"], ["doctor"]],
      ...[["help", "config"], ["config", "get", "none"], ["--none"], ["__complete", "config", ""]],
    ];
    for (const line of lines) {
      expect([line, isChinese(await cli.run(line))]).toEqual([line, true]);
      if (line[0] !== "__complete")
        expect([line, isChinese(await cli.run([...line, "--lang", "en"]))]).toEqual([line, false]);
    }
    cli.write("{");
    expect((await cli.run(["sessions"], { env: { LANG: "zh_CN.UTF-8" } })).err).toContain("JSON");
    expect(isChinese(await cli.run(["sessions"], { env: { LANG: "zh_CN.UTF-8" } }))).toBe(true);
    expect(isChinese(await cli.run(["sessions"]))).toBe(false);
  }, 120_000);
});

describe("config schema", () => {
  test("[CF-1] prints the published schema", async () => {
    using cli = new Config();
    const published = readFileSync(join(import.meta.dir, "..", "..", "..", "docs", "config.schema.json"), "utf8");
    expect(await cli.run(["config", "schema"])).toEqual({ code: 0, out: published, err: "" });
  });
});
