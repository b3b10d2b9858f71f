// `npm run scenarios`: whole tasks on small real projects, from the request to the evidence. See docs/dev/scenarios.md.
import { join } from "node:path";
import { parseArgs } from "node:util";
import { fromSource } from "../test/support/binary.ts";
import { scenarios } from "./scenarios/all.ts";
import { carry, PATH } from "./scenarios/carry.ts";
import { judge } from "./scenarios/judge.ts";
import { Recorder } from "./scenarios/record.ts";
import type { Scenario } from "./scenarios/scenario.ts";

const usage = `npm run scenarios -- [--only=NAME[,NAME…]] [--list] [--source] [--record]
  --source  runs coder from source instead of dist/coder
  --record  writes what the runners printed to test/verify/fixtures/live-output.jsonl`;

/** VF is shown on all of them; one may be missing where a machine cannot have its tools. */
const mostSkipped = 1;

interface Told {
  readonly name: string;
  readonly outcome: "ok" | "FAILED" | "skipped";
  readonly text: string;
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      only: { type: "string" },
      list: { type: "boolean" },
      source: { type: "boolean" },
      record: { type: "boolean" },
      help: { type: "boolean" },
    },
  });
  if (values.help) return say(usage, 0);
  const names = values.only?.split(",") ?? scenarios.map(({ name }) => name);
  const unknown = names.filter((name) => !scenarios.some((one) => one.name === name));
  if (unknown.length > 0) return say(`no such scenario: ${unknown.join(", ")}\n${usage}`, 2);
  const chosen = scenarios.filter(({ name }) => names.includes(name));
  if (values.list) return say(chosen.map(({ name, shows }) => `${name.padEnd(18)} ${shows}`).join("\n"), 0);
  const argv = values.source ? fromSource : [join(import.meta.dir, "..", "dist", "coder")];
  const recorder = new Recorder();
  const told: Told[] = [];
  for (const scenario of chosen) {
    const one = await play(argv, scenario, recorder);
    told.push(one);
    say(one.text, 0);
  }
  if (values.record) recorder.write();
  return sum(told);
}

async function play(argv: readonly string[], scenario: Scenario, recorder: Recorder): Promise<Told> {
  const { name, programs, runs, shows } = scenario;
  const missing = programs.filter((program) => Bun.which(program, { PATH: PATH.join(":") }) === null);
  if (missing.length > 0) {
    const text = `skipped  ${name}: not on this machine: ${missing.join(", ")}`;
    return { name, outcome: "skipped", text };
  }
  const began = performance.now();
  const problems: string[] = [];
  const ends: string[] = [];
  for (const run of runs) {
    const found = await carry(argv, scenario, run, (carried) => {
      recorder.take(scenario, run, carried);
      return judge(run, carried);
    });
    problems.push(...found.map((problem) => `         ${run.name}: ${problem}`));
    ends.push(`${run.name} ${run.ends.outcome}`);
  }
  const seconds = ((performance.now() - began) / 1000).toFixed(1).padStart(6);
  const isOk = problems.length === 0;
  const line = `${isOk ? "ok     " : "FAILED "}  ${name.padEnd(17)}${seconds} s  ${shows} (${ends.join(", ")})`;
  return { name, outcome: isOk ? "ok" : "FAILED", text: [line, ...problems].join("\n") };
}

function sum(told: readonly Told[]): number {
  const of = (outcome: Told["outcome"]) => told.filter((one) => one.outcome === outcome).map(({ name }) => name);
  const [failed, skipped] = [of("FAILED"), of("skipped")];
  const named = (names: readonly string[]) => (names.length === 0 ? "" : ` (${names.join(", ")})`);
  const line = `${of("ok").length} as expected, ${failed.length} not${named(failed)}, ${skipped.length} skipped${named(skipped)}`;
  return say(line, failed.length === 0 && skipped.length <= mostSkipped ? 0 : 1);
}

function say(text: string, code: number): number {
  process.stdout.write(`${text}\n`);
  return code;
}

process.exitCode = await main();
