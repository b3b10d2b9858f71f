// What a command did to names, and what became of them: kept by the thread that listens, and handed over when the command is over.
// By the count of both it is told whether anybody else had a hand in it.

/** As a file was when the command first laid hands on it; `null` = there was none. */
export interface FirstSight {
  readonly ino: number;
  readonly size: number;
  readonly mtime: number;
  readonly mtimeNs: number;
}

/** Of one name in one folder. */
export interface Account {
  /** `undefined` = not looked at. */
  first: FirstSight | null | undefined;
  /** The command put something there. */
  isPut: boolean;
  /** Others had a hand in it, or in what the command moved there. */
  isTainted: boolean;
  /** The number of what the command moved there last, and has not taken away since. */
  holds: number | null;
  /** What it is about to move there: from which name (`null` = from outside), and the number of it. */
  awaits: { readonly from: Account | null; readonly ino: number; readonly isFolder: boolean }[];
  /** How often it gave what was there another name, and how often one outside that was not told yet. */
  left: number;
  leaves: number;
  /** What else the command did, at most: a call may have failed. Openings for writing are those of the file that is there now. */
  opened: number;
  /** Those of which nothing was told yet. */
  readonly openings: { isTold: boolean }[];
  made: number;
  removed: number;
  /** What happened to it, by whomever. */
  closed: number;
  appeared: number;
  vanished: number;
}

/** Of the kernel, as it tells of a folder. */
const told = {
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
  /** Real, each byte as one character. */
  readonly path: string;
  isGone: boolean;
}

/** As it is handed over. A command may take away 100,000 files: all that belongs to a name lies in a few numbers. */
export interface Ledger {
  /** Nothing that the command did was missed. */
  readonly isWhole: boolean;
  /** Each with the names in it, a NUL after each, and the place of the first of them among all names. */
  readonly folders: readonly (LedgerFolder & { readonly names: string; readonly start: number })[];
  /** Two for each name: `putBit` and `sharedBit`; the place of its first sight or `unseen`. */
  readonly rows: Int32Array;
  /** Numbers, size and time of each. */
  readonly firsts: Float64Array;
  /** By name, the number of what the command moved there last. */
  readonly holds: ReadonlyMap<number, number>;
  /** From which name to which, two for each, in their order. */
  readonly moves: Int32Array;
  /** Numbers of the folders that the command gave another name. */
  readonly moved: readonly number[];
}

export const nothingDone: Ledger = {
  ...{ isWhole: true, folders: [], rows: new Int32Array(), firsts: new Float64Array() },
  ...{ holds: new Map<number, number>(), moves: new Int32Array(), moved: [] },
};

/** The command put something there. */
export const putBit = 1;
/** Others had a hand in it. */
export const sharedBit = 2;
export const rowWidth = 2;
export const sightWidth = 4;
/** Nothing was there. */
const none = -1;
/** The command took it away without our looking. */
export const unseen = -2;

/** What is known of the names in one folder. */
interface FolderNames {
  /** What was only removed is a number (see `removedAs`). */
  readonly accounts: Map<string, Account | number>;
  /** As such files were: `sightWidth` numbers for each. */
  readonly sights: number[];
}

/** Of a folder that is gone, and in which names were only removed: nothing can happen there any more. */
interface ShutNames {
  /** A NUL between two. */
  readonly text: string;
  readonly bits: Uint8Array;
}

export class Book {
  isWhole = true;
  private readonly folders = new Map<number, LedgerFolder>();
  private readonly names = new Map<number, FolderNames>();
  private readonly shut = new Map<number, ShutNames>();
  private readonly moved = new Set<number>();
  /** What the kernel has said to be on its way: messages of other folders may lie between that and where it came to. */
  private readonly leaving = new Map<number, Leaving>();
  private readonly arrived: (readonly [from: Account, to: Account])[] = [];
  /** What the last call of each process was to do: whether it did is told before its next one. */
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

  /** Nothing is told of it after that: a name in it that was only removed takes a few bytes from then on. */
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

  /** The account of a name, which the command is about to do something with. */
  of(watch: number, name: string): Account {
    const names = this.names.get(watch);
    const known = names?.accounts.get(name);
    if (typeof known === "object") return known;
    const account = newAccount(known, sightOf(known, names));
    names?.accounts.set(name, account);
    return account;
  }

  /** `look`: as it is before that. */
  removes(watch: number, name: string, look: () => FirstSight | null): void {
    const names = this.names.get(watch);
    const known = names?.accounts.get(name);
    if (typeof known === "object") {
      mustHold(known, look);
      known.removed++;
    } else names?.accounts.set(name, (known ?? removedAs(noted(look(), names))) + 1);
  }

  /** `found`: what is there as the command comes to it. */
  puts(account: Account, found: FirstSight | null): void {
    this.meets(account, found);
    account.isPut = true;
  }

  meets(account: Account, found: FirstSight | null): void {
    mustHold(account, () => found);
    const isNew = !account.isPut && account.removed + account.left === 0;
    if (isNew) account.first = found;
  }

  opens(pid: number, account: Account): void {
    account.opened++;
    const opening = { isTold: false };
    account.openings.push(opening);
    this.begun.set(pid, () => {
      if (!opening.isTold) account.opened = Math.max(0, account.opened - 1);
    });
  }

  /** `null` = outside of what is watched. */
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

  /** A process does something else: a call of it that failed excuses nothing that others do. */
  goesOn(pid: number): void {
    this.begun.get(pid)?.();
    this.begun.delete(pid);
  }

  folderMoved(ino: number): void {
    this.moved.add(ino);
  }

  /** The command has it open, as far as we know. */
  isOpen(watch: number, name: string): boolean {
    const known = this.names.get(watch)?.accounts.get(name);
    return typeof known === "object" && known.opened > known.closed;
  }

  /** What the kernel tells of a name, in order. One that the command has not touched yet is looked at when it does. */
  tell(watch: number, mask: number, name: string, cookie: number): void {
    const accounts = this.names.get(watch)?.accounts;
    const known = accounts?.get(name);
    if (typeof known === "number" && mask & (told.deleted | told.opened)) {
      if (mask & told.deleted) accounts?.set(name, known - 1);
      return;
    }
    const account = known === undefined ? null : this.of(watch, name);
    if (mask & told.movedTo) this.arrives(cookie, account);
    if (account === null) return;
    if (mask & told.opened) {
      for (const opening of account.openings) opening.isTold = true;
      account.openings.length = 0;
    } else if (mask & told.closedAfterWriting) account.closed++;
    else if (mask & told.created) account.appeared++;
    else if (mask & told.deleted) {
      account.vanished++;
      letGo(account);
    } else if (mask & told.movedFrom) this.leaving.set(cookie, letGo(account));
  }

  /** Only what the command meant to move from there to here is its own deed. */
  private arrives(cookie: number, to: Account | null): void {
    const source = this.leaving.get(cookie);
    this.leaving.delete(cookie);
    const from = source?.account ?? null;
    const at = to?.awaits.findIndex((one) => one.from === from) ?? -1;
    const [deed] = at < 0 ? [] : (to?.awaits.splice(at, 1) ?? []);
    if (to !== null) letGo(to);
    if (to === null || deed === undefined) {
      for (const one of [from, to]) if (one !== null) one.isTainted = true;
      return;
    }
    to.holds = deed.ino;
    if (source === undefined) return;
    if (deed.isFolder) this.folderMoved(deed.ino);
    // It takes along what others did to it before, and not what they do with its old name later.
    to.isTainted ||= source.isTainted;
    // What was opened under the one name may be closed under the other.
    to.opened = source.opened;
    to.closed = source.closed;
    this.arrived.push([source.account, to]);
  }

  handOver(): Ledger {
    for (const pid of [...this.begun.keys()]) this.goesOn(pid);
    // Those that came nowhere have left what is watched.
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

function noted(sight: FirstSight | null, names: FolderNames | undefined): number {
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

/**
 * How often the command removed a name more than it happened, and the place of what was there first: a command may take away
 * 100,000 files, and that is all that counts.
 */
function removedAs(place: number): number {
  return (place + 1) * mostRemoved + mostRemoved / 2;
}

function surplusOf(removed: number): number {
  return (removed % mostRemoved) - mostRemoved / 2;
}

const mostRemoved = 2 ** 20;

/** `known`: of a name that was only removed. */
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

/**
 * Another file is there than the command had moved there. The kernel joins two messages that say the same and follow each other:
 * somebody else's, of what was moved there right after it, may be missing.
 */
function mustHold(account: Account, look: () => FirstSight | null): void {
  if (account.holds === null || account.awaits.length > 0) return;
  if (look()?.ino !== account.holds) account.isTainted = true;
}

/** The file goes from there. Who has it open may go on with it: nothing of that is told under this name any more. */
function letGo(account: Account): Leaving {
  account.isTainted = isShared(account);
  const { isTainted, opened, closed } = account;
  account.opened = 0;
  account.closed = 0;
  account.holds = null;
  return { account, isTainted, opened, closed };
}

/** More happened than the command can have done. */
function isShared(account: Account): boolean {
  return (
    account.isTainted ||
    account.closed > account.opened ||
    account.appeared > account.made ||
    account.vanished > account.removed
  );
}
