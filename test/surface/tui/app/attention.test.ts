import { expect, test } from "bun:test";
import { emptySession } from "../../../../src/machine/state.ts";
import { Attention } from "../../../../src/surface/tui/app/attention.ts";
import { themeOf } from "../../../../src/surface/tui/terminal/theme.ts";

test("[SU-3] the title of the window takes 60 columns of a task, however wide its letters are", () => {
  const written: string[] = [];
  const look = { theme: themeOf("terminal", true), lang: "en", width: () => 80 } as const;
  const attention = new Attention({
    ...{ look, way: "off", folder: "ws", now: () => 0, takesStatus: () => false },
    write: (text) => written.push(text),
  });
  const titled = (text: string): string | undefined => {
    const input = { id: "i1", kind: "task", delivery: "now", text } as const;
    const task = { id: "t1", input } as never;
    attention.follow({ ...emptySession, task: { phase: "EXECUTING", task } as never }, null);
    return written.at(-1)?.slice("\x1b]0;".length, -1);
  };
  expect(titled("fix it\nand more")).toBe("fix it – ws");
  expect(titled("x".repeat(70))).toBe(`${"x".repeat(59)}… – ws`);
  expect(titled("字".repeat(70))).toBe(`${"字".repeat(29)}… – ws`);
});
