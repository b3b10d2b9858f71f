// A key that is held down, or was pressed before a question could be seen, answers none of them.
import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Scene, usage } from "./scene.ts";

const isThere = (scene: Scene, name: string): boolean => existsSync(join(scene.cli.workspace, name));
const config = (scene: Scene): string => readFileSync(join(scene.cli.home, "config.json"), "utf8");

test("[PO-6] the network is given by no key that is held down since before it was asked for", async () => {
  const call = { tool: "bash", input: { command: "touch made.txt", network: true } };
  await using scene = await Scene.begin({ isTimed: true, script: [{ calls: [call] }, { text: "Done.", usage }] });
  scene.say("touch it");
  const isAsked = (): boolean => scene.person.rows().some((row) => row.includes("network: true"));
  while (!isAsked()) await scene.person.hold("y", 1);
  await scene.person.hold("y");
  expect([isThere(scene, "made.txt"), isAsked()]).toEqual([false, true]);
  await scene.askedAfterTyping("network: true");
  scene.person.press("y");
  await scene.rests("Done.");
  expect(isThere(scene, "made.txt")).toBe(true);
});

test("[PO-6] [IN-3] a d that is held down does not also say that nothing typed shall be asked about", async () => {
  await using scene = await Scene.begin({ isTimed: true });
  scene.say("!touch typed.txt");
  await scene.asked(/^┏/);
  await scene.person.hold("d");
  await scene.asked("Run ! without asking");
  expect([isThere(scene, "typed.txt"), config(scene).includes("direct")]).toEqual([false, false]);
  scene.person.press("d");
  await scene.sees(/^✓ \[COMMAND\] touch typed.txt/);
  expect(config(scene)).toContain("direct");
});

test("[PO-6] [PO-1] yolo is neither refused by the Enter that asked for it nor taken by what was pressed with it", async () => {
  await using scene = await Scene.begin({ isTimed: true });
  scene.person.type("/mode yolo\r2");
  await scene.sees("Are you sure");
  await scene.person.hold("2");
  await scene.person.hold("enter");
  expect([scene.count("Are you sure"), scene.count("● yolo"), scene.count("Nothing was changed")]).toEqual([1, 0, 0]);
  await scene.asked("Are you sure");
  scene.person.press("2");
  await scene.sees("● yolo");
});

test("[PO-6] [MD-4] an Enter that is held down does not cut a wait short, nor the one after it", async () => {
  const busy = { status: 429, headers: { "retry-after": "500" }, body: '{"error":{"message":"slow down"}}' };
  await using scene = await Scene.begin({
    isTimed: true,
    script: [{ ...busy, text: "There it is.", times: 2, usage }],
  });
  const { requests } = scene.cli.server;
  scene.person.type("what is in here?");
  await scene.sees("> what is in here?");
  for (const attempt of [2, 3]) {
    const waits = `Waiting to retry (attempt ${attempt})`;
    while (!scene.person.screen().includes(waits)) await scene.person.hold("enter", 1);
    await scene.person.hold("enter");
    expect(requests.length).toBe(attempt - 1);
    await scene.asked(waits);
  }
  scene.person.press("enter");
  await scene.rests("There it is.");
  expect(requests.length).toBe(3);
});
