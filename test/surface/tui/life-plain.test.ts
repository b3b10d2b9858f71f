// A terminal that can only print lines: a whole conversation in it.
import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Cli } from "../../support/cli.ts";
import { type Person, type Sitting, sitDown } from "../../support/pty.ts";
import { hasEnded, pidsIn } from "../../support/shell.ts";
import { until } from "../../support/until.ts";
import { asFound, Shell } from "./life.ts";

const dumb: Partial<Sitting> = { env: { TERM: "dumb" } };
const slow = { text: "word ".repeat(400), chunkChars: 5, chunkDelayMs: 20 };

function say(person: Person, line: string): void {
  person.type(line);
  person.press("enter");
}

/** The sign that waits for a line stands at the end. */
async function prompted(person: Person): Promise<void> {
  await person.waitFor(() => person.rows().findLast((row) => row !== "") === ">");
}

/** All that was written, as it was: such a terminal shows every byte. */
function recorded(person: Person): string {
  return person.recording
    .map(({ data }) => (data instanceof Uint8Array ? new TextDecoder().decode(data) : ""))
    .join("");
}

describe("plain lines", () => {
  test("[MD-4] [SU-3] a model that is waited for is told, and an empty line asks it now", async () => {
    const busy = { status: 429, headers: { "retry-after": "500" }, body: "{}" };
    using cli = new Cli([{ text: "There it is.", times: 1, ...busy }]);
    await using person = sitDown(cli, [...cli.model, "--no-sandbox"], dumb);
    await person.waitFor("Type what you want");
    await person.waitFor(/^>$/);
    say(person, "go");
    await person.waitFor("Retrying in 8 minutes");
    person.press("enter");
    await person.waitFor("There it is.");
    await prompted(person);
  });

  test("[SU-3] a conversation with approvals, without a single escape in it", async () => {
    const run = (command: string) => ({ calls: [{ tool: "bash", input: { command } }] });
    const steps = [run("echo one >> ran.txt"), run("echo two >> ran.txt"), { text: "**all** [done](http://a.b/c)" }];
    using cli = new Cli(steps);
    await using person = sitDown(cli, [...cli.model, "--no-sandbox"], { ...dumb, records: true });
    await person.waitFor("Type what you want");
    await person.waitFor(/^>$/);
    say(person, "run it");
    await person.waitFor("Allow this?");
    await person.waitFor("| echo one >> ran.txt");
    await person.reads();
    say(person, "maybe");
    await person.waitFor("Please answer with one of the options above.");
    say(person, "y");
    await person.waitFor("| echo two >> ran.txt");
    await person.reads();
    say(person, "n rather not");
    await person.waitFor("all done");
    expect(readFileSync(join(cli.workspace, "ran.txt"), "utf8")).toBe("one\n");
    const last = cli.server.requests.at(-1)?.body.messages.map(({ content }) => String(content)) ?? [];
    expect(last.some((text) => text.includes("rather not"))).toBe(true);
    say(person, "/lang zh");
    await person.waitFor("语言：zh");
    await prompted(person);
    say(person, "/quit");
    expect(await person.exited).toBe(0);
    await person.waitFor(/^恢复会话：coder --resume/);
    expect(recorded(person)).not.toContain("\x1b");
  });

  test("[PO-6] [SU-3] always is offered with what it would store, and only where it is", async () => {
    const steps = [
      { calls: [{ tool: "bash", input: { command: "touch made.txt" } }] },
      { calls: [{ tool: "bash", input: { command: "rm -rf /etc/x" } }] },
      { text: "all done" },
    ];
    using cli = new Cli(steps);
    await using person = sitDown(cli, [...cli.model, "--no-sandbox", "run it"], dumb);
    await person.waitFor(/^Always allow:$/);
    await person.waitFor(/^\| bash\(touch made\.txt\)$/);
    await person.waitFor("a always");
    await person.reads();
    say(person, "a");
    await person.waitFor("| rm -rf /etc/x");
    await person.waitFor("Allow this? y yes, n [reason] no, c cancel the task");
    expect(person.screen().split("Always allow:").length).toBe(2);
    await person.reads();
    say(person, "n");
    await person.waitFor("all done");
  });

  test("[SU-3] what is typed stands there once, as the terminal shows it; what came otherwise is told", async () => {
    using cli = new Cli([{ text: "a reply" }]);
    await using person = sitDown(cli, [...cli.model, "--no-sandbox", "hello from the command line"], dumb);
    await person.waitFor("a reply");
    await prompted(person);
    say(person, "hello again");
    await person.waitFor(() => person.screen().split("a reply").length === 3);
    await prompted(person);
    say(person, "!echo one two");
    await person.waitFor(/^ {2}one two$/);
    await prompted(person);
    say(person, "/undo");
    await person.waitFor("nothing to undo");
    await prompted(person);
    const said = person.scrollback().filter((row) => /^[>!] ./.test(row));
    expect(said).toEqual(["> hello from the command line", "> hello again", "> !echo one two", "> /undo"]);
  });

  test("[SU-3] a line that was typed before the question could be read does not answer it", async () => {
    using cli = new Cli([{ delayMs: 300, calls: [{ tool: "bash", input: { command: "echo ran > ran.txt" } }] }]);
    await using person = sitDown(cli, [...cli.model, "--no-sandbox"], dumb);
    await person.waitFor(/^>$/);
    const asked = person.waitFor("Allow this?");
    say(person, "run it");
    await until("the model is asked", () => cli.server.requests.length === 1);
    person.type("y");
    await asked;
    person.press("enter");
    await person.waitFor("You answered before the question appeared.");
    expect(existsSync(join(cli.workspace, "ran.txt"))).toBe(false);
    await person.reads();
    say(person, "c");
    await person.waitFor("Cancelled by ESC");
    expect(existsSync(join(cli.workspace, "ran.txt"))).toBe(false);
  });

  test("[CAN-1] Ctrl+C cancels what runs and leaves when it comes twice; what waited is told", async () => {
    using cli = new Cli([slow]);
    await using shell = new Shell(cli, [...cli.model], { env: { TERM: "dumb" } });
    const { person } = shell;
    await person.waitFor(/^>$/);
    say(person, "say much");
    await until("the model is asked", () => cli.server.requests.length === 1);
    say(person, "and more");
    await until("it is stored", () => readFileSync(join(cli.home, "coder.db-wal")).includes("and more"));
    process.kill(shell.pid, "SIGINT");
    await person.waitFor("Cancelled by ESC");
    await person.waitFor("Not delivered; send it again if you still want it:");
    await person.waitFor(/^and more$/);
    // Longer than two of them are meant together.
    await Bun.sleep(1_600);
    process.kill(shell.pid, "SIGINT");
    await person.waitFor(/^Press Ctrl\+C again to leave$/);
    process.kill(shell.pid, "SIGINT");
    expect([await shell.left(), shell.terminal()]).toEqual([0, asFound]);
    expect(person.screen()).toContain("Resume with: coder --resume");
  });

  test("[SU-3] the end of the input leaves, also at a question", async () => {
    using cli = new Cli([{ calls: [{ tool: "bash", input: { command: "echo ran > ran.txt" } }] }]);
    await using shell = new Shell(cli, [...cli.model, "--no-sandbox", "run it"], { env: { TERM: "" } });
    await shell.person.waitFor("Allow this?");
    shell.person.press("ctrl+d");
    expect([await shell.left(), shell.terminal()]).toEqual([0, asFound]);
    expect(existsSync(join(cli.workspace, "ran.txt"))).toBe(false);
  });

  test("[PS-4] a session is opened again, with what was said and what was asked", async () => {
    using cli = new Cli([
      { calls: [{ tool: "bash", input: { command: "echo ran > ran.txt" } }] },
      { text: "all done" },
    ]);
    await using person = sitDown(cli, [...cli.model, "--no-sandbox", "run it"], dumb);
    await person.waitFor("Allow this?");
    person.kill("SIGKILL");
    await person.exited;
    await using again = sitDown(cli, [...cli.model, "--no-sandbox", "--continue"], dumb);
    await again.waitFor("> run it");
    await again.waitFor("| echo ran > ran.txt");
    await again.waitFor("Allow this?");
    await again.reads();
    say(again, "y");
    await again.waitFor("all done");
  });

  test("[CAN-4] a closed terminal ends it and all that it has started", async () => {
    using cli = new Cli([
      {
        calls: [{ tool: "bash", input: { command: "echo $$ > pids; setsid sleep 300 & echo $! >> pids; sleep 300" } }],
      },
    ]);
    const pids = join(cli.workspace, "pids");
    await using person = sitDown(cli, [...cli.model, "--mode", "yolo", "--no-sandbox", "run it"], dumb);
    await until("both run", () => pidsIn(pids).length === 2);
    const before = person.cpuMs;
    person.hangUp();
    // The end of the input and the signal come together: whichever is heard first.
    expect(await person.exited).toBeOneOf([0, 130]);
    expect(pidsIn(pids).filter((pid) => !hasEnded(pid))).toEqual([]);
    expect(person.cpuMs - before).toBeLessThan(1_000);
  });

  test("[SU-3] a first question is answered by its number, and nonsense is no answer", async () => {
    using cli = new Cli();
    cli.file("AGENTS.md", "do as you are told\n");
    await using person = sitDown(cli, [...cli.model], dumb);
    await person.waitFor("Trust it?");
    say(person, "nonsense");
    say(person, "3");
    await person.waitFor("Type what you want");
    say(person, "/quit");
    expect(await person.exited).toBe(0);
  });

  test("[SU-3] a key is not shown while it is typed, and Ctrl+C there is a way back", async () => {
    using cli = new Cli();
    const choose = async (what: RegExp): Promise<void> => {
      await person.waitFor(what);
      await person.waitFor(/^>$/);
      say(
        person,
        person
          .rows()
          .findLast((row) => what.test(row))
          ?.trim()[0] ?? "",
      );
    };
    await using person = sitDown(cli, [], dumb);
    await choose(/^ {2}\d\. Enter an API key/);
    await person.waitFor("Whose key is it?");
    await choose(/^ {2}\d\. openai/);
    await person.waitFor(/not shown/);
    person.type("not-a-real-one");
    person.type("\x03");
    await person.waitFor(() => person.scrollback().join("\n").split("What should coder use?").length === 3);
    await choose(/^ {2}\d\. Skip/);
    await person.waitFor("Type what you want");
    await prompted(person);
    expect(person.scrollback().join("\n")).not.toContain("real");
    say(person, "hello");
    await person.waitFor(/^> hello$/);
    person.press("ctrl+d");
    expect(await person.exited).toBe(0);
  });
});
