// Terminals of every kind: tiny, without a size, without answers, and one that takes nothing for a while.
import { dlopen, FFIType } from "bun:ffi";
import { describe, expect, test } from "bun:test";
import { closeSync, constants, existsSync, openSync } from "node:fs";
import { join } from "node:path";
import { builtBinary } from "../../support/binary.ts";
import { Cli } from "../../support/cli.ts";
import { Person, sitDown, sitDownTimed } from "../../support/pty.ts";
import { untilFile } from "../../support/shell.ts";
import { until } from "../../support/until.ts";
import { asFound, lastSaid, pressUntil, Shell } from "./life.ts";

const sizes = [
  ...([
    [20, 12],
    [10, 10],
    [20, 5],
    [20, 4],
  ] as const),
  ...([
    [20, 3],
    [20, 2],
    [20, 1],
    [30, 10],
  ] as const),
];

describe("a terminal at the end of a network", () => {
  test("[CAN-1] Escape pressed twice that comes in one piece stops what runs, and brings the message back", async () => {
    using cli = new Cli([{ text: "word ".repeat(400), chunkChars: 5, chunkDelayMs: 20 }]);
    const env = { SSH_CONNECTION: "192.0.2.1 2 192.0.2.2 22" };
    await using person = sitDown(cli, [...cli.model, "say it slowly"], { env });
    await person.waitFor("word word");
    person.type("\x1b\x1b");
    await person.waitFor("Cancelled by ESC");
    await person.waitFor(() => person.rows().filter((row) => row === "> say it slowly").length === 2);
  });
});

describe("the size of the terminal", () => {
  test("[SU-3] becomes tiny and large again: one types on, and nothing stands there twice", async () => {
    using cli = new Cli([{ text: `Hello there ${"abc ".repeat(30)}` }]);
    await using person = sitDown(cli, [...cli.model, "say hello"], { columns: 40, rows: 24 });
    await person.waitFor("Hello there");
    await person.waitFor("> Ask anything");
    const before = person.scrollback();
    let typed = "a";
    person.type(typed);
    await person.waitFor("> a");
    for (const [columns, rows] of sizes) {
      await person.resize(columns, rows);
      person.type("b");
      typed += "b";
      const isThere = (): boolean => person.rows().some((row) => row.trim() === `> ${typed}` || row.trim() === typed);
      await person.waitFor(isThere);
      const { row = -1, column = -1 } = person.cursor() ?? {};
      expect([columns, rows, person.rows()[row]?.slice(0, column).trim()]).toEqual([columns, rows, `> ${typed}`]);
    }
    await person.resize(40, 24);
    for (const _ of typed) person.press("backspace");
    await person.waitFor("> Ask anything");
    await person.waitFor(/● default .*mock/);
    expect(person.scrollback()).toEqual(before);
  });

  test("[SU-3] is not known: a usual one is taken", async () => {
    using cli = new Cli([{ text: "the answer" }]);
    const env = { HOME: cli.root, CODER_HOME: cli.home };
    const argv = ["sh", "-c", 'stty rows 0 cols 0; exec "$@"', "sh", ...builtBinary(), ...cli.model, "say something"];
    await using person = new Person({ argv, cwd: cli.workspace, env, columns: 80, rows: 24 });
    await person.waitFor("the answer");
    await person.waitFor(/^─{80}$/);
    person.press("ctrl+d");
    expect(await person.exited).toBe(0);
  });

  test("[SU-3] an approval in three rows can be read row by row and answered", async () => {
    const command = "echo ran >> ran.txt";
    using cli = new Cli([{ calls: [{ tool: "bash", input: { command } }] }, { text: "all done" }]);
    await using person = sitDown(cli, [...cli.model, "--no-sandbox", "run it"], { columns: 30, rows: 4 });
    await person.waitFor(/Run this command/);
    person.press("v");
    await pressUntil(person, "v", () => person.emulator.modes.has(1049));
    await person.waitFor(/echo ran/);
    await pressUntil(person, "q", () => !person.emulator.modes.has(1049));
    await pressUntil(person, "y", () => existsSync(join(cli.workspace, "ran.txt")));
    await person.waitFor(() => person.scrollback().includes("all done"));
  });
});

test("[CLI-5] NO_COLOR: no colour is ever set, and signs say what colours would", async () => {
  using cli = new Cli([{ calls: [{ tool: "bash", input: { command: "echo ran > ran.txt" } }] }, { text: "all done" }]);
  const env = { NO_COLOR: "1" };
  await using person = sitDown(cli, [...cli.model, "--no-sandbox", "run it"], { env, records: true });
  await person.waitFor("Run this command?");
  await pressUntil(person, "y", () => existsSync(join(cli.workspace, "ran.txt")));
  await person.waitFor("all done");
  await person.waitFor(/^✓ Run echo ran/);
  const all = person.recording.map(({ data }) => (data instanceof Uint8Array ? new TextDecoder().decode(data) : ""));
  const set = all.join("").match(/\x1b\[[\d;]*m/g) ?? [];
  expect([...new Set(set)].filter((code) => !/^\x1b\[(?:0|1|22|3|23|4|24|7|27|9|29)m$/.test(code))).toEqual([]);
});

describe("a terminal that answers nothing", () => {
  test("[SU-3] takes keys at once, and a question is answered after a short while", async () => {
    const command = "echo ran >> ran.txt";
    using cli = new Cli([{ calls: [{ tool: "bash", input: { command } }] }, { text: "all done" }]);
    const sitting = { isSilent: true, env: { TERM: "xterm" } } as const;
    await using person = sitDownTimed(cli, [...cli.model, "--no-sandbox"], sitting);
    // Before anything is drawn.
    person.type("run");
    await person.waitFor("> run");
    person.type(" it");
    await person.waitFor("> run it");
    person.press("enter");
    await person.waitFor("Run this command?");
    person.tick(700);
    person.type("y");
    person.tick(1_000);
    await person.sync();
    expect([person.screen().includes("Run this command?"), existsSync(join(cli.workspace, "ran.txt"))]).toEqual([
      ...[true, false],
    ]);
    person.type("y");
    await person.waitFor("all done");
    // What was pressed too early was typed.
    await person.waitFor("> y");
    person.press("ctrl+u", "ctrl+d");
    // Answers that are still missing are waited for.
    person.tick(1_000);
    expect(await person.exited).toBe(0);
  });
});

/** As if the person had stopped it: nothing more is taken until it goes on. */
class Tap implements Disposable {
  private readonly fd: number;
  private readonly libc = dlopen("libc.so.6", { tcflow: { args: [FFIType.i32, FFIType.i32], returns: FFIType.i32 } });

  constructor(pid: number) {
    this.fd = openSync(`/proc/${pid}/fd/0`, constants.O_RDWR | constants.O_NOCTTY);
  }

  set(isOpen: boolean): void {
    if (this.libc.symbols.tcflow(this.fd, isOpen ? 1 : 0) !== 0) throw new Error("the terminal cannot be stopped");
  }

  [Symbol.dispose](): void {
    closeSync(this.fd);
    this.libc.close();
  }
}

describe("a terminal that takes nothing for a while", () => {
  test("[SU-3] does not hold up the work, and gets the newest frame afterwards, not all of them", async () => {
    const text = Array.from({ length: 60 }, (_, n) => `line ${n} ${"x".repeat(60)}\n\n`).join("");
    const command = `echo ran > ran.txt; ${untilFile("go")}`;
    const steps = [{ text, chunkChars: 40, chunkDelayMs: 5, calls: [{ tool: "bash", input: { command } }] }];
    using cli = new Cli([...steps, { text: "all done" }]);
    await using person = sitDown(cli, [...cli.model, "--mode", "yolo", "--no-sandbox", "say much"]);
    await person.waitFor("line 1 ");
    using tap = new Tap(person.pid);
    tap.set(false);
    await until("the work goes on", () => existsSync(join(cli.workspace, "ran.txt")));
    // More than ten frames of the sign that turns.
    await Bun.sleep(1_500);
    const { bytes } = person;
    tap.set(true);
    await person.waitFor(/Running bash|ran\.txt/);
    expect(person.bytes - bytes).toBeLessThan(20_000);
    person.type("still typing");
    await person.waitFor("> still typing");
    expect(person.scrollback().filter((row) => row.startsWith("line 59"))).toHaveLength(1);
  });

  test("[SU-3] can be left: SIGTERM ends the program in time", async () => {
    using cli = new Cli([{ text: "word ".repeat(4000), chunkChars: 50, chunkDelayMs: 5 }]);
    await using person = sitDown(cli, [...cli.model, "say much"]);
    await person.waitFor("word word");
    using tap = new Tap(person.pid);
    tap.set(false);
    await Bun.sleep(300);
    person.kill("SIGTERM");
    expect(await person.exited).toBe(130);
  });

  test("[SU-3] and takes something again just before the end is as it was found", async () => {
    using cli = new Cli([{ text: "word ".repeat(4000), chunkChars: 50, chunkDelayMs: 5 }]);
    await using shell = new Shell(cli, [...cli.model, "say much"]);
    await shell.person.waitFor("word word");
    const { pid } = shell;
    using tap = new Tap(pid);
    tap.set(false);
    await Bun.sleep(300);
    process.kill(pid, "SIGTERM");
    // Longer than what was drawn is waited for, and less than all that is.
    await Bun.sleep(2_000);
    tap.set(true);
    expect([await shell.left(), shell.terminal()]).toEqual([130, asFound]);
    expect(lastSaid(shell.person)).toStartWith("Resume with: ");
  }, 120_000);
});
