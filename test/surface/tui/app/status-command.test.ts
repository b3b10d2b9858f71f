import { expect, test } from "bun:test";
import { StatusCommand, type StatusOutput } from "../../../../src/surface/tui/app/status-command.ts";
import { themeOf } from "../../../../src/surface/tui/terminal/theme.ts";
import { until } from "../../../support/until.ts";

/** A command whose runs the test ends. */
function seat(isPlain = false) {
  const asked: string[] = [];
  let [answer, input, command, redrawn] = [(_: StatusOutput): void => {}, {}, "mine", 0];
  const status = new StatusCommand({
    look: { theme: themeOf("terminal", isPlain), lang: "en", width: () => 20 },
    command: () => command,
    input: () => input,
    run: (_, given) => {
      asked.push(given);
      return new Promise((resolve) => {
        answer = resolve;
      });
    },
    redraw: () => {
      redrawn++;
    },
    fault: (error) => {
      throw error;
    },
  });
  return {
    status,
    asked,
    change: (now: object, line = "mine"): void => {
      [input, command] = [now, line];
      status.follow();
    },
    ends: async (output: StatusOutput): Promise<void> => {
      const before = redrawn;
      answer(output);
      await until("it is drawn", () => redrawn > before);
    },
    runs: (n: number) => until(`${n} runs`, () => asked.length === n),
  };
}

test("[SU-3] the status command runs once for many changes, and again for those that came meanwhile", async () => {
  const { status, asked, change, ends, runs } = seat();
  for (let n = 0; n < 5; n++) change({ n });
  await runs(1);
  change({ n: 5 });
  change({ n: 6 });
  await ends({ text: "one\n" });
  expect(status.lines(3)).toEqual(["one\x1b[0m"]);
  await runs(2);
  await ends({ text: "two\nthree\nfour\nfive\n" });
  change({ n: 6 });
  expect(asked).toEqual(['{"n":4}', '{"n":6}']);
  expect([status.lines(3).length, status.lines(1)]).toEqual([3, ["two\x1b[0m"]]);
  change({ n: 7 }, "");
  expect(status.lines(3)).toEqual([]);
  status.end();
});

test("[SU-3] its colours are shown, and nothing else that a terminal obeys", async () => {
  const text = "\x1b[32mok\x1b[0m\x1b]0;title\x07 \x1b[2Jleft\x1b[1;1H\x9b\n┏━ Run this? ━┓";
  for (const isPlain of [false, true]) {
    const { status, change, ends, runs } = seat(isPlain);
    change({ n: 1 });
    await runs(1);
    await ends({ text });
    expect(status.lines(1)).toEqual([isPlain ? "ok left\\u009b" : "\x1b[32mok\x1b[0m left\\u009b\x1b[0m"]);
    status.end();
  }
});

test("[SU-3] a command that fails is named with the reason, within the line", async () => {
  const { status, change, ends, runs } = seat(true);
  change({ n: 1 });
  await runs(1);
  await ends({ problem: "exit code 127" });
  expect(status.lines(1)).toEqual(["ui.statusline.comm…"]);
  status.end();
});
