// kill -9 at many moments: what was said is there again, what was asked is asked again, and nothing happens twice.
import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Cli } from "../../support/cli.ts";
import { type Person, sitDown } from "../../support/pty.ts";
import { until } from "../../support/until.ts";
import { pressUntil } from "./life.ts";

async function killed(person: Person): Promise<void> {
  person.kill("SIGKILL");
  expect(await person.exited).toBe(137);
}

/** Rows of the question, without the rest of the screen. */
function asked(person: Person): readonly string[] {
  const rows = person.rows();
  const from = rows.findIndex((row) => row.includes("Run this command?"));
  return rows.slice(
    from,
    rows.findIndex((row, at) => at > from && row.includes("● default")),
  );
}

const times = (person: Person, text: string): number => person.scrollback().filter((row) => row.includes(text)).length;

describe("after kill -9", () => {
  test("[PS-4] an open approval is asked again, identically; a yes runs it once", async () => {
    const command = 'echo ran >> ran.txt; echo 中文 "quoted"';
    using cli = new Cli([{ calls: [{ tool: "bash", input: { command } }] }, { text: "all done" }]);
    await using person = sitDown(cli, [...cli.model, "--no-sandbox", "run it"]);
    await person.waitFor("Run this command?");
    await person.waitFor(/^● default/);
    const before = asked(person);
    expect(before.length).toBeGreaterThan(3);
    await killed(person);
    await using again = sitDown(cli, [...cli.model, "--no-sandbox", "--continue"]);
    await again.waitFor("Run this command?");
    await again.waitFor(/^● default/);
    expect(asked(again)).toEqual(before);
    expect(times(again, "> run it")).toBe(1);
    expect(existsSync(join(cli.workspace, "ran.txt"))).toBe(false);
    await pressUntil(again, "y", () => !again.screen().includes("Run this command?"));
    await again.waitFor("all done");
    expect(readFileSync(join(cli.workspace, "ran.txt"), "utf8")).toBe("ran\n");
    expect(cli.server.requests.length).toBe(2);
  });

  test("[PS-4] a reply that was being written is asked for again, and stands there once", async () => {
    const text = `${"word ".repeat(40)}the end`;
    using cli = new Cli([{ text, chunkChars: 5, chunkDelayMs: 10 }]);
    await using person = sitDown(cli, [...cli.model, "say much"]);
    await person.waitFor("word word");
    await killed(person);
    await using again = sitDown(cli, [...cli.model, "--continue"]);
    await again.waitFor("the end");
    await again.waitFor(() => !again.screen().includes("Esc stops"));
    expect([times(again, "> say much"), times(again, "the end"), cli.server.requests.length]).toEqual([1, 1, 2]);
  });

  test("[PS-4] a command that ran is not run again: its outcome is told to be unknown", async () => {
    const command = "echo ran >> ran.txt; sleep 300";
    using cli = new Cli([{ calls: [{ tool: "bash", input: { command } }] }, { text: "all done" }]);
    const args = [...cli.model, "--mode", "yolo", "--no-sandbox"];
    await using person = sitDown(cli, [...args, "run it"]);
    await until("it runs", () => existsSync(join(cli.workspace, "ran.txt")));
    await killed(person);
    await using again = sitDown(cli, [...args, "--continue"]);
    await again.waitFor("all done");
    await again.waitFor(/outcome unknown/);
    expect(readFileSync(join(cli.workspace, "ran.txt"), "utf8")).toBe("ran\n");
  });

  test("[IN-5] what waited for its turn is delivered, once", async () => {
    const first = { when: "first", steps: [{ text: "one ", stallAfter: 1, times: 1 }] };
    const second = { when: "second", steps: [{ text: "two is done" }] };
    using cli = new Cli([first, second]);
    await using person = sitDown(cli, [...cli.model, "the first"]);
    // Its request has come.
    await person.waitFor("one");
    person.type("the second");
    person.press("alt+enter");
    await person.waitFor("queued: the second");
    await killed(person);
    await using again = sitDown(cli, [...cli.model, "--continue"]);
    await again.waitFor("two is done");
    await again.waitFor(() => !again.screen().includes("Esc stops"));
    expect([times(again, "> the first"), times(again, "> the second"), times(again, "two is done")]).toEqual([1, 1, 1]);
    expect(cli.server.requests.map(({ task }) => task)).toEqual([0, 0, 1]);
  });

  test("[IN-5] what waited before the kill stands in the prompt after a cancel", async () => {
    using cli = new Cli([{ text: "one ", stallAfter: 1 }]);
    await using person = sitDown(cli, [...cli.model, "the first"]);
    await person.waitFor("Esc to interrupt");
    person.type("the second");
    person.press("alt+enter");
    await person.waitFor("queued: the second");
    await killed(person);
    await using again = sitDown(cli, [...cli.model, "--continue"]);
    await again.waitFor("queued: the second");
    again.press("escape");
    await again.waitFor("Cancelled by ESC");
    await again.waitFor("> the second");
    expect(times(again, "afterwards")).toBe(0);
  });

  test("[PS-4] at any moment: the session opens, and nothing was done twice", async () => {
    const write = (n: number) => ({ calls: [{ tool: "bash", input: { command: `echo ${n} >> log.txt` } }] });
    using cli = new Cli([write(1), write(2), write(3), { text: "all done", chunkChars: 1, chunkDelayMs: 1 }]);
    const args = [...cli.model, "--mode", "yolo", "--no-sandbox"];
    // Killed a little later each time, from the first paint on; the last one comes to the end.
    for (let run = 0, wait = 40; run < 12; run++, wait += 15) {
      await using person = sitDown(cli, run === 0 ? [...args, "run it"] : [...args, "--continue"]);
      if (run === 0) await until("the model is asked", () => cli.server.requests.length > 0);
      await Bun.sleep(wait);
      await killed(person);
    }
    await using last = sitDown(cli, [...args, "--continue"]);
    await last.waitFor("all done");
    await last.waitFor(() => !last.screen().includes("Esc stops"));
    const lines = readFileSync(join(cli.workspace, "log.txt"), "utf8").trim().split("\n");
    expect(lines).toEqual([...new Set(lines)]);
    expect(times(last, "> run it")).toBe(1);
  });
});
