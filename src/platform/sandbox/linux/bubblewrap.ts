// The call of bubblewrap.
import { closeSync, openSync, unlinkSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { Confinement } from "../../../contract/sandbox.ts";
import type { Mount } from "./mounts.ts";
import { seccompFilter } from "./seccomp.ts";

/** The number under which bubblewrap finds the filter. */
const FILTER_FD = 3;

export const namespaces: readonly string[] = [
  "--unshare-user",
  "--unshare-pid",
  "--unshare-ipc",
  "--unshare-uts",
  // What is inside ends with the process on record, and that one with us: nothing runs on unseen.
  "--die-with-parent",
  // Root would keep them.
  "--cap-drop",
  "ALL",
];

/** All before the command's own words. `fds`: of copies, and of what was judged. */
export function bubblewrapCall(
  program: string,
  mounts: readonly Mount[],
  { narrow }: Pick<Confinement, "narrow">,
  cwd: string,
  fds: ReadonlyMap<Mount, number>,
  /** Loopback of its own, instead of that in which it is started. */
  isAlone: boolean,
): readonly string[] {
  return [
    program,
    ...namespaces,
    ...(isAlone ? ["--unshare-net"] : []),
    ...["--seccomp", String(FILTER_FD)],
    ...(narrow ? [] : ["--ro-bind", "/", "/"]),
    ...["--dev", "/dev", "--proc", "/proc"],
    // Its files ask who writes, not for capabilities: root without any could still set the kernel's own commands.
    ...(process.getuid?.() === 0 ? ["--remount-ro", "/proc"] : []),
    ...mounts.flatMap((mount) => mountOptions(mount, fds)),
    // When all is in its place: what a command writes into a veiled folder would be gone without a word.
    ...mounts.flatMap(({ kind, path }) => (kind === "veil" ? ["--remount-ro", path] : [])),
    ...(narrow ? ["--remount-ro", "/"] : []),
    // Without it bubblewrap starts elsewhere when the folder is not there.
    ...["--chdir", cwd, "--"],
  ];
}

function mountOptions(mount: Mount, fds: ReadonlyMap<Mount, number>): readonly string[] {
  const { path, kind, source = path } = mount;
  switch (kind) {
    case "veil":
      return ["--perms", "0755", "--tmpfs", path];
    case "copy":
      return ["--perms", "0444", "--file", String(fds.get(mount)), path];
    case "judged":
      return ["--ro-bind-fd", String(fds.get(mount)), path];
    case "folder":
      return ["--dir", path];
    case "link":
      return ["--symlink", source, path];
    case "write":
      return ["--bind", source, path];
    case "read":
      return ["--ro-bind", source, path];
    case "empty":
      // Ten times faster than a read-only bind of an empty folder. Its owner may make it writable, which changes nothing
      // outside.
      return ["--perms", "0555", "--tmpfs", path];
    case "nothing":
      return ["--ro-bind", mount.source ?? "/dev/null", path];
  }
}

let filter: number | undefined;

/** A descriptor of its own for each command: readers of the same one would share the place they have read to. */
export function openFilter(folder: string): number {
  filter ??= writeFilter(join(folder, `.filter-${process.pid}`));
  return openSync(`/proc/self/fd/${filter}`, "r");
}

/** On disk for a moment only; then nobody but us can reach it. */
function writeFilter(path: string): number {
  const bytes = seccompFilter(process.arch);
  if (bytes === null) throw new Error(`no system call numbers for ${process.arch}`);
  const fd = openSync(path, "wx+", 0o600);
  try {
    unlinkSync(path);
    writeSync(fd, bytes);
    return fd;
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}
