// Every way out of the application, and the terminal behind it.
import { describe, expect, test } from "bun:test";
import { Cli } from "../../support/cli.ts";
import type { Sitting } from "../../support/pty.ts";
import { asFound, lastSaid, pressUntil, Shell } from "./life.ts";

const slow = { text: "word ".repeat(400), chunkChars: 5, chunkDelayMs: 20 };
const kept = /^Resume with: coder --resume \w+-\w+$/;

interface Way {
  readonly name: string;
  readonly leave: (shell: Shell) => Promise<void> | void;
  readonly code: number;
  readonly keyboard?: Sitting["keyboard"];
}

const ways: readonly Way[] = [
  {
    name: "/quit",
    code: 0,
    leave: ({ person }) => {
      person.type("/quit");
      person.press("enter");
    },
  },
  { name: "Ctrl+D", code: 0, keyboard: "kitty", leave: ({ person }) => person.press("ctrl+d") },
  {
    name: "Ctrl+C twice",
    code: 0,
    keyboard: "xterm",
    leave: async ({ person }) => {
      person.press("ctrl+c");
      await person.waitFor("Press Ctrl+C again to leave");
      person.press("ctrl+c");
    },
  },
  { name: "SIGTERM", code: 130, leave: (shell) => void process.kill(shell.pid, "SIGTERM") },
  { name: "SIGHUP", code: 130, leave: (shell) => void process.kill(shell.pid, "SIGHUP") },
  {
    name: "SIGINT twice",
    code: 0,
    leave: async (shell) => {
      process.kill(shell.pid, "SIGINT");
      await shell.person.waitFor("again to leave");
      process.kill(shell.pid, "SIGINT");
    },
  },
  {
    name: "SIGTERM with a full view open",
    code: 130,
    keyboard: "kitty",
    leave: async (shell) => {
      shell.person.press("f1");
      await shell.person.waitFor(() => shell.person.emulator.modes.has(1049));
      process.kill(shell.pid, "SIGTERM");
    },
  },
  { name: "SIGQUIT", code: 130, leave: (shell) => void process.kill(shell.pid, "SIGQUIT") },
];

describe("every way out", () => {
  test.each(ways)("[SU-3] $name gives the terminal back as it was and says how to go on", async (way) => {
    using cli = new Cli([{ text: "the answer" }]);
    await using shell = new Shell(cli, [...cli.model, "say something"], { keyboard: way.keyboard ?? "plain" });
    const { person } = shell;
    await person.waitFor("the answer");
    await person.waitFor(/^● default/);
    await way.leave(shell);
    expect([await shell.left(), shell.terminal()]).toEqual([way.code, asFound]);
    expect(lastSaid(person)).toMatch(kept);
    expect(person.scrollback().filter((row) => row === "the answer")).toEqual(["the answer"]);
  });

  test("[SU-3] before anything was said there is nothing to go on with", async () => {
    using cli = new Cli();
    await using shell = new Shell(cli, [...cli.model]);
    await shell.person.waitFor(/^● default/);
    shell.person.press("ctrl+d");
    expect([await shell.left(), shell.terminal()]).toEqual([0, asFound]);
    expect(shell.person.scrollback().join("\n")).not.toContain("--resume");
  });

  test("[SU-3] at a question before the start one leaves by wish, and at once", async () => {
    using cli = new Cli();
    cli.file("AGENTS.md", "do as you are told\n");
    await using shell = new Shell(cli, [...cli.model]);
    await shell.person.waitFor("Trust it?");
    await pressUntil(shell.person, "escape", () => !shell.person.screen().includes("Esc"));
    expect([await shell.left(), shell.terminal()]).toEqual([0, asFound]);
  });

  test("[SU-3] what cannot be opened is told in a terminal that is the person's again", async () => {
    using cli = new Cli();
    await using shell = new Shell(cli, [...cli.model, "--continue"]);
    expect([await shell.left(), shell.terminal()]).toEqual([2, asFound]);
    expect(shell.person.screen()).toContain("this workspace has no session to continue");
  });

  test("[CAN-1] Ctrl+C cancels what runs and keeps what is typed; on an idle line it clears it; nothing is left by one", async () => {
    using cli = new Cli([slow]);
    await using shell = new Shell(cli, [...cli.model, "say much"]);
    const { person } = shell;
    await person.waitFor("word word");
    person.type("and more");
    await person.waitFor("> and more");
    person.press("ctrl+c");
    await person.waitFor("Cancelled by ESC");
    await person.waitFor("> and more");
    // Only then: within the time of a double press it would be one.
    await person.waitFor(() => !person.screen().includes("again to leave"));
    person.press("ctrl+c");
    await person.waitFor("> Ask anything");
    person.press("up");
    await person.waitFor("> and more");
    await person.waitFor(() => !person.screen().includes("again to leave"));
    person.press("ctrl+d", "ctrl+c");
    await person.waitFor("> Ask anything");
    person.press("ctrl+d");
    expect([await shell.left(), shell.terminal()]).toEqual([0, asFound]);
  });

  test("[IN-5] leaving while a message waits for its turn keeps it for the next start", async () => {
    using cli = new Cli([slow]);
    {
      await using shell = new Shell(cli, [...cli.model, "say much"]);
      const { person } = shell;
      await person.waitFor("word word");
      person.type("for later");
      person.press("alt+enter");
      await person.waitFor("queued: for later");
      person.type("half a thou");
      await person.waitFor("> half a thou");
      process.kill(shell.pid, "SIGTERM");
      expect([await shell.left(), shell.terminal()]).toEqual([130, asFound]);
    }
    await using again = new Shell(cli, [...cli.model]);
    await again.person.waitFor("> Ask anything");
    again.person.press("up");
    await again.person.waitFor("half a thou");
    expect(again.person.screen()).toContain("> for later");
  });
});
