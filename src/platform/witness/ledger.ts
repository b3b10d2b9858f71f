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
  /** What it moved there last was here before. */
  origin: Account | null;
  /** Others had a hand in what it moved there. */
  isTainted: boolean;
  /** What the command did, at most: a call may have failed. */
  opened: number;
  made: number;
  removed: number;
  left: number;
  came: number;
  /** What happened to it, by whomever. */
  closed: number;
  appeared: number;
  vanished: number;
  wentAway: number;
  arrived: number;
}

/** Of the kernel, as it tells of a folder. */
const told = {
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
  /** Three for each name: `putBit` and `sharedBit`; the place of its first sight or `unseen`; the name it came from or `none`. */
  readonly rows: Int32Array;
  /** Numbers, size and time of each. */
  readonly firsts: Float64Array;
  /** Numbers of the folders that the command gave another name. */
  readonly moved: readonly number[];
}

export const nothingDone: Ledger = {
  ...{ isWhole: true, folders: [], rows: new Int32Array(), firsts: new Float64Array(), moved: [] },
};

/** The command put something there. */
export const putBit = 1;
/** Others had a hand in it. */
export const sharedBit = 2;
export const rowWidth = 3;
export const sightWidth = 4;
/** Nothing was there; it was not moved. */
const none = -1;
/** The command took it away without our looking. */
export const unseen = -2;

export class Book {
  isWhole = true;
  private readonly folders = new Map<number, LedgerFolder>();
  /** What was only removed is a number (see `removedAs`). */
  private readonly accounts = new Map<number, Map<string, Account | number>>();
  /** As such files were: `sightWidth` numbers for each. */
  private readonly sights: number[] = [];
  private readonly moved = new Set<number>();
  /** What the kernel has said to be on its way. */
  private leaving: { readonly cookie: number; readonly account: Account } | null = null;

  hasFolder(watch: number): boolean {
    return this.folders.has(watch);
  }

  addFolder(watch: number, folder: LedgerFolder): void {
    this.folders.set(watch, folder);
    this.accounts.set(watch, new Map());
  }

  folderGone(watch: number): void {
    const folder = this.folders.get(watch);
    if (folder !== undefined) folder.isGone = true;
  }

  /** The account of a name, which the command is about to do something with. */
  of(watch: number, name: string): Account {
    const known = this.accounts.get(watch)?.get(name);
    if (typeof known === "object") return known;
    const account = newAccount(known, this.sightOf(known));
    this.accounts.get(watch)?.set(name, account);
    return account;
  }

  /** `look`: as it is before that. */
  removes(watch: number, name: string, look: () => FirstSight | null): void {
    const known = this.accounts.get(watch)?.get(name);
    if (typeof known === "object") known.removed++;
    else this.accounts.get(watch)?.set(name, (known ?? removedAs(this.noted(look()))) + 1);
  }

  private noted(sight: FirstSight | null): number {
    if (sight === null) return none;
    return this.sights.push(sight.ino, sight.size, sight.mtime, sight.mtimeNs) / sightWidth - 1;
  }

  private sightOf(known: number | undefined): FirstSight | null | undefined {
    if (known === undefined) return undefined;
    const at = Math.floor(known / mostRemoved) - 1;
    if (at === none) return null;
    const [ino = 0, size = 0, mtime = 0, mtimeNs = 0] = this.sights.slice(sightWidth * at, sightWidth * (at + 1));
    return { ino, size, mtime, mtimeNs };
  }

  moves(from: Account, to: Account): void {
    from.left++;
    to.came++;
    to.origin = from;
  }

  folderMoved(ino: number): void {
    this.moved.add(ino);
  }

  /** What the kernel tells of a name, in order. One that the command has not touched yet is looked at when it does. */
  tell(watch: number, mask: number, name: string, cookie: number): void {
    const known = this.accounts.get(watch)?.get(name);
    if (mask & told.movedFrom) this.leaving = null;
    if (known === undefined) return;
    if (typeof known === "number" && mask & told.deleted) {
      this.accounts.get(watch)?.set(name, known - 1);
      return;
    }
    const account = this.of(watch, name);
    if (mask & told.closedAfterWriting) account.closed++;
    else if (mask & told.created) account.appeared++;
    else if (mask & told.deleted) account.vanished++;
    else if (mask & told.movedFrom) {
      account.wentAway++;
      this.leaving = { cookie, account };
    } else if (mask & told.movedTo) {
      account.arrived++;
      if (this.leaving?.cookie === cookie) follow(this.leaving.account, account);
    }
  }

  handOver(): Ledger {
    const all = [...this.accounts.values()].flatMap((accounts) => [...accounts.values()]);
    const places = new Map<Account, number>();
    for (const [at, account] of all.entries())
      if (typeof account === "object" && account.left > 0) places.set(account, at);
    const rows = new Int32Array(rowWidth * all.length);
    const firsts: number[] = [];
    for (const [at, account] of all.entries()) rows.set(rowOf(account, places, firsts), rowWidth * at);
    let start = 0;
    const folders = [...this.folders].map(([watch, folder]) => {
      const names = [...(this.accounts.get(watch)?.keys() ?? [])];
      start += names.length;
      return { ...folder, names: names.join("\0"), start: start - names.length };
    });
    return { isWhole: this.isWhole, folders, rows, firsts: Float64Array.from(firsts), moved: [...this.moved] };
  }
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

/** `removed`: what is known of a name that was only removed. */
function newAccount(known: number | undefined, first: Account["first"]): Account {
  const times = known === undefined ? 0 : 1;
  const removed = known === undefined ? 0 : surplusOf(known);
  return {
    ...{ first, isPut: false, origin: null, isTainted: false },
    ...{ opened: 0, made: 0, removed: times + Math.max(0, removed), left: 0, came: 0 },
    ...{ closed: 0, appeared: 0, vanished: times + Math.max(0, -removed), wentAway: 0, arrived: 0 },
  };
}

function rowOf(account: Account | number, places: ReadonlyMap<Account, number>, firsts: number[]): readonly number[] {
  if (typeof account === "number") return [surplusOf(account) < 0 ? sharedBit : 0, unseen, none];
  const { first, origin, isPut, isTainted } = account;
  const bits = (isPut ? putBit : 0) | (isTainted || isShared(account) ? sharedBit : 0);
  const from = origin === null ? none : (places.get(origin) ?? none);
  if (!first) return [bits, first === null ? none : unseen, from];
  const place = firsts.push(first.ino, first.size, first.mtime, first.mtimeNs) / sightWidth - 1;
  return [bits, place, from];
}

/**
 * A file takes along what others did to it before it was moved, and not what they do with its old name later. What was opened
 * under the one name may be closed under the other.
 */
function follow(from: Account, to: Account): void {
  to.isTainted = from.isTainted || isShared(from);
  to.opened += from.opened;
  to.closed += from.closed;
  from.opened = 0;
  from.closed = 0;
}

/** More happened than the command can have done. */
function isShared(account: Account): boolean {
  return (
    account.closed > account.opened ||
    account.appeared > account.made ||
    account.vanished > account.removed ||
    account.wentAway > account.left ||
    account.arrived > account.came
  );
}
