import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { chmodSync, copyFileSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { PermissionRule } from "../../src/contract/permission.ts";
import { lookAtRules } from "../../src/store/allow.ts";
import { openStore } from "../../src/store/open.ts";
import { storeFile } from "../fixtures/make-store.ts";
import { faultOf, useFolder } from "./sample.ts";
import { startWriter } from "./writer.ts";

const home = useFolder();

const made = { decision: "allow", source: "always", by: "person" } as const;
const npm: PermissionRule = {
  ...made,
  tool: "bash",
  command: { argv: ["npm", "test"], isExact: false, isCautious: true },
};
const make: PermissionRule = { ...made, tool: "bash", command: { argv: ["make", "a b"], isExact: true } };
const edit: PermissionRule = { ...made, tool: "edit", path: "src/\\*.ts" };

const today = () => `always ${new Date().toISOString().slice(0, 10)}`;

test("[PO-6] rules are stored by workspace and read back as they were, by the next process too", () => {
  const first = openStore(home());
  first.addRules("/w", [npm, make]);
  first.addRules("/other", [edit]);
  first.close();
  const store = openStore(home());
  expect(store.rulesOf("/w")).toEqual([
    { ...npm, id: 1, source: today() },
    { ...make, id: 2, source: today() },
  ]);
  expect(store.rulesOf("/other")).toEqual([{ ...edit, id: 3, source: today() }]);
  expect(store.rulesOf("/w/")).toEqual([]);
  expect(statSync(join(home(), "coder.db")).mode & 0o777).toBe(0o600);
  store.close();
});

test("[PO-6] [SA-empty-list] a rule about a host keeps its host: without it it would mean all of them", () => {
  const host = { name: "docs.example", isBelow: false, port: null };
  const store = openStore(home());
  store.addRules("/w", [{ ...made, tool: "fetch", host }]);
  expect(store.rulesOf("/w")).toEqual([{ ...made, tool: "fetch", host, id: 1, source: today() }]);
  store.close();
});

test("[PO-6] the same rule is stored once, whatever order its parts are in", () => {
  const store = openStore(home());
  store.addRules("/w", [npm, npm]);
  store.addRules("/w", [
    { command: { isCautious: true, isExact: false, argv: ["npm", "test"] }, ...made, tool: "bash" },
  ]);
  expect(store.rulesOf("/w").map(({ id }) => id)).toEqual([1]);
  store.addRules("/w", []);
  store.close();
});

test("[PO-6] a number is never given twice, and one of another workspace removes nothing", () => {
  const store = openStore(home());
  store.addRules("/w", [npm, make]);
  expect(store.removeRule("/other", 2)).toBe(false);
  expect(store.removeRule("/w", 2)).toBe(true);
  expect(store.removeRule("/w", 2)).toBe(false);
  store.addRules("/w", [edit]);
  expect(store.rulesOf("/w").map(({ id }) => id)).toEqual([1, 3]);
  store.close();
});

test("[PO-6] a row can only ever allow, for the person, whatever was written into it", () => {
  openStore(home()).close();
  const db = new Database(join(home(), "coder.db"));
  const odd = JSON.stringify({ tool: "bash", decision: "deny", by: "project", id: 9, source: "x" });
  db.run("insert into rules (workspace, rule, at) values ('/w', ?, 0)", [odd]);
  db.close(true);
  const store = openStore(home());
  expect(store.rulesOf("/w")).toEqual([{ ...made, tool: "bash", id: 1, source: "always 1970-01-01" }]);
  store.close();
});

test("[PO-6] processes that store at the same moment lose nothing and store nothing twice", async () => {
  const writers = Array.from({ length: 4 }, (_, at) => startWriter("allow", home(), String(at)));
  for (const writer of writers) await writer.next();
  for (const writer of writers) writer.send("go");
  for (const writer of writers) expect(await writer.next()).toBe("no failure");
  await Promise.all(writers.map((writer) => writer.kill()));
  const store = openStore(home());
  const words = store.rulesOf("/w").map(({ command }) => command?.argv.join(" ") ?? "");
  const own = Array.from({ length: 4 }, (_, at) => Array.from({ length: 25 }, (_, n) => `tool ${at} ${n}`)).flat();
  expect(words.toSorted()).toEqual([...own, "shared"].toSorted());
  store.close();
});

test("[PO-6] a rule is on the disk when the answer has returned: kill -9 takes none away", async () => {
  const writer = startWriter("allow", home(), "7");
  await writer.next();
  writer.send("go");
  expect(await writer.next()).toBe("no failure");
  await writer.kill();
  const store = openStore(home());
  expect(store.rulesOf("/w").length).toBe(26);
  store.close();
});

test("[PO-6] looking at rules makes no file, raises no version and needs no right to write", () => {
  expect(lookAtRules(home(), "/w")).toEqual([]);
  expect(readdirSync(home())).toEqual([]);
  const path = join(home(), "coder.db");
  copyFileSync(storeFile(2), path);
  const before = readFileSync(path);
  expect(lookAtRules(home(), "/w")).toEqual([]);
  expect(readFileSync(path)).toEqual(before);
  expect(readdirSync(home())).toEqual(["coder.db"]);
  const store = openStore(home());
  store.addRules("/w", [npm]);
  expect(lookAtRules(home(), "/w")).toEqual(store.rulesOf("/w"));
  store.close();
  chmodSync(path, 0o400);
  expect(lookAtRules(home(), "/w").length).toBe(1);
});

test("[PO-6] a database that cannot be read is a fault of the store, not of ours", () => {
  writeFileSync(join(home(), "coder.db"), "no database at all, but long enough to be looked at as one".repeat(20));
  expect(faultOf(() => lookAtRules(home(), "/w"))).toMatchObject({ code: "E_STORE" });
});
