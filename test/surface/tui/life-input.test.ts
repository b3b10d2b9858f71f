// What is typed: sent in order, given back when it is not taken, never lost; and slow commands that can be stopped.
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { builtBinary } from "../../support/binary.ts";
import { Cli } from "../../support/cli.ts";
import { type Person, sitDown, sitDownTimed } from "../../support/pty.ts";
import { until } from "../../support/until.ts";
import { asFound, lastSaid, Shell } from "./life.ts";

const slow = { text: "word ".repeat(400), chunkChars: 5, chunkDelayMs: 20 };

function say(person: Person, line: string): void {
  person.type(line);
  person.press("enter");
}

/** As soon as the terminal is taken: before that it is a line for whoever comes next. */
function atOnce(person: Person, text: string): void {
  person.onBytes = () => {
    person.onBytes = null;
    person.type(text);
  };
}

describe("what is typed", () => {
  test("[IN-5] before anything is ready is taken when it is, in its order", async () => {
    using cli = new Cli([{ text: "answered" }]);
    await using person = sitDown(cli, [...cli.model, "say one"]);
    atOnce(person, "say two\rsay three\rhalf a thou");
    await person.waitFor("> half a thou");
    await person.waitFor("> say three");
    await person.waitFor(() => !person.screen().includes("Esc to interrupt"));
    const said = person.scrollback().filter((row) => row.startsWith("> say"));
    expect(said).toEqual(["> say one", "> say two", "> say three"]);
    await person.waitFor("> half a thou");
  });

  test.each(["plain", "kitty"] as const)(
    "[CAN-1] behind a paste whose end got lost: Ctrl+C and Esc are keys again, on a %s keyboard",
    async (keyboard) => {
      using cli = new Cli();
      await using person = sitDownTimed(cli, [...cli.model], { keyboard });
      await person.waitFor(/^● default/);
      for (const key of ["escape", "ctrl+c"]) {
        person.type("\x1b[200~half of a paste");
        person.tick(1_100);
        person.press(key);
        await person.waitFor(key === "escape" ? "> half of a paste" : "> Ask anything");
      }
      person.press("ctrl+d");
      expect(await person.exited).toBe(0);
    },
  );

  test("[IN-5] while a session is being opened goes to that session", async () => {
    using cli = new Cli([{ text: "answered" }]);
    await cli.run(["run", ...cli.model, "say one"]);
    await using person = sitDown(cli, [...cli.model, "--continue"]);
    atOnce(person, "say two\r");
    await person.waitFor(() => person.scrollback().filter((row) => row === "answered").length === 2);
    const asked = cli.server.requests.at(-1)?.body.messages.map(({ content }) => String(content).split("\n")[0] ?? "");
    expect(asked?.filter((text) => text.startsWith("say"))).toEqual(["say one", "say two"]);
    expect(JSON.parse((await cli.run(["sessions", "--json"])).out)).toHaveLength(1);
  });

  test("[IN-5] and refused stands in the prompt again, before what was typed since", async () => {
    using cli = new Cli([slow]);
    await using person = sitDown(cli, [...cli.model, "say much"]);
    await person.waitFor("word word");
    say(person, "/compact the parser");
    await person.waitFor("/compact cannot run during a task.");
    await person.waitFor("> /compact the parser");
    person.press("ctrl+c");
    await person.waitFor("Cancelled by ESC");
    await person.waitFor("> /compact the parser");
    say(person, " and more /");
    await person.waitFor("> /compact the parser and more /");
  });

  test("[IN-6] an unknown command is told, and can be mended", async () => {
    using cli = new Cli();
    await using person = sitDown(cli, [...cli.model]);
    await person.waitFor(/^● default/);
    say(person, "/statsu");
    await person.waitFor(/Unknown command/);
    await person.waitFor("> /statsu");
  });

  test("[CLI-6] without a model a task is refused, and not lost", async () => {
    using cli = new Cli();
    await using person = sitDown(cli, [], { env: { CODER_MODEL: "" } });
    await person.waitFor("Skip, don't ask again");
    const number = /(\d)\s+Skip/.exec(person.screen())?.[1] ?? "";
    await person.reads();
    person.type(number);
    await person.waitFor("no model: /model");
    say(person, "fix it");
    await person.waitFor("No model is configured.");
    await person.waitFor("> fix it");
  });
});

describe("what takes its time", () => {
  test("[CAN-1] a shell command of the person's own shows that it runs, and Esc ends it", async () => {
    using cli = new Cli();
    await using person = sitDown(cli, [...cli.model, "--mode", "yolo", "--no-sandbox"]);
    await person.waitFor(/^● yolo/);
    say(person, "!echo begun; sleep 300");
    await person.waitFor("Esc to interrupt");
    await person.waitFor(/^ *begun$/);
    person.press("escape");
    await person.waitFor("Cancelled by ESC");
    await person.waitFor("> Ask anything");
    say(person, "!echo again");
    await person.waitFor(/^ *again$/);
  });

  test("[CAN-1] /compact shows that it runs, other commands are answered meanwhile, and Esc ends it", async () => {
    const notes = { when: "[the conversation", steps: [{ text: "notes", stallAfter: 0 }] };
    using cli = new Cli([notes, { when: "say", steps: [{ text: `${"word ".repeat(1500)}\n\nthe end` }] }]);
    await using person = sitDown(cli, [...cli.model]);
    for (const [at, text] of ["say one", "say two", "say three"].entries()) {
      await person.waitFor("> Ask anything");
      say(person, text);
      // The title names the task while it goes on.
      const isOver = (): boolean => person.title().startsWith("ws-");
      await person.waitFor(() => person.scrollback().filter((row) => row === "the end").length === at + 1 && isOver());
    }
    say(person, "/compact");
    await person.waitFor(/Running \/compact .*Esc to interrupt/);
    say(person, "/cost");
    await person.waitFor("> /cost");
    await person.waitFor(/Running \/compact/);
    person.press("escape");
    await person.waitFor("Cancelled by ESC");
    await person.waitFor(() => !person.screen().includes("Esc to interrupt"));
    await until("nobody is connected", () => cli.server.open === 0);
  });
});

describe("a store that fails", () => {
  /** No file can become larger than this, as if the disk were full; the signal that says so is ignored. */
  const full = ["sh", "-c", 'trap "" XFSZ; ulimit -f 800; exec "$@"', "sh"];

  test("[PS-1] is told readably; nothing that is typed is lost, and quitting works", async () => {
    using cli = new Cli([
      { when: "first", steps: [{ text: "a short answer" }] },
      { when: "second", steps: [{ text: "word ".repeat(300_000) }] },
    ]);
    {
      await using shell = new Shell(cli, [...cli.model, "the first"], {}, [...full, ...builtBinary()]);
      const { person } = shell;
      await person.waitFor("a short answer");
      await person.waitFor("> Ask anything");
      say(person, "the second");
      await person.waitFor(/disk is full|Reading or writing|session store/);
      await person.waitFor("This session cannot continue.");
      await person.waitFor(() => !person.screen().includes("Esc to interrupt"));
      say(person, "a third");
      await person.waitFor("> a third");
      person.press("ctrl+c");
      await person.waitFor("again to leave");
      person.press("ctrl+c");
      expect([await shell.left(), shell.terminal()]).toEqual([0, asFound]);
      expect(lastSaid(person)).toMatch(/^Resume with: coder --resume/);
    }
    // What was stored last depends on when the disk was full.
    await using again = sitDown(cli, [...cli.model, "--continue"], { scrollback: 50_000 });
    await again.waitFor(() => again.scrollback().includes("> the second"));
    expect(again.scrollback().filter((row) => row === "a short answer")).toHaveLength(1);
  }, 120_000);

  test("[PS-1] from the start on is told before the terminal is taken for good", async () => {
    using cli = new Cli();
    // A file where its folder should be.
    cli.file("home", "");
    const env = { CODER_HOME: join(cli.workspace, "home") };
    await using shell = new Shell(cli, [...cli.model], { env });
    expect([(await shell.left()) > 0, shell.terminal()]).toEqual([true, asFound]);
    expect(shell.person.screen()).toContain("cannot be read");
  });
});
