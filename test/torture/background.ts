// Background jobs: whenever the program is killed, no job runs twice, none is left running, and each end is in the log.
import type { Recorded } from "../../src/contract/event.ts";
import { markerOf, readTable } from "../../src/platform/process/proc.ts";
import { type Report, reported } from "./case.ts";
import { lookAt, phaseOf, tokensIn } from "./found.ts";
import type { Ground } from "./ground.ts";
import type { Job } from "./groups.ts";
import { type Disturbance, live, nameOf, type Place, runFlags } from "./life.ts";
import { randomFor } from "./random.ts";
import { replayProblems } from "./sound.ts";
import { backgroundPrompt, backgroundText, backgroundTokens } from "./task.ts";

const COUNT = 36;

export function backgroundJobs(ground: Ground, seed: number): readonly Job[] {
  return Array.from({ length: COUNT }, (_, at) => {
    const disturbances = disturbancesOf(seed, at);
    const name = `background/${disturbances.map(nameOf).join(",")}`;
    return { name, run: () => killed(ground, name, disturbances) };
  });
}

function disturbancesOf(seed: number, at: number): readonly Disturbance[] {
  const random = randomFor(seed, "background", at);
  const jobs = ["j1", "j2", "j3"];
  const first = (): Disturbance =>
    random.oneOf<() => Disturbance>([
      () => ({ kind: "time", afterMs: random.between(20, 400) }),
      () => ({ kind: "line", holds: ["job.started", random.oneOf(jobs)], nth: 1, afterMs: random.between(0, 6) }),
      () => ({ kind: "line", holds: ["job.ended", random.oneOf(jobs)], nth: 1, afterMs: random.between(0, 2) }),
      () => ({ kind: "call", name: "fdatasync", nth: random.between(1, 12) }),
      () => ({ kind: "call", name: "pwrite64", nth: random.between(10, 60) }),
      () => ({ kind: "cancel", afterMs: random.between(60, 300), killAfterMs: random.oneOf([0, 2, 10, 40]) }),
    ])();
  return at % 3 === 0 ? [first(), { kind: "time", afterMs: random.between(10, 150) }] : [first()];
}

async function killed(ground: Ground, name: string, disturbances: readonly Disturbance[]): Promise<Report> {
  return await reported(ground, name, async (place, { lives, phases, problems }) => {
    for (const disturbance of [...disturbances, null]) {
      const { sessionId } = lookAt(place);
      const task = sessionId === null ? [backgroundPrompt] : ["--resume", sessionId];
      const life = await live(place, runFlags(ground.url, task), disturbance);
      lives.push(life);
      if (life.wasKilled) phases.push(phaseOf(place, lookAt(place), life));
    }
    const wasCancelled = disturbances.some(({ kind }) => kind === "cancel");
    problems.push(...endProblems(place, wasCancelled, lives.at(-1)?.exitCode ?? null));
  });
}

function endProblems(place: Place, wasCancelled: boolean, exitCode: number | null): readonly string[] {
  const { sessionId, log } = lookAt(place);
  if (sessionId === null) return ["there is no session after the last resume"];
  const problems = [...jobProblems(log), ...replayProblems(place, sessionId)];
  const lines = tokensIn(place);
  for (const token of backgroundTokens) {
    const times = lines.filter((line) => line === `${token}-start`).length;
    if (times > 1) problems.push(`${token} was started ${times} times`);
  }
  readTable(({ pid, state }) => {
    if (state !== "Z" && markerOf(pid)?.startsWith(`${sessionId}.`)) problems.push(`process ${pid} still runs`);
  });
  if (wasCancelled) return problems;
  const said = log.flatMap(({ event }) => (event.type === "model.replied" ? [event.reply.text] : [])).at(-1);
  if (said !== backgroundText || exitCode !== 0) problems.push(`ended with ${exitCode} and "${said}"`);
  return problems;
}

/** Every job that was started has exactly one end, and no process is a job without a call. */
function jobProblems(log: readonly Recorded[]): readonly string[] {
  const count = (type: "job.started" | "job.ended", id: string): number =>
    log.filter(({ accepted, event }) => accepted && event.type === type && event.jobId === id).length;
  const ids = new Set(log.flatMap(({ event }) => (event.type === "job.started" ? [event.jobId] : [])));
  return [...ids].flatMap((id) =>
    count("job.started", id) === 1 && count("job.ended", id) === 1
      ? []
      : [`${id}: ${count("job.started", id)} starts, ${count("job.ended", id)} ends`],
  );
}
