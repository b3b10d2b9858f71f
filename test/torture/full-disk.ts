// A disk that is really full: first the one with the store, then the one with the workspace.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Course, liveOn, problemsOf, type Report, reported } from "./case.ts";
import { foldOf, lookAt, temporaryFiles } from "./found.ts";
import type { Ground } from "./ground.ts";
import type { Job } from "./groups.ts";
import { live, type Place, runFlags } from "./life.ts";
import { outcomeOf, treeOf } from "./outcome.ts";
import { fillerFile, fillWorkspace, fullDiskPrompt, largeFile } from "./task.ts";

/** From too small for an empty store to nearly enough for the whole task. */
const storeKibibytes = [16, 48, 96, 128, 192, 256, 320, 384, 448, 512, 640, 768];

export function fullDiskJobs(ground: Ground): readonly Job[] {
  const store = storeKibibytes.map((size) => ({ name: `full store, ${size} KiB`, run: () => fullStore(ground, size) }));
  return [...store, { name: "full workspace", run: () => fullWorkspace(ground) }];
}

async function fullStore(ground: Ground, kibibytes: number): Promise<Report> {
  const name = `full store, ${kibibytes} KiB`;
  return await onSmallDisk(ground, name, "home", kibibytes, async (place, disk, { lives, problems }) => {
    const first = await liveOn(ground, place, "quick", null);
    lives.push(first);
    const { sessionId, log } = lookAt(place);
    const hasFinished = sessionId !== null && foldOf(log).task.phase === "IDLE";
    if (!hasFinished && first.exitCode !== 8) problems.push(`ended with ${first.exitCode}, not 8: ${first.stderr}`);
    disk.enlarge();
    lives.push(await liveOn(ground, place, "quick", null));
    problems.push(...problemsOf(place, ground.baselines.quick, lives));
  });
}

const workspaceKibibytes = 128;
const fillerBytes = 96 * 1024;

/** The first write finds no room and leaves nothing behind; the task makes room itself and ends as it should. */
async function fullWorkspace(ground: Ground): Promise<Report> {
  return await onSmallDisk(ground, "full workspace", "workspace", workspaceKibibytes, async (place, _, course) => {
    fillWorkspace(place.workspace);
    const untouched = treeOf(place.workspace);
    writeFileSync(join(place.workspace, fillerFile), Buffer.alloc(fillerBytes));
    const life = await live(place, runFlags(ground.url, [fullDiskPrompt]), null);
    course.lives.push(life);
    const found = lookAt(place);
    const { calls, text, tree } = outcomeOf(place, found);
    writeFileSync(join(place.workspace, "large.expected"), largeFile("").content);
    const { "large.expected": expected, ...rest } = treeOf(place.workspace);
    const is = {
      text,
      statuses: Object.values(calls).map(({ status }) => status),
      tree,
      temps: temporaryFiles(place.workspace),
    };
    const shall = {
      text: "Now it is written.",
      statuses: ["failed", "done", "done"],
      tree: { ...untouched, "large.ts": expected },
      temps: [],
    };
    if (!Bun.deepEquals(is, shall))
      course.problems.push(`is ${JSON.stringify(is)}, should be ${JSON.stringify(shall)}`);
    if (!calls["r1/1/1"]?.output.startsWith("E_IO"))
      course.problems.push(`the first write said ${calls["r1/1/1"]?.output}`);
    if (Object.keys(rest).length === 0) course.problems.push("the workspace is empty");
  });
}

interface SmallDisk {
  readonly enlarge: () => void;
}

type Use = (place: Place, disk: SmallDisk, course: Course) => Promise<void>;

async function onSmallDisk(
  ground: Ground,
  name: string,
  where: "home" | "workspace",
  kibibytes: number,
  use: Use,
): Promise<Report> {
  let skipped: string | undefined;
  const report = await reported(ground, name, async (place, course) => {
    const path = place[where];
    mkdirSync(path, { recursive: true });
    const mounted = Bun.spawnSync(["mount", "-t", "tmpfs", "-o", `size=${kibibytes}k`, "tmpfs", path]);
    if (mounted.exitCode !== 0) {
      skipped = `no small disk can be mounted here: ${mounted.stderr.toString().trim()}`;
      return;
    }
    const enlarge = (): void => void Bun.spawnSync(["mount", "-o", "remount,size=64m", path]);
    try {
      await use(place, { enlarge }, course);
    } finally {
      Bun.spawnSync(["umount", "--lazy", path]);
    }
  });
  return skipped === undefined ? report : { ...report, skipped };
}
