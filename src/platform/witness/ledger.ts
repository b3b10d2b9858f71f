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
  /** `undefined` = not looked at: the command began with taking it away. */
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

/** As it is handed over: of each name its folder, whether others had a hand in it, and how it was at first. */
export interface Ledger {
  /** Nothing that the command did was missed. */
  readonly isWhole: boolean;
  readonly folders: readonly LedgerFolder[];
  readonly names: readonly string[];
  /**
   * Five for each name: place of its folder, 1 = the command put something there, 1 = others had a hand in it too, place of its
   * first sight (-1 = nothing was there, -2 = it was not looked at), place of the name from which it was moved here (-1 = none).
   */
  readonly rows: Int32Array;
  readonly firsts: readonly FirstSight[];
  /** Numbers of the folders that the command gave another name. */
  readonly moved: readonly number[];
}

export const rowWidth = 5;

export class Book {
  isWhole = true;
  private readonly folders = new Map<number, LedgerFolder>();
  private readonly accounts = new Map<number, Map<string, Account>>();
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
    if (known !== undefined) return known;
    const account: Account = {
      ...{ first: undefined, isPut: false, origin: null, isTainted: false },
      ...{ opened: 0, made: 0, removed: 0, left: 0, came: 0 },
      ...{ closed: 0, appeared: 0, vanished: 0, wentAway: 0, arrived: 0 },
    };
    this.accounts.get(watch)?.set(name, account);
    return account;
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
    const account = this.accounts.get(watch)?.get(name);
    if (mask & told.movedFrom) this.leaving = account ? { cookie, account } : null;
    if (account === undefined) return;
    if (mask & told.closedAfterWriting) account.closed++;
    else if (mask & told.created) account.appeared++;
    else if (mask & told.deleted) account.vanished++;
    else if (mask & told.movedFrom) account.wentAway++;
    else if (mask & told.movedTo) {
      account.arrived++;
      if (this.leaving?.cookie === cookie) follow(this.leaving.account, account);
    }
  }

  handOver(): Ledger {
    const numbers = [...this.folders.keys()];
    const all = numbers.flatMap((watch, place) =>
      [...(this.accounts.get(watch) ?? [])].map(([name, account]) => ({ place, name, account })),
    );
    const origins = new Map<Account, number>();
    for (const [at, { account }] of all.entries()) if (account.left > 0) origins.set(account, at);
    const firsts: FirstSight[] = [];
    const rows = new Int32Array(rowWidth * all.length);
    for (const [at, { place, account }] of all.entries()) {
      const { first, origin, isPut } = account;
      const sight = first ? firsts.push(first) - 1 : first === null ? -1 : -2;
      const from = origin === null ? -1 : (origins.get(origin) ?? -1);
      const isOfOthers = account.isTainted || isShared(account);
      rows.set([place, isPut ? 1 : 0, isOfOthers ? 1 : 0, sight, from], rowWidth * at);
    }
    const names = all.map(({ name }) => name);
    const folders = [...this.folders.values()];
    return { isWhole: this.isWhole, folders, names, rows, firsts, moved: [...this.moved] };
  }
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
