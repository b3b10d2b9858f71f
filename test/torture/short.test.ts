// The short form of `npm run torture`: a few cases of each kind.
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Report } from "./case.ts";
import type { Phase } from "./found.ts";
import { type Ground, openGround } from "./ground.ts";
import { type Group, makeGroups, runGroup, shortForm } from "./groups.ts";

const seed = 1;
/** Real processes on a busy machine. */
const patience = 120_000;

// Elsewhere there is no strace.
const onLinux = test.skipIf(process.platform !== "linux");

let ground: Ground | undefined;
let groups: readonly Group[] = [];

beforeAll(async () => {
  if (process.platform !== "linux") return;
  ground = await openGround();
  groups = await makeGroups(ground, seed);
}, patience);

afterAll(() => ground?.[Symbol.dispose]());

async function run(atMost: Readonly<Record<string, number>>): Promise<readonly Report[]> {
  const chosen = groups.filter(({ name }) => name in atMost);
  expect(chosen.map(({ name }) => name).sort()).toEqual(Object.keys(atMost).sort());
  const reports: Report[] = [];
  for (const group of shortForm(chosen, (name) => atMost[name] ?? 0)) reports.push(...(await runGroup(group)));
  expect(reports.filter(({ problems }) => problems.length > 0)).toEqual([]);
  return reports;
}

onLinux(
  "[PS-4] [TP-3] [TP-4] [PS-1] killed at any system call, in every phase, a resumed session ends as the undisturbed one",
  async () => {
    const reports = await run({
      pwrite64: 14,
      fsync: 6,
      rename: 4,
      link: 1,
      vfork: 2,
      write: 5,
      execve: 3,
      heavy: 3,
      snapshot: 2,
    });
    const hit = new Set(reports.flatMap(({ phases }) => phases));
    const needed: readonly Phase[] = ["intent → effect", "effect → result", "snapshot"];
    expect(needed.filter((phase) => !hit.has(phase))).toEqual([]);
  },
  patience,
);

onLinux(
  "[RB-4] [PS-4] killed inside a patch of 15 files, a resumed session has applied all of it once",
  async () => {
    const reports = await run({ patch: 6 });
    const inside = reports.flatMap(({ phases }) => phases).filter((phase) => phase === "inside a patch");
    expect(inside.length).toBeGreaterThanOrEqual(5);
  },
  patience,
);

onLinux(
  "[PS-4] [MD-4] killed at any time, a resumed session ends as the undisturbed one",
  async () => {
    const reports = await run({ time: 4, line: 6 });
    expect(reports.flatMap(({ phases }) => phases)).toContain("streaming");
  },
  patience,
);

onLinux(
  "[CAN-2] killed while a cancel is carried out, a resumed session still ends every call exactly once",
  async () => {
    await run({ cancel: 2 });
  },
  patience,
);

onLinux(
  "[PS-1] a disk that is full or fails stops the run, and the resume ends as the undisturbed one",
  async () => {
    await run({ refuse: 4, "full disk": 4 });
  },
  patience,
);

onLinux(
  "[PS-5] of two processes on one session one works, and a copy disturbs nobody",
  async () => {
    await run({ "two processes": 4 });
  },
  patience,
);

onLinux(
  "[PS-4] [CAN-4] background jobs survive no kill, run at most once, and each has one end in the log",
  async () => {
    await run({ background: 5 });
  },
  patience,
);

onLinux(
  "[PS-5] an export that is killed leaves the whole file or none, and the session as it was",
  async () => {
    await run({ export: 3 });
  },
  patience,
);

onLinux(
  "[PS-4] [VF-5] killed anywhere in verification and repair, each check counts once and the task ends verified once",
  async () => {
    const reports = await run({ verification: 7 });
    expect(reports.flatMap(({ phases }) => phases)).toContain("verifying");
  },
  patience,
);

onLinux(
  "[PS-4] [RB-2] an undo or redo that is killed leaves all of it or nothing, and the next one does what it should",
  async () => {
    const reports = await run({ undo: 8 });
    expect(reports.flatMap(({ phases }) => phases)).toContain("inside an undo");
  },
  patience,
);

onLinux(
  "[PS-4] [SM-3] [SM-7] what waits for a person is open again, identically, after a kill, and one answer counts",
  async () => {
    const reports = await run({ question: 10 });
    expect(reports.flatMap(({ phases }) => phases)).toContain("waiting for an answer");
  },
  patience,
);

onLinux(
  "[PS-4] [RB-1] killed while a command's changes are looked for, its outcome is unknown and an undo leaves them alone",
  async () => {
    const reports = await run({ look: 10 });
    expect(reports.flatMap(({ phases }) => phases)).toContain("looking for changes");
  },
  patience,
);

onLinux(
  "[PS-4] [TL-5] killed inside a sub-agent, the work goes on there: handed on once, done once, with one result",
  async () => {
    const reports = await run({ "sub-agent": 6 });
    expect(reports.flatMap(({ phases }) => phases)).toContain("inside a sub-agent");
  },
  patience,
);
