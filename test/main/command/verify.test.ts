import { describe, expect, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runners } from "../../../src/contract/verification.ts";
import { Cli } from "../../support/cli.ts";
import { commitAll } from "../../support/repository.ts";

const failing = 'require("node:test")("adds", () => require("node:assert").equal(1, 2));\n';
const passing = 'require("node:test")("adds", () => {});\n';

function withList(...commands: readonly string[]): Cli {
  const cli = new Cli();
  mkdirSync(cli.home);
  writeFileSync(join(cli.home, "config.json"), JSON.stringify({ workflow: { verify_allowed: commands } }));
  return cli;
}

describe("coder verify", () => {
  test("[VF-4] [SU-2] exit code 0 for a pass, 1 for a failure, 3 where nothing speaks about the code, 4 where it may not be run", async () => {
    using cli = withList("node --test", "./nosuch");
    cli.file("a.test.js", passing);
    expect(await cli.run(["verify", "node --test"])).toMatchObject({ code: 0, err: "" });
    cli.file("a.test.js", failing);
    const failed = await cli.run(["verify", "node --test"]);
    expect([failed.code, failed.err]).toEqual([1, ""]);
    expect(failed.out).toMatch(/^node --test: .*1 failed\na\.test\.js:1: adds: /);
    expect(await cli.run(["verify", "./nosuch"])).toMatchObject({ code: 3 });
    expect(await cli.run(["verify", "rm -rf x"])).toMatchObject({ code: 4 });
    expect(await cli.run(["verify"])).toMatchObject({ code: 3 });
  });

  test("[VF-3] the interpreter of the project's own environment runs the tests, and is named", async () => {
    using cli = new Cli();
    mkdirSync(join(cli.workspace, ".venv/bin"), { recursive: true });
    cli.file("pyproject.toml", "[tool.pytest.ini_options]\n");
    cli.file(".venv/pyvenv.cfg", "home = /usr/bin\n");
    for (const name of ["python", "pytest"]) {
      cli.file(`.venv/bin/${name}`, '#!/bin/sh\necho "$VIRTUAL_ENV"\necho "3 passed in 0.01s"\n');
      chmodSync(join(cli.workspace, ".venv/bin", name), 0o755);
    }
    const ran = await cli.run(["verify"]);
    expect([ran.code, ran.out]).toEqual([0, "pytest -q: pytest: 3 passed\nrun with .venv/bin/pytest\n"]);
    const json = JSON.parse((await cli.run(["verify", "--json"])).out);
    expect(json).toMatchObject({ ok: true, program: ".venv/bin/pytest" });
  });

  test("[SU-2] [IN-1] the command /verify ends with the same exit codes", async () => {
    using cli = withList("node --test", "./nosuch");
    const code = async (...words: readonly string[]) => (await cli.run(["run", `/verify ${words.join(" ")}`])).code;
    cli.file("a.test.js", passing);
    expect(await code("node --test")).toBe(0);
    cli.file("a.test.js", failing);
    expect([await code("node --test"), await code("./nosuch"), await code("rm -rf x"), await code()]).toEqual([
      1, 3, 4, 3,
    ]);
  });

  test("[SU-2] of several projects the worst result is the exit code of /verify, whichever comes last", async () => {
    using cli = new Cli();
    const broken = { broken: 'require("node:assert").equal(1, 2)', good: "" };
    for (const [name, body] of Object.entries(broken)) {
      mkdirSync(join(cli.workspace, name));
      cli.file(`${name}/package.json`, JSON.stringify({ name, scripts: { test: "mocha" } }));
      mkdirSync(join(cli.workspace, name, "node_modules/.bin"), { recursive: true });
      const said =
        body === ""
          ? "  1 passing (1ms)"
          : "  0 passing (1ms)\n  1 failing\n\n  1) x:\n     Error: no\n      at a.js:1:1";
      writeFileSync(
        join(cli.workspace, name, "node_modules/.bin/mocha"),
        `#!/bin/sh\nprintf '%b\\n' '${said.replaceAll("\n", "\\n")}'\nexit ${body === "" ? 0 : 1}\n`,
        { mode: 0o755 },
      );
    }
    const { code, out } = await cli.run(["run", "/verify"]);
    expect([code, out.match(/1 passed|1 failed/g)]).toEqual([1, ["1 failed", "1 passed"]]);
  });

  test("[VF-4] [SU-1] --json prints the result value itself, also where nothing was run", async () => {
    using cli = withList("node --test");
    cli.file("a.test.js", failing);
    const { out } = await cli.run(["verify", "--json", "node --test"]);
    expect(JSON.parse(out)).toMatchObject({
      ok: false,
      type: "test_failure",
      command: "node --test",
      counts: { failed: 1 },
      details: [{ file: "a.test.js", line: 1 }],
    });
    const none = await cli.run(["verify", "--json", "make check"]);
    expect(JSON.parse(none.out)).toMatchObject({
      ok: false,
      type: "environment",
      command: "make check",
      exit_code: null,
    });
    expect(none.code).toBe(4);
    expect(JSON.parse(none.out).suggestion).toContain("--allow 'bash(make check)'");
  });

  test("[VF-2] a project's own config adds nothing to the list", async () => {
    using cli = new Cli();
    mkdirSync(join(cli.workspace, ".coder"));
    cli.file(".coder/config.json", JSON.stringify({ workflow: { verify_allowed: ["touch ran"] } }));
    commitAll(cli.workspace);
    expect((await cli.run(["verify", "--trust", "touch ran"])).code).not.toBe(0);
    expect(existsSync(join(cli.workspace, "ran"))).toBe(false);
  });

  test("[CLI-4] a mode that denies is an exit code of its own, with the reason on stderr", async () => {
    using cli = withList("node --test");
    const ran = await cli.run(["verify", "--mode", "plan", "node --test"]);
    expect([ran.code, ran.out, ran.err.includes("plan mode")]).toEqual([4, "", true]);
  });
});

describe("coder verify --parse", () => {
  const pytest =
    "F\n=== FAILURES ===\n_ test_a _\n    def test_a():\n>       assert 1 == 2\nE       assert 1 == 2\n\ntest_m.py:3: AssertionError\n=== 1 failed in 0.01s ===\n";

  test("[CLI-4] reads stdin into a result on stdout, and opens no session", async () => {
    using cli = new Cli();
    const ran = await cli.run(["verify", "--parse", "pytest", "--exit-code", "1"], { stdin: pytest });
    expect([ran.code, ran.err]).toEqual([0, ""]);
    expect(JSON.parse(ran.out)).toMatchObject({
      ok: false,
      type: "test_failure",
      exit_code: 1,
      counts: { failed: 1 },
      details: [{ file: "test_m.py", line: 3 }],
    });
    expect(existsSync(cli.home)).toBe(false);
  });

  test("[CLI-4] every runner of the list and auto is known, and says nothing good about nothing", async () => {
    using cli = new Cli();
    for (const runner of [...runners, "auto"]) {
      const ran = await cli.run(["verify", "--parse", runner, "--exit-code", "0"], { stdin: "" });
      expect([runner, ran.code, JSON.parse(ran.out).ok]).toEqual([runner, 0, runner === "eslint" || runner === "tsc"]);
    }
  });

  test("[CLI-4] ten megabytes of output and bytes that are no text are no trouble", async () => {
    using cli = new Cli();
    const big = `${"noise \u0000 \ufffd line\n".repeat(700_000)}=== 3 passed in 0.01s ===\n`;
    const ran = await cli.run(["verify", "--parse", "pytest", "--exit-code", "0"], { stdin: big });
    expect(big.length).toBeGreaterThan(10_000_000);
    expect(JSON.parse(ran.out)).toMatchObject({ ok: true, type: "pass", counts: { passed: 3 } });
  });

  const wrong: readonly (readonly string[])[] = [
    ["--parse", "nose"],
    ["--parse", "pytest", "--exit-code", "one"],
    ["--parse", "pytest", "pytest -q"],
    ["--exit-code", "1"],
  ];
  for (const args of wrong) {
    test(`[CLI-4] [SU-2] refused as usage: ${args.join(" ")}`, async () => {
      using cli = new Cli();
      const ran = await cli.run(["verify", ...args], { stdin: "" });
      expect([ran.code, ran.out, ran.err !== ""]).toEqual([2, "", true]);
    });
  }

  test("[CLI-3] completion offers the runners", async () => {
    using cli = new Cli();
    const { out } = await cli.run(["__complete", "verify", "--parse", "v"]);
    expect(out).toBe("vitest\t\n");
  });
});
