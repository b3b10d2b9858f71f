import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { say } from "../../../src/contract/text/catalogue.ts";
import { Bench } from "../../support/engine.ts";
import { isLeft, type Said } from "../../support/recaller.ts";

const slow = { text: "never", delayMs: 60_000 };

describe("[IN-5] a queued message taken back", () => {
  test("comes as it was typed, is neither delivered nor begun, and the others stay in their order", async () => {
    await using bench = new Bench([{ when: "go", steps: [slow] }]);
    bench.file("a.txt", "a\n");
    const seat = bench.open({ mode: "yolo" });
    await seat.engine.runInput("go");
    const long = "x".repeat(70_000);
    for (const text of ["steer it, see @a.txt", "!echo hi", `later ${long}`, "stays"])
      await seat.engine.runInput(text, { delivery: text.startsWith("steer") ? "steer" : "queue" });
    const back = await Promise.all(["i4", "i2", "i3"].map((id) => seat.engine.recall(id)));
    expect(back).toEqual(
      [`later ${long}`, "steer it, see @a.txt", "!echo hi"].map((value) => ({ ok: true as const, value })),
    );
    expect(seat.engine.state().queue.map(({ inputId }) => inputId)).toEqual(["i5"]);
    expect(seat.all("input.returned").map(({ inputIds }) => inputIds)).toEqual([["i4"], ["i2"], ["i3"]]);
    seat.engine.cancel("esc");
    await seat.engine.idle();
    expect(seat.last("input.returned").inputIds).toEqual(["i5"]);
    expect(seat.all("internal.reported")).toEqual([]);
  });

  test("cannot be when it was delivered, taken back before, or never sent: an error says so", async () => {
    await using bench = new Bench([
      { when: "go", steps: [{ calls: [{ tool: "list", input: {} }], delayMs: 50 }] },
      { when: "also", steps: [{ text: "both done" }] },
    ]);
    const seat = bench.open();
    expect(await seat.engine.recall("i1")).toMatchObject({ ok: false });
    await seat.engine.runInput("go");
    await seat.engine.runInput("also this");
    await seat.event("input.delivered");
    const late = await seat.engine.recall("i2");
    expect(late).toMatchObject({ ok: false, error: { code: "E_INVALID_ARGS", text: { key: "input.not_queued" } } });
    await seat.engine.idle();
    expect(say("en", late.ok ? { key: "input.busy" } : late.error.text)).toStartWith("message i2 is no longer waiting");
    expect([seat.all("input.returned").length, seat.engine.lastText("t1")]).toEqual([0, "both done"]);
  });

  test("twice at once comes back once", async () => {
    await using bench = new Bench([{ when: "go", steps: [slow] }]);
    const seat = bench.open();
    await seat.engine.runInput("go");
    await seat.engine.runInput("later", { delivery: "queue" });
    const both = await Promise.all([seat.engine.recall("i2"), seat.engine.recall("i2")]);
    expect(both).toMatchObject([
      { ok: true, value: "later" },
      { ok: false, error: { text: { key: "input.not_queued" } } },
    ]);
    seat.engine.cancel("esc");
    await seat.engine.idle();
    expect([seat.all("input.returned").length, seat.all("internal.reported").length]).toEqual([1, 0]);
  });

  test("at the very moment of its delivery is either delivered or taken back, never both, and no internal error", async () => {
    const list = { calls: [{ tool: "list", input: {} }] };
    await using bench = new Bench([
      { when: "go", steps: Array.from({ length: 30 }, () => list) },
      { when: "word", steps: Array.from({ length: 30 }, () => list) },
    ]);
    const seat = bench.open({ maxSteps: "30" });
    const answers = new Map<string, boolean>();
    const recalls: Promise<void>[] = [];
    const recall = async (id: string): Promise<void> => {
      answers.set(id, (await seat.engine.recall(id)).ok);
    };
    let sent = 0;
    // Each is sent when a reply has come, and asked back at some event after it: also between a delivery and its being known.
    seat.engine.subscribe((one) => {
      if (one.kind !== "event") return;
      for (const { inputId } of one.state.queue) {
        if (!answers.has(inputId) && one.recorded.seq % 5 < 2) {
          answers.set(inputId, false);
          recalls.push(recall(inputId));
        }
      }
      if (one.recorded.event.type !== "model.replied" || sent >= 20) return;
      sent++;
      void seat.engine.runInput(`word ${sent}`, { delivery: "steer" });
    });
    await seat.run("go");
    await Promise.all(recalls);
    const returned = seat.all("input.returned").flatMap(({ inputIds }) => inputIds);
    const delivered = seat.all("input.delivered").flatMap(({ inputIds }) => inputIds);
    const begun = seat.all("task.started").map(({ inputId }) => inputId);
    const taken = [...answers].filter(([, isBack]) => isBack).map(([id]) => id);
    expect(returned.toSorted()).toEqual(taken.toSorted());
    expect([...delivered, ...begun].filter((id) => returned.includes(id))).toEqual([]);
    expect(returned.length + delivered.length + begun.length).toBe(seat.all("input.admitted").length);
    expect(Math.min(returned.length, delivered.length)).toBeGreaterThan(0);
    expect(seat.all("internal.reported")).toEqual([]);
  });

  test.each([1, 2, 3, 14, 60])(
    "is back for good when it was handed out before kill -9, and none is lost (after %d lines)",
    async (lines) => {
      await using bench = new Bench([{ when: "go", steps: [slow] }]);
      const child = Bun.spawn(
        [
          process.execPath,
          join(import.meta.dir, "..", "..", "support", "recaller.ts"),
          bench.workspace,
          bench.server.url,
        ],
        { env: { ...process.env, CODER_HOME: bench.home }, stdout: "pipe", stderr: "inherit" },
      );
      let text = "";
      const decoder = new TextDecoder();
      for await (const chunk of child.stdout) {
        text += decoder.decode(chunk, { stream: true });
        if (!child.killed && text.split("\n").length > lines) child.kill("SIGKILL");
      }
      await child.exited;
      const said = text
        .split("\n")
        .slice(0, -1)
        .map((line): Said => JSON.parse(line));
      const back = new Set(said.filter(({ kind }) => kind === "back").map(({ id }) => id));
      const sent = said.filter(({ kind }) => kind === "sent");
      expect(
        said.filter((one) => one.kind === "back" && one.text !== sent.find(({ id }) => id === one.id)?.text),
      ).toEqual([]);
      const seat = bench.open();
      const [row] = seat.engine.sessions(1);
      expect(await seat.engine.resume(row?.id ?? "")).toEqual({ ok: true });
      const queue = seat.engine.state().queue.map(({ text: message }) => message);
      // Of the one that was under way, both is right.
      const last = Number(sent.at(-1)?.text.split(" ")[1]);
      const isOpen = (message: string) => [last, last + 1].includes(Number(message.split(" ")[1]));
      const wanted = sent.filter(({ id }) => !back.has(id)).map((one) => one.text);
      expect(queue.filter((one) => !isOpen(one))).toEqual(wanted.filter((one) => !isOpen(one)));
      if (isLeft(last)) expect(queue).toContain(`message ${last}`);
      if (back.has(sent.at(-1)?.id ?? "")) expect(queue).not.toContain(`message ${last}`);
      seat.engine.cancel("esc");
      await seat.engine.idle();
    },
  );
});
