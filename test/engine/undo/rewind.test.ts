import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { say } from "../../../src/contract/text/catalogue.ts";
import { replay } from "../../../src/engine/loop/replay.ts";
import type { CommandResult } from "../../../src/engine/port.ts";
import { openStore } from "../../../src/store/open.ts";
import { Bench, type Seat } from "../../support/engine.ts";
import type { Script } from "../../support/scripted-server.ts";

const write = (path: string, content: string) => ({ calls: [{ tool: "write", input: { path, content } }] });
/** Three messages: the first makes a.txt, the second makes b.txt, the third makes c.txt and changes a.txt. */
const script: Script = [
  { when: "first", steps: [write("a.txt", "one\n"), { text: "made a" }] },
  { when: "second", steps: [write("b.txt", "two\n"), { text: "made b" }] },
  {
    when: "third",
    steps: [
      write("c.txt", "three\n"),
      { calls: [{ tool: "edit", input: { path: "a.txt", old_string: "one", new_string: "won" } }] },
      { text: "made c" },
    ],
  },
  { when: "fourth", steps: [{ text: "fine" }] },
];

const messages = ["do the first", "do the second\nwith care", "do the third"] as const;

async function talked(bench: Bench): Promise<Seat> {
  const seat = bench.open({ mode: "auto-edit" });
  for (const text of messages) await seat.run(text);
  return seat;
}

const read = (bench: Bench, name: string): string | null => {
  const path = join(bench.workspace, name);
  return existsSync(path) ? readFileSync(path, "utf8") : null;
};
const files = (bench: Bench) => ["a.txt", "b.txt", "c.txt"].map((name) => read(bench, name));
const all = ["won\n", "two\n", "three\n"];
const command = async (seat: Seat, text: string): Promise<CommandResult> => {
  const admission = await seat.run(text);
  if (admission.kind === "command") return admission.result;
  return { ok: admission.kind === "admitted", text: admission.kind };
};
const notices = (seat: Seat) => seat.all("notice.given").map(({ text }) => text.key);
const asked = (bench: Bench) => JSON.stringify(bench.server.requests.at(-1)?.body.messages);

describe("a rewind", () => {
  test("[PS-5] lists the messages of the session, newest first, with the files of each", async () => {
    await using bench = new Bench(script);
    const seat = await talked(bench);
    await seat.run("!true");
    await seat.run("/undo 9");
    await seat.run("/redo");
    expect(seat.engine.rewindable().map(({ n, text, files: own }) => [n, text, own])).toEqual([
      [1, "!true", []],
      [2, "do the third", ["c.txt", "a.txt"]],
      [3, "do the second", ["b.txt"]],
      [4, "do the first", ["a.txt"]],
    ]);
    expect((await command(seat, "/rewind")).text.split("\n")[2]).toBe("3  do the second · b.txt");
  });

  test("[PS-5] [RB-2] of both takes conversation and files back, gives the message to edit, and /redo returns to all of it", async () => {
    await using bench = new Bench(script);
    const seat = await talked(bench);
    const { id } = seat.engine.state();
    expect(await command(seat, "/rewind 2")).toMatchObject({ ok: true, draft: messages[1] });
    expect(seat.engine.state()).toMatchObject({ tasks: 1, rewound: { from: id, code: true } });
    expect(seat.engine.state().id).not.toBe(id);
    expect(files(bench)).toEqual(["one\n", null, null]);
    await seat.run("do the fourth");
    expect([asked(bench).includes("made a"), asked(bench).includes("made b")]).toEqual([true, false]);
    // Something was done since: the session before the rewind is still there, and a redo is about files alone.
    expect(await command(seat, "/redo")).toMatchObject({ ok: true });
    expect(seat.engine.state().id).not.toBe(id);
    await seat.run(`/resume ${id}`);
    expect(notices(seat).at(-1)).toBe("rewind.half");
    await seat.run("/redo");
    expect(files(bench)).toEqual(all);
    expect(seat.engine.state().tasks).toBe(5);
  });

  test("[PS-5] [RB-2] is undone by /redo as a whole, files and conversation, also after a resume", async () => {
    await using bench = new Bench(script);
    const first = await talked(bench);
    const { id } = first.engine.state();
    await command(first, "/rewind 3 both");
    expect([files(bench), first.engine.state().tasks]).toEqual([[null, null, null], 0]);
    const rewound = first.engine.state().id;
    await first.close();
    const seat = bench.open();
    await seat.engine.resume(rewound);
    expect(await command(seat, "/redo")).toMatchObject({ ok: true, data: { id } });
    expect([files(bench), seat.engine.state().id]).toEqual([all, id]);
    expect(notices(seat)).not.toContain("rewind.half");
    // Once more, from the session that is whole again.
    await command(seat, "/rewind 2 both");
    expect(files(bench)).toEqual(["one\n", null, null]);
  });

  test("[PS-5] of the conversation leaves the files, names them, and tells the model to look again", async () => {
    await using bench = new Bench(script);
    const seat = await talked(bench);
    const { id } = seat.engine.state();
    await command(seat, "/rewind 2 messages");
    expect(files(bench)).toEqual(all);
    const stay = seat.all("notice.given").find(({ text }) => text.key === "rewind.files_stay");
    expect(stay && say("en", stay.text)).toContain("b.txt, c.txt, a.txt");
    await seat.run("do the fourth");
    expect(asked(bench)).toContain("took the conversation back to this point");
    expect(asked(bench)).not.toContain("made b");
    await seat.run(`/resume ${id}`);
    expect([seat.engine.state().tasks, files(bench)]).toEqual([3, all]);
  });

  test("[RB-2] of the code undoes what came since, undos included, and redo brings exactly that back", async () => {
    await using bench = new Bench(script);
    const seat = await talked(bench);
    await seat.run("/undo 3");
    expect(files(bench)).toEqual([null, null, null]);
    await command(seat, "/rewind 1 code");
    // As they were before the third message, though the undo had gone further back.
    expect(files(bench)).toEqual(["one\n", "two\n", null]);
    expect(seat.engine.undoable().map(({ text }) => text)).toEqual(
      ["do the second\nwith care", "do the first"].map((one) => one.split("\n")[0] ?? ""),
    );
    await seat.run("/redo");
    expect(files(bench)).toEqual([null, null, null]);
    await seat.run("/redo");
    expect(files(bench)).toEqual(all);
    await command(seat, "/rewind 3 code");
    expect(files(bench)).toEqual([null, null, null]);
    await seat.run("/redo");
    expect(files(bench)).toEqual(all);
  });

  test("[RB-2] names what somebody else changed, leaves it alone, and takes back the rest", async () => {
    await using bench = new Bench(script);
    const seat = await talked(bench);
    writeFileSync(join(bench.workspace, "b.txt"), "mine\n");
    await command(seat, "/rewind 2 both");
    expect(files(bench)).toEqual(["one\n", "mine\n", null]);
    const told = seat.all("notice.given").map(({ text }) => say("en", text));
    expect(told.some((text) => text.includes("b.txt") && text.includes("changed"))).toBe(true);
  });

  test("[RB-2] that can undo nothing stops before the conversation, and says so", async () => {
    await using bench = new Bench(script);
    const seat = bench.open({ mode: "auto-edit" });
    await seat.run("do the first");
    const { id } = seat.engine.state();
    writeFileSync(join(bench.workspace, "a.txt"), "mine\n");
    const result = await command(seat, "/rewind 1 both");
    expect(result.text).toContain("a.txt");
    expect([result.ok, seat.engine.state().id, read(bench, "a.txt")]).toEqual([false, id, "mine\n"]);
    expect(await command(seat, "/rewind 1 conversation")).toMatchObject({ ok: true, draft: "do the first" });
  });

  test("[PS-5] goes back across a compaction to the whole conversation, and its log and tables follow from its events", async () => {
    await using bench = new Bench([{ when: "sum", steps: [{ text: "## Goal\nx" }] }, ...script]);
    const seat = await talked(bench);
    await seat.run("/compact");
    await command(seat, "/rewind 1 conversation");
    const { id } = seat.engine.state();
    await seat.run("do the fourth");
    expect(asked(bench)).toContain("made b");
    await seat.close();
    const store = openStore(bench.home);
    const played = replay(store.peek(id) ?? [], null);
    expect([played.broken, played.moved, played.open]).toEqual([[], [], 0]);
    expect(store.find(id)[0]).toMatchObject({ title: "do the first", events: played.events });
    store.close();
  });

  test("[PS-5] [IN-5] to a message that had waited is to before it was delivered, and nothing runs by itself", async () => {
    await using bench = new Bench([
      { when: "first", steps: [{ calls: [{ tool: "bash", input: { command: "sleep 0.3" } }] }, { text: "made a" }] },
      { when: "fourth", steps: [{ text: "fine" }] },
    ]);
    const seat = bench.open({ mode: "yolo" });
    void seat.engine.runInput("do the first");
    await seat.event("process.spawned");
    await seat.engine.runInput("do the fourth", { delivery: "queue" });
    await seat.engine.idle();
    const before = bench.server.requests.length;
    expect(await command(seat, "/rewind 1 both")).toMatchObject({ draft: "do the fourth" });
    await seat.engine.idle();
    expect([seat.engine.state().tasks, seat.engine.state().queue, bench.server.requests.length]).toEqual([
      1,
      [],
      before,
    ]);
  });

  test("[PS-5] is refused while a task runs, and for a message that is not there", async () => {
    await using bench = new Bench([{ text: "slow", stallAfter: 1 }]);
    const seat = bench.open();
    expect((await command(seat, "/rewind 1")).ok).toBe(false);
    void seat.engine.runInput("go");
    await seat.event("task.started");
    expect((await seat.engine.runInput("/rewind 1")).kind).toBe("refused");
    expect((await seat.engine.rewind("t1", false, "")).ok).toBe(false);
    seat.engine.cancel("esc");
    await seat.engine.idle();
    expect((await command(seat, "/rewind 7")).ok).toBe(false);
    expect((await command(seat, "/rewind 1 everything")).ok).toBe(false);
  });
});
