// A change that is asked about is planned before: what cannot be made is asked about by nobody, and what is made is what was shown.
import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Bench, type Seat } from "../../support/engine.ts";

const done = { text: "done" };
const call = (tool: string, input: object) => ({ calls: [{ tool, input }] });
const read = (path: string) => call("read", { path });
const edit = (path: string, old_string: string, new_string: string) => call("edit", { path, old_string, new_string });
const patch = (...lines: readonly string[]) =>
  call("patch", { patch: ["*** Begin Patch", ...lines, "*** End Patch", ""].join("\n") });

const impossible: readonly (readonly [name: string, call: ReturnType<typeof call>, code: string])[] = [
  ["edit of text that is not there", edit("a.txt", "absent", "x"), "E_INVALID_ARGS"],
  ["edit of text that is there twice", edit("a.txt", "same", "x"), "E_INVALID_ARGS"],
  ["edit of a file that was never read", edit("unread.txt", "one", "x"), "E_CONFLICT"],
  ["edit of a file that is not there", edit("gone.txt", "one", "x"), "E_IO"],
  ["write over a file that was never read", call("write", { path: "unread.txt", content: "x" }), "E_CONFLICT"],
  ["write below a file", call("write", { path: "a.txt/b", content: "x" }), "E_IO"],
  ["patch whose lines are not there", patch("*** Update File: a.txt", "@@", "-absent", "+x"), "E_CONFLICT"],
  ["patch that is none", call("patch", { patch: "hello" }), "E_INVALID_ARGS"],
];

async function asked(seat: Seat, text = "go"): Promise<string> {
  await seat.engine.runInput(text);
  await seat.until(() => seat.approval() !== null);
  return seat.approval()?.callId ?? "";
}

async function yes(seat: Seat, callId: string): Promise<void> {
  expect(seat.engine.answer(callId, { answer: "yes", by: "person" })).toEqual({ ok: true, value: undefined });
  await seat.engine.idle();
}

function lay(bench: Bench): void {
  bench.file("a.txt", "one\ntwo\nsame\nsame\n");
  bench.file("unread.txt", "one\n");
}

describe("a change that cannot be made", () => {
  for (const [name, wrong, code] of impossible) {
    test(`[PO-6] [TP-1] goes back to the model without a question or a denial: ${name}`, async () => {
      for (const interactive of [true, false]) {
        await using bench = new Bench([[read("a.txt"), wrong, done]]);
        lay(bench);
        const seat = bench.open({}, { interactive });
        await seat.run("go");
        const { status, error } = seat.last("tool.settled").result;
        const decisions = seat.all("tool.decided").map(({ decision }) => decision);
        expect([status, error?.code, decisions]).toEqual(["failed", code as never, ["allow"]]);
        expect(seat.all("task.summarized").map(({ summary }) => summary.stop_reason)).toEqual(["COMPLETED"]);
      }
    });
  }

  test("[PO-7] says nothing of a file that the model may not read unasked", async () => {
    await using bench = new Bench([[edit("../outside.txt", "absent", "x"), edit(".env", "absent", "x"), done]]);
    writeFileSync(join(bench.root, "outside.txt"), "one\n");
    bench.file(".env", "TOKEN=abc\n");
    const seat = bench.open({}, { interactive: true });
    await seat.engine.runInput("go");
    for (const n of [1, 2]) {
      await seat.until(() => seat.all("tool.decided").length === n && seat.approval() !== null);
      const callId = seat.approval()?.callId ?? ("" as never);
      expect(await seat.engine.preview(callId, "forPerson")).toBe(null);
      seat.engine.answer(callId, { answer: "no", by: "person" });
    }
    await seat.engine.idle();
    expect(seat.all("tool.settled").map(({ result }) => result.status)).toEqual(["denied", "denied"]);
  });

  test("[PO-3] is denied as before where a rule forbids it", async () => {
    await using bench = new Bench([[edit("a.txt", "absent", "x"), done]]);
    lay(bench);
    const seat = bench.open({ deny: ["write(a.txt)"] }, { interactive: true });
    await seat.run("go");
    expect(seat.last("tool.settled").result.status).toBe("denied");
  });
});

describe("[PO-6] what is made after a yes is what was asked about", () => {
  const swaps: readonly (readonly [name: string, asked: ReturnType<typeof call>, swap: (bench: Bench) => void])[] = [
    [
      "a new file that somebody else has made meanwhile",
      call("write", { path: "new.txt", content: "mine\n" }),
      (bench) => bench.file("new.txt", "theirs\n"),
    ],
    ["a file that was changed", edit("a.txt", "two", "2"), (bench) => bench.file("a.txt", "one\ntwo\nthree\n")],
    [
      "a file that has become a link to another one with the same text",
      edit("a.txt", "two", "2"),
      (bench) => {
        renameSync(join(bench.workspace, "a.txt"), join(bench.workspace, "b.txt"));
        symlinkSync("b.txt", join(bench.workspace, "a.txt"));
      },
    ],
    [
      "a folder that has become a link to another one",
      call("write", { path: "sub/new.txt", content: "mine\n" }),
      (bench) => {
        rmSync(join(bench.workspace, "sub"), { recursive: true });
        mkdirSync(join(bench.workspace, "other"));
        symlinkSync("other", join(bench.workspace, "sub"));
      },
    ],
    ["a file that is gone", edit("a.txt", "two", "2"), (bench) => rmSync(join(bench.workspace, "a.txt"))],
  ];
  for (const [name, change, swap] of swaps) {
    test(`and otherwise nothing is changed: ${name}`, async () => {
      await using bench = new Bench([[read("a.txt"), change, done]]);
      lay(bench);
      mkdirSync(join(bench.workspace, "sub"));
      const seat = bench.open({}, { interactive: true });
      const callId = await asked(seat);
      await seat.engine.preview(callId as never, "forPerson");
      swap(bench);
      await yes(seat, callId);
      const { status, error } = seat.last("tool.settled").result;
      expect([status, ["E_CONFLICT", "E_IO"].includes(error?.code ?? "")]).toEqual(["failed", true]);
      expect(seat.all("tool.settled").flatMap(({ result }) => result.changes ?? [])).toEqual([]);
      expect(existsSync(join(bench.workspace, "other/new.txt"))).toBe(false);
    });
  }

  test("and it is shown as it was planned, whatever has become of the file since", async () => {
    await using bench = new Bench([[read("a.txt"), edit("a.txt", "two", "2"), done]]);
    lay(bench);
    const seat = bench.open({}, { interactive: true });
    const callId = await asked(seat);
    const shown = await seat.engine.preview(callId as never, "forPerson");
    bench.file("a.txt", "else\n");
    expect(await seat.engine.preview(callId as never, "forPerson")).toBe(shown);
    bench.file("a.txt", "one\ntwo\nsame\nsame\n");
    await yes(seat, callId);
    expect(readFileSync(join(bench.workspace, "a.txt"), "utf8")).toBe("one\n2\nsame\nsame\n");
  });
});
