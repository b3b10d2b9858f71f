// Databases as older versions left them on people's disks, from the oldest that can be opened.
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { copyFileSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { replay } from "../../src/engine/loop/replay.ts";
import { openStore } from "../../src/store/open.ts";
import { steps } from "../../src/store/schema.ts";
import { storedWorkspace, storeFile } from "../fixtures/make-store.ts";
import { Bench } from "../support/engine.ts";
import { useFolder } from "./sample.ts";

const home = useFolder();

/** A copy of the stored file in a home, its sessions in this workspace. */
function place(folder: string, workspace: string, version = 1): string {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, "coder.db");
  copyFileSync(storeFile(version), path);
  const db = new Database(path);
  db.run("update sessions set workspace = ?", [workspace]);
  db.run("update events set body = replace(body, ?, ?)", [storedWorkspace, workspace]);
  db.close(true);
  return path;
}

function pragma(path: string, name: string): unknown {
  const db = new Database(path, { readonly: true });
  try {
    return db.prepare(`pragma ${name}`).values()[0]?.[0];
  } finally {
    db.close(true);
  }
}

test.each(Array.from({ length: steps.length - 1 }, (_, at) => at + 1))(
  "[PS-1] a database of version %d is opened, taken to the newest version, and keeps every event, row and pre-image",
  (version) => {
    const path = place(home(), "/w", version);
    expect(pragma(path, "user_version")).toBe(version);
    const before = new Database(path, { readonly: true });
    const bodies = before.prepare("select body from events order by id").values().flat();
    before.close(true);
    const store = openStore(home());
    const rows = store.sessions({ limit: 10 });
    expect(rows.map(({ title, events }) => [title, events])).toEqual([
      ["wait forever", 11],
      ["fix the greeting", 23],
    ]);
    const read = rows.toReversed().flatMap(({ id }) => [...(store.peek(id) ?? [])]);
    // A call says what it is to us by its role, which those versions did not write.
    const isRole = (key: string, value: unknown): boolean => key === "role" && value === "lists";
    const text = JSON.stringify(read.map(({ event }) => event));
    const plain = JSON.parse(text, (key, value) => (isRole(key, value) ? undefined : value));
    expect(plain).toEqual(bodies.map((body) => JSON.parse(String(body))));
    const calls = read.flatMap(({ event }) => (event.type === "model.replied" ? event.reply.calls : []));
    expect(calls.filter(({ tool }) => tool === "todowrite").map(({ role }) => role)).toEqual(["lists"]);
    const [change] = read.flatMap(({ event }) => (event.type === "tool.settled" ? (event.result.changes ?? []) : []));
    expect(new TextDecoder().decode(store.blob(change?.before?.hash ?? "") ?? new Uint8Array())).toBe("Helo, world\n");
    store.close();
    expect(pragma(path, "user_version")).toBe(steps.length);
    expect(pragma(path, "integrity_check")).toBe("ok");
  },
);

test("[CLI-3] both of its logs fold: every call has one result, nothing is accepted or refused otherwise than then", () => {
  place(home(), "/w");
  const store = openStore(home());
  const folded = store.sessions({ limit: 10 }).map(({ id }) => replay(store.peek(id) ?? [], null));
  expect(folded.map(({ broken, moved, calls, state }) => ({ broken, moved, calls, phase: state.task.phase }))).toEqual([
    { broken: [], moved: [], calls: 1, phase: "EXECUTING" },
    { broken: [], moved: [], calls: 3, phase: "IDLE" },
  ]);
  store.close();
});

test("[PS-4] a session that was cut off then goes on today: the model call is repeated, the finished read is not", async () => {
  await using bench = new Bench([{ text: "unused" }, { text: "It says hello." }]);
  writeFileSync(join(bench.workspace, "greet.txt"), "Hello, world\n");
  place(bench.home, bench.workspace);
  const seat = bench.open();
  const cut = seat.engine.sessions(10).find(({ title }) => title === "wait forever");
  expect(await seat.engine.resume(cut?.id ?? "")).toEqual({ ok: true });
  await seat.event("task.ended");
  await seat.engine.idle();
  expect(seat.last("model.replied")).toMatchObject({ index: 2, reply: { text: "It says hello." } });
  expect(seat.all("tool.settled")).toEqual([]);
  const messages = bench.server.requests[0]?.body.messages ?? [];
  expect(messages.filter(({ role }) => role === "tool").length).toBe(1);
});

test("[PS-1] its file learns to shrink at the first removal, and does so", () => {
  const path = place(home(), "/w");
  const store = openStore(home());
  const log = store.create("big0-0001", "/w");
  const event = { v: 1, at: 1, type: "internal.reported", traceId: "x", what: "y".repeat(500_000) } as const;
  log.append({ from: 1, entries: [{ event, accepted: true }], blobs: [], durable: false });
  log.close();
  expect(pragma(path, "auto_vacuum")).toBe(0);
  store.remove("big0-0001", () => {});
  const { before, after } = store.shrink(5_000);
  expect(before - after).toBeGreaterThan(450_000);
  expect(pragma(path, "auto_vacuum")).toBe(2);
  expect(store.sessions({ limit: 10 }).length).toBe(2);
  store.close();
  expect(statSync(path).size).toBe(after);
});

test("the documents name the version of the stored file as the oldest that can be opened", () => {
  const page = readFileSync(join(import.meta.dir, "..", "..", "docs", "guide", "sessions.md"), "utf8");
  expect(page).toContain("Oldest version that can be opened: 1.");
  expect(page).toContain(`Newest: ${steps.length}.`);
});
