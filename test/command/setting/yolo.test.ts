import { describe, expect, test } from "bun:test";
import type { CommandResult } from "../../../src/engine/port.ts";
import { Bench, type Seat } from "../../support/engine.ts";

async function command(seat: Seat, text: string): Promise<CommandResult> {
  const admission = await seat.run(text);
  if (admission.kind !== "command") throw new Error(JSON.stringify(admission));
  return admission.result;
}

const ways = ["/mode yolo", "/permissions yolo"];

describe("[PO-1] [PO-2] the way into yolo", () => {
  for (const way of ways)
    test(`${way} asks first, once per session, and changes nothing until the yes`, async () => {
      await using bench = new Bench([[{ text: "hello" }]]);
      const seat = bench.open({ mode: "default" });
      await seat.run("hello");
      const asked = await command(seat, way);
      expect([asked.ok, asked.ask?.yes, seat.engine.state().mode, seat.engine.state().preset]).toEqual([
        true,
        `${way} yes`,
        "default",
        null,
      ]);
      for (const word of ["sandbox", "network", "/undo", "deny"]) expect(asked.ask?.question).toContain(word);
      expect((await command(seat, way)).ask?.yes).toBe(`${way} yes`);
      await command(seat, `${way} yes`);
      expect(seat.engine.state().mode).toBe("yolo");
      await command(seat, "/mode plan");
      expect((await command(seat, "/mode yolo")).ask).toBe(undefined);
      expect(seat.engine.state().mode).toBe("yolo");
      // The next session has not been told.
      await command(seat, "/mode default");
      await seat.engine.newSession();
      expect((await command(seat, "/mode yolo")).ask?.yes).toBe("/mode yolo yes");
    });

  test("is open to whom a flag, or a session that was left in it, has led there", async () => {
    await using bench = new Bench([[{ text: "hello" }]]);
    const seat = bench.open({ mode: "yolo" });
    await seat.run("hello");
    await command(seat, "/mode default");
    expect((await command(seat, "/mode yolo")).ask).toBe(undefined);
    const id = seat.engine.state().id;
    await seat.close();
    const later = bench.open({});
    await later.engine.resume(id);
    expect(later.engine.state().mode).toBe("yolo");
    await command(later, "/mode plan");
    expect((await command(later, "/mode yolo")).ask).toBe(undefined);
  });

  test("is asked about in Chinese too, and says yes to nothing but yolo", async () => {
    await using bench = new Bench([]);
    const seat = bench.open({ lang: "zh" });
    expect((await command(seat, "/mode yolo")).ask?.question).toContain("沙箱");
    expect((await command(seat, "/mode auto-edit yes")).ok).toBe(false);
    expect((await command(seat, "/mode yolo please")).ok).toBe(false);
    expect(seat.engine.state().mode).toBe("default");
  });

  test("says what is true with a sandbox that the person asked for", async () => {
    await using bench = new Bench([]);
    const free = (await command(bench.open({}), "/mode yolo")).ask?.question;
    const held = (await command(bench.open({ sandbox: true }), "/mode yolo")).ask?.question;
    expect(free === held).toBe(false);
  });
});
