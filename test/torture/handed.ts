// Work that was handed on (TL-5): killed anywhere inside, it goes on there, nothing of it happens twice, and its result comes once.
import { type Report, reported } from "./case.ts";
import { foldOf, lookAt, phaseOf, tokensIn } from "./found.ts";
import type { Ground } from "./ground.ts";
import type { Job } from "./groups.ts";
import { handedPrompt, handedToken } from "./handed-task.ts";
import { type Disturbance, live, nameOf, type Place, runFlags } from "./life.ts";
import { differences, type Outcome, outcomeOf } from "./outcome.ts";
import { countIn } from "./plan.ts";
import { randomFor } from "./random.ts";
import { commonProblems } from "./sound.ts";

const COUNT = 60;

/** A system call, by its place among all of its name. */
interface Somewhere {
  readonly kind: "somewhere";
  readonly name: "pwrite64" | "fsync";
  readonly percent: number;
}

type Kill = Disturbance | Somewhere;

export function handedJobs(ground: Ground, seed: number): readonly Job[] {
  return Array.from({ length: COUNT }, (_, at) => {
    const random = randomFor(seed, "handed", at);
    const line = (holds: readonly string[], upTo: number): Disturbance => ({
      ...{ kind: "line", holds, nth: 1 },
      afterMs: random.between(0, upTo),
    });
    const somewhere = (name: Somewhere["name"]): Kill => ({
      kind: "somewhere",
      name,
      percent: random.between(30, 100),
    });
    const one = random.oneOf<() => Kill>([
      () => line(['"type":"sub.started"'], 4),
      () => line(['"tool.intended"', '"r2/2/1"'], 3),
      () => line(['"tool.settled"', '"r2/2/2"'], 3),
      () => line(['"process.spawned"', '"r2/3/1"'], 40),
      () => line(['"tool.settled"', '"r1/2/1"'], 3),
      () => somewhere("pwrite64"),
      () => somewhere("pwrite64"),
      () => somewhere("fsync"),
    ]);
    const kills = random.oneOf([1, 1, 2]) === 1 ? [one()] : [one(), one()];
    const name = `handed/${kills.map((kill) => (kill.kind === "somewhere" ? `${kill.name}@${kill.percent}%` : nameOf(kill))).join()}`;
    return { name, run: () => killed(ground, name, kills) };
  });
}

async function killed(ground: Ground, name: string, kills: readonly Kill[]): Promise<Report> {
  const baseline = await baselineOf(ground);
  const disturbances: Disturbance[] = [];
  for (const kill of kills) disturbances.push(await resolved(ground, kill));
  return await reported(ground, name, async (place, { lives, phases, problems }) => {
    for (const disturbance of [...disturbances, null]) {
      const { sessionId, log } = lookAt(place);
      const isOver = sessionId !== null && foldOf(log).task.phase === "IDLE" && foldOf(log).queue.length === 0;
      if (isOver && disturbance !== null) continue;
      const task = sessionId === null ? [handedPrompt] : ["--resume", sessionId];
      const life = await live(place, runFlags(ground.url, task), disturbance);
      lives.push(life);
      const now = lookAt(place);
      if (life.wasKilled) phases.push(phaseOf(place, now, life));
    }
    const found = lookAt(place);
    problems.push(...differences(outcomeOf(place, found), baseline), ...commonProblems(place, found, lives));
    const starts = found.log.filter(({ accepted, event }) => accepted && event.type === "sub.started").length;
    if (starts !== 1) problems.push(`it was handed on ${starts} times`);
    problems.push(...runProblems(place));
  });
}

function runProblems(place: Place): readonly string[] {
  const count = tokensIn(place).filter((line) => line === `${handedToken}-start`).length;
  return count <= 1 ? [] : [`its command ran ${count} times`];
}

let counted: Promise<Readonly<Record<string, number>>> | null = null;

async function resolved(ground: Ground, kill: Kill): Promise<Disturbance> {
  if (kill.kind !== "somewhere") return kill;
  counted ??= countCalls(ground);
  const count = (await counted)[kill.name] ?? 0;
  return { kind: "call", name: kill.name, nth: Math.max(1, Math.floor((count * kill.percent) / 100)) };
}

async function countCalls(ground: Ground): Promise<Readonly<Record<string, number>>> {
  let calls: Readonly<Record<string, number>> = {};
  await reported(ground, "count", async (place) => {
    ({ calls } = await countIn(place, runFlags(ground.url, [handedPrompt])));
  });
  return calls;
}

let baseline: Promise<Outcome> | null = null;

function baselineOf(ground: Ground): Promise<Outcome> {
  baseline ??= undisturbed(ground);
  return baseline;
}

async function undisturbed(ground: Ground): Promise<Outcome> {
  let outcome: Outcome | null = null;
  const report = await reported(ground, "undisturbed handed", async (place, { lives, problems }) => {
    const life = await live(place, runFlags(ground.url, [handedPrompt]), null);
    lives.push(life);
    const found = lookAt(place);
    outcome = outcomeOf(place, found);
    const bad = Object.values(outcome.calls).filter(({ status }) => status !== "done");
    problems.push(...bad.map(({ tool, output }) => `${tool}: ${output}`), ...commonProblems(place, found, lives));
  });
  if (outcome === null || report.problems.length > 0)
    throw new Error(`the undisturbed run is not sound (${report.folder}): ${report.problems.join("; ")}`);
  return outcome;
}
