// A command and somebody else in an order that is forced: the thread that listens is this one, and it reads nothing between the
// answer to a call of the command and what somebody else does then. That is how a busy machine delays it.

import { dlopen, ptr, read } from "bun:ffi";
import { closeSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import { join, relative } from "node:path";
import { lookAfter, lookBefore, openSight } from "../../src/platform/changes/look.ts";
import { watchedCalls } from "../../src/platform/witness/calls.ts";
import type { Ledger } from "../../src/platform/witness/ledger.ts";
import { type Libc, openLibc } from "../../src/platform/witness/libc.ts";
import { Listener } from "../../src/platform/witness/listener.ts";
import { starterProgram } from "../../src/platform/witness/starter.ts";

const NOTIF_RECV = 0xc0502100;
const NOTIF_SEND = 0xc0182101;
const SOCK_SEQPACKET = 5;
const NONBLOCK = 0o4000;

const { symbols: c } = dlopen("libc.so.6", {
  socketpair: { args: ["i32", "i32", "i32", "ptr"], returns: "i32" },
  eventfd: { args: ["u32", "i32"], returns: "i32" },
  memfd_create: { args: ["ptr", "u32"], returns: "i32" },
});

/** When a call of the command was looked at: before it is answered, and after. */
type Stage = "held" | "answered";

export interface Talk {
  /** Waits for the next letter that the command says. */
  readonly hear: () => string;
  /** Lets the command go on where it waits for a letter. */
  readonly say: (letter: string) => void;
}

/** By its path: whose each change is, and where it was moved from. */
export interface Judged {
  readonly whose: Readonly<Record<string, string>>;
  readonly from: Readonly<Record<string, string>>;
}

type Meanwhile = (deed: string | undefined, stage: Stage, talk: Talk) => void;

/**
 * The program is Python with `hear()` and `say(letter)` of its own. `meanwhile` is asked twice for each call of it that is told,
 * by what the call does; `atEnd` when all was looked at and nobody listens any more.
 */
export async function whoseOf(
  workspace: string,
  program: string,
  meanwhile: Meanwhile,
  atEnd: () => void = () => {},
): Promise<Judged> {
  const libc = openLibc();
  const starter = starterProgram(process.arch, { self: 3, socket: 4 }, true);
  if (libc === null || starter === null) throw new Error("nobody can listen here");
  const baseline = await lookBefore(openSight(workspace));
  const sockets = new Int32Array(new ArrayBuffer(8));
  c.socketpair(1, SOCK_SEQPACKET, 0, ptr(sockets));
  const [ours = -1, theirs = -1] = sockets;
  const self = c.memfd_create(ptr(Buffer.from("starter\0")), 0);
  writeSync(self, starter);
  const stop = c.eventfd(0, NONBLOCK);
  const [said, heard] = [pipeIn(workspace, "said"), pipeIn(workspace, "heard")];
  const child = Bun.spawn(["/proc/self/fd/3", python(), "-c", `${preface}${program}`], {
    cwd: workspace,
    stdio: [heard, said, "inherit", self, theirs],
  });
  const letter = Buffer.alloc(1);
  const talk: Talk = {
    hear: () => (readSync(said, letter) === 1 ? letter.toString() : ""),
    say: (one) => writeSync(heard, one),
  };
  const listener = new Listener(pausing(libc, stop, talk, meanwhile), {
    ...{ socket: ours, stop, root: workspace },
    goesOn: new Int32Array(new SharedArrayBuffer(4)),
  });
  const told: Ledger[] = [];
  listener.run((ledger) => told.push(ledger));
  listener.close();
  for (const fd of [self, stop, ours, theirs, said, heard]) closeSync(fd);
  if ((await child.exited) !== 0) throw new Error("the command failed");
  const { changes, unkept } = await lookAfter(baseline, {
    ledger: async () => {
      atEnd();
      return told[0] ?? null;
    },
  });
  const whose = [
    ...changes.map(({ change: { path, doubt = "ours" } }) => [path, doubt] as const),
    ...unkept.map(({ path, why }) => [path, why] as const),
  ];
  const from = changes.flatMap(({ change }) =>
    change.from === undefined ? [] : [[change.path, relative(workspace, change.from)] as const],
  );
  return { whose: Object.fromEntries(whose), from: Object.fromEntries(from) };
}

/** Itself: what stands before it on some machines is a script with calls of its own. */
function python(): string {
  return Bun.spawnSync(["python3", "-c", "import sys; print(sys.executable)"]).stdout.toString().trim();
}

const preface = `
import os
def say(letter): os.write(1, letter.encode())
def hear(): return os.read(0, 1).decode()
`;

function pausing(libc: Libc, stop: number, talk: Talk, meanwhile: Meanwhile): Libc {
  let deed: string | undefined;
  let wasCalled = false;
  return {
    ...libc,
    ioctl: (fd, request, at) => {
      if (request === NOTIF_SEND) meanwhile(deed, "held", talk);
      const answer = libc.ioctl(fd, request, at);
      if (request === NOTIF_RECV) deed = watchedCalls(process.arch)?.get(read.i32(at as never, 16))?.deed;
      if (request === NOTIF_SEND) meanwhile(deed, "answered", talk);
      wasCalled ||= request === NOTIF_RECV;
      return answer;
    },
    poll: (fds, count, timeout) => {
      // The command is gone, and its end of the filter with it.
      if (wasCalled && read.i32(fds as never, 8) < 0) writeSync(stop, new BigUint64Array([1n]));
      return libc.poll(fds, count, timeout);
    },
  };
}

/** Without a name, and never at its end. */
function pipeIn(workspace: string, name: string): number {
  const path = join(workspace, "..", name);
  rmSync(path, { force: true });
  Bun.spawnSync(["mkfifo", path]);
  const fd = openSync(path, "r+");
  rmSync(path);
  return fd;
}
