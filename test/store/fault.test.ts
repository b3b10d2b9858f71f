import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { CoderError } from "../../src/contract/error.ts";
import type { SessionLog } from "../../src/contract/store.ts";
import { phrase } from "../../src/contract/text/catalogue.ts";
import { connect } from "../../src/store/connection.ts";
import { openStore } from "../../src/store/open.ts";
import { accepted, admitted, faultOf, note, put, recorded, sid, tablesFrom, tablesOf, useFolder } from "./sample.ts";
import { startWriter, stepEvents } from "./writer.ts";

const folder = useFolder();

function fault(key: "full" | "unwritable" | "damaged" | "busy", home: string, code: string) {
  const args = { path: join(home, "coder.db"), code, seconds: 5 };
  return { code: "E_STORE", text: phrase(`store.${key}`, args), advice: phrase(`store.${key}.advice`, args) };
}

function mount(at: string): boolean {
  mkdirSync(at);
  return Bun.spawnSync(["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", at]).exitCode === 0;
}

const canMount = (() => {
  const probe = `/tmp/coder-mount-${process.pid}`;
  const done = mount(probe);
  if (done) Bun.spawnSync(["umount", probe]);
  rmSync(probe, { recursive: true });
  if (!done) console.error("SKIPPED: the full-disk tests need the right to mount a tmpfs (run them as root)");
  return done;
})();

function withSmallDisk(work: (disk: string) => void): void {
  const disk = join(folder(), "disk");
  if (!mount(disk)) throw new Error("the small disk could not be mounted");
  try {
    work(disk);
  } finally {
    Bun.spawnSync(["umount", "-l", disk]);
  }
}

/** Appends steps until the disk is full; answers the number of acknowledged events and the failure. */
function fill(log: SessionLog, from: number, durable: boolean): { count: number; failure: unknown } {
  for (let count = from - 1; ; ) {
    const entries = accepted(...stepEvents(count + 1));
    const failure = faultOf(() => log.append({ from: count + 1, entries, blobs: [], durable }));
    if (failure !== "no failure") return { count, failure };
    count += entries.length;
  }
}

describe.skipIf(!canMount)("a full disk", () => {
  test.each([true, false])(
    "[PS-1] fails the append as a whole, and the same log appends again once there is space (durable: %p)",
    (durable) => {
      withSmallDisk((disk) => {
        const home = join(disk, "home");
        const store = openStore(home);
        const log = store.create(sid, "/w");
        writeFileSync(join(disk, "ballast"), new Uint8Array(60_000));
        const { count, failure } = fill(log, 1, durable);
        expect(failure).toEqual(fault("full", home, "SQLITE_FULL"));
        expect(count).toBeGreaterThan(0);
        const before = [...log.read()];
        expect(before.length).toBe(count);
        expect(tablesOf(home, sid)).toEqual(tablesFrom(before));
        rmSync(join(disk, "ballast"));
        put(log, count + 1, note("space again"));
        const after = [...before, { seq: count + 1, accepted: true, event: note("space again") }];
        expect([...log.read()]).toEqual(after);
        store.close();
        const next = openStore(home);
        expect([...(next.peek(sid) ?? [])]).toEqual(after);
        next.close();
      });
    },
  );

  test("[PS-1] shows nothing of the failed append to the process that opens the store after a kill -9", () => {
    withSmallDisk((disk) => {
      const home = join(disk, "home");
      const store = openStore(home);
      const { count } = fill(store.create(sid, "/w"), 1, true);
      // What a killed process leaves: the files as they are, copied to where there is space.
      const copy = join(folder(), "copy");
      mkdirSync(copy);
      for (const name of ["coder.db", "coder.db-wal"]) writeFileSync(join(copy, name), readFileSync(join(home, name)));
      // On a disk this full even the lease may not be given back; it falls with the process.
      faultOf(() => store.close());
      const next = openStore(copy);
      expect([...(next.peek(sid) ?? [])].length).toBe(count);
      next.close();
    });
  });

  test("tells so when not even an empty store fits, and the store can be made once there is space", () => {
    withSmallDisk((disk) => {
      const home = join(disk, "home");
      const ballast = join(disk, "ballast");
      const filled = faultOf(() => writeFileSync(ballast, new Uint8Array(400_000)));
      expect(filled).toMatchObject({ code: "ENOSPC" });
      const failure = faultOf(() => openStore(home));
      expect(failure).toMatchObject({ code: "E_STORE" });
      expect(String((failure as { text?: { key?: string } }).text?.key)).toMatch(/^store\.(full|io)$/);
      rmSync(ballast);
      const store = openStore(home);
      put(store.create(sid, "/w"), 1, note("a"));
      expect([...(store.peek(sid) ?? [])].length).toBe(1);
      store.close();
    });
  });
});

describe("a store that may not be written", () => {
  const made = (): string => {
    chmodSync(folder(), 0o755);
    const home = join(folder(), "home");
    const store = openStore(home);
    put(store.create(sid, "/w"), 1, note("a"));
    store.close();
    return home;
  };
  const answer = async (home: string): Promise<unknown> => {
    const writer = startWriter("unprivileged", home, sid);
    const said = await writer.next();
    await writer.kill();
    return said;
  };

  test("because file and folder are read-only is named with its path and left as it was", async () => {
    const home = made();
    const bytes = readFileSync(join(home, "coder.db"));
    chmodSync(join(home, "coder.db"), 0o444);
    chmodSync(home, 0o555);
    expect(await answer(home)).toEqual(fault("unwritable", home, "SQLITE_READONLY_DIRECTORY"));
    expect(readdirSync(home).sort()).toEqual(["coder.db", "live"]);
    expect(readFileSync(join(home, "coder.db"))).toEqual(bytes);
    chmodSync(home, 0o755);
  });

  test("because only the file is read-only is named with its path", async () => {
    const home = made();
    rmSync(join(home, "live"), { recursive: true });
    chmodSync(join(home, "coder.db"), 0o444);
    chmodSync(home, 0o777);
    expect(await answer(home)).toEqual(fault("unwritable", home, "SQLITE_READONLY"));
    chmodSync(home, 0o755);
  });

  test("because its folder cannot be made is named with its path", async () => {
    chmodSync(folder(), 0o555);
    const home = join(folder(), "none", "home");
    expect(await answer(home)).toEqual(fault("unwritable", home, "EACCES"));
    chmodSync(folder(), 0o755);
  });

  test("because a file stands where the folder should be is named with its path", () => {
    const home = join(folder(), "home");
    writeFileSync(home, "a file");
    expect(faultOf(() => openStore(home))).toMatchObject({ code: "E_STORE", text: { key: "store.unwritable" } });
    expect(readFileSync(home, "utf8")).toBe("a file");
  });
});

describe("a damaged store", () => {
  const path = (): string => join(folder(), "coder.db");
  const make = (): void => {
    const store = openStore(folder());
    const log = store.create(sid, "/w");
    for (let n = 0; n < 40; n += 1) put(log, n * 4 + 1, ...stepEvents(n));
    store.close();
  };

  test("that is no database at all is refused and left as it is", () => {
    writeFileSync(path(), "this is my diary, not a database. ".repeat(100));
    const bytes = readFileSync(path());
    expect(faultOf(() => openStore(folder()))).toEqual(fault("damaged", folder(), "SQLITE_NOTADB"));
    expect(readFileSync(path())).toEqual(bytes);
    expect(readdirSync(folder())).toEqual(["coder.db"]);
  });

  test("that was cut short is refused and left as it is", () => {
    make();
    truncateSync(path(), 3 * 4096);
    const bytes = readFileSync(path());
    expect(faultOf(() => openStore(folder()))).toMatchObject({ code: "E_STORE", text: { key: "store.damaged" } });
    expect(readFileSync(path())).toEqual(bytes);
  });

  test("whose table of contents is garbage is refused and left as it is", () => {
    make();
    const bytes = readFileSync(path());
    bytes.fill(0xa5, 100, 4096);
    writeFileSync(path(), bytes);
    expect(faultOf(() => openStore(folder()))).toMatchObject({ code: "E_STORE", text: { key: "store.damaged" } });
    expect(readFileSync(path())).toEqual(bytes);
  });

  test("whose damage lies deeper is reported when it is met, never answered with wrong events", () => {
    make();
    const whole = [...recorded(accepted(...Array.from({ length: 40 }, (_, n) => stepEvents(n)).flat()))];
    const pages = statSync(path()).size / 4096;
    let met = 0;
    const good = readFileSync(path());
    for (let page = 1; page < pages; page += 1) {
      const bytes = Buffer.from(good);
      bytes.fill(0xa5, page * 4096, page * 4096 + 4096);
      writeFileSync(path(), bytes);
      const read: unknown[] = [];
      const failure = faultOf(() => {
        const store = openStore(folder());
        try {
          for (const each of store.peek(sid) ?? []) read.push(each);
        } finally {
          store.close();
        }
      });
      if (failure !== "no failure") met += 1;
      expect(failure === "no failure" || (failure as { code: string }).code === "E_STORE").toBe(true);
      expect(read).toEqual(whole.slice(0, read.length));
    }
    expect(met).toBeGreaterThan(3);
  });

  test("an empty file is taken as a store to be made", () => {
    writeFileSync(path(), "");
    const store = openStore(folder());
    put(store.create(sid, "/w"), 1, admitted("i1", "hello"));
    expect(store.sessions({ limit: 1 })[0]?.title).toBe("hello");
    store.close();
  });
});

describe("a busy store", () => {
  test("is reported once the wait is over, and works when the other is done", () => {
    const db = connect(folder());
    db.rows("pragma busy_timeout = 30");
    const raw = new Database(join(folder(), "coder.db"));
    raw.run("begin immediate");
    expect(faultOf(() => db.transact(true, () => 1))).toEqual(fault("busy", folder(), "SQLITE_BUSY"));
    raw.run("rollback");
    expect(db.transact(true, () => 1)).toBe(1);
    raw.close(true);
    db.close();
  });

  test("[PS-1] a durable transaction runs with full sync and the next one without, and neither mode leaks", () => {
    const db = connect(folder());
    let asked = 0;
    // SQLite answers this pragma when it compiles it, so each question needs its own text.
    const level = (): unknown => db.rows(`pragma synchronous -- ${++asked}`)[0]?.[0];
    expect(db.transact(true, level)).toBe(2);
    expect(db.transact(true, level)).toBe(2);
    expect(db.transact(false, level)).toBe(1);
    expect(db.transact(true, level)).toBe(2);
    db.close();
  });

  test("what is not a failure of the disk stays the error it was, and the transaction is undone", () => {
    const db = connect(folder());
    const bug = new TypeError("a bug");
    expect(() =>
      db.transact(false, () => {
        db.run("insert into blobs (hash, bytes) values ('x', x'00')");
        throw bug;
      }),
    ).toThrow(bug);
    expect(bug instanceof CoderError).toBe(false);
    expect(db.rows("select count(*) from blobs")).toEqual([[0]]);
    db.close();
  });
});

describe("the files", () => {
  test("folder, database and its side files are for their owner only", () => {
    const home = join(folder(), "new", "home");
    const store = openStore(home);
    const mode = (path: string): string => (statSync(path).mode & 0o777).toString(8);
    expect(readdirSync(home).sort()).toEqual(["coder.db", "coder.db-shm", "coder.db-wal"]);
    expect([mode(home), ...readdirSync(home).map((name) => mode(join(home, name)))]).toEqual([
      "700",
      "600",
      "600",
      "600",
    ]);
    store.close();
    expect(readdirSync(home)).toEqual(["coder.db"]);
  });
});
