// One case: lives that are disturbed one after the other, a last one that is not, and then everything is looked at.
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Found, foldOf, lookAt, type Phase, phaseOf, tokensIn } from "./found.ts";
import type { Ground } from "./ground.ts";
import { type Disturbance, type Life, live, nameOf, type Place, runFlags } from "./life.ts";
import { differences, type Outcome, outcomeOf, treeOf } from "./outcome.ts";
import { soundProblems } from "./sound.ts";
import { type Pace, prompts } from "./task.ts";

export interface Case {
  readonly pace: Pace;
  /** For the first life, the resume after it, and so on. */
  readonly disturbances: readonly Disturbance[];
}

export function caseName({ pace, disturbances }: Case): string {
  return `${pace}/${disturbances.map(nameOf).join(",")}`;
}

export interface Report {
  readonly name: string;
  /** One for each kill that hit. */
  readonly phases: readonly Phase[];
  readonly problems: readonly string[];
  /** Kept when there are problems. */
  readonly folder: string;
  /** Why it could not be run here. */
  readonly skipped?: string;
}

/** What a case adds to while it runs. */
export interface Course {
  readonly lives: Life[];
  readonly phases: Phase[];
  readonly problems: string[];
}

/** A folder without problems goes; one with problems gets all that was seen. */
export async function reported(ground: Ground, name: string, run: (place: Place, course: Course) => Promise<void>) {
  const place = ground.newPlace();
  const course: Course = { lives: [], phases: [], problems: [] };
  try {
    await run(place, course);
  } catch (error) {
    course.problems.push(`the torture itself failed: ${error instanceof Error ? error.stack : error}`);
  }
  const report: Report = { name, phases: course.phases, problems: course.problems, folder: place.root };
  if (report.problems.length === 0) rmSync(place.root, { recursive: true, force: true });
  else writeFileSync(join(place.root, "report.json"), JSON.stringify({ ...report, lives: course.lives }, null, 1));
  return report;
}

export async function runCase(ground: Ground, { pace, disturbances }: Case): Promise<Report> {
  return await reported(ground, caseName({ pace, disturbances }), async (place, { lives, phases, problems }) => {
    for (const disturbance of disturbances) {
      const life = await liveOn(ground, place, pace, disturbance);
      lives.push(life);
      const found = lookAt(place);
      if (life.wasKilled) phases.push(phaseOf(place, found, life));
      problems.push(...earlyProblems(ground, place, found), ...endProblems(found, life, disturbance));
    }
    lives.push(await liveOn(ground, place, pace, null));
    const wasCancelled = disturbances.some(({ kind }) => kind === "cancel");
    problems.push(...problemsOf(place, wasCancelled ? null : ground.baselines[pace], lives));
  });
}

/** What is wrong after the last resume. `baseline`: the undisturbed run; `null` when the task was cancelled on the way. */
export function problemsOf(place: Place, baseline: Outcome | null, lives: readonly Life[]): readonly string[] {
  const found = lookAt(place);
  if (found.sessionId === null) return ["there is no session after the last resume"];
  const outcome = outcomeOf(place, found);
  const unlike = baseline === null ? [] : differences(outcome, baseline);
  return [...unlike, ...soundProblems(place, found, outcome, lives)];
}

/** The next life: a resume, or from the beginning when nothing was stored. */
export async function liveOn(ground: Ground, place: Place, pace: Pace, disturbance: Disturbance | null): Promise<Life> {
  const { sessionId } = lookAt(place);
  const task = sessionId === null ? [prompts[pace]] : ["--resume", sessionId];
  return await live(place, runFlags(ground.url, task), disturbance);
}

function earlyProblems(ground: Ground, place: Place, found: Found): readonly string[] {
  if (found.sessionId !== null) return [];
  const isUntouched = tokensIn(place).length === 0 && Bun.deepEquals(treeOf(place.workspace), ground.untouched);
  return isUntouched ? [] : ["something happened before the input was stored"];
}

/** A life that was not killed has either finished the task or met a full disk. */
function endProblems(found: Found, life: Life, disturbance: Disturbance): readonly string[] {
  if (life.wasKilled || (found.sessionId !== null && foldOf(found.log).task.phase === "IDLE")) return [];
  if (disturbance.kind === "refuse" && life.exitCode === 8) return [];
  // The signal came before the program listened for it, when it had stored nothing yet.
  if (disturbance.kind === "cancel" && life.exitCode === null && found.sessionId === null) return [];
  return [`${nameOf(disturbance)} ended it with ${life.exitCode}: ${life.stderr}`];
}
