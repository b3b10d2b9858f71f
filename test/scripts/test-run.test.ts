import { afterAll, expect, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openTestRun } from "../../scripts/test-run.ts";
import { hasEnded } from "../support/shell.ts";
import { until } from "../support/until.ts";

const base = mkdtempSync(join(tmpdir(), "run-"));
afterAll(() => rmSync(base, { recursive: true, force: true }));

const start = (cwd: string, script: string, env: Record<string, string | undefined> = {}) =>
  Bun.spawn(["bash", "-c", script], { cwd, env: { PATH: process.env.PATH, ...env }, stdin: "ignore", detached: true });

test("the end of a test run removes its files and ends what stands in its folders or was told of them", async () => {
  const run = openTestRun([base]);
  const folder = run.env.TMPDIR ?? "";
  mkdirSync(join(folder, "ws"));
  const daemon = `(env -i setsid bash -c 'echo $$ > pid; exec sleep 600' &); until [ -s pid ] || [ ! -d "$PWD" ]; do sleep 0.01; done; rm -rf ../ws/x`;
  const standing = start(join(folder, "ws"), daemon);
  const told = start("/", "exec sleep 601", { HOME: join(folder, "home") });
  const stranger = start("/", "exec sleep 602", { HOME: `${folder}0/home` });
  await standing.exited;
  const pid = Number(readFileSync(join(folder, "ws", "pid"), "utf8"));
  expect(run.end().toSorted()).toEqual(["sleep 600", "sleep 601"]);
  await told.exited;
  await until("the daemon has ended", () => hasEnded(pid));
  expect([existsSync(folder), hasEnded(stranger.pid)]).toEqual([false, false]);
  stranger.kill("SIGKILL");
  await stranger.exited;
});

test("a run has other folders than the one beside it, and takes those of a run that was killed", async () => {
  const first = openTestRun([base]);
  const second = openTestRun([base]);
  const [one = "", two = ""] = [first, second].map(({ env }) => env.TMPDIR);
  expect(one).not.toBe(two);
  const gone = Bun.spawn(["true"]);
  await gone.exited;
  writeFileSync(join(one, "run.pid"), String(gone.pid));
  writeFileSync(join(one, "left"), "");
  const third = openTestRun([base]);
  expect(third.env.TMPDIR).toBe(one);
  expect(existsSync(join(one, "left"))).toBe(false);
  for (const { end } of [second, third]) end();
  expect([one, two].map((folder) => existsSync(folder))).toEqual([false, false]);
});
