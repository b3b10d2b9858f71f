import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { CommandResult } from "../../src/engine/port.ts";
import { MARKER } from "../../src/platform/process/proc.ts";
import { Bench, type Seat } from "../support/engine.ts";

async function command(seat: Seat, text: string): Promise<CommandResult> {
  const admission = await seat.engine.runInput(text);
  if (admission.kind !== "command") throw new Error(`${text} gave ${JSON.stringify(admission)}`);
  return admission.result;
}

describe("/theme and /lang", () => {
  test("[SU-4] [CF-1] change what is shown at once, and only that key of the person's own file", async () => {
    await using bench = new Bench([]);
    mkdirSync(bench.home);
    const file = join(bench.home, "config.json");
    writeFileSync(file, '{\n  // mine\n  "max_steps": 7, "ui": { "timezone": "UTC" }\n}\n');
    const seat = bench.open();
    expect(await command(seat, "/theme")).toEqual({
      ok: true,
      text: "theme: terminal (available: terminal, dark, light)",
      data: { theme: "terminal" },
    });
    expect(await command(seat, "/theme dark")).toEqual({
      ok: true,
      text: "theme: dark (available: terminal, dark, light)",
      data: { theme: "dark" },
      ui: { theme: "dark" },
    });
    expect(await command(seat, "/lang zh")).toEqual({
      ok: true,
      text: "语言：zh（可用：en, zh）",
      data: { lang: "zh" },
      ui: { lang: "zh" },
    });
    expect((await command(seat, "/mode")).text).toBe("模式：default");
    expect((await command(seat, "/theme")).text).toBe("配色：dark（可用：terminal, dark, light）");
    expect(seat.engine.settings).toMatchObject({ lang: "zh", ui: { theme: "dark", keys: {}, notify: "auto" } });
    expect(readFileSync(file, "utf8")).toBe(
      '{\n  // mine\n  "max_steps": 7, "ui": { "timezone": "UTC", "theme": "dark", "lang": "zh" }\n}\n',
    );
    expect(existsSync(join(bench.workspace, ".coder"))).toBe(false);
  });

  test("[CF-2] what there is not is refused by name, and nothing changes", async () => {
    await using bench = new Bench([]);
    const seat = bench.open();
    const said = async (text: string) => {
      const { ok, text: answer } = await command(seat, text);
      return [ok, answer.split("\n")[0]];
    };
    expect(await said("/theme blue")).toEqual([false, "unknown theme blue; the themes are terminal, dark, light"]);
    expect(await said("/lang fr")).toEqual([false, "unknown language fr; available: en, zh"]);
    expect((await said("/theme dark light"))[0]).toBe(false);
    expect((await said("/lang en zh"))[0]).toBe(false);
    expect([seat.engine.settings.lang, seat.engine.settings.ui.theme, existsSync(bench.home)]).toEqual([
      "en",
      "terminal",
      true,
    ]);
    expect(existsSync(join(bench.home, "config.json"))).toBe(false);
  });

  test("[CF-1] what cannot be kept holds for now, and is told: a link stays as it is", async () => {
    await using bench = new Bench([]);
    mkdirSync(bench.home);
    const real = bench.file("real.json", "{}");
    symlinkSync(real, join(bench.home, "config.json"));
    const seat = bench.open();
    const { ok, text, ui } = await command(seat, "/theme light");
    expect([ok, ui, seat.engine.settings.ui.theme]).toEqual([true, { theme: "light" }, "light"]);
    expect(text.split("\n")[1]).toStartWith("Only for now, because it could not be saved: ");
    expect(readFileSync(real, "utf8")).toBe("{}");
  });

  test("[PO-9] [SA-self-approval] a program that coder itself started keeps nothing in the person's file", async () => {
    await using bench = new Bench([]);
    const seat = bench.open();
    process.env[MARKER] = "s.c";
    try {
      expect((await command(seat, "/lang zh")).text).toContain("无法保存，仅本次有效：");
    } finally {
      delete process.env[MARKER];
    }
    expect(existsSync(join(bench.home, "config.json"))).toBe(false);
  });
});

describe("/statusline and /vim", () => {
  test("[SU-4] [CF-1] show and set the fields and the command, each without the other", async () => {
    await using bench = new Bench([]);
    const seat = bench.open();
    expect((await command(seat, "/statusline")).text).toBe(
      "fields: mode preset model context cost jobs sandbox trust branch\nnot shown: folder session\ncommand: –",
    );
    expect((await command(seat, "/statusline fields model folder")).ui).toEqual({
      statusline: { fields: ["model", "folder"] },
    });
    await command(seat, "/statusline command ~/bin/status --short");
    await command(seat, "/vim");
    const statusline = { command: "~/bin/status --short", fields: ["model", "folder"] } as const;
    expect(seat.engine.settings.ui).toMatchObject({ statusline, vim: true });
    const kept: unknown = JSON.parse(readFileSync(join(bench.home, "config.json"), "utf8"));
    expect(kept).toEqual({ ui: { statusline, vim: true } });
    expect((await command(seat, "/statusline command off")).text).toEndWith("\ncommand: –");
    expect((await command(seat, "/statusline fields")).text).toStartWith("fields: –\n");
    expect((await command(seat, "/vim off")).data).toEqual({ vim: false });
  });

  test("[CF-2] what there is not is refused by name, and nothing changes", async () => {
    await using bench = new Bench([]);
    const seat = bench.open();
    const said = async (text: string) => (await command(seat, text)).text.split("\n")[0];
    expect(await said("/statusline fields model time")).toBe(
      "unknown field time; the fields are mode, preset, model, context, cost, jobs, sandbox, trust, branch, folder, session",
    );
    const usage = "Usage: /statusline [fields NAME…|command COMMAND|command off]";
    expect([await said("/statusline command"), await said("/statusline model")]).toEqual([usage, usage]);
    expect(await said("/vim maybe")).toBe("Usage: /vim [on|off]");
    expect(existsSync(join(bench.home, "config.json"))).toBe(false);
  });
});
