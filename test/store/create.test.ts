import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { linkSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openStore } from "../../src/store/open.ts";
import { steps } from "../../src/store/schema.ts";
import { note, put, sid, useFolder } from "./sample.ts";
import { startWriter } from "./writer.ts";

const home = useFolder();
const path = (): string => join(home(), "coder.db");
const unfinished = (n: number): string => join(home(), `coder.db.00000000-0000-4000-8000-00000000000${n}.new`);

test("[PS-1] a new store is whole, in WAL mode, gives back space and is readable to nobody else", () => {
  openStore(home()).close();
  expect(readdirSync(home())).toEqual(["coder.db"]);
  expect(statSync(path()).mode & 0o777).toBe(0o600);
  const db = new Database(path());
  const answers = ["integrity_check", "journal_mode", "auto_vacuum", "user_version"].map(
    (name) => db.prepare(`pragma ${name}`).values()[0]?.[0],
  );
  db.close(true);
  expect(answers).toEqual(["ok", "wal", 2, steps.length]);
});

test("[PS-1] what a process that was killed left of a new store is removed, and the store is made", () => {
  mkdirSync(home(), { recursive: true });
  writeFileSync(unfinished(1), "half a database");
  writeFileSync(join(home(), "coder.db.mine.new"), "the person's");
  openStore(home()).close();
  expect(readdirSync(home()).sort()).toEqual(["coder.db", "coder.db.mine.new"]);
});

test("[PS-1] killed between giving the store its name and taking the other one away, it keeps what it holds", () => {
  const store = openStore(home());
  put(store.create(sid, "/w"), 1, note("kept"));
  store.close();
  linkSync(path(), unfinished(2));
  const again = openStore(home());
  expect(again.find("").map(({ id }) => id)).toEqual([sid]);
  again.close();
  expect(readdirSync(home()).filter((name) => name !== "live")).toEqual(["coder.db"]);
});

test("[PS-1] an empty file, as SQLite itself would begin with, becomes a store", () => {
  mkdirSync(home(), { recursive: true });
  writeFileSync(path(), "");
  const store = openStore(home());
  put(store.create(sid, "/w"), 1, note("kept"));
  store.close();
  const db = new Database(path());
  expect(db.prepare("pragma auto_vacuum").values()).toEqual([[2]]);
  db.close(true);
});

test("[PS-4] processes that are killed while they make a store leave one that can be used", async () => {
  for (let round = 0; round < 6; round += 1) {
    const place = join(home(), `r${round}`);
    const ids = ["aaaa-0001", "aaaa-0002", "aaaa-0003"];
    const writers = ids.map((id) => startWriter("race", place, id));
    for (const writer of writers) await writer.next();
    for (const writer of writers) writer.send("go");
    // The first answer may come before the others have begun, or after they have ended.
    await writers[round % 3]?.next();
    await Promise.all(writers.map((writer) => writer.kill()));
    const store = openStore(place);
    expect(store.find("").map(({ id }) => id)).toContain(ids[round % 3] ?? "");
    store.close();
  }
});
