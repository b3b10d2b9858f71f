// One soak: a process, a model, tasks in turn until the time is over, and a sample now and then.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { commands, files, type Kind, kinds } from "./kinds.ts";
import { startModel } from "./model.ts";
import { Coder, type Line } from "./process.ts";
import { type Sample, sampleOf } from "./sample.ts";

export interface Soaked {
  readonly samples: readonly Sample[];
  /** Tasks of each kind that ran. */
  readonly counts: Readonly<Record<string, number>>;
  /** Whatever did not end as it should. */
  readonly problems: readonly string[];
}

export interface Wish {
  readonly argv: readonly string[];
  readonly seconds: number;
  readonly everySeconds: number;
  readonly onSample?: (sample: Sample) => void;
}

/** Rounds of all kinds in one session; then `/new`, so that requests do not grow for ever. */
const roundsPerSession = 3;
/** A task leaves about 40 KiB on the disk: spread over the time, so that a long soak does not fill it. */
const maxTasks = 20_000;

export async function soak(wish: Wish): Promise<Soaked> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "coder-soak-")));
  const [home, workspace] = [join(root, "home"), join(root, "work")];
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(workspace, path)), { recursive: true });
    writeFileSync(join(workspace, path), text);
  }
  const model = startModel();
  const flags = ["--input", "stream-json", "--output", "stream-json", "--mode", "yolo"];
  const coder = new Coder(
    [...wish.argv, "run", ...flags, "--base-url", model.url, "--model", "openai-chat/soak"],
    workspace,
    { PATH: process.env.PATH, HOME: root, CODER_HOME: home, LANG: "C" },
  );
  try {
    const soaked = await feed(coder, wish, model.offers, (counted) => sampleOf(coder.pid, home, workspace, counted));
    const code = await coder.end();
    const log = join(home, "log", "internal.log");
    return {
      ...soaked,
      problems: [
        ...soaked.problems,
        ...(code === 0 ? [] : [`coder ended with exit code ${code}`]),
        ...(existsSync(log) ? [`internal faults: ${readFileSync(log, "utf8").slice(0, 2_000)}`] : []),
      ],
    };
  } finally {
    coder.kill();
    model.stop();
    rmSync(root, { recursive: true, force: true });
  }
}

async function feed(
  coder: Coder,
  wish: Wish,
  offers: () => ReadonlySet<string>,
  look: (counted: Pick<Sample, "seconds" | "tasks" | "events" | "sessions">) => Sample,
): Promise<Soaked> {
  const began = performance.now();
  const elapsed = (): number => (performance.now() - began) / 1000;
  const samples: Sample[] = [];
  const problems: string[] = [];
  const counts: Record<string, number> = {};
  let tasks = 0;
  let sessions = 1;
  for (let round = 1; elapsed() < wish.seconds; round++) {
    for (const kind of kinds) {
      if (kind.needs !== undefined && !offers().has(kind.needs)) continue;
      await Bun.sleep(Math.max(0, (tasks / maxTasks) * wish.seconds - elapsed()) * 1000);
      problems.push(...problemWith(kind, await coder.task(kind, ++tasks), coder.failed));
      counts[kind.name] = (counts[kind.name] ?? 0) + 1;
      await coder.command(commands[tasks % commands.length] ?? "/status");
      if (elapsed() < (samples.at(-1)?.seconds ?? Number.NEGATIVE_INFINITY) + wish.everySeconds) continue;
      const sample = await quiet(() => look({ seconds: elapsed(), tasks, events: coder.events, sessions }));
      samples.push(sample);
      wish.onSample?.(sample);
    }
    if (round % roundsPerSession === 0) {
      await coder.command("/new");
      sessions++;
    }
  }
  // The exit code will be that of the last task.
  const [last] = kinds;
  if (last !== undefined) problems.push(...problemWith(last, await coder.task(last, ++tasks), coder.failed));
  return { samples, counts, problems: problems.slice(0, 20) };
}

/** A command in the background may still have its moment to live; what stays longer is left behind. */
async function quiet(look: () => Sample): Promise<Sample> {
  const deadline = performance.now() + 5_000;
  for (;;) {
    const sample = look();
    if (sample.children === 0 || performance.now() > deadline) return sample;
    await Bun.sleep(20);
  }
}

function problemWith(kind: Kind, result: Line, failed: number): readonly string[] {
  const { name, ends, fails = 0 } = kind;
  if (result.stop_reason !== ends)
    return [`${name} ended ${String(result.stop_reason)}: ${JSON.stringify(result.error)}`];
  return failed === fails ? [] : [`${name}: ${failed} calls failed, not ${fails}`];
}
