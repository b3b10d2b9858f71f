import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { CommandResult } from "../../../src/engine/port.ts";
import { Bench, type Seat } from "../../support/engine.ts";

async function command(seat: Seat, text: string): Promise<CommandResult> {
  const admission = await seat.engine.runInput(text);
  if (admission.kind !== "command") throw new Error(`${text} gave ${JSON.stringify(admission)}`);
  return admission.result;
}

async function seated(bench: Bench): Promise<Seat> {
  const seat = bench.open();
  await seat.run("say hello");
  return seat;
}

describe("/export", () => {
  test("[PS-5] writes the open session into .coder/exports, private, and again over its own file", async () => {
    await using bench = new Bench([{ text: "hello" }]);
    const seat = await seated(bench);
    const { id } = seat.engine.state();
    for (const form of ["md", "html", "json"]) {
      const path = join(bench.workspace, ".coder", "exports", `${id}.${form}`);
      for (const _ of ["first", "again"]) {
        const result = await command(seat, form === "md" ? "/export" : `/export ${form}`);
        expect(result).toMatchObject({ ok: true, data: { path, bytes: statSync(path).size, format: form } });
      }
      expect([statSync(path).mode & 0o777, readFileSync(path, "utf8").includes("say hello")]).toEqual([0o600, true]);
    }
    expect(readdirSync(join(bench.workspace, ".coder", "exports")).length).toBe(4);
    expect(readFileSync(join(bench.workspace, ".coder", "exports", ".gitignore"), "utf8")).toBe("*\n");
  });

  test("[PS-5] writes a new file of the workspace, in the form that its name says", async () => {
    await using bench = new Bench([{ text: "hello" }]);
    const seat = await seated(bench);
    expect(await command(seat, "/export notes.html")).toMatchObject({ ok: true, data: { format: "html" } });
    expect(readFileSync(join(bench.workspace, "notes.html"), "utf8")).toStartWith("<!doctype html>");
    expect(await command(seat, "/export json plain.txt")).toMatchObject({ ok: true, data: { format: "json" } });
    expect(JSON.parse(readFileSync(join(bench.workspace, "plain.txt"), "utf8"))).toMatchObject({ v: 1 });
  });

  test("[PO-7] refuses a path outside the workspace, through a link too, and says what would work", async () => {
    await using bench = new Bench([{ text: "hello" }]);
    const seat = await seated(bench);
    const outside = join(bench.root, "outside");
    mkdirSync(outside);
    symlinkSync(outside, join(bench.workspace, "link"));
    for (const file of ["../outside/a.md", join(outside, "a.md"), "link/a.md"]) {
      const result = await command(seat, `/export ${file}`);
      expect(result).toMatchObject({ ok: false, error: { code: "E_POLICY_DENIED" } });
      expect(result.text).toContain(`coder export ${seat.engine.state().id} -o FILE`);
    }
    expect(readdirSync(outside)).toEqual([]);
  });

  test("[TL-1] refuses to replace a file, and a .coder folder that is a link", async () => {
    await using bench = new Bench([{ text: "hello" }]);
    const seat = await seated(bench);
    const mine = join(bench.workspace, "mine.md");
    writeFileSync(mine, "mine");
    expect(await command(seat, "/export mine.md")).toMatchObject({ ok: false, error: { code: "E_CONFLICT" } });
    expect(readFileSync(mine, "utf8")).toBe("mine");
    await using linked = new Bench([{ text: "hello" }]);
    mkdirSync(join(linked.root, "elsewhere"));
    symlinkSync(join(linked.root, "elsewhere"), join(linked.workspace, ".coder"));
    expect(await command(await seated(linked), "/export")).toMatchObject({ ok: false, error: { code: "E_STORE" } });
    expect(existsSync(join(linked.root, "elsewhere", "exports"))).toBe(false);
  });

  test("[IN-6] without a session there is nothing to export; too many words are refused", async () => {
    await using bench = new Bench([{ text: "hello" }]);
    const seat = bench.open();
    expect((await command(seat, "/export")).text).toContain("no session to export yet");
    await seat.run("go");
    expect((await command(seat, "/export md a b")).text).toContain("/export does not take b");
  });

  test("[IN-6] works while a task runs, with what is stored so far", async () => {
    await using bench = new Bench([{ calls: [{ tool: "list", input: {} }] }, { stallAfter: 0 }]);
    const seat = bench.open();
    await seat.engine.runInput("list it");
    await seat.event("tool.settled");
    const result = await command(seat, "/export json");
    const { path } = result.data as { path: string };
    const roles = (JSON.parse(readFileSync(path, "utf8")) as { messages: { role: string }[] }).messages.map(
      ({ role }) => role,
    );
    expect(roles).toEqual(["user", "assistant", "tool"]);
    seat.engine.cancel("esc");
    await seat.engine.idle();
  });
});
