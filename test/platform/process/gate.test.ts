import { expect, test } from "bun:test";
import { existsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SAFE_ENVIRONMENT } from "../../../src/platform/process/gate.ts";
import { rememberChild } from "../../../src/platform/process/orphans.ts";
import { readProc } from "../../../src/platform/process/proc.ts";
import { hasEnded, inTempFolder, isGone, isWaitingAlone, shell } from "../../support/shell.ts";
import { until } from "../../support/until.ts";
import { startVictim } from "../../support/victim.ts";

test("[TP-3] the command starts only after its pid and start time were written down", async () => {
  await inTempFolder(async (folder) => {
    const seen: unknown[] = [];
    const outcome = await shell(`touch ${folder}/ran; echo $$`, {
      onSpawn: async (pid, startTime) => {
        await until("the shell waits", () => isWaitingAlone(pid));
        seen.push({ pid, startTime, hasRun: existsSync(join(folder, "ran")) });
        expect(startTime).toBe(String(readProc(pid)?.start));
      },
    });
    const pid = Number(outcome.stdout);
    expect(seen).toEqual([{ pid, startTime: expect.stringMatching(/^\d+$/), hasRun: false }]);
    expect(existsSync(join(folder, "ran"))).toBe(true);
  });
});

test("[TP-3] a command whose pid could not be written down never starts", async () => {
  await inTempFolder(async (folder) => {
    let shellPid = 0;
    const running = shell(`touch ${folder}/ran`, {
      onSpawn: async (pid) => {
        shellPid = pid;
        throw new Error("disk full");
      },
    });
    await expect(running).rejects.toThrow("disk full");
    await until("the shell is gone", () => isGone(shellPid));
    expect(existsSync(join(folder, "ran"))).toBe(false);
  });
});

test("[TP-3] after kill -9 at the gate the command never starts and its shell ends", async () => {
  await inTempFolder(async (folder) => {
    for (const command of [`touch ${folder}/ran`, `touch ${folder}/ran #${"x".repeat(200_000)}`]) {
      await using victim = await startVictim(command, "stay", "gate");
      expect(hasEnded(victim.pid)).toBe(false);
      await victim.kill();
      await until("the shell has ended", () => hasEnded(victim.pid));
      expect(existsSync(join(folder, "ran"))).toBe(false);
    }
  });
});

test("[CAN-1] a command cancelled before or at the gate does nothing", async () => {
  await inTempFolder(async (folder) => {
    const before = AbortSignal.abort();
    const atGate = new AbortController();
    const spawned: number[] = [];
    const onSpawn = async (pid: number) => {
      spawned.push(pid);
      atGate.abort();
    };
    const outcomes = [
      await shell(`touch ${folder}/ran`, { signal: before, onSpawn }),
      await shell(`touch ${folder}/ran`, { signal: atGate.signal, onSpawn }),
    ];
    for (const outcome of outcomes) expect(outcome).toMatchObject({ cancelled: true, started: false, unstopped: [] });
    expect(spawned.map(isGone)).toEqual([true]);
    expect(existsSync(join(folder, "ran"))).toBe(false);
  });
});

test("[TP-3] nothing in the environment or home folder acts before the gate", async () => {
  await inTempFolder(async (folder) => {
    const trap = `touch ${folder}/ran`;
    writeFileSync(join(folder, ".bashrc"), trap);
    writeFileSync(join(folder, "env.sh"), trap);
    const env = {
      PATH: process.env.PATH,
      HOME: folder,
      BASH_ENV: join(folder, "env.sh"),
      "BASH_FUNC_read%%": `() { ${trap}; }`,
      "BASH_FUNC_exec%%": `() { ${trap}; }`,
      SHELLOPTS: "noexec",
      POSIXLY_CORRECT: "1",
    };
    const onSpawn = async (pid: number) => {
      await until("the shell waits", () => isWaitingAlone(pid));
      throw new Error(existsSync(join(folder, "ran")) ? "it ran" : "nothing ran");
    };
    await expect(shell("true", { env, onSpawn })).rejects.toThrow("nothing ran");
  });
});

const sameAsPlain: readonly string[] = [
  'echo "$0|$#|$-|$BASH_EXECUTION_STRING|$LINENO|$SHLVL|$BASH_SUBSHELL|$BASH"',
  "echo 'a\"b'\necho \"c'd\" \\\n  e",
  "cat <<X\n$((1 + 1)) `echo sub`\nX",
  "exit 7",
  "exit",
  "",
  "# only a comment",
  "false || { echo no; false; }",
  "set -e; false; echo not reached",
  "set -x; true",
  "trap 'echo bye' EXIT; exit 3",
  "trap 'echo error' ERR; false; true",
  "trap 'echo got it; exit 5' TERM; kill $$; sleep 5",
  "trap -p; kill -9 $$",
  "kill -SEGV $BASHPID",
  "perl -e 'kill 11, $$'",
  "echo (",
  "no_such_command_here",
  "return 3",
  "f() { local x=1; return 4; }; f",
  "read line; echo $?",
  "exec echo replaced",
  "exec 0<&3",
  "echo >&3",
  'readlink /proc/self/fd/0; ls /proc/self/fd | tr "\\n" " "',
  "grep -E '^(Sig(Blk|Ign|Cgt)|NoNewPrivs|Seccomp):' /proc/self/status",
  "ulimit -a; umask; pwd",
  "env | grep -v ^_= | sort",
  "exported",
  "shopt; set -o",
  "declare -F",
  "printf '%s\\n' 中文 ｆｕｌｌ 😀",
];

const hostile = {
  "a.b": "dotted",
  "npm_config_//registry/:_auth": "odd",
  "BASH_FUNC_exported%%": "() { echo exported; }",
  "BASH_FUNC_read%%": "() { echo hijacked; }",
  IFS: "x",
  CDPATH: "/tmp",
  GLOBIGNORE: "*",
  SHLVL: "4",
  PWD: "/nonsense",
};

const environments: readonly (readonly [kind: string, env: Record<string, string>])[] = [
  ["ordinary", {}],
  ["hostile", hostile],
];

for (const [kind, extra] of environments) {
  test(`a command behaves exactly as in plain bash -c, in an ${kind} environment`, async () => {
    // What runShell itself sets.
    const { CODER_API_KEY: _, SHELLOPTS: __, BASHOPTS: ___, ...safe } = SAFE_ENVIRONMENT;
    const set = { CODER_CALL: "same", TERM: "dumb", ...safe };
    const env = { PATH: process.env.PATH, HOME: tmpdir(), SHLVL: "3", ...extra, ...set };
    for (const command of sameAsPlain) {
      const gated = await shell(command, { env, marker: "same" });
      const { exitCode, signal, stdout, stderr } = gated;
      expect({ command, exitCode, signal, stdout, stderr }).toEqual({ command, ...(await plainBash(command, env)) });
    }
  });
}

async function plainBash(command: string, env: Record<string, string | undefined>) {
  const bash = Bun.which("bash") ?? "bash";
  const options = { argv0: "bash", cwd: tmpdir(), env, detached: true } as const;
  const child = Bun.spawn([bash, "-c", command], { ...options, stdin: "ignore", stdout: "pipe", stderr: "pipe" });
  const forget = rememberChild(child.pid);
  const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  forget();
  return {
    exitCode: child.exitCode,
    signal: child.signalCode === null ? null : String(child.signalCode),
    stdout,
    stderr,
  };
}
