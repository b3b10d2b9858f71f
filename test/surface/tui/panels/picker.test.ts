import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { ready } from "../../../../src/surface/tui/blocks/lines.ts";
import type { Panel } from "../../../../src/surface/tui/panels/panel.ts";
import { Picker, type PickerItem } from "../../../../src/surface/tui/panels/picker.ts";
import {
  detailsPicker,
  modelPicker,
  modePicker,
  permissionsPicker,
  resumePicker,
  undoPicker,
} from "../../../../src/surface/tui/panels/pickers.ts";
import { Bench } from "../../../support/engine.ts";
import { until } from "../../../support/until.ts";
import { beforeCursor, DOWN, ENTER, ESC, lookIn, paste, press, shown, type, UP } from "../frames.ts";

const fruits = ["apple", "banana", "cherry", "date", "elderberry", "fig", "grape", "黄瓜"];

function pickerOf(items: readonly PickerItem<string>[] | Promise<readonly PickerItem<string>[]>) {
  const chosen: string[] = [];
  const closed: number[] = [];
  const picker = new Picker(lookIn(), {
    ...{ title: "Fruit", items, choose: (value: string) => chosen.push(value) },
    ...{ close: () => closed.push(1), redraw: () => {} },
  });
  return { picker, chosen, closed };
}

const asItems = (labels: readonly string[]): readonly PickerItem<string>[] =>
  labels.map((label, at) => ({ label, note: `note ${at}`, value: label, isNow: label === "cherry" }));

describe("a picker", () => {
  test("[SU-3] begins at what is in use, marks it, and says how many there are", () => {
    const { picker } = pickerOf(asItems(fruits.slice(0, 4)));
    expect(shown(picker, 40, 10)).toEqual([
      "┏━ Fruit ━━━━━━━━━━━━━━━━━━━━━━━━━━━ 4 ━",
      "┃ >",
      "┃     apple   note 0",
      "┃     banana  note 1",
      "┃ ❯ ● cherry  note 2",
      "┃     date    note 3",
      "┗ ↑↓ move · Enter choose · Esc close",
    ]);
  });

  test("[SU-3] of nothing says so, whatever is typed", () => {
    const { picker, chosen } = pickerOf([]);
    type(picker, "a");
    press(picker, UP, DOWN, ENTER);
    expect([shown(picker, 40, 10).slice(2, -1), chosen]).toEqual([["┃ Nothing to choose from."], []]);
  });

  test("[SU-3] typing filters by letters in their order, and Enter takes the best", () => {
    const { picker, chosen } = pickerOf(asItems(fruits));
    type(picker, "bn");
    expect(shown(picker, 40, 10)).toEqual([
      "┏━ Fruit ━━━━━━━━━━━━━━━━━━━━━━ 1 of 8 ━",
      "┃ > bn",
      "┃ ❯   banana  note 1",
      "┗ ↑↓ move · Enter choose · Esc close",
    ]);
    press(picker, ENTER, "\x7f", "\x7f", paste("黄\n"), ENTER);
    expect(beforeCursor(picker, 40, 10)).toBe("┃ > 黄");
    press(picker, "\x15");
    type(picker, "note 3");
    expect(shown(picker, 40, 10).slice(2, -1)).toEqual(["┃ ❯   date  note 3"]);
    press(picker, "z", ENTER);
    expect(shown(picker, 40, 10)[2]).toBe("┃ No matches");
    expect(chosen).toEqual(["banana", "黄瓜"]);
  });

  test("[SU-3] every key moves as far as it says", () => {
    const { picker, chosen } = pickerOf(asItems(Array.from({ length: 100 }, (_, at) => `n${at}`)));
    const at = (...keys: readonly string[]): string | undefined => {
      shown(picker, 40, 8);
      press(picker, ...keys, ENTER);
      return chosen.at(-1);
    };
    expect(at()).toBe("n0");
    expect(at(UP)).toBe("n99");
    expect(at(DOWN, DOWN)).toBe("n1");
    expect(at("\x1b[6~")).toBe("n6");
    expect(at("\x1b[5~", "\x1b[5~")).toBe("n0");
    expect(at("\x1b[F")).toBe("n99");
    expect(at("\x1b[H")).toBe("n0");
    press(picker, "\x1b[F");
    expect(shown(picker, 40, 8).at(-2)).toBe("┃ ❯   n99  note 99");
  });

  test("[SU-3] says that it is loading until there is something, and Esc closes it meanwhile", async () => {
    const { promise, resolve } = Promise.withResolvers<readonly PickerItem<string>[]>();
    const { picker, chosen, closed } = pickerOf(promise);
    expect(shown(picker, 40, 10)[2]).toBe("┃ loading…");
    type(picker, "ch");
    press(picker, DOWN, UP, ENTER, ESC);
    resolve(asItems(fruits));
    await promise;
    expect(shown(picker, 40, 10)[2]).toBe("┃ ❯ ● cherry  note 2");
    expect([chosen, closed]).toEqual([[], [1]]);
  });

  test("[SA-terminal-escapes] whatever is in it, at any size, it fits and draws nothing itself", () => {
    const text = fc.string({
      unit: fc.constantFrom("a", " ", "\n", "中", "👩‍👩‍👧", "\u001b[2J", "\u202e"),
      maxLength: 90,
    });
    const item = fc.record({ label: text, note: text, value: fc.constant("x"), isNow: fc.boolean() });
    const size = fc.tuple(fc.integer({ min: 40, max: 100 }), fc.integer({ min: 4, max: 20 }));
    fc.assert(
      fc.property(fc.array(item, { maxLength: 30 }), text, size, (items, typing, [width, room]) => {
        const { picker } = pickerOf(items);
        shown(picker, width, room);
        press(picker, paste(typing), UP, "\x1b[6~");
        shown(picker, width, room);
      }),
      { numRuns: 100 },
    );
  });
});

test("[SU-3] details are chosen from the newest, and opened in full", () => {
  let top: Panel | null = null;
  const details = ["second", "first"].map((title) => ({
    title,
    lines: (width: number) => ready([`all of ${title}`], width),
  }));
  const open = (panel: Panel) => {
    top = panel;
    return () => {
      top = null;
    };
  };
  const picker = detailsPicker(lookIn(), { details, open, close: () => {}, redraw: () => {} });
  expect(shown(picker, 40, 10).slice(2, 4)).toEqual(["┃ ❯   second", "┃     first"]);
  press(picker, DOWN, ENTER);
  const pager = top as Panel | null;
  expect(pager && shown(pager, 40, 4)[1]).toBe("all of first");
  if (pager) press(pager, "q");
  expect(top).toBe(null);
});

describe("choices that end in a slash command", () => {
  const host = () => {
    const sent: string[] = [];
    return { sent, send: (text: string) => sent.push(text), close: () => sent.push("closed"), redraw: () => {} };
  };
  const look = lookIn();

  test("[SU-3] [PO-1] a mode is chosen by what it says, and is then the mode", async () => {
    await using bench = new Bench([]);
    const seat = bench.open();
    const to = host();
    const picker = modePicker(look, seat.engine, to);
    expect(shown(picker, 60, 10).slice(2, 6)).toEqual([
      "┃     plan       reads and plans, changes nothing",
      "┃ ❯ ● default    asks before changes and risky commands",
      "┃     auto-edit  edits freely, asks before risky commands",
      "┃     yolo       does everything without asking",
    ]);
    press(picker, DOWN, ENTER);
    expect(to.sent).toEqual(["closed", "/mode auto-edit"]);
    await seat.run(to.sent[1] ?? "");
    expect(seat.engine.state().mode).toBe("auto-edit");
  });

  test("[SU-3] [PO-2] presets and what always has stored are there, and a rule is removed", async () => {
    const call = { calls: [{ tool: "bash", input: { command: "make all" } }] };
    await using bench = new Bench([call, { text: "done" }]);
    const seat = bench.open({}, { interactive: true });
    await seat.engine.runInput("make it");
    await seat.until((one) => one.kind === "event" && one.state.run.phase === "awaiting_human");
    seat.engine.answer(seat.approval()?.callId ?? "", { answer: "always", by: "person" });
    await seat.engine.idle();
    const to = host();
    const picker = permissionsPicker(look, seat.engine, to);
    expect(shown(picker, 80, 12).some((line) => line.startsWith("┃     remove: bash(make all"))).toBe(true);
    type(picker, "remove");
    press(picker, ENTER);
    expect(to.sent).toEqual(["closed", "/permissions rm 1"]);
    await seat.run(to.sent[1] ?? "");
    expect(seat.engine.rules()).toEqual([]);
    press(permissionsPicker(look, seat.engine, to), ENTER);
    expect(to.sent.at(-1)).toBe("/permissions strict");
  });

  test("[SU-3] [SL-1] models come with what they cost, those that can be used first, and one is switched to", async () => {
    await using bench = new Bench([]);
    const seat = bench.open();
    const to = host();
    const known = await seat.engine.knownModels();
    const picker = modelPicker(look, seat.engine, to);
    const rows = (): readonly string[] => shown(picker, 100, 200).slice(2, -1);
    await until("models", () => rows().length === known.length);
    const unusable = rows().map((row) => row.includes("no key"));
    expect(unusable).toEqual([...unusable].sort());
    type(picker, "builtin mechanic");
    press(picker, ENTER);
    expect(to.sent).toEqual(["closed", "/model builtin/mechanic"]);
    await seat.run(to.sent[1] ?? "");
    expect(seat.engine.state().model).toBe("builtin/mechanic");
  });

  test("[SU-3] [PS-3] sessions are named by what was asked, with id, model and the time where the person is, and one is resumed", async () => {
    await using bench = new Bench([{ text: "one" }, { text: "two" }]);
    const seat = bench.open();
    await seat.run("first question");
    const first = seat.engine.state().id;
    await seat.run("/new");
    await seat.run("second question");
    const to = host();
    const picker = resumePicker(look, seat.engine, to);
    const lines = shown(picker, 80, 10);
    expect(lines[2]).toBe("┃ ❯ ● second question");
    expect(lines[3]).toMatch(/^┃ {5}\S{13} · \d{4}-\d\d-\d\d \d\d:\d\d GMT\+8 · openai-chat\/mock$/);
    expect(lines[3]).toContain(seat.engine.state().id);
    type(picker, "first");
    press(picker, ENTER);
    expect(to.sent).toEqual(["closed", `/resume ${first}`]);
    await seat.run(to.sent[1] ?? "");
    expect(seat.engine.state().id).toBe(first);
  });

  test("[SU-3] of very many sessions the newest are offered, and the title says so", async () => {
    await using bench = new Bench([{ text: "a" }]);
    const seat = bench.open();
    await seat.run("a question");
    const [row] = seat.engine.sessions(1);
    const titleOf = (count: number): string => {
      const sessions = (limit: number) => Array.from({ length: Math.min(limit, count) }, () => row ?? []).flat();
      const port = { sessions, settings: seat.engine.settings, state: () => seat.engine.state() };
      return shown(resumePicker(look, port, host()), 80, 10)[0] ?? "";
    };
    expect([titleOf(500), titleOf(200)]).toEqual([
      expect.stringMatching(/^┏━ Resume one of the latest 200 \(older: \/resume ID\) ━+ 200 ━$/),
      expect.stringMatching(/^┏━ Resume a session ━+ 200 ━$/),
    ]);
  });

  test("[SU-3] [RB-1] tasks are taken back by their number", async () => {
    await using bench = new Bench([]);
    const seat = bench.open();
    const to = host();
    const at = Date.UTC(2026, 0, 2, 3, 4);
    const items = [
      { n: 1, text: "fix it\nplease", files: ["a.ts"], at },
      { n: 2, text: "write it", files: ["a.ts", "b.ts"], at },
    ];
    const picker = undoPicker(look, seat.engine, items, to);
    expect(shown(picker, 80, 10)[3]).toMatch(/^┃ {5}2 {2}write it {2}2026-01-0\d \d\d:04 GMT\+8 · a\.ts, b\.ts$/);
    press(picker, DOWN, ENTER);
    expect(to.sent).toEqual(["closed", "/undo 2"]);
  });
});
