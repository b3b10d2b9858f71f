// The C library for the listener thread. All pointers refer to buffers with a fixed address.
import { dlopen, ptr } from "bun:ffi";

export interface Libc {
  readonly ioctl: (fd: number, request: number, argument: number) => number;
  readonly poll: (fds: number, count: number, timeoutMs: number) => number;
  readonly recvmsg: (fd: number, message: number, flags: number) => number;
  /** Reads another process's memory at the address in `remote`. */
  readonly readMemory: (pid: number, local: number, remote: number, remotes: number) => number;
  readonly watch: (fd: number, path: number, mask: number) => number;
  readonly unwatch: (fd: number, watch: number) => number;
  readonly statx: (path: number, out: number) => number;
  readonly mayWrite: (path: number) => number;
  readonly read: (fd: number, into: number, size: number) => number;
  readonly openWatches: () => number;
}

/** The garbage collector moves small arrays that do not have their own buffer. */
export function fixed(size: number): ArrayBuffer {
  return new ArrayBuffer(size);
}

export { ptr };

const IN_NONBLOCK = 0o4000;
const IN_CLOEXEC = 0o2000000;
const AT_FDCWD = -100;
const AT_SYMLINK_NOFOLLOW = 0x100;
const STATX_BASIC_STATS = 0x7ff;
const STATX_MNT_ID = 0x1000;
const W_OK = 2;

export function openLibc(): Libc | null {
  for (const name of ["libc.so.6", "libc.musl-x86_64.so.1", "libc.musl-aarch64.so.1"]) {
    try {
      const { symbols: c } = dlopen(name, {
        ioctl: { args: ["i32", "u64", "u64"], returns: "i32" },
        poll: { args: ["u64", "u64", "i32"], returns: "i32" },
        recvmsg: { args: ["i32", "u64", "i32"], returns: "i32" },
        process_vm_readv: { args: ["i32", "u64", "u64", "u64", "u64", "u64"], returns: "i32" },
        inotify_init1: { args: ["i32"], returns: "i32" },
        inotify_add_watch: { args: ["i32", "u64", "u32"], returns: "i32" },
        inotify_rm_watch: { args: ["i32", "i32"], returns: "i32" },
        statx: { args: ["i32", "u64", "i32", "u32", "u64"], returns: "i32" },
        access: { args: ["u64", "i32"], returns: "i32" },
        read: { args: ["i32", "u64", "u64"], returns: "i32" },
      });
      return {
        ioctl: c.ioctl,
        poll: c.poll,
        recvmsg: c.recvmsg,
        readMemory: (pid, local, remote, remotes) => c.process_vm_readv(pid, local, 1, remote, remotes, 0),
        watch: c.inotify_add_watch,
        unwatch: c.inotify_rm_watch,
        statx: (path, out) => c.statx(AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, STATX_BASIC_STATS | STATX_MNT_ID, out),
        mayWrite: (path) => c.access(path, W_OK),
        read: c.read,
        openWatches: () => c.inotify_init1(IN_NONBLOCK | IN_CLOEXEC),
      };
    } catch {
      // Another C library; try the next name.
    }
  }
  return null;
}
