// Tells the command's own file changes from those of others: the kernel reports the calls of its processes to a thread of ours.
import { closeSync, readFileSync, writeSync } from "node:fs";
import { openCLibrary } from "../c-library.ts";
import type { Ledger } from "./ledger.ts";
import type { ListenRequest } from "./listener.ts";
import { starterProgram } from "./starter.ts";

/** Follows one command, or several that are started one after the other in its place. */
export interface Witness {
  /** `argv` goes in front of the command. `first`: the number that the first of `fds` gets in it. */
  readonly enter: (first: number) => { readonly argv: readonly string[]; readonly fds: readonly number[] };
  /** Call it once, when the comparison is done and all processes are gone. `goesOn`: they are not, but nobody follows them any more. */
  readonly over: (goesOn?: boolean) => Promise<Ledger>;
}

/** `null` on other systems, and without the sandbox for anybody but root: the filter would prevent `sudo`. */
export async function callWitness(root: string, isConfined: boolean): Promise<Witness | null> {
  const means = await meansOf();
  if (means === null || !(isConfined || process.getuid?.() === 0)) return null;
  const forGood = isConfined || !isAdministrator();
  const worker = await takeWorker();
  if (worker === null) return null;
  const [ours, theirs] = means.socketPair();
  const stop = means.signal();
  const lasting = new Int32Array(new SharedArrayBuffer(4));
  const ledger = worker.listen({ socket: ours, stop, root, goesOn: lasting });
  return {
    enter: (first) => ({
      argv: [`/proc/self/fd/${first}`],
      fds: [means.program(first, forGood), theirs],
    }),
    over: async (goesOn = false) => {
      Atomics.store(lasting, 0, goesOn ? 1 : 0);
      writeSync(stop, new BigUint64Array([1n]));
      try {
        return await ledger;
      } finally {
        for (const fd of [ours, theirs, stop]) closeSync(fd);
      }
    },
  };
}

/** Starts the thread before it is needed: the first one takes 20 ms. */
export async function readyWitness(): Promise<void> {
  if ((await meansOf()) === null || idle !== null) return;
  const worker = await newWorker();
  if (idle === null) idle = worker;
  else worker?.terminate();
}

interface Means {
  readonly socketPair: () => readonly [ours: number, theirs: number];
  readonly signal: () => number;
  /** A descriptor of the starter, which gets the number `first` and its socket the next one. */
  readonly program: (first: number, forGood: boolean) => number;
}

let means: Promise<Means | null> | undefined;

function meansOf(): Promise<Means | null> {
  means ??= openMeans();
  return means;
}

async function openMeans(): Promise<Means | null> {
  const library = await openCLibrary({
    socketpair: { args: ["i32", "i32", "i32", "ptr"], returns: "i32" },
    eventfd: { args: ["u32", "i32"], returns: "i32" },
    memfd_create: { args: ["ptr", "u32"], returns: "i32" },
  });
  if (library === null) return null;
  const { symbols, ptr } = library;
  const fds = new Int32Array(new ArrayBuffer(8));
  const programs = new Map<string, number>();
  return {
    socketPair: () => {
      mustBe(symbols.socketpair(AF_UNIX, SOCK_SEQPACKET | CLOEXEC, 0, ptr(fds)));
      return [fds[0] ?? -1, fds[1] ?? -1];
    },
    signal: () => mustBe(symbols.eventfd(0, CLOEXEC | NONBLOCK)),
    program: (first, forGood) => {
      const key = `${first} ${forGood}`;
      const known = programs.get(key);
      if (known !== undefined) return known;
      const bytes = starterProgram(process.arch, { self: first, socket: first + 1 }, forGood);
      const fd = mustBe(symbols.memfd_create(ptr(Buffer.from("starter\0")), MFD_CLOEXEC));
      writeSync(fd, bytes ?? new Uint8Array());
      programs.set(key, fd);
      return fd;
    },
  };
}

const AF_UNIX = 1;
const SOCK_SEQPACKET = 5;
const CLOEXEC = 0o2000000;
const NONBLOCK = 0o4000;
const MFD_CLOEXEC = 1;

function mustBe(fd: number): number {
  if (fd < 0) throw new Error("the system gives no more descriptors");
  return fd;
}

const CAP_SYS_ADMIN = 21n;

/** Whether we may install a filter without no_new_privs. */
function isAdministrator(): boolean {
  const held = /^CapEff:\s*([0-9a-f]+)$/m.exec(readFileSync("/proc/self/status", "latin1"))?.[1] ?? "0";
  return (BigInt(`0x${held}`) >> CAP_SYS_ADMIN) % 2n === 1n;
}

/** At most one idle thread: each takes 13 MB. */
let idle: Worker | null = null;

async function takeWorker() {
  const worker = idle ?? (await newWorker());
  idle = null;
  if (worker === null) return null;
  return {
    listen: (request: ListenRequest) =>
      new Promise<Ledger>((resolve, reject) => {
        worker.onmessage = ({ data }: MessageEvent<Ledger | "ready">): void => {
          // Terminated any sooner, it would leak its inotify descriptor, of which there are few.
          if (data !== "ready") resolve(data);
          else if (idle === null) idle = worker;
          else worker.terminate();
        };
        worker.onerror = ({ message }): void => reject(new Error(message));
        worker.postMessage(request);
      }),
  };
}

/** `null` where it cannot be started. A command is handed only to a thread that has answered; otherwise it could wait forever. */
function newWorker(): Promise<Worker | null> {
  return new Promise((resolve) => {
    const worker = new Worker(workerFile(), { smol: true });
    worker.unref();
    worker.onmessage = (): void => resolve(worker);
    worker.onerror = (): void => resolve(null);
  });
}

/** The built program embeds the worker under its source path. */
function workerFile(): string {
  const isBuilt = import.meta.url.includes("$bunfs");
  return isBuilt ? "/$bunfs/root/platform/witness/worker.js" : new URL("./worker.ts", import.meta.url).href;
}
