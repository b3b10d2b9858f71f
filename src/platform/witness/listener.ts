// Answers the kernel, which holds each call of a command that changes files until we have seen what it is about. Before the call
// goes on, the folder is watched and the file is looked at: whatever happens to it from then on is counted.
import { closeSync, existsSync } from "node:fs";
import { machines } from "../sandbox/linux/syscalls.ts";
import { CREATES, O_CREAT, O_EXCL, O_NOFOLLOW, O_PATH, O_TRUNC, type WatchedCall, watchedCalls } from "./calls.ts";
import { Folders, type NamePlace, pathOf } from "./folders.ts";
import { Book, type Ledger } from "./ledger.ts";
import { fixed, type Libc, ptr } from "./libc.ts";
import { type PathSight, Peer } from "./peer.ts";

export interface ListenRequest {
  /** Through which the starter hands over its end. */
  readonly socket: number;
  /** Readable when the command is over and looked at. */
  readonly stop: number;
  /** Real path of the workspace. */
  readonly root: string;
}

const POLLIN = 1;
/** Places among what is waited for. */
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

/** A file as a call names it. */
interface NamedFile {
  readonly path: string;
  /** Where relative paths begin. */
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

  /** Until it is stopped; then what it has seen. */
  run(): Ledger {
    for (;;) {
      this.wait();
      const isCalled = this.isReady(LISTENER);
      if (isCalled && !this.serve()) this.hangUp();
      if (this.isReady(SOCKET)) this.takeOver();
      if (this.isReady(WATCHES) && !isCalled) this.folders.fetch();
      if (!this.isReady(STOP) || isCalled) continue;
      this.folders.fetch();
      return this.book.handOver();
    }
  }

  /** The kernel takes a while to forget what was watched. */
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

  /** The end of a command that begins; the one before has ended. */
  private takeOver(): void {
    this.hangUp();
    this.message.set([0n, 0n, BigInt(ptr(this.piece)), 1n, BigInt(ptr(this.control)), 24n, 0n]);
    this.piece.set([BigInt(ptr(this.byte)), 1n]);
    const got = this.libc.recvmsg(this.request.socket, ptr(this.message), MSG_CMSG_CLOEXEC);
    if (got <= 0 || this.message[5] === 0n) {
      // Where no such filter can be set.
      this.book.isWhole = false;
      return;
    }
    this.listener = this.control.getInt32(16, true);
    // The one that waits and we take turns: no other processor need be woken (Linux 6.6).
    this.libc.ioctl(this.listener, SECCOMP_IOCTL_NOTIF_SET_FLAGS, SYNC_WAKE_UP);
  }

  private hangUp(): void {
    if (this.listener >= 0) closeSync(this.listener);
    this.listener = -1;
  }

  /** One call. False when all of the command are gone: nothing can be read from it any more. */
  private serve(): boolean {
    if ((this.saidBy(LISTENER) & POLLIN) === 0) return false;
    for (let at = 0; at < 80; at += 8) this.notice.setBigUint64(at, 0n);
    if (this.libc.ioctl(this.listener, SECCOMP_IOCTL_NOTIF_RECV, this.noticeAt) !== 0) return true;
    try {
      this.look();
    } catch {
      // Whatever went wrong, the command goes on; only nobody can say any more what it did.
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
    // What the command did before is told by now: what comes later is counted in its turn.
    this.folders.fetch();
    const isKnown = this.notice.getUint32(20, true) === this.arch;
    const call = isKnown ? this.calls.get(this.notice.getUint32(16, true)) : undefined;
    if (call === undefined || call.deed === "blind") {
      this.book.isWhole = false;
      return;
    }
    const pid = this.notice.getUint32(8, true);
    this.book.goesOn(pid);
    const [named = null, target = null] = call.at.map((at) => this.nameIn(pid, at));
    if (named === null) return;
    if (call.deed === "move") this.lookAtMove(pid, named, target, call);
    else if (named.place !== null) this.lookAt(call, named.place, pid);
  }

  private nameIn(pid: number, { path: at, folder }: WatchedCall["at"][number]): NamedFile | null {
    const path = this.peer.pathAt(pid, this.argument(at));
    // A process that is gone, or one that we may not look into.
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
    // A link is followed by most calls: what changes is what it leads to, wherever that is.
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

  /** A call that fails, or changes nothing, must not excuse the work of somebody else. */
  private willBe({ deed }: WatchedCall, flags: number, found: PathSight | null, seen: string): boolean {
    if (deed === "make") return found === null;
    if (deed === "mode") return found !== null;
    if ((flags & O_PATH) !== 0) return false;
    if (found === null) return (flags & O_CREAT) !== 0;
    if (found.kind === "folder" || (flags & (O_CREAT | O_EXCL)) === (O_CREAT | O_EXCL)) return false;
    const changes = deed === "cut" || isForWriting(flags) || (flags & O_TRUNC) !== 0;
    return changes && this.peer.mayBeWritten(seen);
  }

  /** Those that fail are common: `mv` tries first whether the new name is free, and whether both lie on one disk. */
  private lookAtMove(pid: number, named: NamedFile, goal: NamedFile | null, { how }: WatchedCall): void {
    const [from, to] = [named.place, goal?.place ?? null];
    if (goal === null || this.mountOf(pid, named) !== this.mountOf(pid, goal)) return;
    if (from === null) this.lookAtOuter(pid, named);
    if (from === null && to === null) return;
    const source = this.peer.at(from === null ? seenAs(pid, named) : pathOf(from));
    if (source === null) return;
    const first = source.sight();
    const flags = how === undefined ? 0n : this.argument(how);
    const taken = to && this.peer.at(pathOf(to));
    if (taken !== null && (flags & RENAME_NOREPLACE) !== 0n) return;
    const account = from && this.book.of(from.watch, from.name);
    // What somebody else wrote into it goes along.
    if (account !== null) this.book.meets(account, first);
    const target = to && this.book.of(to.watch, to.name);
    if (target !== null) this.book.puts(target, taken?.sight() ?? null);
    if (account !== target) this.book.moves(pid, account, target, first.ino, source.kind === "folder");
    // Nearly nobody does that: what is then where is left open.
    if ((flags & RENAME_EXCHANGE) !== 0n) this.book.isWhole = false;
  }

  /** The workspace is moved, or a folder above it. */
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

/** The workspace has the same place in a sandbox as outside, but there some of it cannot be written. */
function seenBy(pid: number, path: string): string {
  return path.startsWith("/proc/") ? path : `/proc/${pid}/root${path}`;
}

function seenAs(pid: number, { path, from }: NamedFile): string {
  return seenBy(pid, path.startsWith("/") ? path : `${from}/${path}`);
}

/** Only what was opened so is told to be closed after writing. */
function isForWriting(flags: number): boolean {
  return (flags & 3) === 1 || (flags & 3) === 2;
}
