import { expect, test } from "bun:test";
import { argumentsOf } from "../../../../src/surface/tui/story/arguments.ts";
import { Bench } from "../../../support/engine.ts";

test("[IN-6] [SL-1] what a command can be given is what there is: modes, presets, models with a key, sessions", async () => {
  await using bench = new Bench([[{ text: "done" }]]);
  const seat = bench.open();
  const { engine } = seat;
  await seat.run("make it new");
  const values = async (command: string): Promise<readonly string[]> =>
    (await argumentsOf(engine, command)).map(({ value }) => value);
  expect(await values("mode")).toEqual(["plan", "default", "auto-edit", "yolo"]);
  expect(await values("permissions")).toEqual(["strict", "balanced", "auto-edit", "yolo"]);
  expect(await values("theme")).toEqual(["terminal", "dark", "light"]);
  expect(await values("compact")).toEqual([]);
  expect(await values("model")).toContain("builtin/mechanic");
  const [session] = await argumentsOf(engine, "resume");
  expect([session?.value, session?.about]).toEqual([engine.state().id, "make it new"]);
});
