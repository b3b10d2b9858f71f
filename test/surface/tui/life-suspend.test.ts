// Ctrl+Z at a real shell with job control: the shell is usable, and fg brings everything back.
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readProc } from "../../../src/platform/process/proc.ts";
import { builtBinary } from "../../support/binary.ts";
import { Cli } from "../../support/cli.ts";
import { Person } from "../../support/pty.ts";
import { untilFile } from "../../support/shell.ts";
import { until } from "../../support/until.ts";
import { childrenOf, pressUntil } from "./life.ts";

/** bash with job control and a prompt that says so little that it cannot be mistaken. */
function atBash(cli: Cli): Person {
  const env = { HOME: cli.root, CODER_HOME: cli.home, PS1: "@@ ", INPUTRC: "/dev/null", HISTFILE: "" };
  return new Person({ argv: ["bash", "--norc", "--noprofile", "-i"], cwd: cli.workspace, env });
}

function run(bash: Person, line: string): void {
  bash.type(line);
  bash.press("enter");
}

async function start(bash: Person, cli: Cli, ...args: readonly string[]): Promise<number> {
  await bash.waitFor(/^@@$/);
  run(bash, [...builtBinary(), ...cli.model, ...args].join(" "));
  await bash.waitFor(/^● /);
  const [pid = 0] = childrenOf(bash.pid);
  return pid;
}

async function stopped(bash: Person, pid: number): Promise<void> {
  bash.press("ctrl+z");
  await until("it is stopped", () => readProc(pid)?.state === "T");
  await bash.waitFor(/^@@$/);
}

/** The terminal as the shell needs it. */
const forShell = (bash: Person): unknown => ({
  modes: [...bash.emulator.modes].filter((mode) => mode !== 2004 && mode !== 1034),
  isKeyboardPlain: bash.isKeyboardPlain,
  isAlternate: bash.emulator.terminal.buffer.active.type === "alternate",
});
const usable = { modes: [7, 25], isKeyboardPlain: true, isAlternate: false };

describe("Ctrl+Z", () => {
  test("[SU-3] gives the shell a usable terminal; fg brings back the prompt with what was typed", async () => {
    using cli = new Cli([{ text: "the answer" }]);
    await using bash = atBash(cli);
    const pid = await start(bash, cli);
    bash.type("half a thought");
    await bash.waitFor("> half a thought");
    await stopped(bash, pid);
    expect(forShell(bash)).toEqual(usable);
    expect(bash.screen()).not.toContain("half a thought");
    run(bash, "stty -a | grep -c '[^-]icanon'");
    await bash.waitFor(/^1$/);
    run(bash, "fg");
    await bash.waitFor("> half a thought");
    await bash.waitFor(/^● default/);
    expect(bash.title()).toStartWith("ws-");
    bash.press("enter");
    await bash.waitFor("the answer");
    // Again, and from the background it is brought to the front.
    await stopped(bash, pid);
    run(bash, "bg; while jobs | grep -q Running; do sleep 0.1; done; jobs");
    await bash.waitFor(/^\[1\]\+\s+Stopped/);
    await until("it is stopped again", () => readProc(pid)?.state === "T");
    run(bash, "fg");
    await bash.waitFor(/^● default/);
    bash.press("ctrl+d");
    await bash.waitFor("Resume with");
    await bash.waitFor(/^@@$/);
    expect(forShell(bash)).toEqual(usable);
  }, 120_000);

  test("[SU-3] while a command runs, the command goes on and what it has said is there after fg", async () => {
    const command = `echo it runs; ${untilFile("go")}; echo went on`;
    using cli = new Cli([{ calls: [{ tool: "bash", input: { command } }] }, { text: "all done" }]);
    await using bash = atBash(cli);
    const pid = await start(bash, cli, "--mode", "yolo", "--no-sandbox", "'run it'");
    await bash.waitFor("it runs");
    await stopped(bash, pid);
    run(bash, "touch go");
    await bash.waitFor(/^@@$/);
    run(bash, "fg");
    await bash.waitFor("all done");
    expect(bash.scrollback().filter((row) => row.trim() === "went on").length).toBe(1);
  }, 120_000);

  test("[SU-3] at an approval, the question is there again, and what was typed for the shell does not answer it", async () => {
    const command = "echo ran >> ran.txt";
    using cli = new Cli([{ calls: [{ tool: "bash", input: { command } }] }, { text: "all done" }]);
    await using bash = atBash(cli);
    const pid = await start(bash, cli, "--no-sandbox", "'run it'");
    await bash.waitFor("Run this command?");
    await stopped(bash, pid);
    // With the Enter of fg, before anything can have been drawn again.
    bash.type("fg\ry");
    await bash.waitFor("Run this command?");
    expect(bash.screen()).not.toContain("all done");
    await pressUntil(bash, "y", () => !bash.screen().includes("Run this command?"));
    await bash.waitFor("all done");
    expect(readFileSync(join(cli.workspace, "ran.txt"), "utf8")).toBe("ran\n");
  }, 120_000);

  test("[SU-3] where nobody could bring it back, it goes on", async () => {
    using cli = new Cli();
    const env = { HOME: cli.root, CODER_HOME: cli.home };
    await using person = new Person({ argv: [...builtBinary(), ...cli.model], cwd: cli.workspace, env });
    await person.waitFor(/^● default/);
    person.type("typed");
    await person.waitFor("> typed");
    person.press("ctrl+z");
    person.type("!");
    await person.waitFor("> typed!");
    expect(person.emulator.modes.has(1004)).toBe(true);
  });

  test("[SU-3] a stop from outside that nobody announced is mended when it goes on", async () => {
    using cli = new Cli();
    await using bash = atBash(cli);
    const pid = await start(bash, cli);
    bash.type("typed");
    await bash.waitFor("> typed");
    process.kill(pid, "SIGSTOP");
    await bash.waitFor(/^@@$/);
    run(bash, "stty sane; printf '\\033[?1004l\\033[?2004l'; fg");
    await bash.waitFor(() => bash.rows().filter((row) => row.includes("> typed")).length > 1);
    await bash.waitFor(() => bash.emulator.modes.has(1004) && bash.emulator.modes.has(2004));
    bash.type("!");
    await bash.waitFor("> typed!");
  }, 120_000);
});
