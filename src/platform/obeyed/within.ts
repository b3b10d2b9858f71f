// Acts on a name in a folder below a root without following symlinks: a command may have replaced any folder by one.
import { chmodSync, closeSync, constants, existsSync, openSync, realpathSync, statSync } from "node:fs";
import { pathBytes } from "../changes/file-tree.ts";
import { errnoOf } from "../files/failure.ts";

/** Path of a name in the folder; Latin-1, one character per byte. */
export type At = (name: string) => string;

const hasProc = process.platform === "linux" && existsSync("/proc/self/fd");
/** Needs no read permission for the folder. Node does not define it. */
const O_PATH = 0o10000000;

/** Throws system errors. A folder that the command made inaccessible is opened for the moment: its owner may do so at any time. */
export function within<T>(root: string, path: string, act: (at: At, name: string) => T): T {
  const parts = path.split("/");
  const name = parts.pop() ?? "";
  if (!hasProc) return act(pathsWithoutProc(root, parts), name);
  const steps = new Steps(root);
  try {
    for (const part of parts) steps.down(part);
    return steps.withAccess(() => act(steps.at, name));
  } finally {
    steps.close();
  }
}

class Steps {
  private fd: number;
  private readonly opened: { readonly fd: number; readonly mode: number }[] = [];
  private readonly fds: number[];

  constructor(root: string) {
    this.fd = openSync(root, O_PATH | constants.O_DIRECTORY);
    this.fds = [this.fd];
  }

  // The declared types allow only strings; the runtime accepts bytes.
  readonly at: At = (name) =>
    Buffer.concat([Buffer.from(`/proc/self/fd/${this.fd}/`), Buffer.from(name, "latin1")]) as unknown as string;

  down(name: string): void {
    this.fd = this.withAccess(() => openSync(this.at(name), O_PATH | constants.O_DIRECTORY | constants.O_NOFOLLOW));
    this.fds.push(this.fd);
  }

  withAccess<T>(act: () => T): T {
    try {
      return act();
    } catch (error) {
      if (errnoOf(error) !== "EACCES") throw error;
      const path = `/proc/self/fd/${this.fd}`;
      const { mode } = statSync(path);
      chmodSync(path, (mode & 0o7777) | 0o700);
      this.opened.push({ fd: this.fd, mode: mode & 0o7777 });
      return act();
    }
  }

  close(): void {
    for (const { fd, mode } of this.opened) chmodSync(`/proc/self/fd/${fd}`, mode);
    for (const fd of this.fds) closeSync(fd);
  }
}

function pathsWithoutProc(root: string, parts: readonly string[]): At {
  const folder = pathBytes(root, parts.join("/"));
  const path = folder.toString().replace(/\/$/, "");
  if (realpathSync.native(path) !== path) throw Object.assign(new Error("a link on the way"), { code: "ELOOP" });
  return (name) => Buffer.concat([folder, Buffer.from("/"), Buffer.from(name, "latin1")]) as unknown as string;
}
