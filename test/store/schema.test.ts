import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { phrase } from "../../src/contract/text/catalogue.ts";
import { openStore } from "../../src/store/open.ts";
import { migrate, steps } from "../../src/store/schema.ts";
import { faultOf, note, put, sid, useFolder } from "./sample.ts";
import { startWriter } from "./writer.ts";

const home = useFolder();
const path = (): string => join(home(), "coder.db");

function raw<T>(work: (db: Database) => T): T {
  const db = new Database(path());
  try {
    return work(db);
  } finally {
    db.close(true);
  }
}

const version = (db: Database): unknown => db.prepare("pragma user_version").values()[0]?.[0];

describe("migration", () => {
  const second = `alter table sessions add column mood text not null default 'calm';
    update sessions set mood = 'glad' where events > 0`;

  test("[PS-1] a store of an older version is taken to the newest, step by step, with everything in it", () => {
    const store = openStore(home());
    put(store.create(sid, "/w"), 1, note("a"));
    store.close();
    raw((db) => {
      expect(version(db)).toBe(steps.length);
      migrate(db, path(), [...steps, second, "create table third (x integer)"]);
      expect(version(db)).toBe(steps.length + 2);
      expect(db.prepare("select id, mood, events from sessions").values()).toEqual([[sid, "glad", 1]]);
      expect(db.prepare("select count(*) from third").values()).toEqual([[0]]);
      migrate(db, path(), [...steps, second, "create table third (x integer)"]);
      expect(version(db)).toBe(steps.length + 2);
    });
  });

  test("[PS-1] a step that fails undoes all steps with it and leaves the version before them", () => {
    openStore(home()).close();
    raw((db) => {
      const failing = "create table half (x integer); insert into nowhere values (1)";
      expect(() => migrate(db, path(), [...steps, second, failing])).toThrow("no such table: nowhere");
      expect(version(db)).toBe(steps.length);
      expect(db.prepare("select name from sqlite_schema where name = 'half'").values()).toEqual([]);
      expect(db.inTransaction).toBe(false);
    });
  });

  test("a store of a newer version is refused by number and left byte for byte", () => {
    openStore(home()).close();
    raw((db) => db.run("pragma user_version = 7"));
    const bytes = readFileSync(path());
    const args = { path: path(), found: 7, known: steps.length };
    expect(faultOf(() => openStore(home()))).toEqual({
      code: "E_STORE",
      text: phrase("store.newer", args),
      advice: phrase("store.newer.advice", args),
    });
    expect(readFileSync(path())).toEqual(bytes);
    expect(readdirSync(home())).toEqual(["coder.db"]);
  });

  test("a database of another program is refused and left byte for byte", () => {
    raw((db) => db.run("create table recipes (name text); insert into recipes values ('soup')"));
    const bytes = readFileSync(path());
    expect(faultOf(() => openStore(home()))).toEqual({
      code: "E_STORE",
      text: phrase("store.foreign", { path: path() }),
      advice: phrase("store.foreign.advice", { path: path() }),
    });
    expect(readFileSync(path())).toEqual(bytes);
  });
});

test("[PS-1] processes that open a store that does not exist yet at the same moment all succeed", async () => {
  for (let round = 0; round < 4; round += 1) {
    const place = join(home(), `r${round}`);
    const ids = ["aaaa-0001", "aaaa-0002", "aaaa-0003", "aaaa-0004", "aaaa-0005"];
    const writers = ids.map((id) => startWriter("race", place, id));
    for (const writer of writers) await writer.next();
    for (const writer of writers) writer.send("go");
    const answers = await Promise.all(writers.map((writer) => writer.next()));
    expect(answers).toEqual(ids.map(() => "no failure"));
    await Promise.all(writers.map((writer) => writer.kill()));
    const store = openStore(place);
    expect(
      store
        .find("")
        .map(({ id }) => id)
        .sort(),
    ).toEqual(ids);
    store.close();
  }
});
