// The terminal is closed, or somebody ends the program: the log is flushed, children are gone, and nothing spins.
import { describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Cli } from "../../support/cli.ts";
import { type Person, sitDown } from "../../support/pty.ts";
import { hasEnded, pidsIn } from "../../support/shell.ts";
import { until } from "../../support/until.ts";

const slow = { text: "word ".repeat(400), chunkChars: 5, chunkDelayMs: 20 };

const ends: readonly (readonly [name: string, end: (person: Person) => void])[] = [
  ["a closed terminal", (person) => person.hangUp()],
  ["SIGTERM", (person) => person.kill("SIGTERM")],
  ["SIGHUP", (person) => person.kill("SIGHUP")],
];

/** A command with a child that has left its session, and one that does not want to end. */
function commandWith(pids: string): string {
  const stubborn = `sh -c 'trap "" TERM HUP INT; echo $$ >> ${pids}; while [ $((n += 1)) -lt 3000 ]; do sleep 0.1; done'`;
  return `setsid sh -c 'echo $$ >> ${pids}; exec sleep 300' & ${stubborn} & echo $$ >> ${pids}; echo it runs; sleep 300`;
}

describe("the end from outside", () => {
  test.each(ends)(
    "[CAN-4] [CAN-2] %s while a command runs ends all of its processes, and the log says so",
    async (_, end) => {
      const folder = mkdtempSync(join(tmpdir(), "coder-gone-"));
      const pids = join(folder, "pids");
      using cli = new Cli([[{ calls: [{ tool: "bash", input: { command: commandWith(pids) } }] }, { text: "after" }]]);
      await using person = sitDown(cli, [...cli.model, "--mode", "yolo", "--no-sandbox", "run it"]);
      await until("all of them run", () => pidsIn(pids).length === 3);
      await person.waitFor("it runs");
      const before = person.cpuMs;
      end(person);
      expect(await person.exited).toBe(130);
      expect(pidsIn(pids).filter((pid) => !hasEnded(pid))).toEqual([]);
      expect(person.cpuMs - before).toBeLessThan(1_000);
      await using again = sitDown(cli, [...cli.model, "--continue"]);
      await again.waitFor("> run it");
      await again.waitFor(/cancelled/i);
      await again.waitFor(/^● yolo/);
      expect(cli.server.requests.length).toBe(1);
      rmSync(folder, { recursive: true });
    },
  );

  test.each(ends)("[CAN-1] %s while the model speaks ends the request and leaves in time", async (_, end) => {
    using cli = new Cli([slow]);
    await using person = sitDown(cli, [...cli.model, "say much"]);
    await person.waitFor("word word");
    end(person);
    expect(await person.exited).toBe(130);
    await until("nobody is connected", () => cli.server.open === 0);
  });

  test.each(ends)("[SU-3] %s while nothing goes on leaves at once", async (_, end) => {
    using cli = new Cli();
    await using person = sitDown(cli, [...cli.model]);
    await person.waitFor(/^● default/);
    const before = person.cpuMs;
    end(person);
    expect(await person.exited).toBe(130);
    expect(person.cpuMs - before).toBeLessThan(500);
  });

  test("[SU-3] a terminal that is closed before the first question is answered ends the program", async () => {
    using cli = new Cli();
    cli.file("AGENTS.md", "do as you are told\n");
    await using person = sitDown(cli, [...cli.model]);
    await person.waitFor("Trust it?");
    person.hangUp();
    expect(await person.exited).toBe(130);
  });
});
