// Commands that run unasked because of the paths they read, while somebody swaps a folder on these paths for a link.
import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { systemFiles } from "../../src/contract/path/system-places.ts";
import { Bench } from "../support/engine.ts";
import { until } from "../support/until.ts";

/** RENAME_EXCHANGE: there is always one of the two under the name. */
const renameat2 = process.arch === "arm64" ? 276 : 316;
const swapper = `$a = "sub"; $b = "other"; open(F, ">", "../swapping"); close(F); $p = getppid; while (++$n % 1000 || (getppid == $p && -e "../swapping")) { syscall(${renameat2}, -100, $a, -100, $b, 2) }`;

const STEPS = 6;
/** Of the reads that were neither denied nor stopped: so many are wanted, and looked for in so many rounds. */
const ENOUGH = process.env.CODER_TEST_LONG ? 200 : 8;
const ROUNDS = 20 * ENOUGH;

const bash = (command: string) => ({ tool: "bash", input: { command } });

async function play(lines: readonly string[], target: (bench: Bench) => string, file: string) {
  return await playCalls(lines.map(bash), (bench) => {
    mkdirSync(join(bench.workspace, "sub"));
    writeFileSync(join(bench.workspace, "sub", file), "ours\n");
    symlinkSync(target(bench), join(bench.workspace, "other"));
  });
}

/** `lay` makes `sub` and `other`, which are swapped all the time. */
async function playCalls(calls: readonly { tool: string; input: unknown }[], lay: (bench: Bench) => void) {
  await using bench = new Bench([...Array.from({ length: STEPS }, () => ({ calls })), { text: "done" }]);
  lay(bench);
  const child = Bun.spawn(["perl", "-e", swapper], { cwd: bench.workspace });
  try {
    await until("names are swapped", () => existsSync(join(bench.root, "swapping")));
    const seat = bench.open({ mode: "default" });
    await seat.run("go");
    const results = seat.all("tool.settled").map(({ result }) => result);
    return results.filter(({ status }) => status !== "denied").map(({ output }) => output);
  } finally {
    child.kill("SIGKILL");
    await child.exited;
  }
}

async function playEnough(lines: readonly string[], target: (bench: Bench) => string, file: string) {
  const seen: string[] = [];
  for (let round = 0; seen.length < ENOUGH && round < ROUNDS; round++) {
    const outputs = await play(lines, target, file);
    seen.push(...outputs.filter((output) => !closed.test(output)));
  }
  return seen;
}

const closed = /E_CONFLICT: |No such file or directory|Permission denied|Too many levels/;

describe("[PO-4] [SA-check-then-use] a command that is judged by a path", () => {
  const readers = (file: string) => [
    `cat sub/${file}`,
    `head -n 2 sub/${file}`,
    `grep -c . < sub/${file}`,
    `cd sub && sed -n 1p ${file}`,
  ];
  const places: readonly (readonly [name: string, target: (bench: Bench) => string, file: string])[] = [
    ["the system's settings", () => "/etc", "passwd"],
    ["the same by a way of dots", () => `${"../".repeat(20)}etc`, "passwd"],
    ["the kernel", () => "/proc", "cmdline"],
    ["our own folder", ({ home }) => home, "coder.db"],
    ["the folder around the workspace", ({ root }) => root, "swapping"],
  ];
  for (const [name, target, file] of places) {
    test(`sees what was judged or nothing, never ${name} behind a swapped link`, async () => {
      const seen = await playEnough(readers(file), target, file);
      expect(seen.filter((output) => !/^exit code 0\n(?:ours|1)$/.test(output))).toEqual([]);
      expect(seen.length).toBeGreaterThanOrEqual(ENOUGH);
    });
  }
});

test("[PO-4] [SA-check-then-use] what belongs to the machine is read unasked, and a link to it leads nowhere else when it is swapped", async () => {
  const lines = ["cat sub/os-release", "head -n 2 sub/os-release", "grep -c . sub/os-release"];
  const seen = await playEnough(lines, () => "/usr/lib", "os-release");
  const isSystem = (output: string) => /NAME=|^exit code 0\n[0-9]+$/.test(output);
  expect(seen.filter((output) => !/^exit code 0\n(?:ours|1)$/.test(output) && !isSystem(output))).toEqual([]);
});

test("[PO-4] [SA-check-then-use] nor does one whose paths are found while it runs see settings, homes or services", async () => {
  const lines = ["cat sub/*", "ls sub/", "wc -c sub/*", "find sub/ -name 'pass*'"];
  const seen = (await playEnough(lines, () => "/etc", "passwd")).filter((output) => output.startsWith("exit code 0\n"));
  const isOurs = /^exit code 0\n(?:ours|passwd|5 sub\/passwd|sub\/passwd)$/;
  // Of /etc there is what starts programs, and what tells which system this is.
  const isSystem = /^(?:alternatives|group|java-\S+|ld\.so\.cache|localtime|passwd)$/;
  const isTold = (name: string) => name === "sub/" || isSystem.test(name) || systemFiles.includes(name);
  const odd = seen.filter((output) => !isOurs.test(output) && !output.trimEnd().split("\n").slice(1).every(isTold));
  expect(odd).toEqual([]);
  expect(seen.length).toBeGreaterThan(0);
});

describe("[PO-7] [SA-check-then-use] a file that is swapped for a link to a secret file of the workspace", () => {
  const calls = {
    "the read tool": { tool: "read", input: { path: "sub" } },
    "the grep tool": { tool: "grep", input: { pattern: "a", path: "sub" } },
    "a command that enters its folder": bash("cd . && cat sub"),
    "a command that reads two files of its folder": bash("cat sub ./sub; test -d ."),
  };
  for (const [name, call] of Object.entries(calls)) {
    test(`does not show it to ${name}`, async () => {
      const seen: string[] = [];
      for (let round = 0; round < ENOUGH; round++) {
        const outputs = await playCalls([call, call, call], (bench) => {
          writeFileSync(join(bench.workspace, ".env"), "a=stolen\n");
          writeFileSync(join(bench.workspace, "sub"), "a=ours\n");
          symlinkSync(".env", join(bench.workspace, "other"));
        });
        seen.push(...outputs);
      }
      expect(seen.filter((output) => output.includes("stolen"))).toEqual([]);
      expect(seen.some((output) => output.includes("ours"))).toBe(true);
    });
  }
});
