import { describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { CommandResult } from "../../src/engine/port.ts";
import type { Flags } from "../../src/main/cli/flags.ts";
import { Bench, type Seat } from "../support/engine.ts";

const done = { text: "done" };

async function command(seat: Seat, text: string): Promise<CommandResult> {
  const admission = await seat.engine.runInput(text);
  if (admission.kind !== "command") throw new Error(`${text} gave ${JSON.stringify(admission)}`);
  return admission.result;
}

/** A session with one task, left in this mode and preset. */
async function left(bench: Bench, ...commands: readonly string[]): Promise<string> {
  const seat = bench.open();
  await seat.run("say done");
  for (const one of commands) await command(seat, one);
  const { id } = seat.engine.state();
  await seat.close();
  return id;
}

async function resumed(bench: Bench, id: string, flags: Flags = {}, how: "resume" | "resumeCopy" = "resume") {
  const seat = bench.open(flags);
  await seat.engine[how](id);
  await seat.event("session.resumed");
  const { mode, preset } = seat.engine.state();
  return { mode, preset, seat, told: seat.all("notice.given").map(({ text }) => text) };
}

describe("a resumed session", () => {
  test("[PS-6] comes back in the mode and preset that it was left in, and says so", async () => {
    await using bench = new Bench([done]);
    const id = await left(bench, "/mode plan", "/permissions strict");
    const { mode, preset, seat, told } = await resumed(bench, id);
    expect([mode, preset]).toEqual(["plan", "strict"]);
    expect(told).toEqual([expect.objectContaining({ key: "session.mode_back" })]);
    expect(JSON.stringify(told)).toContain("plan");
    expect(seat.last("session.resumed")).toMatchObject({ mode: "plan", preset: "strict" });
  });

  test("[PS-6] so does a copy of it", async () => {
    await using bench = new Bench([done]);
    const id = await left(bench, "/mode auto-edit");
    const { mode, seat } = await resumed(bench, id, {}, "resumeCopy");
    expect([mode, seat.last("session.started").mode]).toEqual(["auto-edit", "auto-edit"]);
  });

  test("[PS-6] a flag wins over the mode that it was left in, and both are said", async () => {
    await using bench = new Bench([done]);
    const id = await left(bench, "/mode yolo yes");
    const { mode, told } = await resumed(bench, id, { mode: "default" });
    expect([mode, told.map(({ key }) => key)]).toEqual(["default", ["session.mode_other"]]);
    expect(JSON.stringify(told)).toContain("yolo");
  });

  test("[PS-6] a mode of the session that was open before does not come along, also where a flag had begun in another", async () => {
    await using bench = new Bench([done]);
    const id = await left(bench);
    const seat = bench.open({ mode: "plan" });
    await command(seat, "/mode yolo yes");
    await seat.run("say done");
    await command(seat, `/resume ${id}`);
    await seat.event("session.resumed");
    expect(seat.engine.state().mode).toBe("default");
  });

  test("[PS-6] the person's configuration does not: it says how sessions begin", async () => {
    await using bench = new Bench([done]);
    const id = await left(bench, "/mode auto-edit");
    const seat = bench.open({}, { config: { mode: "plan" } });
    await seat.engine.resume(id);
    await seat.event("session.resumed");
    expect(seat.engine.state().mode).toBe("auto-edit");
  });

  test("[PS-6] what is as usual is not told", async () => {
    await using bench = new Bench([done]);
    expect((await resumed(bench, await left(bench))).told).toEqual([]);
  });

  test("[PS-6] [PO-9] a trusted project that is stricter than the session stays so", async () => {
    await using bench = new Bench([done]);
    const id = await left(bench, "/mode yolo yes");
    mkdirSync(join(bench.workspace, ".coder"), { recursive: true });
    writeFileSync(join(bench.workspace, ".coder", "config.json"), '{"mode": "plan", "preset": "strict"}');
    const seat = bench.open({ trust: true });
    await seat.engine.resume(id);
    await seat.event("session.resumed");
    expect([seat.engine.state().mode, seat.engine.state().preset]).toEqual(["plan", "strict"]);
  });

  test("[PS-6] [SU-2] /resume says the mode in words and as data", async () => {
    await using bench = new Bench([done]);
    const id = await left(bench, "/permissions auto-edit");
    const result = await command(bench.open(), `/resume ${id}`);
    expect(result).toMatchObject({ ok: true, data: { mode: "auto-edit", preset: "auto-edit" } });
    expect(result.text).toContain("auto-edit (preset auto-edit)");
  });
});

describe("/permissions", () => {
  const write = { calls: [{ tool: "write", input: { path: "a.txt", content: "x\n" } }] };

  test("[PO-2] auto-edit and yolo set the mode too, so that they apply, and say what /mode says", async () => {
    for (const preset of ["auto-edit", "yolo"] as const) {
      await using bench = new Bench([write, done]);
      const seat = bench.open();
      const yes = preset === "yolo" ? " yes" : "";
      const { text, data } = await command(seat, `/permissions ${preset}${yes}`);
      expect(text).toStartWith((await command(seat, `/mode ${preset}`)).text);
      expect(data).toMatchObject({ mode: preset, preset });
      expect(JSON.stringify(data)).toContain(`"access":"write","what":{"key":"policy.row.write"},"decision":"allow"`);
      await seat.run("write a.txt");
      expect(seat.last("tool.settled").result.status).toBe("done");
    }
  });

  test("[PO-2] auto-edit in yolo mode is what it says: commands ask again", async () => {
    await using bench = new Bench([]);
    const seat = bench.open({ mode: "yolo" });
    const { data } = await command(seat, "/permissions auto-edit");
    expect([seat.engine.state().mode, JSON.stringify(data)]).toEqual([
      "auto-edit",
      expect.stringContaining(`"access":"exec","what":{"key":"policy.row.exec"},"decision":"ask"`),
    ]);
  });

  test("[PO-2] strict and balanced leave the mode as it is", async () => {
    await using bench = new Bench([]);
    const seat = bench.open({ mode: "plan" });
    for (const preset of ["strict", "balanced"] as const) {
      await command(seat, `/permissions ${preset}`);
      expect([seat.engine.state().mode, seat.engine.state().preset]).toEqual(["plan", preset]);
    }
  });
});
