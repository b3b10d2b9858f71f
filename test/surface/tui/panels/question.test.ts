import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { Question } from "../../../../src/contract/task.ts";
import { phrase } from "../../../../src/contract/text/catalogue.ts";
import { openQuestions } from "../../../../src/machine/state.ts";
import { QuestionPanel } from "../../../../src/surface/tui/panels/question.ts";
import { Bench } from "../../../support/engine.ts";
import { beforeCursor, DOWN, ENTER, ESC, lookIn, paste, press, shown, type, UP } from "../frames.ts";

function ask(questions: readonly Question[], lang: "en" | "zh" = "en") {
  const sent: string[] = [];
  const cancels: number[] = [];
  const panel = new QuestionPanel(lookIn(lang), {
    ...{ questions, send: (text: string) => sent.push(text), cancel: () => cancels.push(1), redraw: () => {} },
  });
  return { panel, sent, cancels };
}

const which: Question = { question: "Which one?", options: ["the first", "the second", "none"] };
const why: Question = { question: phrase("plan.missing.error"), options: [] };

describe("a question", () => {
  test("[SM-7] shows its options with numbers and a place for own words", () => {
    expect(shown(ask([which]).panel, 50, 12)).toEqual([
      "┏━ A question for you ━━━━━━━━━━━━━━━━━━━━━━━━━━━━",
      "┃ │ Which one?",
      "┃   1 the first",
      "┃   2 the second",
      "┃   3 none",
      "┃ > or type your own answer",
      "┗ 1–3 choose · Enter send · Esc cancel the task",
    ]);
  });

  test("[SM-7] a number chooses at once; Enter alone sends nothing; arrows and Enter choose", () => {
    const byNumber = ask([which]);
    press(byNumber.panel, ENTER, "9", "\x7f", "2", "1");
    const byArrow = ask([which]);
    press(byArrow.panel, ENTER, DOWN, DOWN, DOWN, UP, ENTER, ENTER);
    expect([byNumber.sent, byArrow.sent]).toEqual([["the second"], ["the second"]]);
  });

  test("[PO-6] a number and an Enter that are held down answer nothing, nor are they written", () => {
    const held = ask([which, which]);
    press(held.panel, "\x1b[50;1:2u", "\x1b[50;1:2u", DOWN, "\x1b[13;1:2u");
    expect([held.sent, beforeCursor(held.panel, 50, 12)]).toEqual([[], "┃ > "]);
    press(held.panel, "2", "\x1b[50;1:2u", "\x1b[13;1:2u");
    expect(held.sent).toEqual([]);
    press(held.panel, "1");
    expect(held.sent.length).toBe(1);
  });

  test("[SM-7] own words may hold numbers, begin with one behind the options, and have several lines", () => {
    const words = ask([which]);
    type(words.panel, "both 1 and 2");
    press(words.panel, ENTER);
    const number = ask([which]);
    press(number.panel, UP, "3");
    type(number.panel, " files");
    expect(beforeCursor(number.panel, 50, 12)).toBe("┃ > 3 files");
    press(number.panel, ENTER);
    const pasting = ask([why]);
    press(pasting.panel, paste("Error: x\r\n  at y\u001b[2J"), "\x1b[13;2u", "z", ENTER);
    expect([words.sent, number.sent, pasting.sent]).toEqual([
      ["both 1 and 2"],
      ["3 files"],
      ["Error: x\n  at y\\u001b[2J\nz"],
    ]);
  });

  test("[SM-7] [SU-4] several come one after the other, back and forth, and are sent together", () => {
    const { panel, sent } = ask([which, why, which], "zh");
    press(panel, "1");
    expect(shown(panel, 60, 10)[0]).toEndWith(" 2/3 ━");
    press(panel, "\x1b[D", "3");
    type(panel, "构建 失败");
    press(panel, ENTER);
    expect(sent).toEqual([]);
    press(panel, "2");
    const error = "是哪个错误？请粘贴错误信息，或说明出现错误的命令。";
    expect(sent).toEqual([`1. Which one?\n   none\n2. ${error}\n   构建 失败\n3. Which one?\n   the second`]);
  });

  test("[CAN-1] Esc cancels even where nothing is asked", () => {
    const { panel, sent, cancels } = ask([]);
    press(panel, ENTER, "1", ESC, ENTER);
    expect([sent, cancels]).toEqual([[], [1]]);
  });

  test("[CAN-1] Esc cancels and nothing is sent afterwards", () => {
    const { panel, sent, cancels } = ask([which]);
    press(panel, ESC, "1", ENTER);
    expect([sent, cancels]).toEqual([[], [1]]);
  });

  test("[SM-7] the chosen option is always in sight, and what is not can be scrolled to", () => {
    const options = Array.from({ length: 6 }, (_, at) => `${at} ${"long ".repeat(20)}end`);
    const { panel } = ask([{ question: "very ".repeat(60), options }]);
    for (let at = 0; at < 6; at++) {
      press(panel, DOWN);
      expect(shown(panel, 40, 8).some((line) => line.startsWith(`┃ ❯ ${at + 1} ${at} long`))).toBe(true);
    }
    press(panel, ...Array.from({ length: 20 }, () => "\x1b[5~"));
    expect(shown(panel, 40, 8)[1]).toStartWith("┃ │ very");
  });

  test("[SM-7] [SA-terminal-escapes] whatever is asked and typed, at any size, it fits and draws nothing itself", () => {
    const text = fc.string({
      unit: fc.constantFrom("a", " ", "\n", "中", "👩‍👩‍👧", "\u001b[2J", "\u202e"),
      maxLength: 200,
    });
    const size = fc.tuple(fc.integer({ min: 40, max: 100 }), fc.integer({ min: 6, max: 20 }));
    fc.assert(
      fc.property(text, fc.array(text, { maxLength: 6 }), text, size, (question, options, typing, [width, room]) => {
        const { panel } = ask([{ question, options }]);
        shown(panel, width, room);
        press(panel, DOWN, "\x1b[6~");
        shown(panel, width, room);
        press(panel, paste(typing));
        shown(panel, width, room);
      }),
      { numRuns: 100 },
    );
  });
});

describe("with the engine", () => {
  test("[SM-7] what the model asks is answered by the panel, and it reads question and answer", async () => {
    const questions = [
      { question: "Which one?", options: ["a", "b"] },
      { question: "How?", options: [] },
    ];
    await using bench = new Bench([{ calls: [{ tool: "question", input: { questions } }] }, { text: "done" }]);
    const seat = bench.open({}, { interactive: true });
    await seat.engine.runInput("choose a report");
    await seat.until((one) => one.kind === "event" && one.state.run.phase === "awaiting_human");
    const open = seat.approval();
    const panel = new QuestionPanel(lookIn(), {
      ...{
        questions: (open?.input as { questions: readonly Question[] } | undefined)?.questions ?? [],
        cancel: () => {},
        redraw: () => {},
      },
      send: (words) => seat.engine.answer(open?.callId ?? "", { answer: "yes", words, by: "person" }),
    });
    press(panel, "2");
    type(panel, "slowly");
    press(panel, ENTER);
    await seat.engine.idle();
    expect(seat.last("tool.settled").result.output).toBe("The person answers: 1. Which one?\n   b\n2. How?\n   slowly");
  });

  test("[SM-3] [SM-7] what is missing before a start is answered by the panel", async () => {
    await using bench = new Bench([{ text: "done" }]);
    const seat = bench.open({}, { interactive: true });
    await seat.engine.runInput("fix it");
    await seat.until((one) => one.kind === "event" && one.state.task.phase === "CLARIFYING");
    const { panel, sent } = ask(openQuestions(seat.engine.state().task));
    press(panel, "1");
    expect(seat.clarify(sent[0] ?? "").ok).toBe(true);
    await seat.engine.idle();
    expect(seat.last("clarification.answered").text).toBe("The project's failing tests: run them and look");
  });
});
