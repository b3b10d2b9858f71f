// A disk that is really full: first the one with the store, then the one with the workspace.
import { mkdirSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sha256 } from "../../src/platform/files/hash.ts";
import { type Course, liveOn, problemsOf, type Report, reported } from "./case.ts";
import { foldOf, lookAt, temporaryFiles } from "./found.ts";
import type { Ground } from "./ground.ts";
import type { Job } from "./groups.ts";
import { live, type Place, runFlags } from "./life.ts";
import { outcomeOf, treeOf, unequal } from "./outcome.ts";
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

const workspaceKibibytes = 2_560;
/** Less than the large file takes. */
const roomBytes = 24 * 1024;

/** The first write finds no room and leaves nothing behind; the task makes room itself and ends as it should. */
async function fullWorkspace(ground: Ground): Promise<Report> {
  return await onSmallDisk(ground, "full workspace", "workspace", workspaceKibibytes, async (place, _, course) => {
    fillWorkspace(place.workspace);
    const untouched = treeOf(place.workspace);
    const { bavail, bsize } = statfsSync(place.workspace);
    writeFileSync(join(place.workspace, fillerFile), Buffer.alloc(bavail * bsize - roomBytes));
    const life = await live(place, runFlags(ground.url, [fullDiskPrompt]), null);
    course.lives.push(life);
    const { calls, text, tree } = outcomeOf(place, lookAt(place));
    const statuses = Object.values(calls).map(({ status, output }) => `${status} ${output}`.slice(0, 11));
    const is = { text, statuses, tree, temps: temporaryFiles(place.workspace) };
    const shall = {
      text: "Now it is written.",
      statuses: ["failed E_IO", "done exit c", "done create"],
      tree: { ...untouched, "large.ts": `100644 ${sha256(Buffer.from(largeFile("").content))}` },
      temps: [],
    };
    course.problems.push(...unequal("", is, shall));
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
    const mounted = Bun.spawnSync(["mount", "-t", "tmpfs", "-o", `size=${kibibytes}k,mode=0700`, "tmpfs", path]);
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
