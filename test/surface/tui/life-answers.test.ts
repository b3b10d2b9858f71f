// A terminal at the end of a slow line: what it is asked it answers late, twice, or never, and no other answer is taken for that.
import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { Cli } from "../../support/cli.ts";
import { type Person, sitDownTimed } from "../../support/pty.ts";
import { until } from "../../support/until.ts";
import { pressUntil } from "./life.ts";

const STATUS = "\x1b[0n";
/** Who it is, by both names, where the cursor stands, the colour behind the text, what keys it knows: as terminals say it. */
const others = [
  ...["\x1b[?62;22c", "\x1b[>41;390;0c", "\x1b[12;34R", "\x1b[?12;34R", "\x1b]11;rgb:aaaa/eeee/aaaa\x1b\\"],
  ...["\x1b[?0u", "\x1b[?1;2c", "\x1b[3n", "\x1b[?2026;2$y", "\x1bP>|XTerm(390)\x1b\\"],
];

interface Slow extends AsyncDisposable {
  readonly cli: Cli;
  readonly person: Person;
  /** What it has not said yet. */
  readonly held: string[];
  readonly hasRun: () => boolean;
}

/** It asks whether a command may run; every answer of its terminal is held back. */
function slowTerminal(): Slow {
  const command = "echo ran >> ran.txt";
  const cli = new Cli([{ calls: [{ tool: "bash", input: { command } }] }, { text: "all done" }]);
  const held: string[] = [];
  const person = sitDownTimed(cli, [...cli.model, "--no-sandbox", "run it"], {
    answers: (answer) => held.push(answer),
  });
  return {
    ...{ cli, person, held, hasRun: () => existsSync(join(cli.workspace, "ran.txt")) },
    async [Symbol.asyncDispose]() {
      await person[Symbol.asyncDispose]();
      cli[Symbol.dispose]();
    },
  };
}

/** After a time in which a terminal that never answers would have been given up. */
async function countsNot({ person, hasRun }: Slow, key: string): Promise<void> {
  await person.sync();
  person.tick(900);
  person.type(key);
  await person.sync();
  expect([person.rows().some((row) => row.includes("Run this command?")), hasRun()]).toEqual([true, false]);
}

describe("the answer that a question waits for", () => {
  test("[PO-6] is none of the others, however late they come", async () => {
    await using slow = slowTerminal();
    await slow.person.waitFor("Run this command?");
    await until("its status was asked for", () => slow.held.includes(STATUS));
    for (const answer of [...slow.held.filter((one) => one !== STATUS), ...others]) slow.person.type(answer);
    await countsNot(slow, "y");
    expect(slow.person.rows().filter((row) => row.includes("Run this command?")).length).toBe(1);
    slow.person.type(STATUS);
    await pressUntil(slow.person, "y", slow.hasRun);
    await slow.person.waitFor("all done");
  });

  test("[PO-6] is not in what is pasted, nor given before it was asked for", async () => {
    await using slow = slowTerminal();
    slow.person.type(STATUS + STATUS);
    await slow.person.waitFor("Run this command?");
    await until("its status was asked for", () => slow.held.includes(STATUS));
    slow.person.type(`\x1b[200~${STATUS}\x1b[201~`);
    await countsNot(slow, "y");
    slow.person.type(STATUS);
    await pressUntil(slow.person, "y", slow.hasRun);
  });

  test("[PO-6] may come in pieces: none of them answers", async () => {
    await using slow = slowTerminal();
    await slow.person.waitFor("Run this command?");
    for (const piece of ["\x1b[?62", ";22c", "\x1b[", "0", "n"]) {
      slow.person.type(piece);
      await Bun.sleep(200);
    }
    await slow.person.waitFor("Run this command?");
    slow.person.type("\x1b[0");
    slow.person.tick(50);
    slow.person.type("n");
    await pressUntil(slow.person, "y", slow.hasRun);
  });
});
