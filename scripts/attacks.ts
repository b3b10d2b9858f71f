// `npm run attacks`: plays a hostile model, repository, server and package against the built program. See docs/security.md.
import { parseArgs } from "node:util";
import { builtBinary } from "../test/support/binary.ts";
import { attempts } from "./attacks/all.ts";
import { type Attempt, broken, type Outcome } from "./attacks/attempt.ts";
import { Ground } from "./attacks/ground.ts";

const usage = `npm run attacks -- [--promise NAME] [--only TEXT] [--every N] [--program PATH]
  --promise NAME  only attempts against this promise
  --only TEXT     only attempts with this in their name
  --every N       the first attempt against each promise and each N-th after it: the short form of npm test
  --program PATH  another build of coder: an old one shows which attempts would have worked`;

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      promise: { type: "string" },
      only: { type: "string" },
      every: { type: "string" },
      program: { type: "string" },
      help: { type: "boolean" },
    },
  });
  if (values.help === true) {
    say(usage);
    return 0;
  }
  const every = Number(values.every ?? 1);
  const met = new Map<string, number>();
  const chosen = attempts.filter(({ promise, name }) => {
    const at = met.get(promise) ?? 0;
    met.set(promise, at + 1);
    return at % every === 0 && (values.promise ?? promise) === promise && name.includes(values.only ?? "");
  });
  const counts = { held: 0, broken: 0, skipped: 0 };
  const program = values.program === undefined ? builtBinary() : [values.program];
  const queue = [...chosen];
  // Two at a time: most of each is waiting for processes.
  const work = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const outcome = await played(next, program);
      counts[outcome.is] += 1;
      say(
        `${outcome.is.padEnd(8)} ${next.promise.padEnd(10)} ${next.name} → ${outcome.how.replaceAll("\n", "␤").slice(0, 200)}`,
      );
    }
  };
  await Promise.all([work(), work()]);
  say(`\n${chosen.length} attempts: ${counts.held} held, ${counts.broken} broken, ${counts.skipped} skipped`);
  return counts.broken === 0 && chosen.length > 0 ? 0 : 1;
}

async function played(attempt: Attempt, program: readonly string[]): Promise<Outcome> {
  using ground = new Ground(program);
  try {
    return await attempt.play(ground);
  } catch (error) {
    return broken(`the attempt itself failed: ${error}`);
  }
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

process.exit(await main());
