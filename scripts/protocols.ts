// The conformance and attack tables of the model port: every case against every protocol, with peaks of memory.

import { attacks } from "../test/protocols/attacks.ts";
import { conformance } from "../test/protocols/conformance-cases.ts";
import { floods, mostMb, runFlood } from "../test/protocols/floods.ts";
import { type AttackServer, startAttackServer } from "../test/support/wire/attack-server.ts";
import { type Wire, wires } from "../test/support/wire/protocols.ts";
import { type Case, runCase } from "../test/support/wire/run.ts";

interface Cell {
  readonly text: string;
  readonly problems: readonly string[];
}

interface Row {
  readonly name: string;
  readonly run: (wire: Wire) => Promise<Cell>;
}

const problems: string[] = [];
const peaks = new Map<string, number>();

function caseRow(server: AttackServer, one: Case): Row {
  const run = async (wire: Wire): Promise<Cell> => {
    const count = one.tries(wire).length;
    if (count === 0) return { text: "–", problems: [] };
    const started = performance.now();
    const found = await runCase(server, wire, one);
    const ms = Math.round(performance.now() - started);
    return {
      text: `${found.length === 0 ? "pass" : "FAIL"} ${count > 1 ? `${count}× ` : ""}${ms} ms`,
      problems: found,
    };
  };
  return { name: one.name, run };
}

async function printTable(title: string, rows: readonly Row[]): Promise<void> {
  const width = Math.max(...rows.map(({ name }) => name.length));
  const line = (name: string, cells: readonly string[]): void =>
    void process.stdout.write(`${name.padEnd(width)}  ${cells.map((cell) => cell.padStart(18)).join("")}\n`);
  process.stdout.write(`\n${title}\n`);
  line(
    "",
    wires.map(({ protocol }) => protocol),
  );
  for (const { name, run } of rows) {
    const cells: Cell[] = [];
    for (const wire of wires) {
      const cell = await run(wire);
      problems.push(...cell.problems.map((problem) => `${wire.protocol}, ${name}: ${problem}`));
      cells.push(cell);
    }
    line(
      name,
      cells.map(({ text }) => text),
    );
  }
}

async function main(): Promise<number> {
  const server = await startAttackServer(() => ({ writes: [] }));
  await printTable(
    "Conformance",
    conformance.map((one) => caseRow(server, one)),
  );
  await printTable(
    "Attacks",
    attacks.map((one) => caseRow(server, one)),
  );
  await printTable(
    `Floods, each in a process of its own: at most ${mostMb} MB`,
    floods.map((flood) => ({
      name: flood.name,
      run: async (wire) => {
        if (flood.isFor?.includes(wire.protocol) === false) return { text: "–", problems: [] };
        const { peakMb, problems: found } = await runFlood(server, wire, flood);
        peaks.set(wire.protocol, Math.max(peaks.get(wire.protocol) ?? 0, peakMb));
        return { text: `${found.length === 0 ? "pass" : "FAIL"} ${peakMb} MB`, problems: found };
      },
    })),
  );
  await server[Symbol.asyncDispose]();
  const shown = wires.map(({ protocol }) => `${protocol} ${peaks.get(protocol)} MB`);
  process.stdout.write(`\npeak RSS: ${shown.join(", ")}\n`);
  if (problems.length > 0) process.stdout.write(`\n${problems.join("\n")}\n`);
  process.stdout.write(problems.length === 0 ? "all passed\n" : `${problems.length} failed\n`);
  return problems.length === 0 ? 0 : 1;
}

process.exit(await main());
