// Makes everything ready for one confined command, and cleans up after it.
import { closeSync, constants, fstatSync, openSync, statfsSync } from "node:fs";
import { dirname, join } from "node:path";
import { CoderError, type ErrorInfo, fail, ok, type Result } from "../../../contract/error.ts";
import type { Confinement } from "../../../contract/sandbox.ts";
import { phrase } from "../../../contract/text/catalogue.ts";
import { isOpenAt } from "../../files/open.ts";
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

/** After input, output and errors. */
const FIRST_FD = 3;
/** Comes after the filter. Without the limit the command does not start. */
const JOIN_GROUP = "echo 0 >&4 || exit 126; exec 4>&-; ";

export interface Entrance {
  /** Stands before the command's own words. */
  readonly argv: readonly string[];
  /** Open descriptors that it takes from 3 on; closed by `started`. */
  readonly fds: readonly number[];
  /** Words of the shell that set the limits of the kernel, before the command. */
  readonly limits: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Beside what else git is told by environment. */
  readonly gitConfig: Readonly<Record<string, string>>;
  /** Secret files of the folders that it sees, which it does not. */
  readonly hidden: readonly string[];
  /** What stopped it from being built, where that is no fault of it: what was judged is not there any more. */
  readonly moved: (said: string) => ErrorInfo | null;
  /** To be called as soon as it was started, or could not be. */
  readonly started: () => void;
  /** Whether it has made something that it must not. */
  readonly isBroken: () => boolean;
  /** Paths that it cannot change. */
  readonly kept: readonly string[];
  /** To be called when all of it is gone. Names what it had made and what was set aside. */
  readonly leave: () => readonly string[];
}

/** `lasts`: for a background job. */
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
  try {
    for (const mount of opened)
      fds.push(mount.kind === "copy" ? openSync(mount.source ?? "", "r") : openJudged(mount.path));
  } catch (error) {
    fds.forEach(closeSync);
    throw error;
  }
  const places = new Map(opened.map((mount, at) => [mount, FIRST_FD + first.length + at]));
  const release = holdOrClose(hold, confine.temp, fds);
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
    moved: (said) => (confine.judged !== null && isAboutSource.test(said) ? judgedMoved : null),
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

/** As bubblewrap says that it found something else under a name than was opened. */
const isAboutSource = /Race condition binding|Can't (?:get type of|find) source|Can't bind mount/;

const judgedMoved: ErrorInfo = {
  code: "E_CONFLICT",
  text: phrase("sandbox.moved"),
  advice: phrase("sandbox.moved.advice"),
  sideEffect: "none",
};

/** Not in the constants of the runtime: the place alone, which is neither read nor waited for. */
const O_PATH = 0o10000000;

/** What the path means now, and nothing that a link on the way has put in its place since it was judged. */
function openJudged(path: string): number {
  const fd = openSync(path, O_PATH | constants.O_NOFOLLOW);
  // A link stands at its own path, too, and bubblewrap would follow it.
  if (isOpenAt(fd, path) && !fstatSync(fd).isSymbolicLink()) return fd;
  closeSync(fd);
  throw new CoderError(judgedMoved);
}

function holdOrClose(places: readonly string[], temp: string, fds: readonly number[]): () => void {
  try {
    return holdPlaces(places, temp);
  } catch (error) {
    fds.forEach(closeSync);
    throw error;
  }
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

/**
 * A limit that is lower already stays as it is. Memory that a process may write, not the addresses it may reserve: runtimes
 * reserve many times what they use.
 */
function limitsOf({ memory, processes, fileSize, writable, temp }: Confinement): string {
  const data = memory === null ? "" : `ulimit -d ${Math.floor(memory / 1024)} 2>/dev/null; `;
  const size = fileSize && Math.floor(fileSizeLimit(fileSize, writable[0] ?? temp) / 1024);
  const file = size === null ? "" : `ulimit -f ${size} 2>/dev/null; `;
  const count = processes !== null && processLimit() === "rlimit" ? `ulimit -u ${processes} 2>/dev/null; ` : "";
  return `${data}${file}${count}`;
}

// How big one file of a confined command may become.
/** Also on a full disk: what is there can still be written anew. */
const LEAST = 64 * 2 ** 20;

/** In bytes: at most `most`, and never more than the disk has left, so that no single file fills it. */
function fileSizeLimit(most: number, folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return Math.min(most, Math.max(bavail * bsize, LEAST));
  } catch {
    return most; // Not there: then nothing is written to it either.
  }
}
