// The cursor stands where the next letter goes, whatever is typed; what happens meanwhile does not disturb it.
import { expect, test } from "bun:test";
import type { Step } from "../../support/scripted-reply.ts";
import { Scene, usage } from "./scene.ts";

/** Where the cursor is once the prompt shows this. */
async function cursorAfter(scene: Scene, text: string): Promise<readonly [row: number, column: number]> {
  await scene.sees(() => scene.typed() === text);
  const cursor = scene.person.cursor();
  return [(cursor?.row ?? -1) - scene.promptRow(), cursor?.column ?? -1];
}

test("[SU-3] the cursor is behind every letter: Chinese, joined, combined and plain ones", async () => {
  await using scene = await Scene.begin();
  let [typed, column] = ["", 2];
  const signs: readonly (readonly [string, number])[] = [
    ...([
      ["你", 2],
      ["好", 2],
      ["，", 2],
      ["a", 1],
      ["é", 1],
      ["e\u0301", 1],
      ["한", 2],
      ["あ", 2],
    ] as const),
    ...([
      ["😀", 2],
      ["👍🏽", 2],
      ["👨‍👩‍👧", 2],
      ["🇨🇳", 2],
      ["❤️", 2],
      ["ﾊ", 1],
      ["—", 1],
      ["z", 1],
    ] as const),
  ];
  for (const [sign, width] of signs) {
    scene.person.type(sign);
    [typed, column] = [typed + sign, column + width];
    expect([sign, await cursorAfter(scene, typed)]).toEqual([sign, [0, column]]);
  }
  for (const [sign, width] of signs.toReversed()) {
    scene.person.press("backspace");
    [typed, column] = [typed.slice(0, -sign.length), column - width];
    expect([sign, await cursorAfter(scene, typed)]).toEqual([sign, [0, column]]);
  }
});

test("[SU-3] in the middle of a line too, and where the line goes on below", async () => {
  await using scene = await Scene.begin({ columns: 40, rows: 12 });
  scene.person.type("中文 text 中文");
  expect(await cursorAfter(scene, "中文 text 中文")).toEqual([0, 16]);
  for (const column of [14, 12, 11]) {
    scene.person.press("left");
    await scene.sees(() => scene.person.cursor()?.column === column);
  }
  scene.person.type("更多");
  expect(await cursorAfter(scene, "中文 text更多 中文")).toEqual([0, 15]);
  scene.person.press("home");
  await scene.sees(() => scene.person.cursor()?.column === 2);
  scene.person.press("end");
  // 37 columns are left for text: one half of a wide letter does not fit the last.
  const more = "长".repeat(12);
  scene.person.type(more);
  await scene.sees("长长长");
  await scene.sees(() => scene.person.cursor()?.column === 8);
  expect(scene.person.rows().slice(scene.promptRow(), scene.promptRow() + 2)).toEqual([
    "> 中文 text更多 中文长长长长长长长长长",
    "  长长长",
  ]);
  scene.person.press("ctrl+a");
  scene.person.press("right", "right", "delete");
  await scene.sees("> 中文text更多");
  expect(await cursorAfter(scene, `中文text更多 中文${"长".repeat(10)}`)).toEqual([0, 6]);
});

test("[SU-3] several lines are written, kept apart and sent whole", async () => {
  const script: Step[] = [{ text: "Read.", usage }];
  await using scene = await Scene.begin({ script, keyboard: "kitty" });
  scene.person.type("一行");
  scene.person.press("shift+enter");
  scene.person.type("second\\");
  scene.person.press("enter");
  scene.person.type("third 行");
  await scene.sees("third 行");
  await scene.frame("lines");
  scene.person.press("enter");
  await scene.rests("Read.");
  const said = scene.cli.server.requests[0]?.body.messages.map(({ content }) => String(content)) ?? [];
  expect(said.some((text) => text.startsWith("一行\nsecond\nthird 行"))).toBe(true);
});

test("[SU-3] output does not disturb what is being typed", async () => {
  const text = Array.from({ length: 80 }, (_, n) => `line ${n} of many\n\n`).join("");
  const script: Step[] = [{ text, chunkChars: 20, chunkDelayMs: 4, usage }];
  await using scene = await Scene.begin({ script });
  scene.say("write");
  // Pieces that come fast are drawn together: the first lines may have scrolled away when anything is seen.
  await scene.sees(/^line \d+ of/);
  let typed = "";
  for (const sign of "我在打字 while it writes 👍") {
    scene.person.type(sign);
    typed += sign;
    const column = 2 + Bun.stringWidth(typed);
    await scene.sees(() => scene.typed() === typed.trimEnd() && scene.person.cursor()?.column === column);
  }
  await scene.rests("1.2k");
  expect([scene.typed(), scene.count("while it writes")]).toEqual([typed, 1]);
  expect(scene.person.scrollback().filter((line) => /^line \d+ of many$/.test(line)).length).toBe(80);
});

const asking: readonly Step[] = [
  { text: "I clean up.", delayMs: 150, calls: [{ tool: "bash", input: { command: "touch asked.txt" } }] },
  { text: "Done.", usage },
];
const isMade = (scene: Scene): Promise<boolean> => Bun.file(`${scene.cli.workspace}/asked.txt`).exists();

test("[PO-6] keys that were pressed before a question appeared do not answer it, and are not lost", async () => {
  await using scene = await Scene.begin({ isTimed: true, script: asking });
  scene.say("clean up");
  await scene.sees(/^⠋|^⠙|^⠸|^⠴|^⠦|^⠇/);
  // In one read with what follows it, while the model thinks, and right when the question is drawn.
  scene.person.type("yes, and y");
  await scene.sees("> yes, and y");
  scene.person.onBytes = (data) => {
    if (!new TextDecoder().decode(data).includes("Run this command?")) return;
    scene.person.onBytes = null;
    scene.person.type("y");
  };
  await scene.askedAfterTyping("Run this command?");
  expect(await isMade(scene)).toBe(false);
  scene.person.press("n");
  await scene.sees("Deny");
  scene.person.press("enter");
  await scene.rests("Done.");
  expect([scene.typed(), await isMade(scene)]).toEqual(["yes, and yy", false]);
});

test("[PO-6] a y that comes together with the Enter before it is no answer either", async () => {
  await using scene = await Scene.begin({ isTimed: true, script: asking });
  scene.person.type("clean up\ry");
  await scene.askedAfterTyping("Run this command?");
  expect(await isMade(scene)).toBe(false);
  scene.person.press("y");
  await scene.rests("Done.");
  expect([scene.typed(), await isMade(scene)]).toEqual(["y", true]);
});

test("[PO-6] a key that is held down, or many at once, answers nothing", async () => {
  await using scene = await Scene.begin({ isTimed: true, script: asking });
  scene.say("clean up");
  await scene.sees("Run this command?");
  await scene.person.hold("y", 30);
  expect([await isMade(scene), scene.count("Run this command?")]).toEqual([false, 1]);
});

test("[IN-5] a paste of a megabyte is folded, and the model gets all of it", async () => {
  const script: Step[] = [{ text: "Read.", usage }];
  await using scene = await Scene.begin({ script });
  const line = "这是一行 of text that was copied from somewhere, with numbers: ";
  const pasted = Array.from({ length: 16_000 }, (_, n) => `${line}${n}`).join("\n");
  scene.person.type("look: ");
  scene.person.paste(pasted);
  await scene.sees("[paste #1 +16000 lines]");
  await scene.frame("pasted");
  scene.person.press("enter");
  await scene.rests("Read.");
  await scene.frame("pasted-sent");
  const said = scene.cli.server.requests[0]?.body.messages.map(({ content }) => String(content)) ?? [];
  const told = said.find((text) => text.startsWith("look: ")) ?? "";
  const [kept = ""] = /\.coder\/output\/\S+?\.txt/.exec(told) ?? [];
  expect([Buffer.byteLength(pasted) > 1_000_000, scene.text(kept) === `look: ${pasted}`]).toEqual([true, true]);
});
