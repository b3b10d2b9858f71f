// What a person does is seen at once, also while a reply streams: only what streams waits for the next frame.
import { expect, test } from "bun:test";
import { Scene, usage } from "./scene.ts";

/** About what waiting for a frame would take on average; a key takes a millisecond or two. */
const SOON_MS = 25;
const text = Array.from({ length: 900 }, (_, n) => `word${n} and more${n % 12 === 11 ? "\n\n" : " "}`).join("");

/** From what is done until the first bytes with its sign. */
async function msUntil(scene: Scene, act: () => void, sign: string): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>();
  const decoder = new TextDecoder();
  let written = "";
  scene.person.onBytes = (data) => {
    written += decoder.decode(data, { stream: true });
    if (written.includes(sign)) resolve(performance.now());
  };
  const began = performance.now();
  act();
  const ms = (await promise) - began;
  scene.person.onBytes = null;
  return ms;
}

function median(times: readonly number[]): number {
  return times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)] ?? 0;
}

test("[SU-3] keys, menus, panels and pastes do not wait for the frame of what streams", async () => {
  await using scene = await Scene.begin({ script: [{ text, chunkChars: 6, chunkDelayMs: 16, usage }] });
  const { person } = scene;
  scene.say("go");
  await scene.sees("word20 ");
  const times = new Map<string, number[]>();
  const time = async (what: string, act: () => void, sign: string, undo: () => void): Promise<void> => {
    times.set(what, [...(times.get(what) ?? []), await msUntil(scene, act, sign)]);
    undo();
    // Never at the same distance from a frame.
    await Bun.sleep(15 + Math.random() * 60);
  };
  const clear = (): void => person.press("ctrl+u");
  for (let n = 0; n < 9; n++) {
    await time("a letter", () => person.type("Z"), "Z", clear);
    await time("a menu", () => person.type("/"), "/permissions", clear);
    await time("a paste", () => person.paste("Zebra"), "Zebra", clear);
    await time(
      "help",
      () => person.press("f1"),
      "q close",
      () => {},
    );
    await time(
      "its end",
      () => person.press("q"),
      "\x1b[?1049l",
      () => {},
    );
  }
  const slow = [...times].map(([what, all]) => [what, median(all)] as const).filter(([, ms]) => ms > SOON_MS);
  expect(slow).toEqual([]);
  // It has streamed all the while.
  expect(scene.count("word899")).toBe(0);
}, 20_000);
