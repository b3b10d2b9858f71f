import { closeSync, constants, fstatSync, openSync, statfsSync } from "node:fs";
import { dirname, join } from "node:path";
import { CoderError, type ErrorInfo, fail, ok, type Result } from "../../../contract/error.ts";
import type { Confinement } from "../../../contract/sandbox.ts";
import { phrase } from "../../../contract/text/catalogue.ts";
import { isOpenAt } from "../../files/open.ts";
import { orNull } from "../../files/probe.ts";
import { makeCaches } from "../home/caches.ts";
import { makePrivateTemp } from "../home/private-folder.ts";
import { plantedAmong, setAside } from "../planted.ts";
import { guardedUnder } from "../protected.ts";
import { seatbeltProfile } from "../seatbelt.ts";
import { lookAt } from "../secret/hidden-files.ts";
import { gitBySizeAndTime } from "../secret/sealed.ts";
import { sandboxProgram, sandboxState } from "../state.ts";
import { bubblewrapCall, openFilter } from "./bubblewrap.ts";
import { holdPlaces, lookAround } from "./held-place.ts";
import { enterLoopback } from "./loopback.ts";
import { layOut, type SeenDisk } from "./mounts.ts";
import { openGroup, processLimit } from "./processes.ts";

const FIRST_FD = 3;
/** The descriptor after the filter. The command does not start if joining fails. */
const JOIN_GROUP = "echo 0 >&4 || exit 126; exec 4>&-; ";

export interface Entrance {
  readonly argv: readonly string[];
  /** Open descriptors to be passed as 3 and up; `started` closes them. */
  readonly fds: readonly number[];
  /** Shell code that sets the resource limits, in front of the command. */
  readonly limits: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly gitConfig: Readonly<Record<string, string>>;
  /** Secret files in visible folders that were hidden from the command. */
  readonly hidden: readonly string[];
  /** The error when the sandbox could not be set up because a judged path is gone or replaced; `null`: another cause. */
  readonly moved: (output: string) => ErrorInfo | null;
  /** Call this as soon as the command started or failed to start. */
  readonly started: () => void;
  readonly isBroken: () => boolean;
  readonly kept: readonly string[];
  /** Call this when all of its processes are gone. Returns the protected paths that were created and set aside. */
  readonly leave: () => readonly string[];
}

export async function enterSandbox(confine: Confinement, cwd: string, lasts: boolean): Promise<Result<Entrance>> {
  const state = await sandboxState();
  if (state.kind !== "ready") return fail("E_IO", state.reason, { advice: phrase("sandbox.advice") });
  try {
    if (state.name === "seatbelt") return ok(enterSeatbelt(confine, await lookAt(confine)));
    const coming = confine.network || confine.loopback === null ? null : enterLoopback(confine.loopback);
    try {
      return ok(enterBubblewrap(confine, cwd, lasts, await lookAt(confine), await coming));
    } catch (error) {
      (await coming)?.leave();
      throw error;
    }
  } catch (error) {
    if (error instanceof CoderError) return { ok: false, error: error.info };
    const what = error instanceof Error ? error.message : String(error);
    return fail("E_IO", phrase("sandbox.not_built", { what }), { advice: phrase("sandbox.advice") });
  }
}

function enterBubblewrap(
  confine: Confinement,
  cwd: string,
  lasts: boolean,
  seen: SeenDisk,
  loopback: Awaited<ReturnType<typeof enterLoopback>>,
): Entrance {
  makePrivateTemp(confine.temp);
  makeCaches(confine);
  lookAround(confine.temp);
  const { secrets } = seen;
  const { mounts, hold, watch } = layOut(confine, lasts, seen);
  const group = confine.processes === null ? null : openGroup(confine.processes);
  const first = [openFilter(dirname(confine.temp)), ...(group === null ? [] : [group])];
  const opened = mounts.filter(({ kind }) => kind === "copy" || kind === "judged");
  const fds = [...first];
  let release: () => void;
  try {
    for (const mount of opened)
      fds.push(mount.kind === "copy" ? openSync(mount.source ?? "", "r") : openJudged(mount.path));
    release = holdPlaces(hold, confine.temp);
  } catch (error) {
    fds.forEach(closeSync);
    throw error;
  }
  const places = new Map(opened.map((mount, at) => [mount, FIRST_FD + first.length + at]));
  return {
    argv: [
      ...(loopback?.argv ?? []),
      ...bubblewrapCall(sandboxProgram(), mounts, confine, cwd, places, !confine.network && loopback === null),
    ],
    fds,
    limits: `${group === null ? "" : JOIN_GROUP}${limitsOf(confine)}`,
    environment: confine.environment,
    gitConfig: secrets.length > 0 ? gitBySizeAndTime : {},
    hidden: secrets.map(({ path }) => path),
    moved: (output) => (confine.judged !== null && isAboutSource.test(output) ? judgedMoved : null),
    started: () => fds.forEach(closeSync),
    isBroken: () => plantedAmong(watch).length > 0,
    kept: mounts.flatMap(({ path, kind }) => (kind === "write" ? [] : [path])),
    leave: () => {
      release();
      loopback?.leave();
      return [...new Set(plantedAmong(watch).map(setAside))];
    },
  };
}

/** Bubblewrap's errors when the path means something else than the opened descriptor. */
const isAboutSource = /Race condition binding|Can't (?:get type of|find) source|Can't bind mount/;

const judgedMoved: ErrorInfo = {
  code: "E_CONFLICT",
  text: phrase("sandbox.moved"),
  advice: phrase("sandbox.moved.advice"),
  sideEffect: "none",
};

/** Missing in the runtime's constants. Opens the location only, without reading or blocking. */
const O_PATH = 0o10000000;

/** Opens exactly this path: fails if a symlink on the way now leads elsewhere. */
function openJudged(path: string): number {
  const fd = openSync(path, O_PATH | constants.O_NOFOLLOW);
  // A symlink opened with O_NOFOLLOW is "at" its own path, but bubblewrap would follow it.
  if (isOpenAt(fd, path) && !fstatSync(fd).isSymbolicLink()) return fd;
  closeSync(fd);
  throw new CoderError(judgedMoved);
}

function enterSeatbelt(confine: Confinement, { secrets }: SeenDisk): Entrance {
  makePrivateTemp(confine.temp);
  makeCaches(confine);
  return {
    argv: [sandboxProgram(), "-p", seatbeltProfile(confine, secrets)],
    fds: [],
    limits: "",
    environment: { ...confine.environment, TMPDIR: confine.temp },
    gitConfig: {},
    hidden: secrets.map(({ path }) => path),
    moved: () => null,
    started: () => {},
    isBroken: () => false,
    kept: confine.guarded.flatMap((root) => guardedUnder(root).map(({ path }) => join(root, path))),
    leave: () => [],
  };
}

/** `ulimit` never raises a limit. `-d` limits writable memory: runtimes reserve many times more address space than they use. */
function limitsOf({ memory, processes, fileSize, writable, temp }: Confinement): string {
  const data = memory === null ? "" : `ulimit -d ${Math.floor(memory / 1024)} 2>/dev/null; `;
  const size = fileSize && Math.floor(fileSizeLimit(fileSize, writable[0] ?? temp) / 1024);
  const file = size === null ? "" : `ulimit -f ${size} 2>/dev/null; `;
  const count = processes !== null && processLimit() === "rlimit" ? `ulimit -u ${processes} 2>/dev/null; ` : "";
  return `${data}${file}${count}`;
}

/** Also on a full disk: existing files can still be rewritten. */
const LEAST = 64 * 2 ** 20;

/** In bytes: at most `most`, and never more than the free space, so that no single file fills the disk. */
function fileSizeLimit(most: number, folder: string): number {
  const disk = orNull(() => statfsSync(folder));
  return disk === null ? most : Math.min(most, Math.max(disk.bavail * disk.bsize, LEAST));
}
