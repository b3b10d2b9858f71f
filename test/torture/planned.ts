// Plans: whenever the program is killed, each step moves once, the model is told and asked the same, and both lists are one.
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { EventOf, EventType, Recorded } from "../../src/contract/event.ts";
import { openSteps } from "../../src/machine/plan/progress.ts";
import { todosFor } from "../../src/machine/plan/todos-due.ts";
import { reduce } from "../../src/machine/session.ts";
import { emptySession } from "../../src/machine/state.ts";
import { type Report, reported } from "./case.ts";
import { type Found, lookAt, phaseOf } from "./found.ts";
import type { Ground } from "./ground.ts";
import type { Job } from "./groups.ts";
import { type Disturbance, type Life, live, nameOf, type Place, runFlags } from "./life.ts";
import { unequal } from "./outcome.ts";
import { plannedFiles, plannedPrompt, plannedText } from "./planned-task.ts";
import { randomFor } from "./random.ts";
import { commonProblems } from "./sound.ts";

const COUNT = 48;

export function plannedJobs(ground: Ground, seed: number): readonly Job[] {
  return Array.from({ length: COUNT }, (_, at) => {
    const disturbances = disturbancesOf(seed, at);
    const name = `planned/${disturbances.map(nameOf).join(",")}`;
    return { name, run: () => killed(ground, name, disturbances) };
  });
}

function disturbancesOf(seed: number, at: number): readonly Disturbance[] {
  const random = randomFor(seed, "planned", at);
  const line = (event: string, nth: number, upTo: number): Disturbance => ({
    kind: "line",
    holds: [`"${event}"`],
    nth,
    afterMs: random.between(0, upTo),
  });
  const kinds: readonly (() => Disturbance)[] = [
    () => line("plan.rejected", 1, 4),
    () => line("plan.settled", 1, 6),
    () => line("advice.given", random.between(1, 5), 4),
    () => line("tool.settled", random.between(1, 8), 3),
    () => line("tool.intended", random.between(1, 4), 3),
    () => line("model.replied", random.between(1, 8), 4),
    () => ({ kind: "time", afterMs: random.between(30, 500) }),
    () => ({ kind: "call", name: "fsync", nth: random.between(4, 20) }),
    () => ({ kind: "call", name: "pwrite64", nth: random.between(60, 220) }),
  ];
  const first = kinds[at % kinds.length] ?? random.oneOf(kinds);
  return at % 3 === 0 ? [first(), random.oneOf(kinds)()] : [first()];
}

async function killed(ground: Ground, name: string, disturbances: readonly Disturbance[]): Promise<Report> {
  return await reported(ground, name, async (place, { lives, phases, problems }) => {
    for (const disturbance of [...disturbances, null]) {
      const { sessionId } = lookAt(place);
      const task = sessionId === null ? [plannedPrompt] : ["--resume", sessionId];
      const life = await live(place, runFlags(ground.url, task, "auto-edit"), disturbance);
      lives.push(life);
      if (life.wasKilled) phases.push(phaseOf(place, lookAt(place), life));
    }
    problems.push(...endProblems(place, lives));
  });
}

function endProblems(place: Place, lives: readonly Life[]): readonly string[] {
  const found = lookAt(place);
  if (found.sessionId === null) return ["there is no session after the last resume"];
  return [...unequal("", summaryOf(place, found), shall), ...commonProblems(place, found, lives)];
}

const shall = {
  ended: ["COMPLETED"],
  rejected: 1,
  settled: 1,
  told: ["run.plan_missing", "run.step_next", "run.step_next_files", "run.step_next", "run.steps_open"],
  steps: ["1 done", "2 done", "3 done", "4 done"],
  open: 0,
  isOneList: true,
  files: [true, true, true],
  text: plannedText,
};

function summaryOf(place: Place, { log }: Found): typeof shall {
  const state = log.reduce(
    (sofar, { accepted, event }) => (accepted ? reduce(sofar, event).state : sofar),
    emptySession,
  );
  const { plan, todos } = state;
  return {
    ended: all(log, "task.summarized").map(({ summary }) => summary.stop_reason),
    rejected: all(log, "plan.rejected").length,
    settled: all(log, "plan.settled").length,
    told: all(log, "advice.given").map(({ text }) => text.key),
    steps: (plan?.steps ?? []).map(({ id, status }) => `${id} ${status}`),
    open: plan ? openSteps(plan).length : -1,
    isOneList: plan !== null && JSON.stringify(todosFor(plan)) === JSON.stringify(todos),
    files: plannedFiles.map((file) => existsSync(join(place.workspace, file))),
    text: all(log, "model.replied").at(-1)?.reply.text ?? "",
  };
}

function all<T extends EventType>(log: readonly Recorded[], type: T): readonly EventOf<T>[] {
  return log.flatMap(({ accepted, event }) => (accepted && event.type === type ? [event as EventOf<T>] : []));
}
