// IN-3: whoever is asked about what they have typed themselves can say that they need not be.
import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { say } from "../../src/contract/text/catalogue.ts";
import { Bench, type Seat } from "../support/engine.ts";

const done = { text: "done" };
const touch = (name: string) => ({ calls: [{ tool: "bash", input: { command: `touch ${name}` } }] });

async function asked(seat: Seat, text: string) {
  await seat.engine.runInput(text);
  await seat.until(() => seat.approval() !== null);
  const open = seat.approval();
  if (!open) throw new Error("nothing is asked");
  return open;
}

const there = (bench: Bench, name: string): boolean => existsSync(join(bench.workspace, name));
const typed = { answer: "yes", scope: "typed", by: "person" } as const;

describe("[IN-3] a typed command that is asked about", () => {
  test("can be the last one: it runs, the person's configuration says so, and the model is asked about as before", async () => {
    await using bench = new Bench([[touch("c"), done]]);
    const seat = bench.open({ mode: "default" }, { interactive: true });
    const open = await asked(seat, "!touch a");
    expect(open.scopes).toContain("typed");
    expect(seat.engine.answer(open.callId, typed).ok).toBe(true);
    await seat.engine.idle();
    await seat.run("!touch b");
    expect([there(bench, "a"), there(bench, "b")]).toEqual([true, true]);
    expect(JSON.parse(readFileSync(join(bench.home, "config.json"), "utf8"))).toEqual({
      shell_mode: { approval: "direct" },
    });
    const model = await asked(seat, "go");
    expect(model.scopes).not.toContain("typed");
    expect(seat.engine.answer(model.callId, typed)).toMatchObject({ ok: false });
    seat.engine.answer(model.callId, { answer: "no", by: "person" });
    await seat.engine.idle();
    await seat.close();
    const later = bench.open({ mode: "default" }, { interactive: true });
    await later.run("!touch d");
    expect(there(bench, "d")).toBe(true);
  });

  test("[PO-3] is denied all the same where a rule forbids it, and in plan mode it says how to leave that", async () => {
    await using bench = new Bench([]);
    const seat = bench.open({ mode: "default", deny: ["bash(touch b)"] }, { interactive: true });
    seat.engine.answer((await asked(seat, "!touch a")).callId, typed);
    await seat.engine.idle();
    await seat.run("!touch b");
    expect([there(bench, "a"), there(bench, "b")]).toEqual([true, false]);
    const planning = bench.open({ mode: "plan" }, { interactive: true, config: {} });
    await planning.run("!touch c");
    const { error } = planning.last("tool.settled").result;
    for (const lang of ["en", "zh"] as const)
      expect(say(lang, error?.advice ?? error?.text ?? ("" as never))).toContain("/mode default");
  });

  test("[PO-9] keeps nothing in a project's file: it runs, and the person is told why", async () => {
    await using bench = new Bench([]);
    mkdirSync(join(bench.workspace, ".coder"));
    const file = join(bench.workspace, ".coder", "config.json");
    writeFileSync(file, "{}\n");
    const seat = bench.open({ mode: "default", config: file }, { interactive: true });
    seat.engine.answer((await asked(seat, "!touch a")).callId, typed);
    await seat.engine.idle();
    expect([there(bench, "a"), readFileSync(file, "utf8")]).toEqual([true, "{}\n"]);
    expect(seat.all("notice.given").map(({ text }) => text.key)).toContain("shell.not_direct");
    await asked(seat, "!touch b");
    seat.engine.cancel("esc");
    await seat.engine.idle();
  });

  test("[SU-1] that nobody can be asked about names the setting", async () => {
    await using bench = new Bench([]);
    const seat = bench.open({ mode: "default" }, { interactive: false });
    await seat.run("!touch a");
    const { error, status } = seat.last("tool.settled").result;
    expect([status, say("en", error?.advice ?? ("" as never)).includes("shell_mode")]).toEqual(["denied", true]);
  });
});
