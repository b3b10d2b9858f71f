import { expect, test } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type JobRequest, type RunningJob, startJob } from "../../src/platform/process/job.ts";
import { aliveWith, inTempFolder, newToken, shell, shellRequest, until } from "../support/shell.ts";

async function job(command: string, more: Partial<JobRequest> = {}): Promise<RunningJob> {
  const { cwd, marker } = shellRequest(command);
  const asked = { command, cwd, marker, timeoutMs: null, keepBytes: 64 * 1024, onSpawn: async () => {}, ...more };
  const started = await startJob(asked);
  if (!started.ok) throw new Error(JSON.stringify(started.error));
  return started.value;
}

test("a job runs on while others run, and its output is read piece by piece", async () => {
  await inTempFolder(async (folder) => {
    const one = await job(`echo first; until [ -e ${folder}/go ]; do sleep 0.01; done; echo second >&2; exit 4`);
    await until("the first line is there", () => one.total() === 6);
    expect(one.read(0)).toEqual({ text: "first\n", missing: 0, next: 6 });
    expect((await shell("echo between")).stdout).toBe("between\n");
    writeFileSync(join(folder, "go"), "");
    expect(await one.over).toEqual({ exitCode: 4, signal: null, timedOut: false, stopped: false, unstopped: [] });
    expect(one.read(6)).toEqual({ text: "second\n", missing: 0, next: 13 });
  });
});

test("[CAN-4] a job is ended with all it started, setsid children included", async () => {
  const token = newToken();
  const one = await job(`setsid sleep ${token} & setsid -f sleep ${token}; sleep ${token}`);
  await until("three sleep", () => aliveWith(token).filter((pid) => isSleep(pid)).length >= 3);
  expect(await one.end()).toMatchObject({ stopped: true, timedOut: false, unstopped: [] });
  expect(aliveWith(token)).toEqual([]);
});

test("[CAN-4] what a job leaves running when it ends by itself is ended too", async () => {
  const token = newToken();
  const one = await job(`setsid -f sleep ${token}; exit 0`);
  expect(await one.over).toMatchObject({ exitCode: 0, stopped: false });
  expect(aliveWith(token)).toEqual([]);
});

test("a command in the foreground leaves a running job alone, and the job leaves the command alone", async () => {
  const token = newToken();
  const one = await job(`setsid sleep ${token} & wait`);
  await until("the job sleeps", () => aliveWith(token).some(isSleep));
  await shell("setsid -f sleep 0.01; true");
  expect(aliveWith(token).some(isSleep)).toBe(true);
  const other = newToken();
  const running = shell(`sleep ${other}`, { timeoutMs: 1_500 });
  await until("the command sleeps", () => aliveWith(other).some(isSleep));
  await one.end();
  expect(aliveWith(token)).toEqual([]);
  expect(aliveWith(other).some(isSleep)).toBe(true);
  expect((await running).timedOut).toBe(true);
});

test("at its time limit a job is ended with exit code 124", async () => {
  const token = newToken();
  const one = await job(`sleep ${token}`, { timeoutMs: 200 });
  expect(await one.over).toEqual({ exitCode: 124, signal: null, timedOut: true, stopped: false, unstopped: [] });
  expect(aliveWith(token)).toEqual([]);
});

test("a job whose start could not be written down never runs", async () => {
  await inTempFolder(async (folder) => {
    const refused = job(`touch ${folder}/ran`, { onSpawn: () => Promise.reject(new Error("full")) });
    expect(refused).rejects.toThrow("full");
    await refused.catch(() => {});
    await shell("true");
    expect(existsSync(join(folder, "ran"))).toBe(false);
  });
});

test("a job that writes without end is kept in bounded memory", async () => {
  const one = await job("yes 0123456789", { keepBytes: 64 * 1024 });
  await until("much has come", () => one.total() > 20_000_000, 30_000);
  await one.end();
  const { text, missing } = one.read(0);
  expect(text.length).toBeLessThanOrEqual(64 * 1024);
  expect(missing).toBe(one.total() - text.length);
});

/** The program itself, not a shell that names it. */
function isSleep(pid: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/comm`, "utf8") === "sleep\n";
  } catch {
    return false; // It ended while we looked.
  }
}
