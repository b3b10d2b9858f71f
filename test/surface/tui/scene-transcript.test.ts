// The whole session in one view, also of what a resumed session does not show.
import { expect, test } from "bun:test";
import type { Script } from "../../support/scripted-server.ts";
import { Scene, sizes } from "./scene.ts";

const numbers = ["one", "two", "three", "four", "five", "six", "seven"];
const script: Script = numbers.map((word) => ({
  when: `part ${word}`,
  steps: [
    {
      calls: [
        {
          tool: "bash",
          input: { command: `sleep 0.15; seq -f 'line of ${word} %g' 1 30; printf '\\033]0;EVIL\\007\\033[2J完了\\n'` },
        },
      ],
    },
    { text: `Part ${word} is **done**.` },
  ],
}));
const langs = [
  ...sizes.map((size) => ({ ...size, lang: "en" as const })),
  { columns: 80, rows: 24, name: "-zh", lang: "zh" as const },
];
const bar = /━━ (?:Transcript|完整记录)/;

test.each(langs)(
  "[PS-3] [SU-3] Ctrl+O shows the whole of a resumed session, searched from end to start, $columns by $rows, $lang",
  async ({ name, lang, ...size }) => {
    await using scene = await Scene.begin({ script, mode: "yolo", columns: 100, rows: 40 });
    for (const word of numbers) {
      scene.say(`work on part ${word}`);
      await scene.rests(`Part ${word} is done.`);
    }
    scene.person.press("ctrl+d");
    expect(await scene.person.exited).toBe(0);
    await using again = scene.again({ args: ["--continue"], mode: "yolo", lang, ...size });
    await again.waitFor("Part seven is done.");
    await again.waitFor(/^> (?:Ask|请)/);
    expect(again.scrollback().join("\n")).not.toContain("> work on part one");
    again.press("ctrl+o");
    await again.waitFor(bar);
    await again.waitFor("Part seven is done.");
    await scene.frame(`transcript${name}`, { person: again });
    // Not shown in the terminal, neither by the resume nor in the shortened output.
    again.press("/");
    again.type("line of one 17");
    again.press("enter");
    await again.waitFor(/^line of one 17$/);
    await scene.frame(`transcript-found${name}`, { person: again });
    again.press("g");
    await again.waitFor("work on part one");
    again.press("ctrl+f");
    again.type("is done");
    again.press("enter");
    await again.waitFor("Part one is done.");
    again.press("n");
    await again.waitFor("Part two is done.");
    again.press("N");
    await again.waitFor("Part one is done.");
    await again.resize(60, 14);
    await again.waitFor(bar);
    again.press("G");
    await again.waitFor("Part seven is done.");
    expect(again.title()).not.toContain("EVIL");
    again.press("q");
    await again.waitFor(/^> (?:Ask|请)/);
  },
);
