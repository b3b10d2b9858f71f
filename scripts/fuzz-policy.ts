// `npm run fuzz-policy`: makes command lines, runs what would need no question, and looks for effects. See docs/dev/fuzz-policy.md.
import { parseArgs } from "node:util";
import { straceProblem } from "../test/support/strace.ts";
import type { Find } from "./fuzz-policy/finds.ts";
import type { Counts } from "./fuzz-policy/fuzz.ts";
import { defences, takeOut } from "./fuzz-policy/mutants.ts";

const usage = `npm run fuzz-policy -- [--minutes N | --lines N] [--seed N] [--kinds A,B] [--without NAME]
  --minutes N     how long (5 without it)
  --lines N       until so many lines were executed
  --seed N        repeats a run, round by round
  --kinds A,B     only these kinds of lines
  --without NAME  takes a defence out first and ends with the first find: ${Object.keys(defences).join(", ")}`;

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      minutes: { type: "string" },
      lines: { type: "string" },
      seed: { type: "string" },
      kinds: { type: "string" },
      without: { type: "string" },
      help: { type: "boolean" },
    },
  });
  const lines = Number(values.lines ?? Number.POSITIVE_INFINITY);
  const minutes = Number(values.minutes ?? (values.lines === undefined ? 5 : Number.POSITIVE_INFINITY));
  if (values.help === true || !(minutes > 0 && lines > 0)) {
    say(usage);
    return values.help === true ? 0 : 2;
  }
  const problem = straceProblem();
  if (problem !== null) {
    say(problem);
    return 2;
  }
  const isMutant = values.without !== undefined;
  if (values.without !== undefined) takeOut(values.without);
  const seed = Number(values.seed ?? Math.trunc(Math.random() * 2 ** 31));
  say(`seed ${seed}`);
  return run(seed, { minutes, lines, names: values.kinds?.split(",") }, isMutant);
}

interface Limit {
  readonly minutes: number;
  readonly lines: number;
  readonly names: readonly string[] | undefined;
}

async function run(seed: number, { minutes, lines, names }: Limit, isMutant: boolean): Promise<number> {
  // Loaded here, so that a defence can be taken out first.
  const { fuzz, kinds } = await import("./fuzz-policy/fuzz.ts");
  const { storeFind } = await import("./fuzz-policy/finds.ts");
  const started = performance.now();
  const passed = (): number => (performance.now() - started) / 60_000;
  const rounds = (names ?? Object.keys(kinds)).flatMap((name) => kinds[name] ?? []);
  if (rounds.length === 0) {
    say(`no kind of that name; known: ${Object.keys(kinds).join(", ")}`);
    return 2;
  }
  const finds: Find[] = [];
  let nextShown = 0;
  const counts = await fuzz({
    seed,
    rounds,
    round: Math.min(400, Math.ceil(lines / rounds.length)),
    isOver: ({ executed }) => passed() >= minutes || executed >= lines || (isMutant && finds.length > 0),
    onRound: (so) => {
      if (passed() < nextShown) return;
      nextShown = passed() + 0.5;
      say(`${passed().toFixed(1)} min  ${shown(so)}`);
    },
    isFirstEnough: isMutant,
    onFind: (find) => {
      finds.push(find);
      say(`FOUND ${JSON.stringify(find)}`);
      if (!isMutant) storeFind(find);
    },
  });
  say(`${passed().toFixed(1)} min  ${shown(counts)}`);
  if (isMutant) say(finds.length > 0 ? "the hole was found" : "the hole was NOT found");
  return isMutant === finds.length > 0 ? 0 : 1;
}

function shown({ tried, allowed, executed, endless, effects, leaks }: Counts): string {
  return `lines tried ${tried}, allowed ${allowed}, executed ${executed}, effects ${effects}, leaks ${leaks} (without an end: ${endless})`;
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

process.exit(await main());
