import { expect, test } from "bun:test";
import { join } from "node:path";
import { readProc } from "../../../src/platform/process/proc.ts";
import { endSurvivor } from "../../../src/platform/process/survivor.ts";
import { hasEnded, inTempFolder, pidsIn, untilFile } from "../../support/shell.ts";
import { until } from "../../support/until.ts";
import { startVictim } from "../../support/victim.ts";

const daemons: readonly (readonly [what: string, command: string, count: number])[] = [
  ["the shell and its children", "echo $$ >>$P; sleep 60 & echo $! >>$P; wait", 2],
  ["a daemon in its own session", "(setsid bash -c 'echo $$ >>$P; exec sleep 60' &); sleep 60", 1],
  ["a daemon whose shell has ended", "(setsid bash -c 'echo $$ >>$P; exec sleep 60' &); kill -9 $$", 1],
  [
    "an unmarked child of the shell in its own session",
    "env -i P=$P setsid bash -c 'echo $$ >>$P; sleep 60; true' & wait",
    1,
  ],
  [
    "an unmarked orphan in the shell's session",
    `(env -i P=$P bash -c 'echo $$ >>$P; exec sleep 60' &); (bash -c 'echo $$ >>$P; exec sleep 60' &); ${untilFile("$P.go", "orphan")}`,
    2,
  ],
  ["one that ignores SIGTERM", "trap '' TERM; echo $$ >>$P; for n in {1..60}; do sleep 1; done", 1],
];

for (const [what, command, count] of daemons) {
  test(`[PS-4] after kill -9 of the program a resume ends ${what}`, async () => {
    await inTempFolder(async (folder) => {
      const file = join(folder, "pids");
      const marker = `survivor.${process.pid}.${count}.${what}`;
      await using victim = await startVictim(`P=${file}; export P; ${command}`, "open", marker);
      await until("all were started", () => pidsIn(file).length === count);
      await victim.kill();
      expect(pidsIn(file).some((pid) => !hasEnded(pid))).toBe(true);
      const { ended, left } = await endSurvivor({ pid: victim.pid, startTime: victim.startTime, marker });
      expect(left).toEqual([]);
      expect(ended).not.toEqual([]);
      expect(pidsIn(file).filter((pid) => !hasEnded(pid))).toEqual([]);
      expect(await endSurvivor({ pid: victim.pid, startTime: victim.startTime, marker })).toEqual({
        ended: [],
        left: [],
      });
    });
  });
}

test("[PS-4] a process that got the recorded pid later is not touched", async () => {
  const stranger = Bun.spawn(["bash", "-c", "sleep 60 & wait"], { stdin: "ignore", detached: true });
  const start = readProc(stranger.pid)?.start ?? 0;
  const none = { ended: [], left: [] };
  expect(await endSurvivor({ pid: stranger.pid, startTime: String(start - 1), marker: "m" })).toEqual(none);
  expect(await endSurvivor({ pid: stranger.pid, startTime: "", marker: "m" })).toEqual(none);
  expect(hasEnded(stranger.pid)).toBe(false);
  expect((await endSurvivor({ pid: stranger.pid, startTime: String(start), marker: "m" })).left).toEqual([]);
  expect(hasEnded(stranger.pid)).toBe(true);
  await stranger.exited;
});

test("[PS-4] a resume started from inside the interrupted command's tree does not end itself", async () => {
  const script = `
    import { endSurvivor } from ${JSON.stringify(join(import.meta.dir, "..", "..", "..", "src", "platform", "process", "survivor.ts"))};
    const child = Bun.spawn(["sleep", "60"]);
    const result = await endSurvivor({ pid: 1, startTime: "1", marker: "inside" });
    console.log(JSON.stringify({ result, isChildAlive: child.exitCode === null && child.signalCode === null }));
    child.kill();`;
  const parent = Bun.spawn([process.execPath, "-e", script], {
    stdin: "ignore",
    stdout: "pipe",
    env: { ...process.env, CODER_CALL: "inside" },
  });
  const out = await parent.stdout.text();
  expect(await parent.exited).toBe(0);
  expect(JSON.parse(out)).toEqual({ result: { ended: [], left: [] }, isChildAlive: true });
});
