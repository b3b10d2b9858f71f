// What the person notices while they look elsewhere: a word from the terminal, its title; and nothing at all while nothing happens.
import { describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { emptySession } from "../../../src/machine/state.ts";
import { Attention } from "../../../src/surface/tui/app/attention.ts";
import { themeOf } from "../../../src/surface/tui/terminal/theme.ts";
import { Cli } from "../../support/cli.ts";
import { type Person, sitDown } from "../../support/pty.ts";
import { until } from "../../support/until.ts";
import { pressUntil } from "./life.ts";

const run = { calls: [{ tool: "bash", input: { command: "echo ran > ran.txt" } }] };
const focusIn = "\x1b[I";
const focusOut = "\x1b[O";

/** Bells and notices in what was written; titles, links and questions to the terminal end in a bell of their own. */
function notices(person: Person): readonly string[] {
  const all = person.recording.map(({ data }) => (data instanceof Uint8Array ? new TextDecoder().decode(data) : ""));
  return (
    all
      .join("")
      .replace(/\x1b\](?:0|2|8|11|7501);[^\x07]*\x07/g, "")
      .match(/\x1b\](?:9|777);[^\x07]*\x07|\x07/g) ?? []
  );
}

const task = "waiting for your answer: run it";
const ways: readonly (readonly [way: string, env: Record<string, string>, want: readonly string[]])[] = [
  ["auto", {}, ["\x07"]],
  ["auto", { TERM_PROGRAM: "WezTerm" }, [`\x1b]9;${task}\x07`]],
  ["auto", { VTE_VERSION: "7600" }, [`\x1b]777;notify;coder;${task}\x07`]],
  ["auto", { TERM_PROGRAM: "WezTerm", TMUX: "/tmp/x" }, ["\x07"]],
  ["osc777", {}, [`\x1b]777;notify;coder;${task}\x07`]],
  ["off", { TERM_PROGRAM: "WezTerm" }, []],
];

describe("a question while the window is not looked at", () => {
  test.each(ways)("[SU-3] ui.notify %s with %j calls in that way, once", async (notify, env, want) => {
    using cli = new Cli([{ ...run, delayMs: 100 }, { text: "all done" }]);
    mkdirSync(cli.home, { recursive: true });
    writeFileSync(join(cli.home, "config.json"), JSON.stringify({ ui: { notify } }));
    await using person = sitDown(cli, [...cli.model, "--no-sandbox"], { env, records: true });
    await person.waitFor(/^● default/);
    person.type("run it");
    person.press("enter");
    person.type(focusOut);
    await person.waitFor("Run this command?");
    await person.waitFor(/^● default/);
    expect(notices(person)).toEqual(want);
  });

  test("[SU-3] one that is looked at is not told, and the title says that it waits, and is put back", async () => {
    using cli = new Cli([run, { text: "all done" }]);
    await using person = sitDown(cli, [...cli.model, "--no-sandbox"], { records: true });
    await person.waitFor(/^● default/);
    const folder = person.title();
    expect(cli.workspace.endsWith(`/${folder}`)).toBe(true);
    person.type(focusOut);
    person.type(focusIn);
    person.type("run it");
    person.press("enter");
    await person.waitFor("Run this command?");
    expect([person.title(), notices(person)]).toEqual([`? run it – ${folder}`, []]);
    await pressUntil(person, "y", () => !person.screen().includes("Run this command?"));
    await person.waitFor("all done");
    await person.waitFor(() => person.title() === folder);
    // What was pressed too early was typed.
    person.press("ctrl+u", "ctrl+d");
    expect([await person.exited, person.title()]).toEqual([0, ""]);
  });
});

describe("who is told that a task has ended", () => {
  const look = { theme: themeOf("terminal", false), lang: "en", width: () => 80 } as const;
  const cases: readonly (readonly [who: string, act: (one: Attention) => void, ms: number, want: readonly string[]])[] =
    [
      ["somebody who looks elsewhere, after a long one", (one) => one.focus(false), 12_000, ["\x07"]],
      ["nobody, after a short one", (one) => one.focus(false), 9_000, []],
      ["nobody who looks at it", (one) => one.focus(true), 60_000, []],
      ["somebody who has pressed nothing since, where the terminal does not say", () => {}, 12_000, ["\x07"]],
    ];
  test.each(cases)("[SU-3] %s", (_, act, ms, want) => {
    const written: string[] = [];
    let now = 0;
    const write = (text: string): unknown => written.push(text);
    const attention = new Attention({
      look,
      way: "bell",
      write,
      folder: "here",
      now: () => now,
      takesStatus: () => false,
    });
    attention.begun();
    act(attention);
    now = ms;
    attention.ended("done");
    expect(written).toEqual([...want]);
  });

  test("[SU-3] nobody who has just pressed a key, whatever the terminal has said", () => {
    const written: string[] = [];
    let now = 0;
    const write = (text: string): unknown => written.push(text);
    const attention = new Attention({
      look,
      way: "bell",
      write,
      folder: "here",
      now: () => now,
      takesStatus: () => false,
    });
    attention.begun();
    attention.focus(false);
    now = 60_000;
    attention.touched();
    attention.ended("done");
    expect(written).toEqual([]);
    attention.follow(emptySession, null);
    attention.retitle();
    expect(written).toEqual(["\x1b]2;here\x07", "\x1b]2;here\x07"]);
  });
});

test("[SU-3] a terminal that takes program status is told what goes on, and its answer is no input", async () => {
  using cli = new Cli([run, { text: "all done" }]);
  await using person = sitDown(cli, [...cli.model, "--no-sandbox"]);
  const told: string[] = [];
  person.emulator.terminal.parser.registerOscHandler(7501, (value) => {
    told.push(value);
    if (value === "?") person.type("\x1b]7501;states=idle,working,blocked,done,error\x1b\\");
    return true;
  });
  await person.waitFor(/^● default/);
  person.type("run it");
  person.press("enter");
  await person.answer("Run this command?", "y");
  await until("it has ended", () => told.includes("state=done:app=coder"));
  await person.waitFor("> Ask anything");
  person.press("ctrl+d");
  await person.exited;
  const known = ["state=working:app=coder", "state=blocked:kind=permission:app=coder", "state=done:app=coder"];
  const changes = told.filter((one) => known.includes(one));
  expect([told[0], ...changes, told.at(-1)]).toEqual([
    ...["?", "state=working:app=coder", "state=blocked:kind=permission:app=coder", "state=working:app=coder"],
    ...["state=done:app=coder", "state=clear"],
  ]);
});

test("[SU-3] while nothing happens next to nothing is done and nothing is written, also at a question", async () => {
  using cli = new Cli([run, { text: "all done" }]);
  await using idle = sitDown(cli, [...cli.model]);
  await using asking = sitDown(cli, [...cli.model, "--no-sandbox", "run it"]);
  await idle.waitFor(/^● default/);
  await asking.waitFor("Run this command?");
  const both = [idle, asking];
  await until("five seconds pass in which nothing happens", async () => {
    const before = both.map(({ bytes, cpuMs }) => ({ bytes, cpuMs }));
    await Bun.sleep(5_000);
    // The runtime looks after its memory once a second; what is put off at the start may still be done in the first ones.
    return both.every(({ bytes, cpuMs }, at) => {
      const { bytes: bytesBefore = 0, cpuMs: msBefore = 0 } = before[at] ?? {};
      return bytes === bytesBefore && cpuMs - msBefore <= 50;
    });
  });
});
