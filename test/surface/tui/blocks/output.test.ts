import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { call, commandResult, problemsIn, replied, rowsOf, running, settled, Telling } from "../telling.ts";

function started(width = 80): Telling {
  const told = new Telling({ width });
  told.hear(replied({ calls: [call("bash", { command: "x" })] }), running());
  return told;
}
const output = (text: string, stream: "stdout" | "stderr" = "stdout") =>
  ({ kind: "output", callId: "r1/1/1", stream, text }) as const;

describe("what a command writes", () => {
  test("[SU-3] is seen by its last lines, and how many there were before", () => {
    const told = started();
    told.hear(output("1\n2\n"), output("3\n4\n5\n6\nhal"), output("f"));
    expect(told.live()).toEqual(["• Run x", "  … 3 lines above (Ctrl+O)", "  4", "  5", "  6", "  half"]);
    expect(rowsOf(told.feed.details()[0], 40).slice(-7)).toEqual(["1", "2", "3", "4", "5", "6", "half"]);
  });

  test("[SU-3] a bar that is drawn over and over is one line, and the two streams do not mix", () => {
    const told = started();
    for (let n = 0; n <= 100; n += 10) told.hear(output(`\r\u001b[2K\u001b[32m${n} %\u001b[0m`));
    told.hear(output("warning: ", "stderr"), output("old\n", "stderr"));
    expect(told.live()).toEqual(["• Run x", "  warning: old", "  100 %"]);
    told.hear(output("\u001b[3"));
    expect(told.live()).toEqual(["• Run x", "  warning: old", "  100 %"]);
  });

  test("[SU-3] afterwards its beginning and end stand there, and all of it can be looked at", () => {
    const told = started();
    const text = Array.from({ length: 1_000 }, (_, at) => `line ${at}\n`).join("");
    told.hear(settled(commandResult(text)));
    told.take();
    expect(told.text.split("\n")).toEqual([
      ...["✓ Run x", "  line 0", "  line 1", "  … 995 lines (Ctrl+O)", "  line 997", "  line 998", "  line 999"],
    ]);
    const whole = rowsOf(told.feed.details()[0], 80);
    expect(whole.filter((line) => line.startsWith("line ")).length).toBe(1_000);
  });

  test("[SU-3] however much it is, no more is kept and looked at than can be shown", () => {
    const told = started();
    for (let n = 0; n < 100_000; n++) told.hear(output(`line ${n}\n`));
    expect(told.live()).toEqual([
      ...["• Run x", "  … 99996 lines above (Ctrl+O)", "  line 99996", "  line 99997", "  line 99998", "  line 99999"],
    ]);
    const detail = rowsOf(told.feed.details()[0], 80);
    expect(detail.filter((line) => line.startsWith("line ")).length).toBeLessThanOrEqual(800);
    told.hear(output("y".repeat(20_000_000)));
    expect(told.live().at(-1)?.length).toBeLessThanOrEqual(80);
  });

  test("[SU-3] [SA-terminal-escapes] nothing in it reaches the terminal as a code, whatever it is and however it is cut", () => {
    const nasty = fc.string({
      unit: fc.constantFrom(
        ...[
          "\u001b",
          "[",
          "]",
          "0;",
          "2J",
          "m",
          "H",
          "\u0007",
          "\u001b\\",
          "\u009b",
          "\u0090",
          "P",
          "\b",
          "\r",
          "\n",
          "\t",
        ],
        ...["a", "中", "😀", "\u202e", "\u0000", "\ud800", "8;;http://x", "?", "c", " "],
      ),
      maxLength: 80,
    });
    fc.assert(
      fc.property(fc.array(nasty, { maxLength: 6 }), fc.integer({ min: 20, max: 60 }), (pieces, width) => {
        const told = started(width);
        for (const piece of pieces) {
          told.hear(output(piece));
          expect(problemsIn(told.feed.live(8), width)).toEqual([]);
        }
        told.hear(settled(commandResult(pieces.join(""), 1, pieces.join("\n"))));
        told.take();
        expect(problemsIn(told.committed, width)).toEqual([]);
        for (const detail of told.feed.details()) expect(problemsIn(rowsOf(detail, width), width)).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });

  test("[SU-3] a file without line ends does not fill the screen", () => {
    const told = started();
    told.hear(settled(commandResult("z".repeat(500_000))));
    told.take();
    expect(told.committed.length).toBeLessThan(8);
    expect(told.text).toContain("… a line of 500000 characters");
  });
});
