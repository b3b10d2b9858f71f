import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { openStore } from "../../src/store/open.ts";
import { accepted, admitted, other, sid, useFolder } from "./sample.ts";

const home = useFolder();
const bytes = (text: string) => ({ hash: text, bytes: Buffer.from(text) });

test("[RB-1] contents that a session lets go are gone with the last session that needs them, and with it when it is removed", () => {
  const store = openStore(home());
  const [one, two] = [store.create(sid, "/w"), store.create(other, "/w")];
  const entries = accepted(admitted("i1", "x"));
  one.append({ from: 1, entries, blobs: ["a", "b", "shared"].map(bytes), durable: true });
  two.append({ from: 1, entries, blobs: ["shared"].map(bytes), durable: true });
  one.forget(["a", "shared", "never there"]);
  expect(["a", "b", "shared"].map((hash) => one.blob(hash) !== null)).toEqual([false, true, true]);
  two.forget(["shared"]);
  expect(two.blob("shared")).toBeNull();
  // What comes again is kept again.
  one.append({ from: 2, entries, blobs: [bytes("a")], durable: false });
  expect(Buffer.from(one.blob("a") ?? []).toString()).toBe("a");
  one.close();
  expect(store.remove(sid, () => {})).toEqual({ ok: true });
  store.shrink(10_000);
  store.close();
  const file = readdirSync(home()).find((name) => name.endsWith(".db")) ?? "";
  using db = new Database(join(home(), file), { readonly: true });
  expect(db.query("select count(*) n from blobs").get()).toEqual({ n: 0 });
  expect(db.query("select count(*) n from session_blobs").get()).toEqual({ n: 0 });
});
