import { beforeAll, expect, test } from "bun:test";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { endGroup, endTarget, send } from "../../../src/platform/process/kill.ts";
import { adoptOrphans, reapListed, reapOrphans, rememberChild } from "../../../src/platform/process/orphans.ts";
import { isDead, type Proc, readProc, readTable } from "../../../src/platform/process/proc.ts";
import { killEverything } from "../../../src/platform/process/tree.ts";
import { hasEnded, inTempFolder, isGone, pidsIn, shell, sleeps, untilFile } from "../../support/shell.ts";
import { longEnough, until } from "../../support/until.ts";

// Each writes the pids of everything it starts, one per line, into $P; none would end within a minute.
const escapes: readonly (readonly [how: string, command: string, count: number])[] = [
  ["a plain child", "sleep 60 & echo $! >>$P; wait", 1],
  ["a grandchild", "bash -c 'bash -c \"echo \\$\\$ >>$P; sleep 60; true\"; true'; true", 1],
  ["a pipeline", "(echo $BASHPID >>$P; exec sleep 60) | (echo $BASHPID >>$P; exec sleep 60)", 2],
  ["a child in its own session", "setsid bash -c 'echo $$ >>$P; exec sleep 60' & wait", 1],
  ["a daemon forked twice", "(setsid bash -c '(echo $BASHPID >>$P; exec sleep 60) & exit' &); sleep 60", 1],
  ["an orphan in the group", "(bash -c 'echo $$ >>$P; exec sleep 60' &); sleep 60", 1],
  [
    "a daemon without the environment",
    "(env -i P=$P setsid bash -c '(setsid bash -c \"echo \\$\\$ >>$P; exec sleep 60\" &) ; exit' &); sleep 60",
    1,
  ],
  ["nohup and disown", "nohup bash -c 'echo $$ >>$P; exec sleep 60' >/dev/null 2>&1 & disown; sleep 60", 1],
  [
    "one that ignores SIGTERM",
    "setsid bash -c 'trap \"\" TERM HUP INT; echo $$ >>$P; for n in {1..60}; do sleep 1; done' & wait",
    1,
  ],
  ["a stopped one", "setsid bash -c 'echo $$ >>$P; kill -STOP $$; sleep 60' & wait", 1],
  ["a stopped one that ignores SIGTERM", "bash -c 'trap \"\" TERM; echo $$ >>$P; kill -STOP $$; sleep 60' & wait", 1],
  [
    "one that answers SIGTERM with a new daemon",
    "trap 'setsid bash -c \"echo \\$\\$ >>$P; exec sleep 60\" & wait' TERM; echo $$ >>$P; for n in {1..6000}; do sleep 0.01; done",
    1,
  ],
  [
    "one that starts daemons all the time",
    "echo $$ >>$P; for n in {1..9999}; do setsid sleep 60 & echo $! >>$P; sleep 0.002; done",
    20,
  ],
  [
    "one that forks and ends all the time",
    "echo $$ >>$P; perl -MPOSIX -e 'for (1..500000) { last unless -e $ENV{P}; exit if fork; POSIX::setsid() }' & sleep 60",
    1,
  ],
];

for (const [how, command, count] of escapes) {
  test(`[CAN-4] a cancel ends ${how}`, async () => {
    await inTempFolder(async (folder) => {
      const file = join(folder, "pids");
      const cancel = new AbortController();
      const running = shell(command, { env: { ...process.env, P: file }, signal: cancel.signal });
      await until("all were started", () => pidsIn(file).length >= count);
      cancel.abort();
      const outcome = await running;
      expect(outcome).toMatchObject({ cancelled: true, started: true, timedOut: false, leftOver: [], unstopped: [] });
      expect(pidsIn(file).filter((pid) => !isGone(pid))).toEqual([]);
      // One that was killed may take a moment to die on a busy machine; one that was missed goes on for ever.
      await until("no child is left", () => livingChildren().length === 0);
    });
  });
}

/** Other test files of this process may have left some on their way out. */
const foreign = new Set<number>();

function livingChildren(): readonly number[] {
  const table = readTable(() => {});
  const own = [...table.values()].filter((proc) => proc.ppid === process.pid && !isDead(proc));
  return own.map((proc) => proc.pid).filter((pid) => !foreign.has(pid));
}

beforeAll(() => {
  for (const pid of livingChildren()) foreign.add(pid);
});

test("[TL-3] a timeout ends the whole tree", async () => {
  await inTempFolder(async (folder) => {
    const file = join(folder, "pids");
    const command = "echo $$ >>$P; setsid sleep 60 & echo $! >>$P; sleep 60";
    const run = (timeoutMs: number) => {
      rmSync(file, { force: true });
      return shell(command, { env: { ...process.env, P: file }, timeoutMs });
    };
    const outcome = await longEnough(200, run, () => pidsIn(file).length === 2);
    expect(outcome).toMatchObject({ exitCode: 124, timedOut: true, unstopped: [] });
    expect(pidsIn(file).map(isGone)).toEqual([true, true]);
  });
});

test("[TL-3] a process is asked to stop before it is killed", async () => {
  await inTempFolder(async (folder) => {
    const cancel = new AbortController();
    const command = `trap 'echo cleaned >${folder}/done; exit' TERM; touch ${folder}/ready; for n in {1..6000}; do sleep 0.01; done`;
    const running = shell(command, { signal: cancel.signal });
    await until("the trap is set", () => existsSync(join(folder, "ready")));
    cancel.abort();
    await running;
    expect(readFileSync(join(folder, "done"), "utf8")).toBe("cleaned\n");
  });
});

test("[TL-3] a stopped process is asked too", async () => {
  await inTempFolder(async (folder) => {
    const cancel = new AbortController();
    const inner = `trap "echo cleaned >${folder}/done; exit" TERM; echo $$ >${folder}/pid; kill -STOP $$`;
    const running = shell(`bash -c '${inner}' & wait`, { signal: cancel.signal });
    await until("it has stopped", () => pidsIn(join(folder, "pid")).some((pid) => readProc(pid)?.state === "T"));
    cancel.abort();
    await running;
    expect(readFileSync(join(folder, "done"), "utf8")).toBe("cleaned\n");
  });
});

test("what a command leaves running is ended and named, and does not hold it up", async () => {
  const held = await shell(`sleep 61 & ${sleeps}; echo hi`);
  const silent = await shell("setsid sleep 62 >/dev/null 2>&1 </dev/null & echo hi");
  expect(held).toMatchObject({ exitCode: 0, stdout: "hi\n", leftOver: ["sleep 61"], unstopped: [] });
  expect(silent).toMatchObject({ exitCode: 0, stdout: "hi\n", unstopped: [] });
  expect(silent.leftOver).toHaveLength(1);
  expect(livingChildren()).toEqual([]);
});

test("many left-overs are named in short", async () => {
  const same = await shell(`for i in {1..30}; do sleep 63 & ${sleeps}; done`);
  expect(same.leftOver).toEqual(["sleep 63 (30 times)"]);
  const different = await shell(`for i in {101..130}; do sleep $i & ${sleeps}; done`);
  expect(different.leftOver).toHaveLength(21);
  expect(different.leftOver.at(-1)).toBe("10 more");
});

test("no signal can go to everybody, to our own group or to init", () => {
  expect([-1, 0, -0, 1].map((target) => send(target, 0))).toEqual([false, false, false, false]);
  expect(send(process.pid, 0)).toBe(true);
});

test("orphans that end while a command runs are collected", async () => {
  await inTempFolder(async (folder) => {
    const file = join(folder, "pids");
    const command = `for i in 1 2 3 4 5; do (setsid bash -c 'echo $$ >>$P' &); done; ${untilFile(`${folder}/go`)}`;
    const running = shell(command, { env: { ...process.env, P: file } });
    await until("all were started", () => pidsIn(file).length === 5);
    await until("all are collected", () => pidsIn(file).every(isGone));
    writeFileSync(join(folder, "go"), "");
    expect((await running).leftOver).toEqual([]);
  });
});

test("orphans of a command are collected behind those that the runtime may still want", async () => {
  await shell("true");
  // In our own session, and ended: nobody knows that they are not the runtime's.
  const attached = Bun.spawn(["bash", "-c", "for i in {1..12}; do sleep 0.01 & done"], { stdin: "ignore" });
  await attached.exited;
  await inTempFolder(async (folder) => {
    const file = join(folder, "pids");
    const command = `(setsid bash -c 'echo $$ >>$P' &); ${untilFile(`${folder}/go`)}`;
    const running = shell(command, { env: { ...process.env, P: file } });
    try {
      await until("it was started", () => pidsIn(file).length === 1);
      await until("it is collected", () => pidsIn(file).every(isGone));
    } finally {
      writeFileSync(join(folder, "go"), "");
      await running;
    }
  });
});

test("ending one command leaves another one and its daemons alone", async () => {
  await inTempFolder(async (folder) => {
    const file = join(folder, "pids");
    const env = { ...process.env, P: file, F: folder };
    const cancel = new AbortController();
    const waiting = `touch $F/ready; ${untilFile("$F/go")}`;
    const daemons =
      "(setsid bash -c 'echo $$ >>$P; exec sleep 60' &); (env -i P=$P setsid bash -c 'echo $$ >>$P; exec sleep 60' &)";
    const older = shell(`${waiting}; ${daemons}; sleep 60`, { env, signal: cancel.signal });
    await until("the older one waits", () => existsSync(join(folder, "ready")));
    // The daemons come while the newer one runs, so that by time alone they could be from either.
    const newer = shell(`sleep 61 & touch $F/go; until [ "$(wc -l <$P)" = 2 ]; do sleep 0.01; done`, { env });
    expect((await newer).leftOver).toEqual(["sleep 61"]);
    expect(pidsIn(file).map(hasEnded)).toEqual([false, false]);
    cancel.abort();
    await older;
    expect(pidsIn(file).map(isGone)).toEqual([true, true]);
  });
});

test("[CAN-4] a cancel of two commands at once ends the daemons of both, also those that hide whose they are", async () => {
  await inTempFolder(async (folder) => {
    const file = join(folder, "pids");
    const cancel = new AbortController();
    const command = "(env -i P=$P setsid bash -c 'echo $$ >>$P; exec sleep 60' &); sleep 60";
    const more = { env: { ...process.env, P: file }, signal: cancel.signal };
    const running = [shell(command, more), shell(command, more)];
    await until("the daemons are there", () => pidsIn(file).length === 2);
    cancel.abort();
    await Promise.all(running);
    expect(pidsIn(file).filter((pid) => !hasEnded(pid))).toEqual([]);
  });
});

test("other children of the program live on", async () => {
  const attached = Bun.spawn(["sleep", "60"], { stdin: "ignore" });
  const detached = Bun.spawn(["bash", "-c", "sleep 60; true"], { stdin: "ignore", detached: true });
  const forget = rememberChild(detached.pid);
  // One that ends while it is looked at is known by its name alone.
  const left = [expect.stringMatching(/^sleep(?: 60)?$/)];
  expect(await shell(`sleep 60 & ${sleeps}`)).toMatchObject({ leftOver: left, unstopped: [] });
  expect(await shell("sleep 60", { timeoutMs: 50 })).toMatchObject({ exitCode: 124, unstopped: [] });
  expect([attached, detached].map(({ pid }) => hasEnded(pid))).toEqual([false, false]);
  attached.kill();
  process.kill(-detached.pid, "SIGKILL");
  await Promise.all([attached.exited, detached.exited]);
  forget();
});

for (const detached of [false, true]) {
  test(`collecting orphans does not take the exit code of ${detached ? "a detached" : "an attached"} child`, async () => {
    await adoptOrphans();
    const child = Bun.spawn(["bash", "-c", "exit 7"], { stdin: "ignore", detached });
    const forget = detached ? rememberChild(child.pid) : () => {};
    // Without giving way to the event loop, so that it is still to be collected.
    while (!hasEnded(child.pid)) Bun.sleepSync(1);
    reapOrphans();
    reapListed(readTable(() => {}));
    expect(await child.exited).toBe(7);
    forget();
  });
}

test("an orphan of an attached child is left alone", async () => {
  const attached = Bun.spawn(["bash", "-c", "sleep 60 & echo $!"], { stdin: "ignore", stdout: "pipe" });
  const orphan = Number(new TextDecoder().decode((await attached.stdout.getReader().read()).value));
  await attached.exited;
  await shell("true");
  expect(hasEnded(orphan)).toBe(false);
  process.kill(orphan, "SIGKILL");
  await until("the orphan has ended", () => hasEnded(orphan));
  expect(await shell("true")).toMatchObject({ exitCode: 0, leftOver: [], unstopped: [] });
});

test("[CAN-4] killEverything ends all trees before it returns", async () => {
  await inTempFolder(async (folder) => {
    const file = join(folder, "pids");
    const env = { ...process.env, P: file };
    const stubborn = "trap '' TERM; echo $$ >>$P; env -i P=$P setsid bash -c 'echo $$ >>$P; exec sleep 60' & sleep 60";
    const running = [shell(stubborn, { env }), shell(stubborn, { env })];
    await until("all were started", () => pidsIn(file).length === 4);
    killEverything();
    expect(pidsIn(file).map(hasEnded)).toEqual([true, true, true, true]);
    for (const outcome of await Promise.all(running))
      expect(outcome).toMatchObject({ signal: "SIGKILL", unstopped: [] });
  });
});

test("[CAN-4] what could not be stopped is named with its pid", async () => {
  // The grandchildren are back as often as they are killed; eight, so that there is no moment without one.
  const command = `for i in {1..8}; do (while [ -d /proc/${process.pid} ]; do sleep 1; done) 2>/dev/null & done; wait`;
  const respawner = Bun.spawn(["bash", "-c", command], { stdin: "ignore", stderr: "ignore" });
  const below = (pid: number): Proc[] => [...readTable(() => {}).values()].filter((proc) => proc.ppid === pid);
  try {
    await until("all loops are there", () => below(respawner.pid).length === 8);
    const isRoot = (proc: Proc): boolean => readProc(proc.ppid)?.ppid === respawner.pid;
    const { left } = await endTarget({ isRoot, isGone: () => false, isHiding: () => false }, 0);
    expect(left.length).toBeGreaterThan(0);
    // Before it has become sleep it is called like its parent; while it ends only its short name is left.
    expect(left.filter((name) => !/^(sleep 1|sleep|bash|bash -c .*) \(pid \d+\)$/.test(name))).toEqual([]);
  } finally {
    for (const { pid } of below(respawner.pid)) send(pid, "SIGKILL");
    respawner.kill("SIGKILL");
    await respawner.exited;
  }
});

test("[CAN-4] a process that could not even be found is reported", async () => {
  expect(await endTarget({ isRoot: () => false, isGone: () => false, isHiding: () => true }, 0)).toEqual({
    ended: [],
    left: ["a process that forks faster than it can be found"],
  });
});

test("without /proc the process group is ended, also when it ignores SIGTERM or is stopped", async () => {
  for (const command of ["exec sleep 60", "trap '' TERM; exec sleep 60", "kill -STOP $$"]) {
    const child = Bun.spawn(["bash", "-c", command], { stdin: "ignore", detached: true });
    const forget = rememberChild(child.pid);
    expect(await endGroup(child.pid)).toEqual({ ended: [], left: [] });
    await child.exited;
    forget();
    expect(isGone(child.pid)).toBe(true);
  }
});
