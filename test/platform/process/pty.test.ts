import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { runShell } from "../../../src/platform/process/shell.ts";
import { aliveWith, inTempFolder, newToken, shell, shellRequest } from "../../support/shell.ts";
import { longEnough, until } from "../../support/until.ts";

const inTerminal = (command: string, more: Parameters<typeof shell>[1] = {}) =>
  shell(command, { isTerminal: true, ...more });

test("a command in a terminal sees one on all three streams, with a size and a name", async () => {
  const outcome = await inTerminal('[ -t 0 ] && [ -t 1 ] && [ -t 2 ] && stty size && echo "$TERM"; exit 5');
  expect(outcome).toMatchObject({ exitCode: 5, stdout: "40 120\r\nxterm-256color\r\n", stderr: "", started: true });
});

test("nothing of the gate shows: the output begins with what the command wrote first", async () => {
  const all = await Promise.all(Array.from({ length: 8 }, () => inTerminal("printf x")));
  expect(all.map(({ stdout }) => stdout)).toEqual(Array(8).fill("x"));
});

test("all output of a command that writes much and ends at once arrives", async () => {
  const outcome = await inTerminal("seq 1 20000");
  expect(outcome.stdout).toHaveLength(128_894);
  expect(outcome.stdout.endsWith("\r\n20000\r\n")).toBe(true);
});

test("[TL-3] a program that waits for keys is ended at the timeout, with all it started", async () => {
  const token = newToken();
  const run = (timeoutMs: number) => inTerminal(`setsid sleep ${token} & echo up; cat`, { timeoutMs });
  const outcome = await longEnough(400, run, ({ stdout }) => stdout.includes("up"));
  expect(outcome).toMatchObject({ exitCode: 124, timedOut: true });
  expect(aliveWith(token)).toEqual([]);
});

test("[CAN-1] a command in a terminal is cancelled like any other", async () => {
  const token = newToken();
  const cancel = new AbortController();
  const running = inTerminal(`sleep ${token}`, { signal: cancel.signal });
  await until("it sleeps", () => aliveWith(token).length > 0);
  cancel.abort();
  expect(await running).toMatchObject({ cancelled: true });
  expect(aliveWith(token)).toEqual([]);
});

test("a command whose start could not be written down never runs in a terminal either", async () => {
  await inTempFolder(async (folder) => {
    const request = shellRequest(`touch ${folder}/ran`, {
      isTerminal: true,
      onSpawn: () => Promise.reject(new Error("full")),
    });
    expect(runShell(request)).rejects.toThrow("full");
    await shell("true");
    expect(existsSync(join(folder, "ran"))).toBe(false);
  });
});

test("a command too long for a terminal is refused by name", async () => {
  const result = await runShell(shellRequest(`: ${"x".repeat(130_000)}`, { isTerminal: true }));
  expect(result).toMatchObject({
    ok: false,
    error: { code: "E_INVALID_ARGS", text: { key: "bash.long_for_terminal" } },
  });
});
