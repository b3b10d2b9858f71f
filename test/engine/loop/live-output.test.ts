import { describe, expect, test } from "bun:test";
import { Outputs } from "../../../src/engine/loop/live-output.ts";
import type { Published } from "../../../src/engine/port.ts";
import { Bench, type Seat } from "../../support/engine.ts";
import { untilFile } from "../../support/shell.ts";
import { until } from "../../support/until.ts";

type Output = Extract<Published, { kind: "output" }>;

const outputs = (seat: Seat): readonly Output[] => seat.published.filter((one): one is Output => one.kind === "output");
const textOf = (seat: Seat, stream = "stdout"): string =>
  outputs(seat)
    .filter((one) => one.stream === stream)
    .map(({ text }) => text)
    .join("");

describe("[TL-3] what a command writes while it runs", () => {
  test("line by line, thirty thousand times, is published whole and in order, in no more pieces than an eye can follow", async () => {
    await using bench = new Bench([]);
    const seat = bench.open({ mode: "yolo" });
    const began = performance.now();
    await seat.run("!for i in $(seq 30000); do echo $i; done");
    const ms = performance.now() - began;
    expect(textOf(seat)).toBe(`${Array.from({ length: 30_000 }, (_, n) => n + 1).join("\n")}\n`);
    expect(outputs(seat).length).toBeLessThan(ms / 30 + 5);
  });

  test("is published at once at first, and its last words do not wait for more to come", async () => {
    await using bench = new Bench([]);
    const seat = bench.open({ mode: "yolo" });
    await seat.engine.runInput(`!echo one; ${untilFile("a")}; echo two; echo three >&2; ${untilFile("b")}`);
    await until("the first line is shown", () => textOf(seat) === "one\n");
    bench.file("a", "");
    await until("the last lines are shown", () => textOf(seat) + textOf(seat, "stderr") === "one\ntwo\nthree\n");
    expect(seat.engine.state().task.phase).not.toBe("IDLE");
    bench.file("b", "");
    await seat.engine.idle();
    expect(textOf(seat)).toBe("one\ntwo\n");
  });

  test("comes before its result, all of it", async () => {
    await using bench = new Bench([]);
    const seat = bench.open({ mode: "yolo" });
    await seat.run("!echo a; echo b; printf c");
    const settled = seat.published.findIndex(
      (one) => one.kind === "event" && one.recorded.event.type === "tool.settled",
    );
    expect(seat.published.findLastIndex((one) => one.kind === "output")).toBeLessThan(settled);
    expect(textOf(seat)).toBe("a\nb\nc");
  });

  test("goes on while somebody takes long to show it, and while somebody fails to", async () => {
    await using bench = new Bench([]);
    const seat = bench.open({ mode: "yolo" });
    seat.engine.subscribe((one) => {
      if (one.kind === "output") Bun.sleepSync(40);
    });
    seat.engine.subscribe((one) => {
      if (one.kind === "output") throw new Error("a surface that cannot");
    });
    await seat.run("!for i in $(seq 5000); do echo $i; done; seq 200000");
    expect(seat.last("tool.settled").result).toMatchObject({ status: "done", data: { exit_code: 0 } });
    expect(textOf(seat)).toStartWith("1\n2\n3\n");
  }, 120_000);

  test("a flood comes in pieces of 64 KiB at most, and no character is cut in two", () => {
    const shown: string[] = [];
    const live = new Outputs((_call, _stream, text) => shown.push(text));
    const flood = `x${"😀".repeat(100_000)}\n`;
    live.show("r1/1/1", "stdout", flood);
    live.end("r1/1/1");
    expect(shown.join("")).toBe(flood);
    expect(Math.max(...shown.map((text) => text.length))).toBeLessThanOrEqual(65_536);
    expect(shown.filter((text) => !text.isWellFormed())).toEqual([]);
  });

  test("[TP-6] [SA-secrets] a secret that comes in several pieces, at once or later, is not shown", async () => {
    const shown: string[] = [];
    const live = new Outputs((_call, _stream, text) => shown.push(text));
    const value = ["river", "stone", "lantern", "moss", "58"].join("-");
    for (const piece of ["start\n", "pass", "word=", value.slice(0, 9), value.slice(9), "\nend\n"])
      live.show("r1/1/1", "stdout", piece);
    await until("all is shown", () => shown.join("").endsWith("end\n"));
    for (const piece of ["password=", value.slice(0, 5)]) live.show("r1/1/1", "stdout", piece);
    let later = "";
    const other = new Outputs((_call, _stream, text) => (later += text));
    for (const piece of ["first\n", "second\n"]) other.show("r1/1/1", "stdout", piece);
    await until("what came later is shown", () => later.endsWith("second\n"));
    live.show("r1/1/1", "stdout", `${value.slice(5)}\n`);
    live.end("r1/1/1");
    expect(shown.join("").replace(/:[0-9a-f]{8}\]/g, "]")).toBe(
      "start\npassword=[REDACTED:password]\nend\npassword=[REDACTED:password]\n",
    );
  });
});

test("[IN-7] what is published of a call says when it was begun: the clock of each event is that of its storing", async () => {
  await using bench = new Bench([]);
  const seat = bench.open({ mode: "yolo" });
  const began = Date.now();
  await seat.run("!sleep 0.05");
  const ended = Date.now();
  const at = (["task.started", "tool.decided", "tool.intended", "process.spawned", "tool.settled"] as const).map(
    (type) => seat.last(type).at,
  );
  expect([began, ...at, ended]).toEqual([began, ...at, ended].toSorted((a, b) => a - b));
  expect(seat.last("tool.settled").at - seat.last("tool.intended").at).toBeGreaterThanOrEqual(50);
});
