// Records the command's calls on names, and the kernel's events about the same names. The listener thread fills it and hands it over at the
// end.
// More events than calls prove that somebody else changed a file too.

/** State of a file before the command's first change; `null`: it did not exist. */
export interface FirstSight {
  readonly ino: number;
  readonly size: number;
  readonly mtime: number;
  readonly mtimeNs: number;
}

export interface Account {
  /** `undefined`: unknown. */
  first: FirstSight | null | undefined;
  /** The command created, wrote or moved something there. */
  isPut: boolean;
  /** Somebody else changed it, or changed what the command moved there. */
  isTainted: boolean;
  /** Inode of the file that the command last moved there and has not moved away since. */
  holds: number | null;
  /** Pending moves to this name: from which name (`null`: from outside), and which inode. */
  awaits: { readonly from: Account | null; readonly ino: number; readonly isFolder: boolean }[];
  /** Number of moves away from this name, and how many of them went outside and have no event yet. */
  left: number;
  leaves: number;
  /** Upper bounds of other calls, as a call may have failed. `opened` counts openings for writing of the current file. */
  opened: number;
  /** Openings without an event so far. */
  readonly openings: { hasEvent: boolean }[];
  made: number;
  removed: number;
  /** Number of events, whoever caused them. */
  closed: number;
  appeared: number;
  vanished: number;
}

const eventBits = {
  opened: 0x20,
  closedAfterWriting: 0x8,
  movedFrom: 0x40,
  movedTo: 0x80,
  created: 0x100,
  deleted: 0x200,
} as const;

export interface LedgerFolder {
  readonly dev: number;
  readonly ino: number;
  /** Real path in Latin-1, one character per byte. */
  readonly path: string;
  isGone: boolean;
}

/** The compact form for the handover: a command may delete 100,000 files, so each name takes only a few numbers. */
export interface Ledger {
  /** No call of the command was missed. */
  readonly isWhole: boolean;
  /** Each with its names, separated by NUL, and the index of the first of them among all names. */
  readonly folders: readonly (LedgerFolder & { readonly names: string; readonly start: number })[];
  /** Two per name: `putBit` and `sharedBit`; index of its first sight, or `unseen`. */
  readonly rows: Int32Array;
  /** `sightWidth` numbers each: inode, size and time. */
  readonly firsts: Float64Array;
  /** By name index, the inode that the command last moved there. */
  readonly holds: ReadonlyMap<number, number>;
  /** Pairs of name indices, from and to, in order. */
  readonly moves: Int32Array;
  readonly moved: readonly number[];
}

export const nothingDone: Ledger = {
  ...{ isWhole: true, folders: [], rows: new Int32Array(), firsts: new Float64Array() },
  ...{ holds: new Map<number, number>(), moves: new Int32Array(), moved: [] },
};

/** The command created, wrote or moved something there. */
export const putBit = 1;
/** Somebody else changed it too. */
export const sharedBit = 2;
export const rowWidth = 2;
export const sightWidth = 4;
/** The file did not exist. */
const none = -1;
/** The command removed the file before we looked at it. */
export const unseen = -2;

interface FolderNames {
  /** A name that was only removed is a number (see `removedAs`). */
  readonly accounts: Map<string, Account | number>;
  /** First sights of such names: `sightWidth` numbers each. */
  readonly sights: number[];
}

/** Names of a deleted folder that were only removed: there are no more events for them. */
interface ShutNames {
  readonly text: string;
  readonly bits: Uint8Array;
}

export class Book {
  isWhole = true;
  private readonly folders = new Map<number, LedgerFolder>();
  private readonly names = new Map<number, FolderNames>();
  private readonly shut = new Map<number, ShutNames>();
  private readonly moved = new Set<number>();
  /** Departures by inotify cookie: events of other folders may come between a departure and its arrival. */
  private readonly leaving = new Map<number, Leaving>();
  private readonly arrived: (readonly [from: Account, to: Account])[] = [];
  /** Per process, a check whether its last call succeeded: its events arrive before the next call. */
  private readonly begun = new Map<number, () => void>();

  hasFolder(watch: number): boolean {
    return this.folders.has(watch);
  }

  addFolder(watch: number, folder: LedgerFolder): void {
    this.folders.set(watch, folder);
    this.names.set(watch, { accounts: new Map(), sights: [] });
  }

  pathOf(watch: number): string | null {
    return this.folders.get(watch)?.path ?? null;
  }

  /** A deleted folder has no more events, so names that were only removed can be compacted. */
  folderGone(watch: number): void {
    const folder = this.folders.get(watch);
    if (folder !== undefined) folder.isGone = true;
    const accounts = this.names.get(watch)?.accounts;
    if (accounts === undefined) return;
    const removed = [...accounts.values()].filter((account) => typeof account === "number");
    if (removed.length < accounts.size) return;
    this.shut.set(watch, { text: [...accounts.keys()].join("\0"), bits: Uint8Array.from(removed, bitsOf) });
    this.names.delete(watch);
  }

  /** The account of a name that the command is about to change. */
  of(watch: number, name: string): Account {
    const names = this.names.get(watch);
    const known = names?.accounts.get(name);
    if (typeof known === "object") return known;
    const account = newAccount(known, sightOf(known, names));
    names?.accounts.set(name, account);
    return account;
  }

  /** `look`: returns the state before the removal. */
  removes(watch: number, name: string, look: () => FirstSight | null): void {
    const names = this.names.get(watch);
    const known = names?.accounts.get(name);
    if (typeof known === "object") {
      taintUnlessHeld(known, look);
      known.removed++;
    } else names?.accounts.set(name, (known ?? removedAs(storeSight(look(), names))) + 1);
  }

  /** `found`: the current state. */
  puts(account: Account, found: FirstSight | null): void {
    this.meets(account, found);
    account.isPut = true;
  }

  meets(account: Account, found: FirstSight | null): void {
    taintUnlessHeld(account, () => found);
    const isNew = !account.isPut && account.removed + account.left === 0;
    if (isNew) account.first = found;
  }

  opens(pid: number, account: Account): void {
    account.opened++;
    const opening = { hasEvent: false };
    account.openings.push(opening);
    this.begun.set(pid, () => {
      if (!opening.hasEvent) account.opened = Math.max(0, account.opened - 1);
    });
  }

  moves(pid: number, from: Account | null, to: Account | null, ino: number, isFolder: boolean): void {
    if (from !== null) from.left++;
    const deed = { from, ino, isFolder };
    if (to === null && from !== null) from.leaves++;
    if (to === null && isFolder) this.folderMoved(ino);
    to?.awaits.push(deed);
    this.begun.set(pid, () => {
      if (to?.awaits.includes(deed)) to.awaits = to.awaits.filter((one) => one !== deed);
    });
  }

  /** Settles the previous call of a process: a failed call must not excuse changes by others. */
  settlePrevious(pid: number): void {
    this.begun.get(pid)?.();
    this.begun.delete(pid);
  }

  folderMoved(ino: number): void {
    this.moved.add(ino);
  }

  /** Whether the command has it open, as far as we know. */
  isOpen(watch: number, name: string): boolean {
    const known = this.names.get(watch)?.accounts.get(name);
    return typeof known === "object" && known.opened > known.closed;
  }

  /** Handles events in order. A name without an account is looked at when the command first touches it. */
  tell(watch: number, mask: number, name: string, cookie: number): void {
    const accounts = this.names.get(watch)?.accounts;
    const known = accounts?.get(name);
    if (typeof known === "number" && mask & (eventBits.deleted | eventBits.opened)) {
      if (mask & eventBits.deleted) accounts?.set(name, known - 1);
      return;
    }
    const account = known === undefined ? null : this.of(watch, name);
    if (mask & eventBits.movedTo) this.arrives(cookie, account);
    if (account === null) return;
    if (mask & eventBits.opened) {
      for (const opening of account.openings) opening.hasEvent = true;
      account.openings.length = 0;
    } else if (mask & eventBits.closedAfterWriting) account.closed++;
    else if (mask & eventBits.created) account.appeared++;
    else if (mask & eventBits.deleted) {
      account.vanished++;
      release(account);
    } else if (mask & eventBits.movedFrom) this.leaving.set(cookie, release(account));
  }

  /** An arrival counts as the command's only if the command had a pending move between exactly these names. */
  private arrives(cookie: number, to: Account | null): void {
    const source = this.leaving.get(cookie);
    this.leaving.delete(cookie);
    const from = source?.account ?? null;
    const at = to?.awaits.findIndex((one) => one.from === from) ?? -1;
    const [deed] = at < 0 ? [] : (to?.awaits.splice(at, 1) ?? []);
    if (to !== null) release(to);
    if (to === null || deed === undefined) {
      for (const one of [from, to]) if (one !== null) one.isTainted = true;
      return;
    }
    to.holds = deed.ino;
    if (source === undefined) return;
    if (deed.isFolder) this.folderMoved(deed.ino);
    // Takes over the taint from before the move, but not changes of the old name afterwards.
    to.isTainted ||= source.isTainted;
    // A file opened under the old name may be closed under the new one.
    to.opened = source.opened;
    to.closed = source.closed;
    this.arrived.push([source.account, to]);
  }

  handOver(): Ledger {
    for (const pid of [...this.begun.keys()]) this.settlePrevious(pid);
    // Departures without an arrival left the watched folders.
    for (const { account } of this.leaving.values()) if (account.leaves-- <= 0) account.isTainted = true;
    const rows = new Int32Array(rowWidth * this.countNames());
    const firsts: number[] = [];
    const holds = new Map<number, number>();
    const places = new Map<Account, number>();
    const add = (row: readonly number[]): number => {
      rows.set(row, rowWidth * at);
      return at++;
    };
    let at = 0;
    const folders = [...this.folders].map(([watch, folder]) => {
      const start = at;
      const shut = this.shut.get(watch);
      for (const bits of shut?.bits ?? []) add([bits, unseen]);
      const accounts = this.names.get(watch)?.accounts ?? new Map<string, Account>();
      for (const account of accounts.values()) {
        const place = add(rowOf(account, firsts));
        if (typeof account === "number") continue;
        places.set(account, place);
        if (account.holds !== null) holds.set(place, account.holds);
      }
      return { ...folder, names: shut?.text ?? [...accounts.keys()].join("\0"), start };
    });
    const moves = Int32Array.from(this.arrived.flat(), (account) => places.get(account) ?? none);
    const { isWhole, moved } = this;
    return { isWhole, folders, rows, firsts: Float64Array.from(firsts), holds, moves, moved: [...moved] };
  }

  private countNames(): number {
    const open = [...this.names.values()].reduce((sum, { accounts }) => sum + accounts.size, 0);
    return [...this.shut.values()].reduce((sum, { bits }) => sum + bits.length, open);
  }
}

function storeSight(sight: FirstSight | null, names: FolderNames | undefined): number {
  if (sight === null || names === undefined) return none;
  return names.sights.push(sight.ino, sight.size, sight.mtime, sight.mtimeNs) / sightWidth - 1;
}

function sightOf(known: number | undefined, names: FolderNames | undefined): FirstSight | null | undefined {
  if (known === undefined || names === undefined) return undefined;
  const at = Math.floor(known / mostRemoved) - 1;
  if (at === none) return null;
  const [ino = 0, size = 0, mtime = 0, mtimeNs = 0] = names.sights.slice(sightWidth * at, sightWidth * (at + 1));
  return { ino, size, mtime, mtimeNs };
}

interface Leaving extends Pick<Account, "isTainted" | "opened" | "closed"> {
  readonly account: Account;
}

/** The surplus of removals over delete events and the index of the first sight in one number, as there may be 100,000. */
function removedAs(place: number): number {
  return (place + 1) * mostRemoved + mostRemoved / 2;
}

function surplusOf(removed: number): number {
  return (removed % mostRemoved) - mostRemoved / 2;
}

const mostRemoved = 2 ** 20;

/** `known`: the packed number of a name that was only removed. */
function newAccount(known: number | undefined, first: Account["first"]): Account {
  const times = known === undefined ? 0 : 1;
  const removed = known === undefined ? 0 : surplusOf(known);
  return {
    ...{ first, isPut: false, isTainted: false, holds: null, awaits: [], left: 0, leaves: 0 },
    ...{ opened: 0, openings: [], made: 0, removed: times + Math.max(0, removed) },
    ...{ closed: 0, appeared: 0, vanished: times + Math.max(0, -removed) },
  };
}

function bitsOf(removed: number): number {
  return surplusOf(removed) < 0 ? sharedBit : 0;
}

function rowOf(account: Account | number, firsts: number[]): readonly number[] {
  if (typeof account === "number") return [bitsOf(account), unseen];
  const { first, isPut } = account;
  const bits = (isPut ? putBit : 0) | (isShared(account) ? sharedBit : 0);
  if (!first) return [bits, first === null ? none : unseen];
  return [bits, firsts.push(first.ino, first.size, first.mtime, first.mtimeNs) / sightWidth - 1];
}

/** Taints a name that holds another file than the command moved there: inotify may have merged somebody else's event. */
function taintUnlessHeld(account: Account, look: () => FirstSight | null): void {
  if (account.holds === null || account.awaits.length > 0) return;
  if (look()?.ino !== account.holds) account.isTainted = true;
}

/** The file moves away. A process that has it open may write on, without any further event for this name. */
function release(account: Account): Leaving {
  account.isTainted = isShared(account);
  const { isTainted, opened, closed } = account;
  account.opened = 0;
  account.closed = 0;
  account.holds = null;
  return { account, isTainted, opened, closed };
}

/** More events than the command's calls explain. */
function isShared(account: Account): boolean {
  return (
    account.isTainted ||
    account.closed > account.opened ||
    account.appeared > account.made ||
    account.vanished > account.removed
  );
}
