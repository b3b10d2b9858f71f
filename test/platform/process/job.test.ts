import { expect, test } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { RunningJob } from "../../../src/contract/job.ts";
import { type JobRequest, startJob } from "../../../src/platform/process/job.ts";
import { aliveWith, inTempFolder, newToken, shell, shellRequest, sleeps, untilFile } from "../../support/shell.ts";
import { until } from "../../support/until.ts";

async function job(command: string, more: Partial<JobRequest> = {}): Promise<RunningJob> {
  const { cwd, marker } = shellRequest(command);
  const asked = { command, cwd, marker, timeoutMs: null, keepBytes: 64 * 1024, onSpawn: async () => {}, ...more };
  const started = await startJob({ signal: new AbortController().signal, ...asked });
  if (!started.ok || !started.value) throw new Error(JSON.stringify(started));
  return started.value;
}

test("a job runs on while others run, and its output is read piece by piece", async () => {
  await inTempFolder(async (folder) => {
    const one = await job(`echo first; ${untilFile(`${folder}/go`)}; echo second >&2; exit 4`);
    await until("the first line is there", () => one.total() === 6);
    expect(one.read(0)).toEqual({ text: "first\n", missing: 0, next: 6 });
    expect((await shell("echo between")).stdout).toBe("between\n");
    writeFileSync(join(folder, "go"), "");
    expect(await one.over).toEqual({
      exitCode: 4,
      signal: null,
      timedOut: false,
      stopped: false,
      unstopped: [],
      planted: [],
      restored: [],
      unkept: [],
      unlooked: 0,
    });
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
  const one = await job(`printf up; setsid sleep ${token} & ${sleeps}; exit 0`);
  expect(await one.over).toMatchObject({ exitCode: 0, stopped: false });
  expect(one.read(0).text).toBe(`up\n(still running at the end, ended: sleep ${token})\n`);
  expect(aliveWith(token)).toEqual([]);
});

test("a command in the foreground leaves a running job alone, and the job leaves the command alone", async () => {
  const token = newToken();
  const one = await job(`setsid sleep ${token} & wait`);
  await until("the job sleeps", () => aliveWith(token).some(isSleep));
  await shell("setsid -f sleep 0.01; true");
  expect(aliveWith(token).some(isSleep)).toBe(true);
  const other = newToken();
  const cancel = new AbortController();
  const running = shell(`sleep ${other}`, { signal: cancel.signal });
  await until("the command sleeps", () => aliveWith(other).some(isSleep));
  await one.end();
  expect(aliveWith(token)).toEqual([]);
  expect(aliveWith(other).some(isSleep)).toBe(true);
  cancel.abort();
  expect((await running).cancelled).toBe(true);
});

test("at its time limit a job is ended with exit code 124", async () => {
  const token = newToken();
  const one = await job(`sleep ${token}`, { timeoutMs: 200 });
  expect(await one.over).toEqual({
    exitCode: 124,
    signal: null,
    timedOut: true,
    stopped: false,
    unstopped: [],
    planted: [],
    restored: [],
    unkept: [],
    unlooked: 0,
  });
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
  await until("much has come", () => one.total() > 20_000_000);
  await one.end();
  const { text, missing } = one.read(0);
  expect(text.length).toBeLessThanOrEqual(64 * 1024);
  expect(missing).toBe(one.total() - text.length);
});

/** A program of its own that has started a job, as source text. */
function withJob(command: string): string {
  return `
    import { openSync } from "node:fs";
    import { startJob } from ${JSON.stringify(join(import.meta.dir, "..", "..", "..", "src", "platform", "process", "job.ts"))};
    const signal = new AbortController().signal;
    const how = { cwd: "/", marker: "few", timeoutMs: null, keepBytes: 1000, signal, onSpawn: async () => {} };
    const started = await startJob({ command: ${JSON.stringify(command)}, ...how });
  `;
}

for (const end of ["process.exit(3)", "throw new Error('a fault of ours')", "null.x"]) {
  test(`[CAN-4] a program that ends by ${end} leaves no job behind`, async () => {
    const token = newToken();
    const ready = `while (!started.value.read(0).text.includes("up")) await Bun.sleep(5);`;
    const program = `${withJob(`setsid -f sleep ${token}; echo up; sleep ${token}`)}${ready} setTimeout(() => { ${end} });`;
    const child = Bun.spawn([process.execPath, "-e", program], { stdin: "ignore", stderr: "ignore" });
    expect(await child.exited).not.toBe(0);
    await until("the job is gone", () => aliveWith(token).length === 0);
  });
}

test("[CAN-4] a job is ended although the program can open no file any more", async () => {
  const token = newToken();
  const program = `${withJob(`sleep ${token}`)}
    try { for (;;) openSync("/dev/null"); } catch {}
    const { stopped, unstopped } = await started.value.end();
    console.log(JSON.stringify({ stopped, unstopped }));
  `;
  const limited = ["bash", "-c", 'ulimit -n 64; exec "$0" -e "$1"', process.execPath, program];
  const child = Bun.spawn(limited, { stdin: "ignore", stdout: "pipe", stderr: "inherit" });
  expect(await new Response(child.stdout).text()).toBe('{"stopped":true,"unstopped":[]}\n');
  expect(aliveWith(`sleep\0${token}`)).toEqual([]);
});

/** The program itself, not a shell that names it. */
function isSleep(pid: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/comm`, "utf8") === "sleep\n";
  } catch {
    return false; // It ended while we looked.
  }
}
