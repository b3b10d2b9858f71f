// A task that has stopped goes on in the application, and a reply that was cut off stays readable.
import { describe, expect, test } from "bun:test";
import { Cli } from "../../support/cli.ts";
import { type Person, sitDown } from "../../support/pty.ts";

const refused = { status: 401, body: '{"error":{"message":"no"}}' };

async function settled(person: Person): Promise<void> {
  await person.waitFor("> Ask anything");
  await person.waitFor(() => !person.screen().includes("Esc to interrupt"));
}

function say(person: Person, line: string): void {
  person.type(line);
  person.press("enter");
}

describe("a task that the provider has failed", () => {
  test("[PS-6] goes on by itself with coder --continue, and with /continue where it stopped", async () => {
    using cli = new Cli([{ text: "answer at last", times: 2, ...refused }]);
    await cli.run(["run", ...cli.model, "say it"]);
    await using person = sitDown(cli, [...cli.model, "--continue"]);
    await person.waitFor("the task continues");
    await person.waitFor(() => cli.server.requests.length === 2);
    await settled(person);
    say(person, "/continue");
    await person.waitFor("answer at last");
    expect(cli.server.requests.length).toBe(3);
  });

  test("[PS-6] waits where another prompt comes with --continue", async () => {
    using cli = new Cli([
      { when: "say it", steps: [{ text: "answer at last", ...refused }] },
      { when: "other", steps: [{ text: "the other answer" }] },
    ]);
    await cli.run(["run", ...cli.model, "say it"]);
    await using person = sitDown(cli, [...cli.model, "--continue", "say other"]);
    await person.waitFor("the other answer");
    expect(cli.server.requests.length).toBe(2);
  });
});

describe("a reply that Esc has cut off", () => {
  const text = "The first words of a longer reply that nobody waited for.";

  test("[PS-6] stays, is marked, stands there again when the session is opened later, and goes on with /continue", async () => {
    using cli = new Cli([{ text, chunkChars: 8, stallAfter: 4, times: 1 }]);
    {
      await using person = sitDown(cli, [...cli.model, "say it"]);
      await person.waitFor("The first words");
      person.press("escape");
      await person.waitFor("This reply was interrupted: cancelled.");
      await settled(person);
      expect(person.scrollback().filter((row) => row.startsWith("The first words")).length).toBe(1);
      person.press("ctrl+d");
      expect(await person.exited).toBe(0);
    }
    await using again = sitDown(cli, [...cli.model, "--continue"]);
    await again.waitFor("This reply was interrupted: cancelled.");
    await settled(again);
    expect(again.scrollback().filter((row) => row.startsWith("The first words")).length).toBe(1);
    // Who has cancelled says when it goes on.
    expect(cli.server.requests.length).toBe(1);
    say(again, "/continue");
    await again.waitFor("nobody waited for.");
  });
});
