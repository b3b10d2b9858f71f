import { expect, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { keyVariables } from "../../../src/config/model/providers.ts";
import { withhold } from "../../../src/platform/environment.ts";
import { runShell } from "../../../src/platform/process/shell.ts";
import { inTempFolder, shell, shellRequest, untilFile } from "../../support/shell.ts";
import { longEnough, until } from "../../support/until.ts";

test("[TL-3] exit code, stdout and stderr arrive whole and apart", async () => {
  const outcome = await shell("echo out; echo err >&2; exit 3");
  expect(outcome).toEqual({
    exitCode: 3,
    signal: null,
    stdout: "out\n",
    stderr: "err\n",
    durationMs: expect.any(Number),
    truncated: { stdout: false, stderr: false },
    timedOut: false,
    isOutOfTime: false,
    cancelled: false,
    started: true,
    leftOver: [],
    unstopped: [],
    planted: [],
    hidden: [],
    restored: [],
    unkept: [],
    unlooked: 0,
  });
});

test("[TL-3] a command has its own session and process group, without a terminal", async () => {
  const { stdout } = await shell('cut -d" " -f1,5,6,7 /proc/$$/stat; echo $$');
  const [stat, pid] = stdout.trim().split("\n");
  expect(stat).toBe(`${pid} ${pid} ${pid} 0`);
});

test("[TL-3] a command that reads stdin gets its end at once", async () => {
  const outcome = await shell("cat; read line; echo $?");
  expect({ code: outcome.exitCode, out: outcome.stdout }).toEqual({ code: 0, out: "1\n" });
});

test("[TL-3] after the timeout the exit code is 124 and the output so far is kept", async () => {
  const run = (timeoutMs: number) => shell("echo before; sleep 1000; echo after", { timeoutMs });
  const outcome = await longEnough(300, run, ({ stdout }) => stdout !== "");
  expect(outcome).toMatchObject({ exitCode: 124, signal: null, timedOut: true, cancelled: false, stdout: "before\n" });
});

test("[TL-3] output is shown while the command still runs", async () => {
  await inTempFolder(async (folder) => {
    const shown: string[] = [];
    const onOutput = (stream: string, text: string) => shown.push(`${stream}:${text}`);
    // The command goes on only after its first line was seen here.
    const running = shell(`echo one; ${untilFile(`${folder}/go`)}; echo two >&2`, { onOutput });
    await until("the first line is shown", () => shown.length > 0);
    expect(shown).toEqual(["stdout:one\n"]);
    writeFileSync(join(folder, "go"), "");
    await running;
    expect(shown).toEqual(["stdout:one\n", "stderr:two\n"]);
  });
});

test("a character written in two halves is shown whole", async () => {
  await inTempFolder(async (folder) => {
    const shown: string[] = [];
    const command = `printf 'a\\344\\270'; ${untilFile(`${folder}/go`)}; printf '\\255b'`;
    const running = shell(command, { onOutput: (_, text) => shown.push(text) });
    await until("the first half is shown", () => shown.length > 0);
    writeFileSync(join(folder, "go"), "");
    expect((await running).stdout).toBe("a中b");
    expect(shown).toEqual(["a", "中b"]);
  });
});

test("[TL-3] of 1 GiB of output the head and the tail are kept, in bounded memory", async () => {
  let peak = 0;
  const before = process.memoryUsage.rss();
  const onOutput = () => {
    peak = Math.max(peak, process.memoryUsage.rss());
  };
  const outcome = await shell("echo first; yes | head -c 1G; echo last", { onOutput });
  const half = 512 * 1024;
  const head = `first\n${"y\n".repeat(half)}`.slice(0, half);
  // Cut where a line begins.
  const tail = `${"y\n".repeat(half)}last\n`.slice(1 - half);
  // Compared as booleans: a failure must not print a mebibyte.
  const missing = 1024 ** 3 + 12 - 2 * half;
  expect(outcome.stdout === `${head}\n[… ${missing} bytes left out …]\n${tail}`).toBe(true);
  expect(outcome.truncated).toEqual({ stdout: true, stderr: false });
  expect(peak - before).toBeLessThan(200 * 1024 * 1024);
}, 120_000);

test("[TL-3] a command that prints for ever is ended by its timeout alone", async () => {
  const run = (timeoutMs: number) => shell("yes", { timeoutMs, maxStreamBytes: 1000 });
  const outcome = await longEnough(500, run, ({ truncated }) => truncated.stdout);
  expect(outcome).toMatchObject({ exitCode: 124, timedOut: true, truncated: { stdout: true, stderr: false } });
});

test("binary output becomes text that says where bytes were no characters", async () => {
  const { stdout } = await shell("printf '\\377\\000a\\r\\n'");
  expect(stdout).toBe("\ufffd\0a\r\n");
});

test("output of a process substitution that ends after the shell is not lost", async () => {
  const waits = "while [ -d /proc/$$ ] && ! grep -qs ') Z ' /proc/$$/stat; do sleep 0.01; done";
  const { stdout, leftOver } = await shell(`echo late > >(${waits}; cat)`);
  expect({ stdout, leftOver }).toEqual({ stdout: "late\n", leftOver: [] });
});

test("a fault in showing the output ends the command and is thrown", async () => {
  const onOutput = () => {
    throw new Error("screen is gone");
  };
  await expect(shell("echo hi; sleep 1000", { onOutput })).rejects.toThrow("screen is gone");
});

test("a command with a NUL character is refused", async () => {
  expect(await runShell(shellRequest("echo a\0b"))).toEqual({
    ok: false,
    error: { code: "E_INVALID_ARGS", text: { key: "bash.nul" } },
  });
});

test("a command too long for an argument runs like any other", async () => {
  const filler = `# ${"x".repeat(99)}\n`.repeat(3000);
  const outcome = await shell(`${filler}echo "$0 $#"; cat; ls /proc/self/fd | tr '\\n' ' '\nexit 4`);
  // Descriptor 3 is the folder that ls itself reads.
  expect(outcome).toMatchObject({ exitCode: 4, stdout: "bash 0\n0 1 2 3 ", stderr: "" });
});

test("a folder that vanished is named", async () => {
  await inTempFolder(async (folder) => {
    const cwd = join(folder, "gone");
    expect(await runShell(shellRequest("true", { cwd }))).toEqual({
      ok: false,
      error: { code: "E_IO", text: { key: "bash.no_cwd", args: { cwd } }, advice: { key: "bash.no_cwd_advice" } },
    });
    writeFileSync(cwd, "a file");
    expect(await runShell(shellRequest("true", { cwd }))).toEqual({
      ok: false,
      error: {
        code: "E_IO",
        text: { key: "bash.no_start", args: { cwd, code: "ENOTDIR" } },
        advice: { key: "bash.no_start_advice" },
      },
    });
  });
});

test("a machine without bash gets advice, and a bash in a relative PATH folder does not count", async () => {
  await inTempFolder(async (folder) => {
    mkdirSync(join(folder, "bin"));
    writeFileSync(join(folder, "bin", "bash"), `#!/bin/sh\ntouch ${folder}/ran\n`);
    chmodSync(join(folder, "bin", "bash"), 0o755);
    const env = { PATH: `bin:${relative(process.cwd(), join(folder, "bin"))}:/nonexistent:` };
    expect(await runShell(shellRequest("true", { cwd: folder, env }))).toEqual({
      ok: false,
      error: { code: "E_IO", text: { key: "bash.missing" }, advice: { key: "bash.missing_advice" } },
    });
    expect(existsSync(join(folder, "ran"))).toBe(false);
  });
});

test("no model's key is handed to commands; marker, pagers and prompts are set", async () => {
  const env = { PATH: process.env.PATH, CODER_API_KEY: "k", OPENAI_API_KEY: "o", PAGER: "less", TERM: "xterm" };
  const names = keyVariables(undefined);
  withhold((name) => names.includes(name));
  const { stdout } = await shell("env | sort", { env, marker: "s1.c1" });
  const seen = stdout.split("\n").filter((line) => !/^(PATH|PWD|OLDPWD|SHLVL|_)=/.test(line));
  expect(seen).toEqual([
    "CODER_CALL=s1.c1",
    expect.stringMatching(/^EDITOR=.*false$/),
    expect.stringMatching(/^GIT_EDITOR=.*false$/),
    "GIT_PAGER=cat",
    "GIT_TERMINAL_PROMPT=0",
    "PAGER=cat",
    "PYTHONDONTWRITEBYTECODE=1",
    "TERM=dumb",
    expect.stringMatching(/^VISUAL=.*false$/),
    "",
  ]);
});

test("[PO-4] [SA-chains] a backslash is one for the shell too, whatever letters the person's locale is made of", async () => {
  await inTempFolder(async (folder) => {
    // In GBK the backslash is half of a letter, and `;` ends the command. Where no locales are made, the variable tells.
    if (Bun.which("localedef")) Bun.spawnSync(["localedef", "-i", "zh_CN", "-f", "GBK", join(folder, "zh_CN.GBK")]);
    const command = `cd ${folder} && echo 中\\; touch made; echo "$LC_ALL"; [ -e made ] && echo made`;
    const seen = async (env: Readonly<Record<string, string>>) =>
      (await shell(command, { env: { PATH: process.env.PATH ?? "", LOCPATH: folder, ...env } })).stdout;
    const fine = "中; touch made\n";
    expect(await seen({ LC_ALL: "zh_CN.GBK" })).toBe(`${fine}C.UTF-8\n`);
    expect(await seen({ LANG: "zh_CN.GBK" })).toBe(`${fine}C.UTF-8\n`);
    expect(await seen({ LC_CTYPE: "zh_TW.BIG5", LANG: "C.UTF-8" })).toBe(`${fine}C.UTF-8\n`);
    for (const LANG of ["C.UTF-8", "zh_CN.utf8@x", "C", ""]) expect(await seen({ LANG })).toBe(`${fine}\n`);
  });
});

test("[VF-4] a Python module that was changed twice in a second is run as it stands", async () => {
  await inTempFolder(async (folder) => {
    const module = join(folder, "answer.py");
    const runs: string[] = [];
    const env = { PATH: process.env.PATH };
    for (const answer of ["wrong", "right"]) {
      writeFileSync(module, `value = "${answer}"\n`);
      utimesSync(module, 1_700_000_000, 1_700_000_000);
      runs.push((await shell("python3 -c 'import answer; print(answer.value)'", { cwd: folder, env })).stdout);
    }
    expect(runs).toEqual(["wrong\n", "right\n"]);
    expect(readdirSync(folder)).toEqual(["answer.py"]);
  });
});

test("[PO-4] [SA-environment] what was proved to only read loads no library of the folder it runs in", async () => {
  await inTempFolder(async (folder) => {
    const run = async (isProved: boolean): Promise<string> => {
      const env = { PATH: process.env.PATH, LD_LIBRARY_PATH: `/opt/lib::lib:${folder}/lib:` };
      return (await shell("echo $LD_LIBRARY_PATH", { cwd: folder, env, isProved })).stdout;
    };
    expect(await run(true)).toBe("/opt/lib\n");
    expect(await run(false)).toBe(`/opt/lib::lib:${folder}/lib:\n`);
  });
});
