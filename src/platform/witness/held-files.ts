// Whether a process has a file open for writing and could change it after our comparison.
import { constants } from "node:fs";
import { openCLibrary } from "../c-library.ts";
import { orNull, withOpen } from "../files/probe.ts";

const F_SETSIG = 10;
const F_SETLEASE = 1024;
const F_RDLCK = 0;
const F_UNLCK = 2;
const EAGAIN = 11;
/** Lease-break signal if somebody opens the file at this very moment; ignored by default. */
const SIGURG = 23;

interface Leases {
  readonly fcntl: (fd: number, command: number, argument: number) => number;
  readonly errno: () => number;
}

let opening: Promise<Leases | null> | undefined;

/** The kernel grants a read lease only on a file without writers. Where leases do not work, assume that there are none. */
export async function writerFinder(): Promise<(real: string) => boolean> {
  opening ??= openLeases();
  const leases = await opening;
  return leases === null ? () => false : (real) => hasWriter(real, leases);
}

function hasWriter(real: string, { fcntl, errno }: Leases): boolean {
  const lease = (fd: number): boolean => {
    if (fcntl(fd, F_SETSIG, SIGURG) !== 0) return false;
    if (fcntl(fd, F_SETLEASE, F_RDLCK) !== 0) return errno() === EAGAIN;
    fcntl(fd, F_SETLEASE, F_UNLCK);
    return false;
  };
  return orNull(() => withOpen(real, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW, lease)) ?? false;
}

async function openLeases(): Promise<Leases | null> {
  const library = await openCLibrary({
    fcntl: { args: ["i32", "i32", "i32"], returns: "i32" },
    __errno_location: { args: [], returns: "ptr" },
  });
  const at = library?.symbols.__errno_location() ?? null;
  return library === null || at === null
    ? null
    : { fcntl: library.symbols.fcntl, errno: () => library.read.i32(at, 0) };
}
