import { describe, expect, test } from "bun:test";
import { allCommands } from "../../../../src/command/all.ts";
import type { InputId } from "../../../../src/contract/ids.ts";
import { phrase } from "../../../../src/contract/text/catalogue.ts";
import type { SessionState } from "../../../../src/machine/state.ts";
import { Keys } from "../../../../src/surface/tui/app/keys.ts";
import { askOn } from "../../../../src/surface/tui/panels/ask.ts";
import { FallbackPanel } from "../../../../src/surface/tui/panels/fallback.ts";
import { helpDetail, keysDetail } from "../../../../src/surface/tui/panels/help.ts";
import { Pager } from "../../../../src/surface/tui/panels/pager.ts";
import type { Panel } from "../../../../src/surface/tui/panels/panel.ts";
import { QueuePanel, queueLines } from "../../../../src/surface/tui/panels/queue.ts";
import { beforeCursor, DOWN, ENTER, ESC, lookIn, paste, press, shown, type, UP } from "../frames.ts";
import { rowsOf } from "../telling.ts";

describe("another model that is offered", () => {
  const offered = () => {
    const said: unknown[] = [];
    const offer = {
      from: "a/one",
      to: "b/two\u001b[2J",
      why: phrase("approval.refused_with_words", { words: "HTTP 503" }),
    };
    const panel = new FallbackPanel(lookIn(), {
      ...{ offer, answer: (isYes: boolean) => said.push(isYes), cancel: () => said.push("cancel") },
    });
    return { panel, said };
  };

  test("[SU-3] says from, to and why, and takes yes, no or Esc, once", () => {
    expect(shown(offered().panel, 50, 10)).toEqual([
      "┏━ Switch to another model? ━━━━━━━━━━━━━━━━━━━━━━",
      "┃ a/one cannot be reached. Continue with",
      "┃ b/two\\u001b[2J?",
      "┃ • the user said no: HTTP 503",
      "┃   1 Yes, switch (y)",
      "┃   2 No, don't switch (n)",
      "┗ Esc cancel the task",
    ]);
    expect(shown(offered().panel, 50, 5).slice(-1)).toEqual(["┗ y switch · n don't switch · Esc cancel the task"]);
    for (const [key, answer] of [
      ["y", true],
      ["n", false],
      ["1", true],
      ["2", false],
      [ESC, "cancel"],
    ] as const) {
      const { panel, said } = offered();
      press(panel, ENTER, " ", key, "y", "n");
      expect(said).toEqual([answer]);
    }
  });
});

describe("what waits for its turn", () => {
  const one = (inputId: string, delivery: "steer" | "queue", text: string) =>
    ({ inputId: inputId as InputId, kind: "task", delivery, text }) as const;
  const three = [
    one("i1", "steer", "use tabs\nplease"),
    one("i2", "queue", "docs\u001b[2J"),
    one("i3", "queue", "中文"),
  ];

  test("[IN-5] is shown in at most as many lines as there is room for", () => {
    const frame = (room: number) =>
      shown({ frame: () => ({ lines: queueLines(three, lookIn(), room, "Alt+Up"), cursor: null }) }, 80, room);
    expect(frame(3)).toEqual(["↳ steer: use tabs …", "↳ queued: docs\\u001b[2J", "↳ queued: 中文 · Alt+Up edits"]);
    expect(frame(2)).toEqual(["↳ steer: use tabs …", "… 2 more waiting · Alt+Up edits"]);
    expect([frame(1), queueLines(three, lookIn(), 0, ""), queueLines([], lookIn(), 5, "")]).toEqual([
      ["… 3 more waiting · Alt+Up edits"],
      [],
      [],
    ]);
  });

  test("[IN-5] one is taken back to be edited, or removed by a second d, also when others leave meanwhile", () => {
    let queue: SessionState["queue"] = three;
    const done: string[] = [];
    const panel = new QueuePanel(lookIn(), {
      ...{ queue: () => queue, recall: (id) => done.push(`recall ${id}`), drop: (id) => done.push(`drop ${id}`) },
      close: () => done.push("close"),
    });
    press(panel, DOWN, DOWN, "d");
    expect(shown(panel, 60, 10)).toEqual([
      "┏━ Waiting to be sent ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━ 3 ━",
      "┃   ↳ steer: use tabs …",
      "┃   ↳ queued: docs\\u001b[2J",
      "┃ ✗ Press d again to remove it",
      "┗ ↑↓ move · Enter edit · d remove · Esc close",
    ]);
    press(panel, UP, "d", DOWN, "d");
    queue = three.slice(1);
    expect(done).toEqual([]);
    press(panel, "d", ENTER, "e");
    queue = [];
    expect(press(panel, "d", ENTER, UP)).toEqual([false, false, false]);
    expect(shown(panel, 60, 10)[1]).toBe("┃ Nothing is waiting.");
    press(panel, ESC);
    expect(done).toEqual(["drop i3", "recall i3", "recall i3", "close"]);
  });
});

describe("help", () => {
  test("[SU-4] [IN-6] all commands are shown with nothing cut, and all keys fit a usual screen, in both languages", () => {
    for (const lang of ["en", "zh"] as const)
      for (const detail of [helpDetail, keysDetail]) {
        const look = lookIn(lang);
        const room = detail === helpDetail ? 40 : 23;
        const lines = shown(new Pager(look, detail(look, new Keys()), () => {}), 80, room);
        expect(lines.filter((line) => line.includes("…"))).toEqual([]);
        if (detail === helpDetail) {
          for (const { name } of allCommands) expect(lines.join("\n")).toMatch(new RegExp(`/${name}\\s`));
          continue;
        }
        const total = detail(look, new Keys()).lines(80).count;
        expect(lines.at(-1)).toContain(lang === "en" ? `1–${total} of ${total}` : `1–${total} 行，共 ${total}`);
      }
  });

  test("[IN-6] names every command, and on a small screen its arguments in full", () => {
    const all = rowsOf(helpDetail(lookIn(), new Keys()), 40)
      .join("\n")
      .replaceAll(/\x1b\[\d+m/g, "");
    for (const line of [
      "/permissions",
      "/undo [n] [--unclear] | --all",
      "  undo file changes of the last n tasks",
      "F1 shows all keys.",
    ])
      expect(all).toContain(line);
    for (const width of [40, 60, 76, 80, 200])
      shown(new Pager(lookIn(), helpDetail(lookIn(), new Keys()), () => {}), width, 10);
  });

  test("[IN-6] shows the person's own keys", () => {
    const own = rowsOf(keysDetail(lookIn(), new Keys({ mode: ["ctrl+b"], todos: [] })), 80).join("\n");
    expect(own).toContain("Ctrl+B");
    expect(own).not.toContain("Ctrl+T");
    expect(own).not.toContain("todos and plan");
    expect(own).not.toContain("undefined");
    new Keys();
  });
});

describe("questions before there is an engine", () => {
  class Screened {
    top: Panel | null = null;
    readonly committed: string[] = [];
    readonly ask = askOn(lookIn(), {
      open: (panel) => {
        this.top = panel;
        return () => {
          this.top = null;
        };
      },
      commit: (lines) => this.committed.push(...lines.map((line) => line.replaceAll(/\x1b\[\d+m/g, ""))),
      redraw: () => {},
    });

    get panel(): Panel {
      if (!this.top) throw new Error("nothing is asked");
      return this.top;
    }
  }

  test("[PO-6] a number and an Enter that are held down choose nothing, an arrow moves on", async () => {
    const on = new Screened();
    const answer = on.ask.choose("Sure?", ["no", "perhaps", "yes"]);
    press(on.panel, "\x1b[50;1:2u", "\x1b[13;1:2u", "\x1b[1;1:2B", "\x1b[1;1:2B");
    expect(on.top === null).toBe(false);
    press(on.panel, "\x1b[13u");
    expect(await answer).toBe(2);
  });

  test("[CLI-1] a line is typed, and what was told and answered stays readable", async () => {
    const on = new Screened();
    on.ask.tell("Welcome\u001b[2J\n\nto coder");
    const answer = on.ask.line("Which model?");
    type(on.panel, "a/中");
    expect(shown(on.panel, 40, 8)).toEqual([
      "┏━ Before you start ━━━━━━━━━━━━━━━━━━━━",
      "┃ Which model?",
      "┃ > a/中",
      "┗ Enter continue · Esc leave",
    ]);
    expect(beforeCursor(on.panel, 40, 8)).toBe("┃ > a/中");
    press(on.panel, ENTER);
    expect([await answer, on.top, on.committed]).toEqual([
      "a/中",
      null,
      ["Welcome\\u001b[2J", "", "to coder", "Which model?", "> a/中", ""],
    ]);
  });

  test("[CLI-1] [SA-secrets] a secret is never shown, not even how it was pasted", async () => {
    const on = new Screened();
    const answer = on.ask.secret("Key?");
    type(on.panel, "ab");
    press(on.panel, paste("cdé\n"), "x", "\x7f");
    expect(shown(on.panel, 40, 8)[2]).toBe("┃ > •••••");
    expect(beforeCursor(on.panel, 40, 8)).toBe("┃ > •••••");
    press(on.panel, ENTER);
    expect([await answer, on.committed]).toEqual(["abcdé", ["Key?", "> •••", ""]]);
    const again = on.ask.secret("Key?");
    type(on.panel, "y".repeat(200));
    shown(on.panel, 40, 8);
    press(on.panel, "\x15", "z", ENTER);
    expect(await again).toBe("z");
  });

  test("[CLI-1] one of several is chosen by number or by arrows and Enter", async () => {
    const on = new Screened();
    const options = ["No", "Yes", "Show"];
    const byNumber = on.ask.choose("Trust this folder?", options);
    expect(on.panel.isQuestion).toBe(true);
    expect(shown(on.panel, 40, 8)).toEqual([
      "┏━ Before you start ━━━━━━━━━━━━━━━━━━━━",
      "┃ Trust this folder?",
      "┃ ❯ 1 No",
      "┃   2 Yes",
      "┃   3 Show",
      "┗ 1–3 ↑↓ Enter choose · Esc leave",
    ]);
    press(on.panel, "7", "0", "x", "2");
    const byArrow = on.ask.choose("Trust this folder?", options);
    press(on.panel, UP, UP, DOWN, ENTER);
    expect([await byNumber, await byArrow]).toEqual([1, 2]);
  });

  test("[CLI-1] whoever wants to leave can, at each of them", async () => {
    const on = new Screened();
    const asks = [() => on.ask.line("a"), () => on.ask.secret("b"), () => on.ask.choose("c", ["x"])];
    for (const begin of asks)
      for (const key of [ESC, "\x03"]) {
        const answer = begin();
        press(on.panel, key);
        expect(await answer).toBe(null);
      }
  });

  test("[CLI-1] more options than fit are scrolled to", async () => {
    const on = new Screened();
    const answer = on.ask.choose(
      "word ".repeat(40),
      Array.from({ length: 20 }, (_, at) => `option ${at}`),
    );
    for (let at = 1; at < 20; at++) {
      press(on.panel, DOWN);
      expect(shown(on.panel, 40, 8).some((line) => line.startsWith(`┃ ❯ ${at + 1} option ${at}`))).toBe(true);
    }
    press(on.panel, ENTER);
    expect(await answer).toBe(19);
  });
});
