// Answers the kernel, which suspends each file-changing call until we have watched its folder and recorded the file.
import { closeSync, existsSync } from "node:fs";
import { machines } from "../sandbox/linux/syscalls.ts";
import { CREATES, O_CREAT, O_EXCL, O_NOFOLLOW, O_PATH, O_TRUNC, type WatchedCall, watchedCalls } from "./calls.ts";
import { Folders, type NamePlace, pathOf } from "./folders.ts";
import { Book, type Ledger } from "./ledger.ts";
import { fixed, type Libc, ptr } from "./libc.ts";
import { type PathSight, Peer } from "./peer.ts";

export interface ListenRequest {
  /** Receives the notification descriptor from the starter. */
  readonly socket: number;
  /** Readable when the command has ended and the comparison is done. */
  readonly stop: number;
  /** Not 0 when `stop` is readable: the command's processes go on, unobserved. */
  readonly goesOn: Int32Array<SharedArrayBuffer>;
  readonly root: string;
}

const POLLIN = 1;
const [SOCKET, LISTENER, WATCHES, STOP] = [0, 1, 2, 3];
const MSG_CMSG_CLOEXEC = 0x40000000;
const SECCOMP_IOCTL_NOTIF_RECV = 0xc0502100;
const SECCOMP_IOCTL_NOTIF_SEND = 0xc0182101;
const SECCOMP_IOCTL_NOTIF_SET_FLAGS = 0x40082104;
const SYNC_WAKE_UP = 1;
const CONTINUE = 1;
const AT_FDCWD = -100;
const RENAME_NOREPLACE = 1n;
const RENAME_EXCHANGE = 2n;

interface NamedFile {
  readonly path: string;
  readonly from: string;
  readonly place: NamePlace | null;
}

export class Listener {
  private readonly libc: Libc;
  private readonly request: ListenRequest;
  private readonly calls = watchedCalls(process.arch) ?? new Map<number, WatchedCall>();
  private readonly arch = machines[process.arch]?.arch;
  private readonly book = new Book();
  private readonly peer: Peer;
  private readonly folders: Folders;

  private listener = -1;
  private readonly byte = new Uint8Array(fixed(1));
  private readonly control = new DataView(fixed(24));
  private readonly piece = new BigUint64Array(fixed(16));
  private readonly message = new BigUint64Array(fixed(56));
  private readonly polled = new Int32Array(fixed(32));
  private readonly polledAt = ptr(this.polled);
  private readonly notice = new DataView(fixed(80));
  private readonly noticeAt = ptr(this.notice);
  private readonly answer = new DataView(fixed(24));
  private readonly answerAt = ptr(this.answer);

  constructor(libc: Libc, request: ListenRequest) {
    this.libc = libc;
    this.request = request;
    this.peer = new Peer(libc);
    this.folders = new Folders(libc, this.peer, this.book, request.root);
    this.polled[2 * SOCKET] = request.socket;
    this.polled[2 * WATCHES] = this.folders.watches;
    this.polled[2 * STOP] = request.stop;
  }

  /** Returns when the command's processes need no answers any more. */
  run(tell: (ledger: Ledger) => void): void {
    for (;;) {
      this.wait();
      const isCalled = this.isReady(LISTENER);
      if (isCalled && !this.serve()) this.hangUp();
      if (this.isReady(SOCKET)) this.takeOver();
      if (this.isReady(WATCHES) && !isCalled) this.folders.fetch();
      const goesOn = Atomics.load(this.request.goesOn, 0) !== 0;
      if (!this.isReady(STOP) || (isCalled && !goesOn)) continue;
      this.folders.fetch();
      // The other side closes these as soon as it has the ledger.
      for (const at of [SOCKET, WATCHES, STOP]) this.polled[2 * at] = -1;
      tell(this.book.handOver());
      if (goesOn) this.letPass();
      return;
    }
  }

  /** Each of their calls would fail without an answer. */
  private letPass(): void {
    while (this.listener >= 0) {
      this.wait();
      if (this.isReady(LISTENER) && !this.serve(false)) this.hangUp();
    }
  }

  /** Separate from `run`, because the kernel takes a while to release the watches. */
  close(): void {
    this.hangUp();
    this.folders.close();
  }

  private wait(): void {
    const { polled } = this;
    polled[2 * LISTENER] = this.listener;
    for (let at = 1; at < polled.length; at += 2) polled[at] = POLLIN;
    if (this.libc.poll(this.polledAt, 4, -1) < 0) for (let at = 1; at < polled.length; at += 2) polled[at] = 0;
  }

  private saidBy(at: number): number {
    return (this.polled[2 * at + 1] ?? 0) >>> 16;
  }

  private isReady(at: number): boolean {
    return this.saidBy(at) !== 0;
  }

  /** Receives the descriptor of a command that begins; the previous one has ended. */
  private takeOver(): void {
    this.hangUp();
    this.message.set([0n, 0n, BigInt(ptr(this.piece)), 1n, BigInt(ptr(this.control)), 24n, 0n]);
    this.piece.set([BigInt(ptr(this.byte)), 1n]);
    const got = this.libc.recvmsg(this.request.socket, ptr(this.message), MSG_CMSG_CLOEXEC);
    if (got <= 0 || this.message[5] === 0n) {
      // The filter could not be installed.
      this.book.isWhole = false;
      return;
    }
    this.listener = this.control.getInt32(16, true);
    // We and the waiting process take turns, so the kernel need not wake another processor (Linux 6.6).
    this.libc.ioctl(this.listener, SECCOMP_IOCTL_NOTIF_SET_FLAGS, SYNC_WAKE_UP);
  }

  private hangUp(): void {
    if (this.listener >= 0) closeSync(this.listener);
    this.listener = -1;
  }

  /** Handles one call. False when the command's processes are gone: nothing more can be received. */
  private serve(looks = true): boolean {
    if ((this.saidBy(LISTENER) & POLLIN) === 0) return false;
    for (let at = 0; at < 80; at += 8) this.notice.setBigUint64(at, 0n);
    if (this.libc.ioctl(this.listener, SECCOMP_IOCTL_NOTIF_RECV, this.noticeAt) !== 0) return true;
    try {
      if (looks) this.look();
    } catch {
      // Whatever went wrong, the command continues; only the ledger is incomplete.
      this.book.isWhole = false;
    }
    this.answer.setBigUint64(0, this.notice.getBigUint64(0, true), true);
    this.answer.setUint32(20, CONTINUE, true);
    this.libc.ioctl(this.listener, SECCOMP_IOCTL_NOTIF_SEND, this.answerAt);
    return true;
  }

  private argument(at: number): bigint {
    return this.notice.getBigUint64(32 + 8 * at, true);
  }

  private look(): void {
    // First handle the events of the command's earlier calls, so that later ones count separately.
    this.folders.fetch();
    const isKnown = this.notice.getUint32(20, true) === this.arch;
    const call = isKnown ? this.calls.get(this.notice.getUint32(16, true)) : undefined;
    if (call === undefined || call.deed === "blind") {
      this.book.isWhole = false;
      return;
    }
    const pid = this.notice.getUint32(8, true);
    this.book.settlePrevious(pid);
    const [named = null, target = null] = call.at.map((at) => this.nameIn(pid, at));
    if (named === null) return;
    if (call.deed === "move") this.lookAtMove(pid, named, target, call);
    else if (named.place !== null) this.lookAt(call, named.place, pid);
  }

  private nameIn(pid: number, { path: at, folder }: WatchedCall["at"][number]): NamedFile | null {
    const path = this.peer.pathAt(pid, this.argument(at));
    // The process is gone, or we may not read its memory.
    if (path === null && existsSync(`/proc/${pid}`)) this.book.isWhole = false;
    if (path === null || path === "") return null;
    const below = folder === undefined ? AT_FDCWD : Number(BigInt.asIntN(32, this.argument(folder)));
    const from = below === AT_FDCWD ? `/proc/${pid}/cwd` : `/proc/${pid}/fd/${below}`;
    return { path, from, place: this.folders.placeOf(path, pid, from) };
  }

  private lookAt(call: WatchedCall, place: NamePlace, pid: number): void {
    const { deed } = call;
    if (deed === "remove") {
      this.book.removes(place.watch, place.name, () => this.peer.at(pathOf(place))?.sight() ?? null);
      return;
    }
    const flags = deed === "open" ? this.flagsOf(call, pid) : 0;
    const found = this.peer.at(pathOf(place));
    // Most calls follow a symlink and change its target, wherever that is.
    if (deed !== "make" && found?.kind === "link") {
      const behind = (flags & O_NOFOLLOW) === 0 ? this.folders.behind(place, pid) : null;
      if (behind !== null) this.lookAt(call, behind, pid);
      return;
    }
    const sight = found?.sight() ?? null;
    if (!this.willBe(call, flags, found, seenBy(pid, pathOf(place)))) return;
    const account = this.book.of(place.watch, place.name);
    this.book.puts(account, sight);
    if (isForWriting(flags)) {
      if (found !== null) this.folders.watchFile(place);
      this.book.opens(pid, account);
    }
    if (found === null) account.made++;
  }

  private flagsOf({ flags, flagsAt }: WatchedCall, pid: number): number {
    if (flags !== undefined) return Number(this.argument(flags) & 0xffffffffn);
    if (flagsAt === undefined) return CREATES;
    const read = this.peer.numberAt(pid, this.argument(flagsAt));
    if (read === null) this.book.isWhole = false;
    return read ?? 0;
  }

  /** A call that will fail, or changes nothing, must not excuse changes by others. */
  private willBe({ deed }: WatchedCall, flags: number, found: PathSight | null, seen: string): boolean {
    if (deed === "make") return found === null;
    if (deed === "mode") return found !== null;
    if ((flags & O_PATH) !== 0) return false;
    if (found === null) return (flags & O_CREAT) !== 0;
    if (found.kind === "folder" || (flags & (O_CREAT | O_EXCL)) === (O_CREAT | O_EXCL)) return false;
    const changes = deed === "cut" || isForWriting(flags) || (flags & O_TRUNC) !== 0;
    return changes && this.peer.mayBeWritten(seen);
  }

  /** Failing moves are common: `mv` first tries whether the new name is free, and whether both are on one file system. */
  private lookAtMove(pid: number, named: NamedFile, goal: NamedFile | null, { how }: WatchedCall): void {
    const [from, to] = [named.place, goal?.place ?? null];
    if (goal === null || this.mountOf(pid, named) !== this.mountOf(pid, goal)) return;
    if (from === null) this.lookAtOuter(pid, named);
    if (from === null && to === null) return;
    const source = this.peer.at(from === null ? seenAs(pid, named) : pathOf(from));
    if (source === null) return;
    const first = source.sight();
    const flags = how === undefined ? 0n : this.argument(how);
    const existing = to && this.peer.at(pathOf(to));
    if (existing !== null && (flags & RENAME_NOREPLACE) !== 0n) return;
    const account = from && this.book.of(from.watch, from.name);
    // Changes by others to the content move along.
    if (account !== null) this.book.meets(account, first);
    const target = to && this.book.of(to.watch, to.name);
    if (target !== null) this.book.puts(target, existing?.sight() ?? null);
    if (account !== target) this.book.moves(pid, account, target, first.ino, source.kind === "folder");
    // An exchange is so rare that its effect is not tracked.
    if ((flags & RENAME_EXCHANGE) !== 0n) this.book.isWhole = false;
  }

  /** Handles a move of the workspace or one of its parent directories. */
  private lookAtOuter(pid: number, named: NamedFile): void {
    const seen = seenAs(pid, named);
    const moved = this.peer.at(seen)?.kind === "folder" ? this.folders.rootIn(seen) : null;
    if (moved !== null) this.book.folderMoved(moved);
  }

  private mountOf(pid: number, { path, from }: NamedFile): bigint | null {
    const above = path.replace(/\/+$/, "").replace(/[^/]+$/, "");
    return this.peer.mountOf(seenBy(pid, path.startsWith("/") ? above : `${from}/${above}`));
  }
}

/** The path as the process sees it: a sandbox has the workspace at the same path, but parts of it may be read-only there. */
function seenBy(pid: number, path: string): string {
  return path.startsWith("/proc/") ? path : `/proc/${pid}/root${path}`;
}

function seenAs(pid: number, { path, from }: NamedFile): string {
  return seenBy(pid, path.startsWith("/") ? path : `${from}/${path}`);
}

/** Only these modes lead to a close-after-write event. */
function isForWriting(flags: number): boolean {
  return (flags & 3) === 1 || (flags & 3) === 2;
}
