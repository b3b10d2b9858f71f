import { closeSync, openSync, unlinkSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { Confinement } from "../../../contract/sandbox.ts";
import type { Mount } from "./mounts.ts";
import { seccompFilter } from "./seccomp.ts";

const FILTER_FD = 3;

export const namespaces: readonly string[] = [
  "--unshare-user",
  "--unshare-pid",
  "--unshare-ipc",
  "--unshare-uts",
  // Everything inside ends with the recorded process, and that one with us, so nothing keeps running unseen.
  "--die-with-parent",
  // Root would keep its capabilities.
  "--cap-drop",
  "ALL",
];

/** Everything in front of the command's own arguments. `fds`: descriptors of copied and judged files. */
export function bubblewrapCall(
  program: string,
  mounts: readonly Mount[],
  { narrow }: Pick<Confinement, "narrow">,
  cwd: string,
  fds: ReadonlyMap<Mount, number>,
  /** A loopback of its own, instead of the network namespace in which it starts. */
  isAlone: boolean,
): readonly string[] {
  return [
    program,
    ...namespaces,
    ...(isAlone ? ["--unshare-net"] : []),
    ...["--seccomp", String(FILTER_FD)],
    ...(narrow ? [] : ["--ro-bind", "/", "/"]),
    ...["--dev", "/dev", "--proc", "/proc"],
    // The kernel checks the uid for files in /proc, not capabilities: without this, root could still change the kernel's settings.
    ...(process.getuid?.() === 0 ? ["--remount-ro", "/proc"] : []),
    ...mounts.flatMap((mount) => mountOptions(mount, fds)),
    // After all other mounts. A writable veil would silently discard what a command writes there.
    ...mounts.flatMap(({ kind, path }) => (kind === "veil" ? ["--remount-ro", path] : [])),
    ...(narrow ? ["--remount-ro", "/"] : []),
    // Without --chdir bubblewrap starts elsewhere when the folder does not exist.
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
      // Ten times faster than a read-only bind of an empty folder. The owner can make it writable, which changes nothing outside.
      return ["--perms", "0555", "--tmpfs", path];
    case "nothing":
      return ["--ro-bind", mount.source ?? "/dev/null", path];
  }
}

let filter: number | undefined;

/** A new open file description for each command: readers of a shared one would share the offset. */
export function openFilter(folder: string): number {
  filter ??= writeFilter(join(folder, `.filter-${process.pid}`));
  return openSync(`/proc/self/fd/${filter}`, "r");
}

/** On disk only for a moment; after that nobody else can open it. */
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
