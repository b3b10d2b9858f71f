// Two processes on one session, and two sessions in one store.
import { join } from "node:path";
import { type Course, liveOn, problemsOf, reported } from "./case.ts";
import type { Ground } from "./ground.ts";
import type { Job } from "./groups.ts";
import { type Life, type Line, live, makePlace, type Place, runFlags, type Started, start } from "./life.ts";
import { replayProblems } from "./sound.ts";
import { prompts, sidePrompt, sideText } from "./task.ts";

/** The moments at which the second process appears: while the first streams, writes, and waits for a command. */
const moments: Readonly<Record<string, readonly string[]>> = {
  "while a command runs": ["process.spawned", "r1/3/3"],
  "while it streams": ['"delta"', '"modelCallIndex":3'],
  "while it writes": ["tool.intended", "r1/3/1"],
  "while the second command runs": ["process.spawned", "r1/5/1"],
};

export function twoProcessJobs(ground: Ground): readonly Job[] {
  const each = (
    what: string,
    run: (place: Place, course: Course, moment: readonly string[]) => Promise<void>,
  ): readonly Job[] =>
    Object.entries(moments).map(([when, moment]) => {
      const name = `${what} ${when}`;
      return { name, run: () => reported(ground, name, (place, course) => run(place, course, moment)) };
    });
  return [
    ...each("second process", (place, course, moment) => second(ground, place, course, moment)),
    ...each("fork", (place, course, moment) => fork(ground, place, course, moment)),
    ...each("takeover", (place, course, moment) => takeover(ground, place, course, moment)),
    ...each("neighbour killed", (place, course, moment) => neighbours(ground, place, course, moment)),
  ];
}

interface First {
  readonly started: Started;
  /** The id of its session, at the moment when the given line appears. */
  readonly reached: Promise<string>;
}

function startFirst(ground: Ground, place: Place, moment: readonly string[]): First {
  const { promise: reached, resolve, reject } = Promise.withResolvers<string>();
  let sessionId = "";
  const onLine = (line: Line, text: string): void => {
    const event = line.event as { sessionId?: string } | undefined;
    sessionId ||= event?.sessionId ?? "";
    if (moment.every((part) => text.includes(part))) resolve(sessionId);
  };
  const started = start(place, runFlags(ground.url, [prompts.slow]), { onLine });
  void started.ended.then((life) => reject(new Error(`it ended too early: ${life.stderr}`)));
  return { started, reached };
}

/** It is told who holds the session, and the first does not notice. */
async function second(ground: Ground, place: Place, course: Course, moment: readonly string[]): Promise<void> {
  const first = startFirst(ground, place, moment);
  const id = await first.reached;
  const other = await live(place, runFlags(ground.url, ["--resume", id]), null);
  const said = other.lines.map((line) => JSON.stringify(line)).join("\n");
  if (other.exitCode !== 8) course.problems.push(`the second ended with ${other.exitCode}, not 8: ${other.stderr}`);
  if (!said.includes(String(first.started.pid))) course.problems.push(`the second was not told who holds it: ${said}`);
  course.lives.push(await first.started.ended);
  course.problems.push(...problemsOf(place, ground.baselines.slow, course.lives));
}

/** The copy goes its own way: it neither repeats nor ends what the first is doing. */
async function fork(ground: Ground, place: Place, course: Course, moment: readonly string[]): Promise<void> {
  const first = startFirst(ground, place, moment);
  const id = await first.reached;
  const copy = await live(place, runFlags(ground.url, ["--resume", id, "--fork", sidePrompt]), null);
  const result = copy.lines.findLast((line) => line.type === "result");
  if (result?.text !== sideText || copy.exitCode !== 0) {
    course.problems.push(`the copy ended with ${copy.exitCode} and ${JSON.stringify(result)}: ${copy.stderr}`);
  }
  if (result?.session_id === id) course.problems.push("the copy has the id of the original");
  course.lives.push(await first.started.ended);
  course.problems.push(...problemsOf(place, ground.baselines.slow, course.lives));
  course.problems.push(...replayProblems(place, String(result?.session_id)));
}

/** The first is killed; of two that resume at once, one gets the session and the other is told so. */
async function takeover(ground: Ground, place: Place, course: Course, moment: readonly string[]): Promise<void> {
  const first = startFirst(ground, place, moment);
  await first.reached;
  first.started.kill();
  course.lives.push(await first.started.ended);
  const both: readonly Life[] = await Promise.all([
    liveOn(ground, place, "slow", null),
    liveOn(ground, place, "slow", null),
  ]);
  const codes = both.map(({ exitCode }) => exitCode).sort();
  const expected = [ground.baselines.slow.exitCode, 8].sort();
  if (!Bun.deepEquals(codes, expected)) course.problems.push(`two resumes ended with ${codes}, not ${expected}`);
  course.lives.push(...[...both].sort((a, b) => Number(b.exitCode === 8) - Number(a.exitCode === 8)));
  course.problems.push(...problemsOf(place, ground.baselines.slow, course.lives));
}

/** Another session in the same store is killed at any moment: this one does not notice. */
async function neighbours(ground: Ground, place: Place, course: Course, moment: readonly string[]): Promise<void> {
  const other = { ...makePlace(join(place.root, "other")), home: place.home };
  const first = startFirst(ground, other, moment);
  const own = live(place, runFlags(ground.url, [prompts.slow]), null);
  await first.reached;
  first.started.kill();
  await first.started.ended;
  course.lives.push(await own);
  course.problems.push(...problemsOf(place, ground.baselines.slow, course.lives));
  const resumed = await liveOn(ground, other, "slow", null);
  course.problems.push(...problemsOf(other, ground.baselines.slow, [resumed]));
}
