// What a person does is seen at once, also while a reply streams: only what streams waits for the next frame.
import { expect, test } from "bun:test";
import { Scene, usage } from "./scene.ts";

const text = Array.from({ length: 3_000 }, (_, n) => `word${n} and more${n % 12 === 11 ? "\n\n" : " "}`).join("");

/** Whether the first bytes with a sign come before the program has taken what is sent after what is done. */
async function isSoon(scene: Scene, act: () => void, sign: string): Promise<boolean> {
  const { person } = scene;
  const decoder = new TextDecoder();
  let written = "";
  person.onBytes = (data) => {
    written += decoder.decode(data, { stream: true });
  };
  act();
  // What a key changes is drawn behind the read in which it came: a second one is answered after that.
  await person.sync();
  await person.sync();
  const isThere = written.includes(sign);
  await scene.sees(() => written.includes(sign));
  person.onBytes = null;
  return isThere;
}

test("[SU-3] keys, menus, panels and pastes do not wait for the frame of what streams", async () => {
  const script = [{ text, chunkChars: 6, chunkDelayMs: 16, usage }];
  await using scene = await Scene.begin({ isTimed: true, script });
  const { person } = scene;
  scene.say("go");
  await scene.sees("word20 ");
  const late: string[] = [];
  // What is shown for the first time may have to be loaded.
  const seen = new Set<string>();
  const time = async (what: string, act: () => void, sign: string, undo?: () => void): Promise<void> => {
    if (!(await isSoon(scene, act, sign)) && seen.has(what)) late.push(what);
    seen.add(what);
    if (undo === undefined) return;
    undo();
    // Each time at another distance from a frame.
    const { bytes } = person;
    await scene.sees(() => person.bytes > bytes || scene.count("1.2k") > 0);
  };
  const clear = (): void => person.press("ctrl+u");
  for (let n = 0; n < 9; n++) {
    await time("a letter", () => person.type("Z"), "Z", clear);
    await time("a menu", () => person.type("/"), "/permissions", clear);
    await time("a paste", () => person.paste("Zebra"), "Zebra", clear);
    await time("help", () => person.press("f1"), "q close");
    await time("its end", () => person.press("q"), "\x1b[?1049l");
  }
  expect(late).toEqual([]);
});
