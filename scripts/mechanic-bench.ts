// `npm run mechanic-bench`: programs with one fault each, repaired by builtin/mechanic through the built coder. See docs/guide/mechanic.md.
import { join } from "node:path";
import { parseArgs } from "node:util";
import { fromSource } from "../test/support/binary.ts";
import { type Case, casesByChance, casesByHand, someOf } from "./mechanic-bench/fault.ts";
import { figuresOf, tooFew } from "./mechanic-bench/figures.ts";
import { loadPackages } from "./mechanic-bench/packages.ts";
import { loadPrograms } from "./mechanic-bench/program.ts";
import { whyNoPython } from "./mechanic-bench/tests.ts";
import { type Trial, trial } from "./mechanic-bench/trial.ts";

const usage = `npm run mechanic-bench -- [--seed=N] [--only=TEXT] [--quick] [--all] [--source]
  --seed    chooses and makes the faults of an earlier run again
  --only    those made by hand whose name holds this text; "npm-": the packages
  --quick   the same eight cases at each run
  --all     every fault made by hand, and as many by chance (half an hour)
  --source  runs coder from source instead of dist/coder`;

const atOnce = 2;
const quickCases = 8;
/** Of each sort; more says little more and takes longer than anybody waits. */
const usualCases = 32;

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      seed: { type: "string" },
      only: { type: "string" },
      quick: { type: "boolean" },
      all: { type: "boolean" },
      source: { type: "boolean" },
      help: { type: "boolean" },
    },
  });
  if (values.help) return say(usage, 0);
  const seed = Number(values.seed ?? crypto.getRandomValues(new Uint32Array(1))[0]);
  if (!Number.isSafeInteger(seed) || seed < 0) return say(`--seed is a whole number, not ${values.seed}`, 2);
  say(`seed ${seed}`, 0);
  using packages =
    values.quick === true || (values.only ?? "npm-").includes("npm-") === false ? null : await loadPackages();
  if (packages?.why) say(`packages of the npm registry are left out: ${packages.why}`, 0);
  const own = (packages?.programs ?? []).filter(({ name }) => name.includes(values.only ?? ""));
  const cases = [...(await chosen(seed, values)), ...(await casesByChance(own, own.length, seed))];
  if (cases.length === 0) return say("nothing to run", 2);
  const argv = values.source ? fromSource : [join(import.meta.dir, "..", "dist", "coder")];
  const trials = await tryAll(argv, cases);
  const { lines, missed } = figuresOf(trials, values.only === undefined && !values.quick);
  say(`\n${lines.join("\n")}`, 0);
  const few = values.only === undefined && !values.quick ? tooFew(trials.length) : null;
  const all = few === null ? missed : [...missed, few];
  return say(all.length === 0 ? "all figures are met" : `MISSED: ${all.join("; ")}`, all.length === 0 ? 0 : 1);
}

interface Choice {
  readonly quick?: boolean;
  readonly all?: boolean;
  readonly only?: string;
}

async function chosen(seed: number, { quick, all: isAll, only }: Choice): Promise<readonly Case[]> {
  const all = loadPrograms();
  const why = await whyNoPython();
  const programs = why === null ? all : all.filter(({ language }) => language !== "python");
  if (why !== null) say(`Python programs are left out: ${why}`, 0);
  const hand = casesByHand(programs);
  if (quick) return someOf(hand, quickCases, 1);
  if (only !== undefined) return hand.filter(({ name }) => name.includes(only));
  const some = isAll ? hand : someOf(hand, usualCases, seed);
  return [...some, ...(await casesByChance(programs, some.length, seed))];
}

async function tryAll(argv: readonly string[], cases: readonly Case[]): Promise<readonly Trial[]> {
  const open = [...cases];
  const trials: Trial[] = [];
  const worker = async () => {
    for (let next = open.shift(); next !== undefined; next = open.shift()) {
      const one = await trial(argv, next);
      trials.push(one);
      const { verdict, seconds, checks, name, note } = one;
      const row = [verdict.padEnd(10), `${seconds.toFixed(1)} s`.padStart(7), `${checks}`.padStart(3), name, note];
      say(row.join("  ").trimEnd(), 0);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return trials;
}

function say(text: string, code: number): number {
  console.log(text);
  return code;
}

process.exit(await main());
